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

// behind are the pages that follow a page of a list. Those that only a request brings are
// added to the links of its capture.
func (r *Run) behind(c visit, p *page.Page, u *store.URL, v *listVisit) (next []string) {
	if v.page >= r.Settings().Harvest.Pages || r.repeats(p, u, v) {
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
	return append(next, r.requested(c, p, u, v)...)
}

// framed notes in whose frame a page of a list stands; pages behind it stand there, too.
func framed(w *store.Workspace, u *store.URL, v *listVisit, s *decisions.State) {
	if v.in.ID == 0 {
		v.in = FrameHolderOf(w, s, u)
	}
}

// repeats reports whether a page of a list shows what a page before it has shown: a pager
// that never ends, or one that brings page 1 whatever it is asked for. The pages behind it
// are not followed. It notes what the page shows for those that are.
func (r *Run) repeats(p *page.Page, u *store.URL, v *listVisit) bool {
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

// promote makes an errand of a URL that may wait in a discovery's frontier already.
// The analyst's rules over the frontier hold for it, too.
func (r *Run) promote(e frontier.Entry, url string) {
	e.Queue = r.Order.Queue(url)
	r.front.Remove(e)
	e.Queue = frontier.Errands
	if class, keep := r.Order.Class(url); keep {
		e.Class = class
		r.front.Push(e)
	}
}
