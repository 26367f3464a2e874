package run

import (
	"cmp"
	"errors"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/requests"
)

// This file is the way of what a plain GET does not bring: addresses with a fragment
// (urls.Address), what is sent for them (store/requests), and replies that are no pages
// until somebody has translated them.
//
// Whoever reads a list makes a store.Link with the address of its next page and the
// Request for it (listVisit.next names it, too); the commit of the list stores both, and
// from then on the address waits, is fetched, stored and visited again like any other.

// errStale means an address whose request is not known, or has expired: it is asked for
// again when its list has been read.
var errStale = errors.New("its list has to be read again")

// staleRest is how long an address with an expired request is left alone; reading its
// list ends that.
const staleRest = 24 * time.Hour

// stale reports whether an address cannot be asked for before its list is read again.
func (r *pages) stale(u *store.URL) bool {
	if urls.IsPlain(u.URL) {
		return false
	}
	if a := requestBuilderFor(r.Replies, u.URL); a != nil {
		return !a.Asks(u.URL)
	}
	row, err := r.sent(u)
	return err == nil && (row == nil || row.Stale(r.since))
}

// sent is what is sent for an address; nil for a plain page, and where nothing is known.
func (r *pages) sent(u *store.URL) (*requests.Row, error) {
	if urls.IsPlain(u.URL) {
		return nil, nil
	}
	return requests.Get(store.RowsOf(r.Store).DB(), u.ID)
}

// address completes what is asked for an address with a fragment.
func (r *pages) address(req *fetch.Request, u *store.URL) error {
	req.URL = u.URL
	if urls.IsPlain(u.URL) {
		return nil
	}
	if a := requestBuilderFor(r.Replies, u.URL); a != nil {
		if !a.Asks(u.URL) {
			return errStale
		}
		if a.Row(u.URL) {
			return nil // it stands in its list, see fromList
		}
		var err error
		if *req, err = a.Ask(r.ctx, u.URL); err != nil {
			return askError{err}
		}
		return nil
	}
	row, err := r.sent(u)
	switch {
	case err != nil:
		return err
	case row == nil || row.Stale(r.since):
		return errStale
	}
	req.URL = urls.Bare(u.URL)
	req.Method, req.Body, req.ContentType, req.Header = row.Method, row.Body, row.ContentType, row.Header
	return nil
}

// unasked is the visit of a URL whose request could not be made: it stays as it is when
// its list has to be read first, and ends the run when the database cannot be read.
func unasked(r *Run, entry frontier.Entry, u *store.URL, err error) visit {
	if c, ok := unaskable(r, entry, u, err); ok {
		return c
	}
	if !errors.Is(err, errStale) {
		return r.lost(entry, err)
	}
	r.front.Release(entry, frontier.Outcome{})
	c := &store.Capture{ID: u.ID, State: u.State, Fails: u.Fails, Retry: r.Now().Add(staleRest), Failure: store.Failure{Kind: store.FailedStale, Detail: "what its list gave out for it has expired"}}
	if r.known(u.ID) {
		c.State, c.Retry, c.Failure = store.Complete, time.Time{}, store.Failure{}
	} else if c.State != store.Exception {
		c.State = store.Waiting
	}
	return visit{c, &tag{entry: entry, before: u}}
}

// translated hands a reply to the translator of its address. The response is nil when the
// capture is complete: the reply does not fit.
func translated(r *Run, c visit, u *store.URL, resp *fetch.Response) (*fetch.Response, visit) {
	t := translatorFor(r.Replies, u.URL)
	if t == nil || resp.Status < 200 || resp.Status >= 300 {
		return resp, c
	}
	c.draft = nil // of what came, not of what it is made into
	row, err := r.sent(u)
	if err == nil {
		resp, err = t.Translate(r.ctx, Reply{Address: u.URL, Sent: row, Response: resp})
	}
	if err != nil {
		if r.ctx.Err() != nil {
			c.State, c.Fails, c.Retry, c.Failure = u.State, u.Fails, u.Retry, u.Failure
			return nil, c
		}
		r.noPage(c.Capture, u, revisit.Passing, store.FailedRendering, err)
		return nil, c
	}
	return resp, c
}

// requested adds the pages behind a page of a list that only a request brings to the
// links of its capture, and returns their addresses. Those beyond the scope are left out.
func requested(r *Run, c visit, p *page.Page, u *store.URL, v *listVisit) (next []string) {
	var links []store.Link
	for i := range p.Turns {
		links = append(links, linkorder.PageRequestLink(&p.Turns[i]))
	}
	if t := translatorFor(r.Replies, u.URL); t != nil {
		row, err := r.sent(u)
		if err != nil {
			r.fail(err)
			return nil
		}
		links = append(links, t.Behind(u.URL, row, p)...)
	}
	for _, l := range links {
		if l.URL == u.URL || r.Filter.Check(l.URL, urls.ClassOf(l.URL)) != urls.Accepted {
			continue
		}
		if l.Request != nil {
			l.Request.Root, l.Request.Made = v.chain.root, r.Now()
			l.Request.Page = cmp.Or(l.Request.Page, v.page+1)
		}
		c.Links = append(c.Links, l)
		next = append(next, l.URL)
	}
	return next
}
