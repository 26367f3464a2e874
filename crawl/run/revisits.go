package run

import (
	"bytes"
	"cmp"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/hostauth"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// Known pages are visited again (P2, incremental crawling): aggregation pages by every harvest,
// other due pages by discoveries. An unchanged page costs one conditional request and one small
// row.

// revisits holds the known pages that a discovery visits again; nil = none.
type revisits struct {
	plan  revisit.Settings
	lists map[uint64]bool // left to the harvest, which reads their records
}

// entry returns the frontier entry of a due page; false if the page is not due or cannot be read.
func (a *revisits) entry(r *Run, p *store.Page) (e frontier.Entry, due bool) {
	if a == nil || p == nil || a.lists[p.ID] {
		return e, false
	}
	h, _ := revisit.Of(p)
	late := -h.Next(r.Now(), revisit.Other, a.plan).Sub(r.Now())
	if late < 0 && hostauth.IsLoginAddress(p.Location) && r.HostAuth.Known(urls.HostOf(p.URL)) {
		late = 0 // it led to a login before credentials were set
	}
	if late < 0 && p.Partial() {
		late = 0 // its links may stand in the part that is missing
	}
	if late < 0 && isAwaited(r.Replies, p.URL) && len(StoredMissing(r.Store, p.ID)) > 0 {
		late = 0 // a recipe can read the missing entries now
	}
	if _, keep := r.Order.Class(p.URL); late < 0 || !keep {
		return e, false
	}
	if u, err := r.Store.URL(p.ID); err != nil || u == nil || u.State != store.Complete || r.stale(u) {
		return e, false // its last visit failed: it waits for its retry
	}
	// Depth 0: the depth limit applies to new pages, not to known ones.
	return frontier.Entry{ID: p.ID, Host: urls.HostOf(p.URL), Class: frontier.Revisit, Priority: late.Hours(),
		Queue: r.Order.Queue(p.URL)}, true
}

// unchanged completes the capture of a page that equals the stored one.
func (r *Run) unchanged(c *store.Capture, old *store.Page, resp *fetch.Response) {
	row := *old
	row.Fetched = r.Now()
	row.ETag, row.LastModified = cmp.Or(resp.ETag, old.ETag), cmp.Or(resp.LastModified, old.LastModified)
	revisit.Note(&row, old, revisit.NoList, r.task == view.Harvest)
	c.Page, c.Unchanged = &row, true
}

// same reports whether a response equals the stored page. A page read under a wrong clock is read
// again, even if its bytes are equal, because its dates were missed or given a wrong year. So is one
// that was stored in part and comes whole. The first part of a broken transfer also counts as equal.
func (r *Run) same(resp *fetch.Response, old *store.Page) bool {
	if old == nil || old.Partial() && resp.Partial == "" {
		return false
	}
	return resp.Status == 304 || resp.Status == old.Status && !revisit.Lied(old.Fetched, r.Now()) &&
		(store.KeyOf(resp.Body) == old.Hash || resp.Partial != "" && r.begins(old, resp.Body))
}

// begins reports whether the stored body starts with part.
func (r *Run) begins(old *store.Page, part []byte) bool {
	whole, err := r.Store.Body(old.ID, r.Settings().Crawl.MaxBodyMB<<20)
	return err == nil && bytes.HasPrefix(whole, part)
}
