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

// This file finds the further pages of lists, for harvests and discoveries.

// behind returns the addresses of the pages after a list page. Pages that need another request than
// a plain GET are added to the links of its capture.
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
		next = append(next, frame) // its entries belong to this list
	}
	return append(next, r.requested(c, p, u, v)...)
}

// framed sets the page whose frame holds a list. Further pages inherit it.
func framed(w *store.Workspace, u *store.URL, v *listVisit, s *decisions.State) {
	if v.in.ID == 0 {
		v.in = FrameHolderOf(w, s, u)
	}
}

// repeats reports whether a list page shows the entries of an earlier one. Such a pager never ends,
// or returns page 1 for every request, and is not followed. It also records the page's entries for
// later pages.
func (r *Run) repeats(p *page.Page, u *store.URL, v *listVisit) bool {
	now := p.EntriesHash()
	if now != 0 && slices.Contains(v.before, now) {
		// after page 2 it may be the end of the list
		promised := u.Anchor == strconv.Itoa(v.page) || v.page == 2 && listpage.IsNextAnchor(u.Anchor)
		if promised || !urls.IsPlain(u.URL) {
			r.Events.Note("warn", "the pager of %s repeats itself: page %d shows the entries of an earlier one, and the pages behind it are not followed", urls.Bare(u.URL), v.page)
		}
		return true
	}
	v.shown = now
	return false
}

// promote makes an errand of a URL that may already wait in a discovery's frontier. The analyst's
// frontier rules apply to it as well.
func (r *Run) promote(e frontier.Entry, url string) {
	e.Queue = r.Order.Queue(url)
	r.front.Remove(e)
	e.Queue = frontier.Errands
	if class, keep := r.Order.Class(url); keep {
		e.Class = class
		r.front.Push(e)
	}
}
