package run

import (
	"slices"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// This file visits known notices: harvests look at the young ones again. Of one that
// changed the earlier version is kept.

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
	moved := map[uint64]bool{}
	for i, id := range young { // what is looked at is the page that the address leads to
		if row, next, _ := h.Reader.Behind(id); next != "" {
			if to, known := h.Store.Lookup(next); known {
				young[i] = to
			}
		} else if row != nil {
			young[i] = row.ID
		}
		moved[young[i]] = young[i] != id
	}
	slices.Sort(young)
	young = slices.Compact(young)
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
		if u.State != store.Complete || !moved[u.ID] && h.Filter.Check(u.URL, urls.ClassOf(u.URL)) != urls.Accepted {
			return // its last visit failed: it waits for its retry
		}
		if h.tasks.add(u.ID, task{look: true}) { // after the lists: they are where news is
			h.push(u.ID, u.URL, 0)
		}
	})
}

// lookAgain asks for a known notice.
func (h *harvester) lookAgain(entry frontier.Entry, u *store.URL) visit {
	old, resp, c := h.loadChanged(entry, u)
	if resp != nil && h.understand(c, u, old, resp, page.Options{}) != nil {
		h.renewed(c, u, old, resp)
	}
	return c
}

// renewed follows a known page that was fetched and is another now: if it is a notice
// and says something else, the notice is replaced and what it said becomes a version.
func (r *Run) renewed(c visit, u *store.URL, old *store.Page, resp *fetch.Response) {
	if old == nil || c.Notice != nil || c.Page == nil || c.Page.Hash == old.Hash {
		return
	}
	n := r.maker.noticeAt(u.ID)
	if n == nil {
		return
	}
	c.Notice, c.Before = r.maker.Renewed(u, n, page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body})
	c.renewed, c.Versions = c.Notice != nil, r.Settings().Harvest.Versions
}
