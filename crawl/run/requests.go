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

// This file makes requests other than a plain GET: addresses with a fragment (urls.Address) and
// their requests (store/requests).
//
// The reader of a list makes a store.Link with the address of the next page and its Request;
// listVisit.next holds the address, too. The commit of the list stores both. From then on the
// address waits, is fetched, stored and visited again like any other.

// errStale means that the request of an address is unknown or expired. The address is requested
// again once its list was read.
var errStale = store.Failure{Kind: store.FailedStale, Detail: "the parameters its list gave have expired"}

// stale reports whether the list of an address must be read before the address can be requested.
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

// sent returns the stored request of an address; nil for a plain page or if none is stored.
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
			return req, nil // the page is a row of its list, see fromList
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

// requested adds the pages after a list page that need another request than a plain GET to the
// links of its capture. It returns their addresses, without those that the filter refuses.
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

// askedFor seeds the lists that request builders want visited. It returns those without the label
// no. Failed ones wait for their retry like any other list.
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

// unvisited returns the ids without a stored page.
func (r *Run) unvisited(ids []uint64) (out []uint64) {
	for _, id := range ids {
		if !r.known(id) {
			out = append(out, id)
		}
	}
	return out
}

// noticeInList returns the page of a notice that is a row of its list. row is false for an address
// that is requested. The error says if the list no longer holds the row.
func (r *Run) noticeInList(u *store.URL) (resp *fetch.Response, row bool, err error) {
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

// fromList is fetch for a notice that is a row of its list. It sends no request.
func (r *Run) fromList(entry frontier.Entry, u *store.URL) (resp *fetch.Response, c visit, ok bool) {
	resp, ok, err := r.noticeInList(u)
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
