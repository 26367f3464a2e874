package run

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/htmldoc"
	"angler/crawl/linkorder"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// This file finds parts of addresses that name a visit instead of a page: their value changes at every visit, under
// any name. Canonical addresses of the host leave such a part out from then on.
//
// The evidence is repeats: pages that are alike, with addresses that differ in the part alone. Then one request asks
// for such a page without the part, and must bring the same page. A part with several values among the links of one
// page selects content and stays. A part also stays if its values mostly bring different pages.

// Bounds of the evidence.
const (
	minAlike       = 3       // repeats after which a part is tried
	alikePerOther  = 8       // repeats that outweigh one pair of pages that differ
	selectedValues = 3       // values of a part that one page links to, from which the part selects content
	maxProbes      = 3       // requests per part of a host
	maxCompared    = 64      // pairs of pages that are compared before a part that is not decided stays
	maxPartsKnown  = 1 << 12 // parts of hosts, about 100 bytes each
	maxPartsSeen   = 1 << 15 // addresses in one of two generations, about 40 bytes each
)

// VisitParts holds the evidence of parts of addresses that name a visit, over all runs of a process. The zero value
// is empty. It is safe for concurrent use.
type VisitParts struct {
	mu         sync.Mutex
	seed       maphash.Seed
	parts      map[string]*visitPart // by host and name
	young, old map[uint64]visitSeen  // by the address without a part
}

// visitPart is the evidence of one part of a host's addresses.
type visitPart struct {
	pairs, same, other int
	probes             int
	closed             bool // decided, or without a decision after maxCompared pairs
}

// visitSeen is the first page of an address without a part.
type visitSeen struct {
	id    uint64
	value uint64 // hash of the part
}

// partOf returns the evidence of a part; nil if there is too much evidence already. The caller holds the lock.
func (v *VisitParts) partOf(host, name string) *visitPart {
	key := host + "\x00" + name
	x := v.parts[key]
	if x == nil && len(v.parts) < maxPartsKnown {
		if v.parts == nil {
			v.parts = map[string]*visitPart{}
		}
		x = &visitPart{}
		v.parts[key] = x
	}
	return x
}

// meet records a page and returns the page that was met first at its address without the part; false if none was
// met with another value.
func (v *VisitParts) meet(id uint64, rest, name, value string) (first uint64, ok bool) {
	if v.young == nil {
		v.seed, v.young = maphash.MakeSeed(), map[uint64]visitSeen{}
	}
	key, now := v.keyOf(rest, name), visitSeen{id, maphash.String(v.seed, value)}
	was, known := v.seen(key)
	if !known {
		was = now
	}
	if _, young := v.young[key]; !young {
		if len(v.young) >= maxPartsSeen {
			v.old, v.young = v.young, map[uint64]visitSeen{}
		}
		v.young[key] = was
	}
	return was.id, was.id != id && was.value != now.value
}

// seen returns the first page of an address without a part. The caller holds the lock.
func (v *VisitParts) seen(key uint64) (first visitSeen, known bool) {
	if first, known = v.young[key]; !known {
		first, known = v.old[key]
	}
	return first, known
}

// prime records a page of an earlier run.
func (v *VisitParts) prime(u *store.URL) {
	if u.State != store.Complete {
		return
	}
	for _, name := range urls.VisitParts(u.URL) {
		if rest, value, ok := urls.CutPart(u.URL, name); ok {
			v.mu.Lock()
			v.meet(u.ID, rest, name, value)
			v.mu.Unlock()
		}
	}
}

// selects closes the parts of which a page links to several values at one address.
func (v *VisitParts) selects(host string, links []htmldoc.Link) {
	var values map[string][]string // by name and address without the part
	for i := range links {
		u := links[i].URL
		if urls.HostOf(u) != host {
			continue
		}
		for _, name := range urls.VisitParts(u) {
			rest, value, ok := urls.CutPart(u, name)
			if !ok {
				continue
			}
			if values == nil {
				values = map[string][]string{}
			}
			key := name + "\x00" + rest
			if known := values[key]; len(known) < selectedValues && !slices.Contains(known, value) {
				if values[key] = append(known, value); len(known)+1 == selectedValues {
					v.close(host, name)
				}
			}
		}
	}
}

// close ends the collection of evidence of a part.
func (v *VisitParts) close(host, name string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if x := v.partOf(host, name); x != nil {
		x.closed = true
	}
}

// compared counts a pair of pages whose addresses differ in a part alone; known is false if they have too little text to
// tell. It returns true if a request is to try the address without the part.
func (v *VisitParts) compared(host, name string, same, known bool) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	x := v.partOf(host, name)
	if x == nil || x.closed {
		return false
	}
	x.pairs++
	x.closed = x.pairs >= maxCompared
	switch {
	case !known:
		return false
	case !same:
		x.other++
		x.closed = x.closed || x.other >= minAlike && x.other*alikePerOther > x.same
		return false
	}
	if x.same++; x.same < minAlike || x.other*alikePerOther > x.same {
		return false
	}
	x.probes++
	x.closed = x.closed || x.probes >= maxProbes
	return true
}

// isClosed reports whether a part needs no more evidence.
func (v *VisitParts) isClosed(host, name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	x := v.partOf(host, name)
	return x == nil || x.closed
}

// compares reports whether a page at this address is to be compared with an earlier one, for which its text is needed.
func (v *VisitParts) compares(address string) bool {
	host := urls.HostOf(address)
	for _, name := range urls.VisitParts(address) {
		rest, value, ok := urls.CutPart(address, name)
		if ok && !v.isClosed(host, name) && v.knows(rest, name, value) {
			return true
		}
	}
	return false
}

// knows reports whether a page was met at an address without a part, with another value of the part.
func (v *VisitParts) knows(rest, name, value string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.young == nil {
		return false
	}
	first, known := v.seen(v.keyOf(rest, name))
	return known && first.value != maphash.String(v.seed, value)
}

// keyOf is the key of an address without a part. The caller holds the lock.
func (v *VisitParts) keyOf(rest, name string) uint64 { return maphash.String(v.seed, name+"\x00"+rest) }

// learnParts learns from a page which parts of its host's addresses name a visit.
func (r *Run) learnParts(u *store.URL, p *page.Page) {
	if !urls.IsPlain(u.URL) {
		return
	}
	host := urls.HostOf(u.URL)
	r.Parts.selects(host, p.Links)
	for _, name := range urls.VisitParts(u.URL) {
		rest, value, ok := urls.CutPart(u.URL, name)
		if !ok || r.Parts.isClosed(host, name) {
			continue
		}
		r.Parts.mu.Lock()
		first, again := r.Parts.meet(u.ID, rest, name, value)
		r.Parts.mu.Unlock()
		if !again {
			continue
		}
		before, err := r.Reader.Stored(first, page.Options{})
		if err != nil || before == nil {
			continue // not committed yet, or its body was deleted
		}
		same, known := page.SameContent(before, p)
		if r.Parts.compared(host, name, same, known) && r.isVisitPart(rest, name, p) {
			r.ignorePart(host, name)
		}
	}
}

// ignorePart has canonical addresses of a host leave out a part.
func (r *Run) ignorePart(host, name string) {
	r.Parts.close(host, name)
	fresh, err := r.Reader.Ignore(host, name)
	if err != nil {
		r.Events.Note("warn", "the rule that addresses of %s count without a part is in force until the program ends: %v", host, err)
	}
	if !fresh {
		return
	}
	if r.Ranks() {
		if err := r.visitRenamed(host); err != nil {
			r.Events.Note("warn", "the pages of %s keep their addresses: %v", host, err)
		}
	}
	switch {
	case strings.HasPrefix(name, "/"):
		r.Events.Note("info", "%s writes a token of the visit into segment %s of its paths; its addresses count without it", host, name[1:])
	default:
		r.Events.Note("info", "%s writes a token of the visit into %s of its addresses; they count without it", host,
			name)
	}
}

// isVisitPart asks for a page without a part of its address and reports whether the same page comes.
func (r *Run) isVisitPart(rest, name string, p *page.Page) bool {
	if r.opt.Stored || r.Filter.Check(rest, urls.ClassOf(rest)) != urls.Accepted {
		return false
	}
	host := urls.HostOf(rest)
	leave, _, err := r.Limiter.Enter(r.ctx, host)
	if err != nil {
		return false
	}
	defer func() { leave(r.PageWorkers.CrawlDelay(host)) }()
	j := PageJob{Request: fetch.Request{URL: rest}, Address: rest, Host: host, Page: true}
	b, err := r.askAt(j, func(location string) bool {
		to, err := r.Reader.Resolver.Canonical(location)
		if err != nil {
			return false
		}
		cut, _, ok := urls.CutPart(to, name)
		return to == rest || ok && cut == rest
	})
	r.Metrics.Fetched(b.Response, err)
	r.counts.add(&r.counts.fetched, 1)
	if b.Stored != nil {
		b.Stored()
	}
	if err != nil || b.Response.Status != 200 {
		return false
	}
	bare, err := r.Reader.Look(page.Source{URL: rest, ContentType: b.Response.ContentType, Body: b.Response.Body},
		page.Options{})
	if err != nil {
		return false
	}
	same, known := page.SameContent(bare, p)
	return same && known
}

// renamed is fetch for an address with a part that canonical addresses leave out by now: it leads to the address
// without it. It sends no request.
func (r *Run) renamed(entry frontier.Entry, u *store.URL) (resp *fetch.Response, c visit, ok bool) {
	to, renamed := r.renames(u.URL)
	if !renamed || !r.Ranks() && r.harvest.tasks.of(u.ID).list != nil { // a harvest would not visit the target
		return nil, c, false
	}
	r.front.Spare(entry)
	return &fetch.Response{Status: aliasStatus, Location: to}, newVisit(entry, u), true
}

// renames returns a stored address without the parts that canonical addresses leave out by now; false if it has none.
func (r *Run) renames(address string) (to string, ok bool) {
	if len(r.Reader.Resolver.Ignored()) == 0 || !urls.IsPlain(address) {
		return "", false
	}
	to, err := r.Reader.Resolver.Canonical(address)
	return to, err == nil && to != address
}

// visitRenamed schedules the stored pages of a host whose addresses leave out a part from now on: they lead on.
func (r *Run) visitRenamed(host string) error {
	var batch []frontier.Entry
	for p, err := range r.Store.Pages() {
		if err != nil {
			return err
		}
		if urls.HostOf(p.URL) != host || p.Location != "" {
			continue
		}
		if _, ok := r.renames(p.URL); ok {
			batch = append(batch, r.revisit(p.ID, p.URL))
		}
	}
	r.front.Push(batch...)
	return nil
}

// revisit returns the entry of another visit to a known page.
func (r *Run) revisit(id uint64, address string) frontier.Entry {
	return frontier.Entry{ID: id, Host: urls.HostOf(address), Class: frontier.Revisit, Queue: r.Order.Queue(address)}
}

// renamedMeanwhile schedules a page that was fetched before its address left out a part, and committed after.
func (r *Run) renamedMeanwhile(it item) {
	if p := it.Capture.Page; r.Ranks() && p != nil && p.Location == "" {
		if _, ok := r.renames(p.URL); ok {
			r.front.Retry(r.revisit(p.ID, p.URL), r.Now())
		}
	}
}

// linkRenamed makes links of a stored list's records whose addresses left out a part since the list was stored.
func (h *harvester) linkRenamed(c visit, want []listpage.Record) {
	if !c.Unchanged || h.opt.Stored || len(h.Reader.Resolver.Ignored()) == 0 {
		return
	}
	for _, rec := range want {
		if _, known := h.Store.Lookup(rec.URL); known || len(h.Reader.Resolver.Ignored()[urls.HostOf(rec.URL)]) == 0 ||
			h.Filter.Check(rec.URL, urls.ClassOf(rec.URL)) != urls.Accepted {
			continue
		}
		c.Links = append(c.Links, store.Link{URL: rec.URL, Hints: store.Hints{
			Anchor: htmldoc.Clip(rec.Title, linkorder.AnchorRunes), Relevant: true}})
	}
}

// replaced reports whether a provisional notice has an address that left out a part since: withdraw deletes it, and
// the lists announce the address without the part.
func (h *harvester) replaced(n *store.Notice) bool {
	if !h.final.Load() || !h.isProvisional(n) {
		return false
	}
	_, ok := h.renames(n.URL)
	return ok
}
