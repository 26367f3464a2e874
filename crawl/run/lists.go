package run

import (
	"cmp"
	"slices"
	"strconv"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/reach"
	"angler/crawl/urls"
	"angler/store"
)

// This file is what a harvest and a discovery know of lists and of the notices that
// they announce.

// listVisit is one visit to an aggregation page.
type listVisit struct {
	id      uint64
	url     string
	score   float64
	page    int           // 1 = the list itself, then its pagination
	want    []page.Record // records to fetch once their URLs are known
	next    []string      // pagination links to follow
	before  []uint64      // what the pages before it have shown
	shown   uint64        // what it shows itself
	scripts []string      // of a harvest: files to fetch that it is read with
	chain   *chain        // of a harvest
	root    uint64        // of a discovery: the list, of which this may be a later page
	read    bool          // of a discovery: the page has been read
	in      reach.Holder  // in whose frame it stands
}

// chain is a list with the pages behind it. It is for begin and the writer's
// goroutine.
type chain struct {
	root    uint64        // the list
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

	// Of a discovery, guarded by live.mu.
	others []*listVisit // that announce it too
	sent   bool         // it is an errand of the frontier
	home   bool
	again  bool   // it was on its way as a link, and comes once more
	under  uint64 // fingerprint of the decisions when it was announced
}

// of is the first list that announces a notice and is judged to be one; nil = none.
func (a *announced) of(judged map[uint64]bool) *listVisit {
	if judged[a.list.root] {
		return a.list
	}
	for _, v := range a.others {
		if judged[v.root] {
			return v
		}
	}
	return nil
}

// behind are the pages that follow a page of a list. Those that only a request brings are
// added to the links of its capture.
func behind(r *Run, c visit, p *page.Page, u *store.URL, v *listVisit) (next []string) {
	if v.page >= r.Settings().Harvest.Pages || repeats(r, p, u, v) {
		return nil
	}
	for i := range p.Links {
		if l := &p.Links[i]; l.Pager && l.URL != "" && l.URL != u.URL {
			next = append(next, l.URL)
		}
	}
	if frame := reach.FrameOf(p.Unfollowed); frame != "" && frame != u.URL {
		next = append(next, frame) // its entries are those of this list
	}
	return append(next, requested(r, c, p, u, v)...)
}

// framed notes in whose frame a page of a list stands; pages behind it stand there, too.
func framed(r *Run, u *store.URL, v *listVisit, s *decisions.State) {
	if v.in.ID == 0 {
		v.in = reach.HolderOf(r.Store, s, u)
	}
}

// repeats reports whether a page of a list shows what a page before it has shown: a pager
// that never ends, or one that brings page 1 whatever it is asked for. The pages behind it
// are not followed. It notes what the page shows for those that are.
func repeats(r *Run, p *page.Page, u *store.URL, v *listVisit) bool {
	now := p.Shown()
	if now != 0 && slices.Contains(v.before, now) {
		if !urls.IsPlain(u.URL) || u.Anchor == strconv.Itoa(v.page) {
			r.Events.Note("warn", "the pager of %s repeats itself: page %d shows the entries of an earlier one, and the pages behind it are not followed", urls.Bare(u.URL), v.page)
		}
		return true
	}
	v.shown = now
	return false
}

// sofar is what a page of a list and those before it have shown.
func (v *listVisit) sofar() []uint64 { return append(slices.Clip(v.before), v.shown) }

// pureList is the share of matching records from which a list is taken as
// purely on topic, so that the patterns no longer choose.
const pureList = 0.8

// unknown chooses those records of a list that are no notices yet, or again may be
// read for one by what is stored.
func unknown(r *Run, p *page.Page, list *listVisit, s *decisions.State, again func(*store.Notice) bool) []page.Record {
	matched := 0
	match := make([]bool, len(p.Records))
	for i := range p.Records {
		match[i] = s.Patterns == nil || s.Patterns.MatchString(p.Records[i].Title)
		if match[i] {
			matched++
		}
	}
	all := s.Confirmed(list.id, list.url) || float64(matched) >= pureList*float64(len(p.Records))
	var want []page.Record
	for i, rec := range p.Records {
		if !all && !match[i] || rec.Link < 0 { // a post without a page of its own
			continue
		}
		if r.Filter.Check(rec.URL, urls.ClassOf(rec.URL)) != urls.Accepted {
			r.counts.skipped.Add(1)
			continue
		}
		if id, ok := r.Store.Lookup(rec.URL); ok {
			if n, err := r.Store.Notice(id); err == nil && n != nil && !again(n) {
				continue
			}
		}
		want = append(want, rec)
	}
	return want
}

// noticeOptions are how a notice's page is read.
func noticeOptions(r *Run, a *announced) page.Options {
	set := r.Settings().Harvest
	return page.Options{Main: set.Method, Second: page.SecondPass{Marks: set.Marks, LinkChars: set.Links}, ListTitle: a.record.Title, ListDate: a.record.Date}
}

func noticeOf(r *Run, u *store.URL, p *page.Page, a *announced) *store.Notice {
	n := &store.Notice{ID: u.ID, URL: u.URL, Title: cmp.Or(p.Title, a.record.Title), Date: p.Date.Time, Precision: uint8(p.Date.Precision),
		Text: p.Main, Method: p.MainMethod, Source: a.list.url, SourceID: a.list.id, Score: a.list.score, FirstSeen: r.Now(),
		Attachments: []store.Attachment{}}
	if in := a.list.in; in.ID != 0 {
		n.Source, n.SourceID, n.Frame, n.FrameID = in.URL, in.ID, n.Source, n.SourceID
	}
	for _, x := range p.Attachments {
		n.Attachments = append(n.Attachments, store.Attachment{Name: x.Name, URL: x.URL, Class: x.Class.String()})
	}
	return n
}

// promote makes an errand of a URL that may wait in a discovery's frontier already.
// The analyst's rules over the frontier hold for it, too.
func promote(r *Run, e frontier.Entry, url string) {
	e.Queue = r.Order.Queue(url)
	r.front.Remove(e)
	e.Queue = frontier.Errands
	if class, keep := r.Order.Class(url); keep {
		e.Class = class
		r.front.Push(e)
	}
}
