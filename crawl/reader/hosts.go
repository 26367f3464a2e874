package reader

import (
	"encoding/binary"
	"maps"
	"sync"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// hosts holds the profile of each host (what its pages repeat) and the profile version used for each page. It reads
// a host from the store at first use; Settled writes it back.
type hosts struct {
	store *store.Workspace
	mu    sync.Mutex // guards m
	m     map[string]*host
}

type host struct {
	boiler page.Boilerplate
	errors page.ErrorPages

	learning sync.Mutex // one Learn or Fill at a time

	mu        sync.Mutex         // guards the fields below
	read      map[uint64]int     // profile versions of pages read since the last Settled, by id
	postponed []page.SampledPage // pages to learn at the end of the run
	saved     bool               // the stored profile is up to date
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
		// An unreadable profile is learned anew, see Reader.Recover.
		if v := t.store.Host(name); v != nil && h.boiler.UnmarshalBinary(v) == nil {
			h.saved = true
		}
	}
	return h
}

// all returns the hosts in memory.
func (t *hosts) all() map[string]*host {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.m)
}

// unknown stands for an unknown profile version.
const unknown = -1

// note records the profile version used to read a page.
func (h *host) note(id uint64, version int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.read == nil {
		h.read = map[uint64]int{}
	}
	h.read[id] = version
}

// sampled returns the identity of a page in its host's sample.
func sampled(id uint64, url string) page.SampledPage {
	k := store.KeyOf(url)
	return page.SampledPage{Key: binary.BigEndian.Uint64(k[:8]), ID: id}
}

// learn adds a page to the host's sample if the sample wants it. said replaces its text; nil means the page has
// text. stored returns the trace of another sample page.
func (h *host) learn(at page.SampledPage, p *page.Page, said *page.HostSample, stored func(id uint64) *page.Trace) {
	if wanted, _ := h.boiler.Wants(at.Key); !wanted {
		return
	}
	h.learning.Lock()
	defer h.learning.Unlock()
	if _, ready := h.boiler.Wants(at.Key); !ready {
		h.boiler.Fill(stored)
	}
	h.boiler.Learn(at, p, said)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.saved = false
}

// postpone records a page to learn at the end of the run.
func (h *host) postpone(at page.SampledPage) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.postponed = append(h.postponed, at)
}

// Learns reports whether the host's profile learns from a page. Its body or trace is then needed to learn the
// profile again.
func (r *Reader) Learns(id uint64, url string) bool {
	wanted, _ := r.hosts.of(urls.HostOf(url)).boiler.Wants(sampled(id, url).Key)
	return wanted
}
