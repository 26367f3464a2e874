package reader

import (
	"encoding/json"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// This file keeps the reading of all pages alike: it finds those that were read
// under other verdicts than today's, and notices when a run did not come to its
// end.

// stateName is the name of the stored state of the runs. An earlier program that kept hosts in
// another form has another name for it: then all hosts are learned again.
const stateName = "run/2"

// runState is the last run, as it is stored.
type runState struct {
	Number uint32 `json:"number"`
	Task   string `json:"task"`
	Open   bool   `json:"open"` // it has not come to its end
}

func (r *Reader) runState() (s runState) {
	if v := r.Store.State(stateName); json.Unmarshal(v, &s) != nil {
		return runState{}
	}
	return s
}

// Begin says that a run of a task begins, and stores that: a process that is
// killed before Settled leaves it behind.
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

// Unfinished is the task of a run that has not come to its end: asked before any
// run of this process, of one whose process was killed; "" when there is none.
// known is false when nothing is stored of any run: an earlier program has made
// the workspace, or it is new.
func (r *Reader) Unfinished() (task string, known bool) {
	s := r.runState()
	if s.Open {
		task = s.Task
	}
	return task, s.Number > 0
}

// Settled says that no page is outdated any more. What was learned of hosts is
// stored, and then that the run has come to its end.
func (r *Reader) Settled() error {
	out := map[string][]byte{}
	for name, h := range r.hosts.all() {
		h.boiler.Settled()
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

// Within says that stored pages, read as beyond the depth of discoveries, are within
// it now, because a shorter way to them was found since. From Outdated on they count
// among the pages of their hosts, as if that way had been known at once. No run may be
// reading.
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

// Outdated learns what was postponed, and lists the pages that would be understood
// otherwise now than when they were read. It costs a look at every stored page,
// unless nothing was learned; then samples alone are looked at. No run may be reading.
func (r *Reader) Outdated() ([]uint64, error) {
	type changes struct {
		*host
		since map[int]page.Changes // by the version under which a page was read
	}
	changed := map[string]changes{}
	for name, h := range r.hosts.all() {
		h.mu.Lock()
		later := h.later
		h.later = nil
		lost := false
		for _, s := range h.read {
			lost = lost || s == unknown
		}
		h.mu.Unlock()
		for _, at := range later {
			if p := r.bare(at.ID); p != nil {
				h.learn(at, p, nil, r.trace)
			}
		}
		h.boiler.Judge()
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
		when := h.read[row.ID] // zero for a page that was settled before
		h.mu.Unlock()
		since, known := h.since[when]
		if !known && when != unknown {
			since = h.boiler.Since(when)
			h.since[when] = since
		}
		m, marked := DecodeMarks(row.Terms)
		if !marked || when == unknown || m.Sample != r.isSample(row.URL) || since.Touch(m.Asked) {
			ids = append(ids, row.ID)
		}
	}
	return ids, nil
}

// newSamples are the samples among the stored pages that were not read as such.
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

// Recover learns again what the pages of hosts repeat, after a run that did not
// come to its end: of all hosts that the run has read pages of, and of those of
// which nothing is stored. The pages that must be read again are in Outdated
// afterwards. told is called with the pages looked at so far. No run may be
// reading.
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

// trace is what a stored page says of its host, nil when it cannot be read. A page whose
// body was deleted has left it.
func (r *Reader) trace(id uint64) *page.Trace {
	if p := r.bare(id); p != nil {
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

// Leaves is the trace that a stored page leaves when its body goes, see records.PageTraces; nil
// when it has none or its body cannot be read.
func (r *Reader) Leaves(id uint64) []byte {
	p := r.bare(id)
	if p == nil {
		return nil
	}
	v, err := p.Trace().MarshalBinary()
	if err != nil {
		return nil
	}
	return v
}

// LeavesTables is what the page of a notice leaves of its tables when its body goes,
// compressed; nil when it has none or its body cannot be read.
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

// Remains parses what is kept of the page of a notice whose body was deleted: its <title>
// and its tables; nil when nothing is.
func (r *Reader) Remains(id uint64, url string) *page.Page {
	if r.Tables == nil {
		return nil
	}
	body, err := store.Decompress(r.Tables(id), r.MaxBody())
	if err != nil {
		return nil
	}
	p, err := page.Parse(page.Source{URL: url, ContentType: "text/html; charset=utf-8", Body: body}, page.Options{Tables: true})
	if err != nil {
		return nil
	}
	return p
}

// bare reads a stored page for what it says of its host, nil when it cannot be
// read.
func (r *Reader) bare(id uint64) *page.Page {
	p, err := r.Stored(id, page.Options{})
	if err != nil {
		return nil
	}
	return p
}
