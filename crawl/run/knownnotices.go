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

// This file visits known notices. A harvest fetches recent ones again, and the earlier text of a
// changed notice is kept.

// watch schedules known notices that were found or changed within revisit.watch and are due. The
// less often a notice changes, the longer its interval.
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
	for i, id := range young { // visit the page that the address leads to
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
		if h.tasks.add(u.ID, task{look: true}) { // after the lists, which show the news
			h.push(u.ID, u.URL, 0)
		}
	})
}

// lookAgain fetches a known notice.
func (h *harvester) lookAgain(entry frontier.Entry, u *store.URL) visit {
	old, resp, c := h.loadChanged(entry, u)
	if resp != nil && h.understand(c, u, old, resp, page.Options{}) != nil {
		h.renewed(c, u, old, resp)
	}
	return c
}

// renewed handles a changed page. If it is a notice with changed text, the notice is replaced and
// the old text becomes a version.
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
