package run

import (
	"cmp"
	"fmt"
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// listVisit is one visit to an aggregation page.
type listVisit struct {
	id    uint64
	url   string
	score float64
	page  int           // 1 = the list itself, then its pagination
	want  []page.Record // records to fetch once their URLs are known
	next  []string      // pagination links to follow
	chain *chain
}

// chain is a list with the pages behind it. It is for begin and the writer's
// goroutine.
type chain struct {
	pending int           // visits and notices that are not stored; what is gone for good does not count
	open    []*store.Page // visited, and marked as unfinished
	joined  *chain        // the chain that has taken this one over; nil = none
}

// of is the chain that counts for c.
func (c *chain) of() *chain {
	for c.joined != nil {
		c = c.joined
	}
	return c
}

// join makes one chain of two that share a page: neither is done before the other,
// because tomorrow that page may be reached through one of them only.
func (c *chain) join(other *chain) {
	a, b := c.of(), other.of()
	if a == b {
		return
	}
	a.pending += b.pending
	a.open = append(a.open, b.open...)
	b.joined, b.open = a, nil
}

// announced is a notice that a list has announced and nobody has fetched yet.
type announced struct {
	list   *listVisit
	record page.Record
}

// harvester is the plan of a harvest: it visits the aggregation pages, best first,
// and brings home the notices they announce that are not known yet (P0 2.4). A
// list that did not change costs one conditional request, a known notice none
// (P2). It is shared by the workers and the writer's goroutine.
type harvester struct {
	*Run
	errands errands
	chains  []*chain
	relist  bool // notices were lost: every list is visited, with all of its pages
}

// begin enters the aggregation pages, the most relevant first.
func (h *harvester) begin() error {
	h.front.SetDepth(1 << 15) // a list may stand at the depth limit: its notices count all the same
	if err := h.Topic.Words(h.ctx); err != nil {
		return err
	}
	h.words.Store(true)
	if err := h.Reader.Begin(h.task); err != nil {
		return err
	}
	ids := h.Topic.Aggregations()
	if len(ids) == 0 {
		return cmp.Or(h.Topic.State().Err(), ErrNoAggregations)
	}
	h.relist = h.Store.State(store.RelistState) != nil
	if h.due && !h.relist {
		set := h.Settings()
		plan, err := revisit.Plan(&set.Revisit)
		if err != nil {
			return err
		}
		if ids, err = revisit.Due(h.Store, ids, plan, h.Now()); err != nil {
			return err
		}
		for _, id := range h.lists {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	scores := h.Topic.Scores()
	return h.Store.EachURL(ids, func(u *store.URL) {
		if h.waits(u) {
			return
		}
		s, _ := scores.Of(u.ID)
		c := new(chain)
		h.chains = append(h.chains, c)
		h.list(&listVisit{id: u.ID, url: u.URL, score: s, page: 1, chain: c})
	})
}

// list schedules a visit. Lists go before notices: they are where news is.
func (h *harvester) list(v *listVisit) {
	if h.errands.add(v.id, errand{list: v}) {
		v.chain.of().pending++
		h.front.Push(frontier.Entry{ID: v.id, Host: urls.HostOf(v.url), Priority: 1 + v.score})
	} else if other := h.errands.of(v.id).list; other != nil {
		v.chain.join(other.chain)
	}
}

func (h *harvester) visit(entry frontier.Entry, u *store.URL) visit {
	switch todo := h.errands.of(entry.ID); {
	case todo.list != nil:
		return h.visitList(entry, u, todo.list)
	case todo.notice != nil:
		return h.visitNotice(entry, u, todo.notice)
	}
	return h.lost(entry, fmt.Errorf("url %d was scheduled without an errand", entry.ID))
}

func (h *harvester) visitList(entry frontier.Entry, u *store.URL, v *listVisit) visit {
	old, req, err := h.request(u)
	if err != nil {
		return h.lost(entry, err)
	}
	resp, c := h.get(entry, u, req)
	if resp == nil {
		return c
	}
	t := c.tag
	var p *page.Page
	if h.same(resp, old) {
		h.unchanged(c.Capture, old, resp)
		p, err = h.Reader.Stored(u.ID, page.Options{})
		if err != nil {
			return h.lost(entry, err)
		}
		t.state = h.Topic.State()
	} else {
		p = h.understand(c, u, old, resp, page.Options{})
	}
	if p == nil {
		return c
	}
	t.list = v
	v.want = h.wanted(p, v, t.state)
	if !c.Unchanged {
		revisit.Note(c.Page, old, len(v.want), true)
	}
	// Lists show the newest records first: where every record was known there
	// is nothing new on the pages behind it.
	more := h.relist || len(v.want) > 0 || old != nil && revisit.Unfinished(old)
	if more && v.page < h.Settings().Harvest.Pages {
		for i := range p.Links {
			if l := &p.Links[i]; l.Pager && l.URL != "" && l.URL != u.URL {
				v.next = append(v.next, l.URL)
			}
		}
	}
	revisit.SetUnfinished(c.Page, len(v.next) > 0)
	return c
}

// pureList is the share of matching records from which a list is taken as
// purely on topic, so that the patterns no longer choose.
const pureList = 0.8

// wanted chooses the records of a list that are not known as notices yet. On a
// mixed list, one that nobody has confirmed and whose titles match the notice
// patterns only in part, only matching records are taken.
func (h *harvester) wanted(p *page.Page, v *listVisit, s *decisions.State) []page.Record {
	matched := 0
	match := make([]bool, len(p.Records))
	for i := range p.Records {
		match[i] = s.Patterns == nil || s.Patterns.MatchString(p.Records[i].Title)
		if match[i] {
			matched++
		}
	}
	all := s.Confirmed(v.id) || float64(matched) >= pureList*float64(len(p.Records))
	var want []page.Record
	for i, rec := range p.Records {
		if !all && !match[i] || rec.Link < 0 { // a post without a page of its own
			continue
		}
		if h.Filter.Check(rec.URL, urls.ClassOf(rec.URL)) != urls.Accepted {
			h.counts.skipped.Add(1)
			continue
		}
		if id, ok := h.Store.Lookup(rec.URL); ok {
			if n, err := h.Store.Notice(id); err == nil && n != nil {
				continue
			}
		}
		want = append(want, rec)
	}
	return want
}

// waits reports whether a URL that failed waits for a time that has not come.
func (h *harvester) waits(u *store.URL) bool {
	if u.State == store.Complete || revisit.Ready(u.Retry, h.Now()) {
		return false
	}
	if u.State == store.Waiting {
		h.later.add(u.ID, u.Retry)
	}
	return true
}

// landed runs after a list was committed, when the URLs of its records are
// known: notices whose page is stored already are extracted from it, the
// others are fetched.
func (h *harvester) landed(it store.Item[*tag]) {
	v := it.Tag.list
	if v == nil {
		todo := h.errands.of(it.Tag.entry.ID)
		switch c := it.Capture; {
		case todo.list != nil && c.State == store.Exception && lasts(c.Reason):
			todo.list.chain.of().pending--
		case todo.notice != nil && (c.State == store.Complete || c.State == store.Exception && lasts(c.Reason)):
			todo.notice.list.chain.of().pending--
		}
		return
	}
	c := v.chain.of()
	c.pending--
	if revisit.Unfinished(it.Capture.Page) {
		c.open = append(c.open, it.Capture.Page)
	}
	for _, rec := range v.want {
		id, ok := h.Store.Lookup(rec.URL)
		if !ok {
			h.counts.skipped.Add(1) // e.g. a target that only a script reaches
			continue
		}
		if u, err := h.Store.URL(id); err == nil && u != nil && h.waits(u) {
			if u.State == store.Waiting {
				h.errands.announce(v.id) // it is left to a later harvest
			}
			if u.State == store.Waiting || !lasts(u.Reason) {
				c.pending++ // for good: the pages behind a list are looked at again because of it
			}
			continue
		}
		if h.errands.add(id, errand{notice: &announced{v, rec}}) {
			c.pending++
			h.errands.announce(v.id)
			h.front.Push(frontier.Entry{ID: id, Host: urls.HostOf(rec.URL), Priority: v.score})
		}
	}
	for _, next := range v.next {
		if id, ok := h.Store.Lookup(next); ok {
			h.list(&listVisit{id: id, url: next, score: v.score, page: v.page + 1, chain: v.chain})
		}
	}
}

func (h *harvester) visitNotice(entry frontier.Entry, u *store.URL, a *announced) visit {
	set := h.Settings().Harvest
	opt := page.Options{Main: set.Method, Second: page.SecondPass{Marks: set.Marks, LinkChars: set.Links}, ListTitle: a.record.Title, ListDate: a.record.Date}
	if u.State == store.Complete || h.known(u.ID) {
		// Fetched by the discovery already: no second request.
		h.front.Release(entry, frontier.Outcome{})
		p, err := h.Reader.Stored(u.ID, opt)
		c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry}}
		if err == nil && p != nil {
			c.Notice = h.notice(u, p, a)
		}
		return c
	}
	resp, c := h.get(entry, u, fetch.Request{URL: u.URL})
	if resp == nil {
		return c
	}
	if p := h.understand(c, u, nil, resp, opt); p != nil {
		c.Notice = h.notice(u, p, a)
	}
	return c
}

func (h *harvester) notice(u *store.URL, p *page.Page, a *announced) *store.Notice {
	n := &store.Notice{ID: u.ID, URL: u.URL, Title: cmp.Or(p.Title, a.record.Title), Date: p.Date.Time, Precision: uint8(p.Date.Precision),
		Text: p.Main, Method: p.MainMethod, Source: a.list.url, SourceID: a.list.id, Score: a.list.score, FirstSeen: h.Now(),
		Attachments: []store.Attachment{}}
	for _, x := range p.Attachments {
		n.Attachments = append(n.Attachments, store.Attachment{Name: x.Name, URL: x.URL, Class: x.Class.String()})
	}
	return n
}

// A harvest takes only what its lists announce, as they announce it: nothing is
// unwanted, and no other link enters the frontier.

func (h *harvester) unwanted(*store.URL) bool    { return false }
func (h *harvester) why(*store.URL, int8) string { return "harvest" }

// end takes the marks off the lists whose pages have all been visited.
func (h *harvester) end() error {
	var done []*store.Capture
	whole := true
	for _, c := range h.chains {
		if c.joined != nil || c.pending > 0 {
			whole = whole && c.joined != nil
			continue
		}
		for _, row := range c.open {
			revisit.SetUnfinished(row, false)
			done = append(done, &store.Capture{ID: row.ID, State: store.Complete, Page: row, Unchanged: true})
		}
	}
	if h.relist && whole && h.ctx.Err() == nil {
		if err := h.Store.PutState(store.RelistState, nil); err != nil {
			return err
		}
	}
	if len(done) == 0 {
		return nil
	}
	_, err := h.Store.Commit(nil, done)
	return err
}

func (h *harvester) committed(batch []store.Item[*tag], _ []store.Admission) {
	for _, it := range batch {
		if n := h.errands.of(it.Capture.ID).notice; n != nil && it.Capture.State != store.Waiting && !it.Tag.again && !it.Tag.returned {
			h.errands.done(n.list.id)
		}
	}
}
