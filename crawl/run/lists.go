package run

import (
	"slices"
	"strconv"

	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store"
)

// This file is what a harvest and a discovery know of lists and of the notices that
// they announce.

// listVisit is one visit to an aggregation page.
type listVisit struct {
	id        uint64
	url       string
	score     float64
	page      int           // 1 = the list itself, then its pagination
	want      []page.Record // records to fetch once their URLs are known
	next      []string      // pagination links to follow
	before    []uint64      // what the pages before it have shown
	shown     uint64        // what it shows itself
	scripts   []string      // of a harvest: files to fetch that it is read with
	chain     *chain        // of a harvest
	root      uint64        // of a discovery: the list, of which this may be a later page
	read      bool          // of a discovery: the page has been read
	known     int           // of a list: what an earlier visit left out of it and the pages behind it
	unmatched int           // records that the title patterns leave out
	in        FrameHolder   // in whose frame it stands
}

// chain is a list with the pages behind it. It is for begin and the writer's
// goroutine.
type chain struct {
	root      uint64        // the list
	pending   int           // visits and notices that are not stored; what is gone for good does not count
	open      []*store.Page // visited, and marked as unfinished
	row       *store.Page   // of the list, once it was visited
	pages     int           // visited
	unmatched int           // records of these pages that the title patterns leave out
	counted   int           // of them and of the pages of an earlier visit, as the list's row says
	joined    *chain        // the chain that has taken this one over; nil = none
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
	fresh  bool   // home, and no notice before
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
	if frame := FrameOf(p.Unfollowed); frame != "" && frame != u.URL {
		next = append(next, frame) // its entries are those of this list
	}
	return append(next, requested(r, c, p, u, v)...)
}

// framed notes in whose frame a page of a list stands; pages behind it stand there, too.
func framed(r *Run, u *store.URL, v *listVisit, s *decisions.State) {
	if v.in.ID == 0 {
		v.in = FrameHolderOf(r.Store, s, u)
	}
}

// repeats reports whether a page of a list shows what a page before it has shown: a pager
// that never ends, or one that brings page 1 whatever it is asked for. The pages behind it
// are not followed. It notes what the page shows for those that are.
func repeats(r *Run, p *page.Page, u *store.URL, v *listVisit) bool {
	now := p.Shown()
	if now != 0 && slices.Contains(v.before, now) {
		promised := u.Anchor == strconv.Itoa(v.page) || v.page == 2 && listpage.IsNextAnchor(u.Anchor) // behind page 2 it may be the end
		if promised || !urls.IsPlain(u.URL) {
			r.Events.Note("warn", "the pager of %s repeats itself: page %d shows the entries of an earlier one, and the pages behind it are not followed", urls.Bare(u.URL), v.page)
		}
		return true
	}
	v.shown = now
	return false
}

// sofar is what a page of a list and those before it have shown.
func (v *listVisit) sofar() []uint64 { return append(slices.Clip(v.before), v.shown) }

// says is a page of a list, as the notices that it announces know it.
func (v *listVisit) says() NoticeList {
	return NoticeList{ID: v.id, URL: v.url, Score: v.score, In: v.in}
}

// says is an announced notice, as it is read from its page.
func (a *announced) says() AnnouncedNotice {
	return AnnouncedNotice{NoticeList: a.list.says(), Record: a.record}
}

// unknown chooses those records of a list that are no notices yet, or again may be
// read for one by what is stored.
func unknown(r *Run, p *page.Page, list *listVisit, s *decisions.State, again func(*store.Notice) bool) []page.Record {
	root := list.root
	if list.chain != nil {
		root = list.chain.root
	}
	want, out := r.maker.unknown(p, list.says(), root, s, again)
	r.counts.skipped.Add(int64(out.Skipped))
	list.unmatched = out.Unmatched
	return want
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
