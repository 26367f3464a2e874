package run

import (
	"cmp"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/records"
	"angler/topic"
)

// This file is the way of what a plain GET does not bring: addresses with a fragment
// (urls.Address), what is sent for them (store/records), and replies that are no pages
// until a person has translated them.
//
// A reader of a list makes a store.Link with the address of its next page and the
// Request for it (listVisit.next names it, too); the commit of the list stores both, and
// from then on the address waits, is fetched, stored and visited again like any other.

// errStale means an address whose request is not known, or has expired: it is asked for
// again when its list has been read.
var errStale = store.Failure{Kind: store.FailedStale, Detail: "what its list gave out for it has expired"}

// stale reports whether an address cannot be asked for before its list is read again.
func (r *Run) stale(u *store.URL) bool {
	if urls.IsPlain(u.URL) {
		return false
	}
	if a := requestBuilderFor(r.Replies, u.URL); a != nil {
		return !a.Asks(u.URL)
	}
	row, err := r.sent(u)
	return err == nil && (row == nil || row.Stale(r.started))
}

// sent is what is sent for an address; nil for a plain page, and where nothing is known.
func (r *Run) sent(u *store.URL) (*records.Request, error) {
	if urls.IsPlain(u.URL) {
		return nil, nil
	}
	return records.RequestOf(r.Store, u.ID)
}

// address makes the request for a URL. A store.Failure says why none can be made now.
func (r *Run) address(u *store.URL) (req fetch.Request, err error) {
	req.URL = u.URL
	if urls.IsPlain(u.URL) {
		return req, nil
	}
	if a := requestBuilderFor(r.Replies, u.URL); a != nil {
		switch {
		case !a.Asks(u.URL):
			return req, errStale
		case a.Row(u.URL):
			return req, nil // it stands in its list, see fromList
		}
		if req, err = a.Ask(r.ctx, u.URL); err != nil {
			return req, asFailure(store.FailedRequest, err)
		}
		return req, nil
	}
	row, err := r.sent(u)
	switch {
	case err != nil:
		return req, err
	case row == nil || row.Stale(r.started):
		return req, errStale
	}
	return fetch.Request{URL: urls.Bare(u.URL), Method: row.Method, Body: row.Body, ContentType: row.ContentType,
		Header: row.Header}, nil
}

// requested adds the pages behind a page of a list that only a request brings to the
// links of its capture, and returns their addresses. Those beyond the scope are left out.
func (r *Run) requested(c visit, p *page.Page, u *store.URL, v *listVisit) (next []string) {
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

// askedFor seeds the lists that Askers want visited and returns those without a
// verdict no. Failed ones wait for their time like any other list.
func (r *Run) askedFor() (ids []uint64, err error) {
	var all []string
	for _, t := range r.Replies {
		if a, ok := t.(requestBuilder); ok {
			all = append(all, a.Lists()...)
		}
	}
	var fresh []string
	for _, address := range all {
		if _, ok := r.Store.Lookup(address); !ok {
			fresh = append(fresh, address)
		}
	}
	if len(fresh) > 0 {
		if _, err := r.Store.Seed(fresh); err != nil {
			return nil, err
		}
	}
	labels := r.Topic.State().Labels
	for _, address := range all {
		if id, ok := r.Store.Lookup(address); ok && labels[id] != topic.No {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// unvisited are those that no run has a page of.
func (r *Run) unvisited(ids []uint64) (out []uint64) {
	for _, id := range ids {
		if !r.known(id) {
			out = append(out, id)
		}
	}
	return out
}

// held is the page of a notice that stands in the list that announced it; false for an
// address that is asked for. The list may have lost the row since: then the error says so.
func (r *Run) held(u *store.URL) (resp *fetch.Response, row bool, err error) {
	by := requestBuilderFor(r.Replies, u.URL)
	if by == nil || !by.Row(u.URL) {
		return nil, false, nil
	}
	list, err := r.Store.Body(u.Source, r.Settings().Crawl.MaxBodyMB<<21)
	if err != nil {
		return nil, true, err
	}
	body, ok := by.Held(u.URL, list)
	if !ok {
		return nil, true, store.Failure{Kind: store.FailedRow}
	}
	return &fetch.Response{URL: u.URL, Status: 200, ContentType: "text/html; charset=utf-8", Body: body}, true, nil
}

// fromList is fetch for a notice that stands in its list: it costs no request.
func (r *Run) fromList(entry frontier.Entry, u *store.URL) (resp *fetch.Response, c visit, ok bool) {
	resp, ok, err := r.held(u)
	if !ok {
		return nil, c, false
	}
	r.front.Spare(entry)
	c = newVisit(entry, u)
	if err != nil {
		r.noPage(c.Capture, u, revisit.Gone, asFailure(store.FailedUnknown, err))
		return nil, c, true
	}
	return resp, c, true
}
