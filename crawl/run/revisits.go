package run

import (
	"cmp"

	"angler/crawl/fetch"
	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/store"
)

// Known pages are visited again (P2, incremental crawling): aggregation pages by
// every harvest, and by discoveries whatever is due. What did not change costs
// one conditional request and one small row.

// unchanged completes the capture of a page that was found as it is stored.
func (r *pages) unchanged(c *store.Capture, old *store.Page, resp *fetch.Response) {
	row := *old
	row.Fetched = r.Now()
	row.ETag, row.LastModified = cmp.Or(resp.ETag, old.ETag), cmp.Or(resp.LastModified, old.LastModified)
	revisit.Note(&row, old, 0, r.task == view.Harvest)
	c.Page, c.Unchanged = &row, true
}

// same reports whether a response is what is stored of the page. What was read
// under a wrong clock is read again, though its bytes be the same: dates were
// missed then, or given to the wrong year.
func (r *pages) same(resp *fetch.Response, old *store.Page) bool {
	return old != nil && (resp.Status == 304 || resp.Status == old.Status && store.KeyOf(resp.Body) == old.Hash && !revisit.Lied(old.Fetched, r.Now()))
}
