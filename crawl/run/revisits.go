package run

import (
	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"cmp"
)

// Known pages are visited again (P2, incremental crawling): aggregation pages by
// every harvest, and by discoveries whatever is due. What did not change costs
// one conditional request and one small row.

// unchanged completes the capture of a page that was found as it is stored.
func (r *Run) unchanged(c *store.Capture, old *store.Page, resp *fetch.Response) {
	row := *old
	row.Fetched = r.Now()
	row.ETag, row.LastModified = cmp.Or(resp.ETag, old.ETag), cmp.Or(resp.LastModified, old.LastModified)
	revisit.Note(&row, old, 0, r.task == view.Harvest)
	c.Page, c.Unchanged = &row, true
}

// same reports whether a response is what is stored of the page.
func same(resp *fetch.Response, old *store.Page) bool {
	return old != nil && (resp.Status == 304 || resp.Status == old.Status && store.KeyOf(resp.Body) == old.Hash)
}

// revisits hands the known pages that are due to the frontier, behind everything
// that was never seen; between them the more overdue goes first. Aggregation
// pages are left to the harvest, which reads their records.
func (r *Run) revisits() error {
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
