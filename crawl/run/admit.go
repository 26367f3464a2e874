package run

import (
	"angler/crawl/frontier"
	"angler/crawl/priority"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// This file is how a discovery's frontier fills: by the links of stored pages, and
// by known pages that are due for another visit.

// committed tells the link order of the pages just stored, and lets their links
// enter the frontier.
func (r *discoverer) committed(batch []store.Item[*tag], found []store.Admission) {
	r.observed = r.observed[:0]
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page == nil || c.Unchanged || t.state == nil || t.before == nil {
			continue
		}
		r.observed = append(r.observed, priority.Stored{Capture: c, Before: t.before, State: t.state, Doc: &t.doc})
	}
	r.Order.Observe(r.observed)
	clear(r.observed) // or the last batch would stay in memory
	r.Order.Refresh()
	r.admit(found)
}

// landed implements plan.
func (r *discoverer) landed(store.Item[*tag]) {}

// admit ranks URLs and hands them to the frontier.
func (r *discoverer) admit(found []store.Admission) {
	entries := make([]frontier.Entry, 0, len(found))
	for {
		scope, state := r.Scope(), r.Topic.State()
		changed := func() bool { return r.Scope() != scope || r.Topic.State() != state }
		entries = entries[:0]
		below := 0
		for i := range found {
			u := &found[i].Row
			if wait, _ := revisit.Until(u.Retry, r.Now()); u.State != store.Waiting || wait > soon {
				continue
			}
			e, keep := r.Order.Entry(u)
			switch {
			case keep:
				entries = append(entries, e)
			case r.Order.Below(e):
				below++
			}
		}
		if changed() {
			continue // they were judged under two
		}
		r.front.Push(entries...)
		r.Filter.Refuse(urls.BelowRelevance, below)
		if changed() {
			r.Order.Rank() // Reconsider may have passed before these came in
		}
		return
	}
}

// revisits hands the known pages that are due to the frontier, behind everything
// that was never seen; between them the more overdue goes first. Aggregation
// pages are left to the harvest, which reads their records.
func (r *discoverer) revisits() error {
	set := r.Settings()
	if set.Revisit.Off {
		return nil
	}
	plan, err := revisit.Plan(&set.Revisit)
	if err != nil {
		return err
	}
	lists := map[uint64]bool{}
	for _, id := range r.Topic.Aggregations() {
		lists[id] = true
	}
	now := r.Now()
	var batch []frontier.Entry
	for p, err := range r.Store.Pages() {
		if err != nil {
			return err
		}
		h, _ := revisit.Of(p)
		late := now.Sub(h.Next(now, revisit.Other, plan))
		if _, keep := r.Order.Class(p.URL); late < 0 || lists[p.ID] || !keep {
			continue
		}
		u, err := r.Store.URL(p.ID)
		if err != nil {
			return err
		}
		if u == nil || u.State != store.Complete {
			continue // its last visit failed: it waits for its retry
		}
		// Depth 0: the depth limit bounds what is found, not what is known.
		batch = append(batch, frontier.Entry{ID: p.ID, Host: urls.HostOf(p.URL), Class: frontier.Revisit, Priority: late.Hours(), Queue: r.Order.Queue(p.URL)})
		if len(batch) == refillBatch {
			r.front.Push(batch...)
			batch = batch[:0]
		}
	}
	r.front.Push(batch...)
	return nil
}
