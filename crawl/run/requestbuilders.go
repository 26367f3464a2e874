package run

import (
	"errors"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/revisit"
	"angler/store"
	"angler/topic"
)

// This file is the addresses of requestBuilder.

// askError is why an Asker could not make a request.
type askError struct{ error }

func (e askError) Unwrap() error { return e.error }

// askedFor seeds the lists that Askers want visited and returns those that nobody has
// said no of. Failed ones wait for their time like any other list.
func askedFor(r *Run) (ids []uint64, err error) {
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
func unvisited(r *Run, ids []uint64) (out []uint64) {
	for _, id := range ids {
		if !r.known(id) {
			out = append(out, id)
		}
	}
	return out
}

// unaskable is the visit of an address for which no request could be made: it is tried
// again like one that failed.
func unaskable(r *Run, entry frontier.Entry, u *store.URL, err error) (visit, bool) {
	var e askError
	if !errors.As(err, &e) {
		return visit{}, false
	}
	r.front.Release(entry, frontier.Outcome{})
	c := visit{&store.Capture{ID: u.ID, State: u.State, Fails: u.Fails, Retry: u.Retry, Failure: u.Failure}, &tag{entry: entry, before: u}}
	if r.ctx.Err() == nil {
		r.counts.fetched.Add(1)
		r.noPage(c.Capture, u, revisit.Passing, store.FailedRequest, e.error)
	}
	return c, true
}

// held is the page of a notice that stands in the list that announced it; false for an
// address that is asked for. The list may have lost the row since: then the error says so.
func held(r *Run, u *store.URL) (resp *fetch.Response, row bool, err error) {
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

// fromList is get for a notice that stands in its list: it costs no request.
func fromList(r *Run, entry frontier.Entry, u *store.URL) (resp *fetch.Response, c visit, ok bool) {
	resp, ok, err := held(r, u)
	if !ok {
		return nil, c, false
	}
	r.front.Spare(entry)
	c = visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry, before: u}}
	if err != nil {
		r.noPage(c.Capture, u, revisit.Gone, store.FailedUnknown, err)
		return nil, c, true
	}
	return resp, c, true
}
