package run

import (
	"context"
	"fmt"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// pages turns what was fetched into what is stored. It knows nothing of workers and
// of what comes next.
type pages struct {
	*Config
	task   string
	failed *failureCounts  // visits that brought no page
	since  time.Time       // when the run began
	ctx    context.Context // of the run
}

// request asks for a URL, conditionally if its page is stored; errStale when its list has
// to be read first.
func (r *pages) request(u *store.URL) (old *store.Page, req fetch.Request, err error) {
	if err := r.address(&req, u); err != nil {
		return nil, req, err
	}
	if u.State == store.Waiting && u.Fails == 0 && !r.known(u.ID) {
		return nil, req, nil
	}
	if old, err = r.Store.Page(u.ID); old != nil && !revisit.Lied(old.Fetched, r.Now()) {
		req.ETag, req.LastModified = old.ETag, old.LastModified
	}
	return old, req, err
}

// known reports whether a page is stored, whatever became of its last visit.
func (r *pages) known(id uint64) bool {
	return r.Topic.Has(id)
}

// lost is the capture of a URL whose row cannot be read; the run ends.
func (r *Run) lost(entry frontier.Entry, err error) visit {
	if err == nil {
		err = fmt.Errorf("url %d is missing in the database; run: angler check", entry.ID)
	}
	r.fail(err)
	r.front.Release(entry, frontier.Outcome{})
	return visit{&store.Capture{ID: entry.ID, State: store.Waiting}, &tag{entry: entry}}
}

// understand reads a response, scores it and fills the capture. old is what is
// stored of it, nil on the first visit. It returns the page, or nil when the
// response is a redirect or no page.
func (r *pages) understand(c visit, u *store.URL, old *store.Page, resp *fetch.Response, opt page.Options) *page.Page {
	now := r.Now()
	c.state = r.Topic.State()
	c.Page = &store.Page{URL: u.URL, Status: resp.Status, Fetched: now, Changed: now, ETag: resp.ETag, LastModified: resp.LastModified,
		Hash: store.KeyOf(resp.Body)}
	revisit.Note(c.Page, old, 0, r.task == view.Harvest)
	c.Body = packed(c, resp)
	if resp.Status >= 300 && resp.Status < 400 {
		c.Page.Location = resp.Location
		r.redirect(c.Capture, u, resp.Location)
		c.lacks(judgeRedirect(&coverageVisit{Store: r.Store, State: c.state, URL: u, Known: old != nil, Now: now}, resp.Location, func() error { return r.Private(r.ctx, resp.Location) }))
		return nil
	}
	read, err := r.read(c, u, resp, opt)
	if err != nil {
		r.noPage(c.Capture, u, revisit.Gone, store.FailedUnknown, err)
		return nil
	}
	p := read.Page
	if resp.Truncated {
		read.Cut(r.Settings().Crawl.MaxBodyMB)
	}
	c.doc, c.fingerprint = read.Doc, read.Fingerprint // the page itself is not kept until the commit
	read.Fill(c.Page)
	if m := c.state.Model; m != nil {
		c.Page.Score, c.Page.ModelRev = m.Score(&read.Doc), m.Rev
	}
	c.Terms = read.Terms()
	c.Links = r.Links.Hints(linkorder.FoundOnPage{Page: p, Score: c.Page.Score, Relevant: c.state.Relevant(&read.Doc, c.Page.Score),
		Inherited: r.Order.Score(u).Inherited}, c.state, r.Filter)
	c.lacks(judgeCoverage(&coverageVisit{Store: r.Store, State: c.state, URL: u, Page: p, Doc: &read.Doc, Relevant: c.state.Relevant(&read.Doc, c.Page.Score),
		Known: old != nil, Followed: c.Links, Expects: scriptsExpected(r.Store, r.Filter, p.Scripts), Now: now}))
	return p
}

// visitOf says what this visit means for what is learned of the page's host.
func (r *pages) visitOf(u *store.URL) reader.Visit {
	switch {
	case u.Depth > r.Settings().Crawl.Depth:
		return reader.Beyond
	case r.task != view.Harvest:
		return reader.Discovered
	}
	return reader.Postponed
}

// redirect makes the target of a redirect the page's only link, which goes through
// scope, robots and politeness like any other.
func (r *pages) redirect(c *store.Capture, u *store.URL, location string) {
	target, err := r.Reader.Resolver.Canonical(location)
	if err != nil || r.Filter.Check(target, urls.ClassOf(target)) != urls.Accepted {
		return
	}
	c.Links = []store.Link{linkorder.RedirectLink(u, target)}
}
