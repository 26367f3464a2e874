package reader

import (
	"encoding/json"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// This file keeps readings consistent. It finds pages read with an older host profile, and detects interrupted runs.

// stateName is the key of the stored run state. Earlier programs used another key for another form of hosts; without
// this key all hosts are learned again.
const stateName = "run/2"

// runState is the stored state of the last run.
type runState struct {
	Number uint32 `json:"number"`
	Task   string `json:"task"`
	Open   bool   `json:"open"` // the run did not end
}

func (r *Reader) runState() (s runState) {
	if v := r.Store.State(stateName); json.Unmarshal(v, &s) != nil {
		return runState{}
	}
	return s
}

// Begin stores the start of a run. A killed process leaves it open for Unfinished.
func (r *Reader) Begin(task string) error {
	s := r.runState()
	s = runState{Number: s.Number + 1, Task: task, Open: true}
	r.run.Store(s.Number)
	return r.putRunState(s)
}

func (r *Reader) putRunState(s runState) error {
	v, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return r.Store.PutState(stateName, v)
}

// Unfinished returns the task of a run that did not end, "" if there is none. Before the first run of a process,
// that is a run whose process was killed. known is false if no run is stored: the workspace is new, or from an
// earlier program.
func (r *Reader) Unfinished() (task string, known bool) {
	s := r.runState()
	if s.Open {
		task = s.Task
	}
	return task, s.Number > 0
}

// Settled marks all pages as up to date. It stores the host profiles, then the end of the run.
func (r *Reader) Settled() error {
	out := map[string][]byte{}
	for name, h := range r.hosts.all() {
		h.boiler.ResetVersions()
		h.mu.Lock()
		h.read = nil
		saved := h.saved
		h.mu.Unlock()
		if saved {
			continue
		}
		v, err := h.boiler.MarshalBinary()
		if err != nil {
			return err
		}
		out[name] = v
	}
	if err := r.Store.PutHosts(out); err != nil {
		return err
	}
	for name := range out {
		h := r.hosts.of(name)
		h.mu.Lock()
		h.saved = true
		h.mu.Unlock()
	}
	s := r.runState()
	s.Open = false
	return r.putRunState(s)
}

// Within marks stored pages as within the depth of discoveries, because a shorter path to them was found. Outdated
// then counts them among their host's pages as if that path had been known from the start. No run may be reading.
func (r *Reader) Within(ids []uint64) error {
	rows := make([]store.Reread, 0, len(ids))
	for _, id := range ids {
		row, err := r.Store.Page(id)
		if err != nil {
			return err
		}
		if row != nil {
			rows = append(rows, store.Reread{Page: row, Terms: within(r.Store.TermsOf(id))})
		}
	}
	kept, err := r.Store.PutReread(rows)
	if err != nil {
		return err
	}
	for i, x := range rows {
		if kept[i] {
			r.hosts.of(urls.HostOf(x.Page.URL)).postpone(sampled(x.Page.ID, x.Page.URL))
		}
	}
	return nil
}

// Outdated learns postponed pages and returns the ids of pages that would be read differently now. It costs a look
// at every stored page; if nothing was learned, only at samples. No run may be reading.
func (r *Reader) Outdated() ([]uint64, error) {
	type changes struct {
		*host
		since map[int]page.Changes // by the profile version used to read a page
	}
	changed := map[string]changes{}
	for name, h := range r.hosts.all() {
		h.mu.Lock()
		later := h.postponed
		h.postponed = nil
		lost := false
		for _, s := range h.read {
			lost = lost || s == unknown
		}
		h.mu.Unlock()
		for _, at := range later {
			if p := r.parseForHost(at.ID); p != nil {
				h.learn(at, p, nil, r.trace)
			}
		}
		h.boiler.UpdateProfile()
		if lost || h.boiler.Profile().Version() > 0 {
			changed[name] = changes{h, map[int]page.Changes{}}
		}
	}
	ids := r.newSamples()
	if len(changed) == 0 {
		return ids, nil
	}
	for row, err := range r.Store.Counted() {
		if err != nil {
			return nil, err
		}
		h, any := changed[urls.HostOf(row.URL)]
		if !any || len(row.Terms) == 0 {
			continue
		}
		h.mu.Lock()
		when := h.read[row.ID] // zero for a page settled before
		h.mu.Unlock()
		since, known := h.since[when]
		if !known && when != unknown {
			since = h.boiler.ChangesSince(when)
			h.since[when] = since
		}
		m, marked := DecodeMarks(row.Terms)
		if !marked || when == unknown || m.Sample != r.isSample(row.URL) || since.Affects(m.Asked) {
			ids = append(ids, row.ID)
		}
	}
	return ids, nil
}

// newSamples returns the samples among the stored pages that were not read as samples.
func (r *Reader) newSamples() (ids []uint64) {
	if all := r.samples.Load(); all != nil {
		for _, url := range *all {
			if id, ok := r.Store.Lookup(url); ok {
				if m, marked := DecodeMarks(r.Store.TermsOf(id)); marked && !m.Sample {
					ids = append(ids, id)
				}
			}
		}
	}
	return ids
}

// Recover learns host profiles again after an interrupted run: for all hosts that the run read, and for hosts
// without a stored profile. Outdated then returns the pages to read again. told receives the number of pages
// processed. No run may be reading.
func (r *Reader) Recover(told func(pages int)) error {
	last := r.runState()
	r.run.Store(last.Number)
	pages := map[string][]page.SampledPage{}
	touched := map[string]bool{}
	n := 0
	for row, err := range r.Store.Counted() {
		if err != nil {
			return err
		}
		if n++; n%1024 == 0 {
			told(n)
		}
		if len(row.Terms) == 0 {
			continue // a redirect
		}
		name := urls.HostOf(row.URL)
		m, known := DecodeMarks(row.Terms)
		if !known || m.Run == last.Number {
			touched[name] = true
			h := r.hosts.of(name)
			h.note(row.ID, unknown)
		}
		if !m.Beyond {
			pages[name] = append(pages[name], sampled(row.ID, row.URL))
		}
	}
	told(n)
	for name, all := range pages {
		h := r.hosts.of(name)
		h.mu.Lock()
		stale := touched[name] || !h.saved
		h.saved = h.saved && !stale
		h.mu.Unlock()
		if stale {
			h.learning.Lock()
			h.boiler.Relearn(all, r.trace)
			h.learning.Unlock()
		}
	}
	return nil
}

// trace returns a stored page's contribution to its host's profile; nil if unreadable. A page whose body was deleted
// has a stored trace.
func (r *Reader) trace(id uint64) *page.Trace {
	if p := r.parseForHost(id); p != nil {
		return p.Trace()
	}
	if r.Trace == nil {
		return nil
	}
	t := new(page.Trace)
	if t.UnmarshalBinary(r.Trace(id)) != nil {
		return nil
	}
	return t
}

// Leaves returns the trace to keep when a page's body is deleted; nil if it has none or the body is unreadable.
func (r *Reader) Leaves(id uint64) []byte {
	p := r.parseForHost(id)
	if p == nil {
		return nil
	}
	v, err := p.Trace().MarshalBinary()
	if err != nil {
		return nil
	}
	return v
}

// LeavesTables returns the compressed tables to keep when a notice's body is deleted; nil if it has none or the body
// is unreadable.
func (r *Reader) LeavesTables(id uint64) []byte {
	var opt page.Options
	src, err := r.Source(id, &opt)
	if err != nil || src == nil {
		return nil
	}
	left, err := page.StrippedBody(*src)
	if err != nil || left == nil {
		return nil
	}
	return store.Compress(left)
}

// Remains parses the <title> and tables kept of a notice whose body was deleted; nil if there are none.
func (r *Reader) Remains(id uint64, url string) *page.Page {
	if r.Tables == nil {
		return nil
	}
	body, err := store.Decompress(r.Tables(id), r.MaxBody())
	if err != nil {
		return nil
	}
	p, err := page.Parse(page.Source{URL: url, ContentType: "text/html; charset=utf-8", Body: body},
		page.Options{Tables: true})
	if err != nil {
		return nil
	}
	return p
}

// parseForHost parses a stored page for its host's profile; nil if unreadable.
func (r *Reader) parseForHost(id uint64) *page.Page {
	p, err := r.Stored(id, page.Options{})
	if err != nil {
		return nil
	}
	return p
}
