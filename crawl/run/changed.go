package run

import (
	"cmp"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/notice/lines"
	"angler/crawl/page"
	"angler/crawl/reach"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/versions"
)

// This file is what becomes of notices that are known: harvests look at the young ones
// again, and whoever meets one that says something else keeps what it said before.

// watch enters the known notices that are to be looked at again: those that came home or
// changed within revisit.watch and whose time has come. The less one changes, the
// rarer it is looked at.
func (h *harvester) watch() error {
	set := h.Settings()
	span := time.Duration(set.Revisit.Watch)
	if span <= 0 {
		return nil
	}
	plan, err := revisit.Plan(&set.Revisit)
	if err != nil {
		return err
	}
	least := time.Duration(set.Revisit.WatchMin)
	plan.Other = revisit.Bounds{Min: least, Max: max(least, span)}
	now := h.Now()
	young, err := store.Watched(h.Store, now.Add(-span))
	if err != nil {
		return err
	}
	due := young[:0]
	err = h.Store.EachPage(young, func(p *store.Page) {
		if seen, _ := revisit.Of(p); !seen.Next(now, revisit.Other, plan).After(now) {
			due = append(due, p.ID)
		}
	})
	if err != nil {
		return err
	}
	return h.Store.EachURL(due, func(u *store.URL) {
		if u.State != store.Complete || h.Filter.Check(u.URL, urls.ClassOf(u.URL)) != urls.Accepted {
			return // its last visit failed: it waits for its retry
		}
		if h.errands.add(u.ID, errand{look: true}) { // after the lists: they are where news is
			h.push(u.ID, u.URL, 0)
		}
	})
}

// lookAgain asks for a known notice.
func (h *harvester) lookAgain(entry frontier.Entry, u *store.URL) visit {
	old, req, err := h.request(u)
	if err != nil {
		return unasked(h.Run, entry, u, err)
	}
	resp, c := h.get(entry, u, old, req)
	if resp == nil {
		return c
	}
	if h.same(resp, old) {
		h.unchanged(c.Capture, old, resp)
		return c
	}
	if h.understand(c, u, old, resp, page.Options{}) != nil {
		h.renewed(c, u, old, resp)
	}
	return c
}

// A page whose text was long and is short now is being mended.
const (
	shortText = 90  // bytes: a title and no more
	longText  = 200 // bytes
)

// renewed follows a known page that was fetched and is another now: if it is a notice
// and says something else, the notice is replaced and what it said becomes a version.
// Both are read under what is known of the host now, so that only the page can make a
// difference; counters, menus and the lines around a notice make none. A page without
// text changes nothing: a site that is being mended shows such pages for a while.
func (r *Run) renewed(c visit, u *store.URL, old *store.Page, resp *fetch.Response) {
	if old == nil || c.Notice != nil || c.Page == nil || c.Page.Hash == old.Hash {
		return
	}
	n, err := r.Store.Notice(u.ID)
	if err != nil || n == nil {
		return
	}
	list := &listVisit{score: n.Score}
	if list.id, list.url = n.On(); n.FrameID != 0 {
		list.in = reach.Holder{ID: n.SourceID, URL: n.Source}
	}
	a := &announced{list: list,
		record: page.Record{Title: n.Title, Date: page.Date{Time: n.Date, Precision: page.Precision(n.Precision)}}}
	before, err := r.Reader.Stored(u.ID, noticeOptions(r, a))
	if err != nil || before == nil {
		return
	}
	after, err := r.Reader.Look(page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, noticeOptions(r, a))
	if err != nil || after == nil || len(after.Main) < shortText && len(before.Main) >= longText {
		return
	}
	was, is := noticeOf(r, u, before, a), noticeOf(r, u, after, a)
	if !lines.Changed(view.Says(was), view.Says(is)) {
		return
	}
	is.FirstSeen, is.Changed = n.FirstSeen, r.Now()
	if is.Date.IsZero() {
		is.Date, is.Precision = n.Date, n.Precision
	}
	said := view.Says(was)
	c.Notice, c.renewed = is, true
	c.Before = &versions.Version{Until: is.Changed, Title: cmp.Or(was.Title, n.Title), Date: n.Date, Precision: n.Precision, Text: said.Text, Files: said.Files}
	c.Versions = r.Settings().Harvest.Versions
}
