package crawl

import (
	"fmt"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// Known pages are visited again (P2, incremental crawling): aggregation pages by
// every harvest, and by discoveries whatever is due. What did not change costs
// one conditional request and one small row.

// schedule is the revisit schedule that the settings ask for.
func schedule(set *store.RevisitSettings) (revisit.Settings, error) {
	s := revisit.Settings{
		Aggregation: revisit.Bounds{Min: time.Duration(set.AggregationMin), Max: time.Duration(set.AggregationMax)},
		Other:       revisit.Bounds{Min: time.Duration(set.OtherMin), Max: time.Duration(set.OtherMax)},
		Chance:      set.Chance, Growth: set.Growth,
	}
	if err := s.Validate(); err != nil {
		return s, fmt.Errorf("angler.toml: %w", err)
	}
	return s, nil
}

// harvested follows the history of a page that a harvest has read.
const harvested = 1

// historyOf is what the visits of a stored page have found, and whether a
// harvest was among them. A row of before there were histories stands for one
// visit.
func historyOf(p *store.Page) (h revisit.History, read bool) {
	h, rest, err := revisit.Decode(p.History)
	if err != nil || h.Visits == 0 {
		return revisit.History{}.Visit(p.Fetched, false, 0), false
	}
	return h, len(rest) > 0 && rest[0] == harvested
}

// visited writes a visit into the history of a page: row is its new row, old the
// one before it, nil on the first visit.
func (r *run) visited(row, old *store.Page, records int) {
	h := revisit.History{}
	changed, read := false, false
	if old != nil {
		h, read = historyOf(old)
		changed = row.Hash != old.Hash
	}
	row.History = h.Visit(row.Fetched, changed, records).Append(nil)
	if read || r.task == view.Harvest {
		row.History = append(row.History, harvested)
	}
}

// kept completes the capture of a page that was found as it is stored.
func (r *run) kept(c *store.Capture, old *store.Page, resp *fetch.Response) {
	row := *old
	row.Fetched = r.e.now()
	row.ETag, row.LastModified = firstOf(resp.ETag, old.ETag), firstOf(resp.LastModified, old.LastModified)
	r.visited(&row, old, 0)
	c.Page, c.Unchanged = &row, true
}

// same reports whether a response is what is stored of the page.
func same(resp *fetch.Response, old *store.Page) bool {
	return old != nil && (resp.Status == 304 || resp.Status == old.Status && store.KeyOf(resp.Body) == old.Hash)
}

// due returns those of the aggregation pages that are to be visited by now, or
// that no harvest has read yet.
func (e *Engine) due(ids []uint64) (due []uint64, err error) {
	set := e.Settings()
	plan, err := schedule(&set.Revisit)
	if err != nil {
		return nil, err
	}
	now := e.now()
	err = e.ws.EachPage(ids, func(p *store.Page) {
		if h, read := historyOf(p); !read || !h.Next(now, revisit.Aggregation, plan).After(now) {
			due = append(due, p.ID)
		}
	})
	return due, err
}

// revisits hands the known pages that are due to the frontier, behind everything
// that was never seen; between them the more overdue goes first. Aggregation
// pages are left to the harvest, which reads their records.
func (r *run) revisits() error {
	set := r.e.Settings()
	if set.Revisit.Off {
		return nil
	}
	plan, err := schedule(&set.Revisit)
	if err != nil {
		return err
	}
	lists := map[uint64]bool{}
	for _, id := range r.e.Aggregations() {
		lists[id] = true
	}
	now := r.e.now()
	var batch []frontier.Entry
	for p, err := range r.e.ws.Pages() {
		if err != nil {
			return err
		}
		h, _ := historyOf(p)
		late := now.Sub(h.Next(now, revisit.Other, plan))
		if _, keep := r.e.steered(p.URL, 0); late < 0 || lists[p.ID] || !keep {
			continue
		}
		// Depth 0: the depth limit bounds what is found, not what is known.
		batch = append(batch, frontier.Entry{ID: p.ID, Host: urls.HostOf(p.URL), Priority: revisitValue + late.Hours(), Queue: r.order.queue(p.URL)})
		if len(batch) == refillBatch {
			r.front.Push(batch...)
			batch = batch[:0]
		}
	}
	r.front.Push(batch...)
	return nil
}
