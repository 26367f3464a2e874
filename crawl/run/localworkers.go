package run

import (
	"net/http"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/sitemap"
	"angler/store"
	"angler/store/config"
)

// This file is the run's side of the seam in crawl/run.

// AddWorkers has a run take up that there are more hands elsewhere, or fewer.
func AddWorkers(r *Run) { hire(r, r.Settings()) }

// hire has as many workers as the settings and the hands elsewhere want.
func hire(r *Run, set *config.Settings) {
	r.workers.Store(int64(set.Crawl.Workers + r.PageWorkers.Slots()))
	if r.crawling.Load() {
		r.staff()
	}
}

// job is what is to be done for a URL; old is what is stored of it, nil = nothing.
func job(r *Run, entry string, u *store.URL, old *store.Page, req fetch.Request) PageJob {
	j := PageJob{Request: req, ID: u.ID, Address: u.URL, Host: entry, Page: u.Block != sitemap.Block && u.Block != scriptBlock, Notice: r.harvest.awaits(u)}
	if old != nil {
		j.Known = old.Hash
	}
	return j
}

// packed is what came as it is stored. Workers elsewhere have packed it with their draft.
func packed(c visit, resp *fetch.Response) []byte {
	if d := c.draft; d != nil && d.Body != nil && resp.Status == http.StatusOK {
		return d.Body
	}
	return store.Compress(resp.Body)
}

// read understands what came for a URL, by the draft where hands elsewhere have made one
// and it holds.
func (r *pages) read(c visit, u *store.URL, resp *fetch.Response, opt page.Options) (*reader.Reading, error) {
	d := c.draft
	c.draft = nil // it is not kept until the commit
	if d != nil && opt.Main == "" && r.Reader.Fits(d) {
		return r.Reader.Take(u.ID, d, resp.ContentType, r.visitOf(u))
	}
	return r.Reader.Read(u.ID, page.Source{URL: u.URL, ContentType: resp.ContentType, Body: resp.Body}, opt, r.visitOf(u))
}
