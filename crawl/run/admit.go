package run

import (
	"angler/crawl/decisions"
	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// This file is how a discovery's frontier fills: by the links of stored pages, and
// by known pages that are due for another visit.

// committed tells the link order of the pages just stored, and lets their links
// enter the frontier.
func (r *discoverer) committed(batch []item, found []store.Admission) {
	r.observed = r.observed[:0]
	for _, it := range batch {
		c, t := it.Capture, it.Tag
		if c.Page == nil || c.Unchanged || t.state == nil || t.before == nil {
			continue
		}
		r.observed = append(r.observed, linkorder.StoredPage{Capture: c, Before: t.before, State: t.state, Doc: &t.doc, Notice: t.notice != nil})
	}
	r.Order.Observe(r.observed)
	clear(r.observed) // or the last batch would stay in memory
	r.Order.Refresh()
	r.admit(found)
	r.harvest.judge()
}

// landed implements plan.
func (r *discoverer) landed(it item) {
	if u := it.Tag.before; u != nil && u.Block == scriptBlock && (it.Capture.Page != nil || it.Capture.State == store.Exception) {
		r.scripted(u)
		return
	}
	r.harvest.landed(it)
}

func (r *discoverer) more() (bool, error) { return r.harvest.finalize() }

func (r *discoverer) free(id uint64, u *store.URL) bool {
	return r.scripts.due(id) || r.harvest.free(id, u)
}

// rules are what decides whether a link is fetched: two equal ones decide alike.
type rules struct {
	scope *urls.Scope
	state *decisions.State
}

func (r *discoverer) rules() rules { return rules{r.Scope(), r.Topic.State()} }

// push hands links that were judged under some rules to the frontier. When others are
// in force by now, Reconsider may have passed before these came in, and all is ranked
// again.
func (r *discoverer) push(under rules, entries []frontier.Entry) {
	r.front.Push(entries...)
	if r.rules() != under {
		r.Order.Rank()
	}
}

// admit ranks URLs and hands them to the frontier.
func (r *discoverer) admit(found []store.Admission) {
	entries := make([]frontier.Entry, 0, len(found))
	for {
		under := r.rules()
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
		if r.rules() != under {
			continue // they were judged under two
		}
		r.push(under, entries)
		r.Filter.Refuse(urls.BelowRelevance, below)
		return
	}
}

// revisits hands the known pages that are due to the frontier, behind everything
// that was never seen; between them the more overdue goes first.
func (r *discoverer) revisits() error {
	set := r.Settings()
	if set.Revisit.Off {
		return nil
	}
	plan, err := revisit.Plan(&set.Revisit)
	if err != nil {
		return err
	}
	due := &revisits{plan: plan, lists: map[uint64]bool{}}
	r.harvest.revisits = due
	for _, id := range r.Topic.Aggregations() {
		due.lists[id] = true
	}
	under := r.rules()
	var batch []frontier.Entry
	for p, err := range r.Store.Pages() {
		if err != nil {
			return err
		}
		e, ok := due.entry(r.Run, p)
		if !ok {
			continue
		}
		if batch = append(batch, e); len(batch) == refillBatch {
			r.push(under, batch)
			batch, under = batch[:0], r.rules()
		}
	}
	r.push(under, batch)
	return nil
}
