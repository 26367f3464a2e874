package reader

import (
	"encoding/binary"
	"maps"
	"sync"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// hosts keeps what the pages of each host repeat, and under which version of that
// each page was read. It is read from the store when a host is first met and
// written back by settled.
type hosts struct {
	store Store
	mu    sync.Mutex // guards m
	m     map[string]*host
}

type host struct {
	boiler page.Boilerplate
	errors page.ErrorPages

	learning sync.Mutex // one Learn or Fill at a time

	mu    sync.Mutex         // guards what follows
	read  map[uint64]int     // versions of pages read since the host was settled, by id
	later []page.SampledPage // pages that are to be learned when the run is over
	saved bool               // the stored form is what is known
}

func (t *hosts) of(name string) *host {
	t.mu.Lock()
	defer t.mu.Unlock()
	h := t.m[name]
	if h == nil {
		h = new(host)
		if t.m == nil {
			t.m = map[string]*host{}
		}
		t.m[name] = h
		// What does not decode is learned anew: see Reader.Recover.
		if v := t.store.Host(name); v != nil && h.boiler.UnmarshalBinary(v) == nil {
			h.saved = true
		}
	}
	return h
}

// all lists the hosts that were met.
func (t *hosts) all() map[string]*host {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.m)
}

// unknown is the version of a page whose version is not known.
const unknown = -1

// note remembers under which version of the profile a page was read.
func (h *host) note(id uint64, version int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read == nil {
		h.read = map[uint64]int{}
	}
	h.read[id] = version
}

// sampled names a page to the sample of its host.
func sampled(id uint64, url string) page.SampledPage {
	k := store.KeyOf(url)
	return page.SampledPage{Key: binary.BigEndian.Uint64(k[:8]), ID: id}
}

// learn takes a page into the sample if it belongs to it. said stands for its text, nil =
// it has it. stored reads what is learned of a page of the sample.
func (h *host) learn(at page.SampledPage, p *page.Page, said *page.HostSample, stored func(id uint64) *page.Trace) {
	if wanted, _ := h.boiler.Wants(at.Key); !wanted {
		return
	}
	h.learning.Lock()
	defer h.learning.Unlock()
	if _, ready := h.boiler.Wants(at.Key); !ready {
		h.boiler.Fill(stored)
	}
	if said != nil {
		h.boiler.LearnSaid(at, p, said)
	} else {
		h.boiler.Learn(at, p)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.saved = false
}

// postpone remembers a page that is to be learned when the run is over.
func (h *host) postpone(at page.SampledPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.later = append(h.later, at)
}

// Learns reports whether what a host repeats is learned from a page, among others: its
// body is needed when that is learned again, or its trace.
func (r *Reader) Learns(id uint64, url string) bool {
	wanted, _ := r.hosts.of(urls.HostOf(url)).boiler.Wants(sampled(id, url).Key)
	return wanted
}
