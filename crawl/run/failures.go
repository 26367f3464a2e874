package run

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/hostauth"
	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
)

// This file is what becomes of a URL whose visit brings no page.

// failure is why a visit brought no page, and what follows for the host and for the next
// try. The zero value is none.
type failure struct {
	store.Failure // as it is stored

	// Of the host.
	unasked bool                // no request was made that says anything of host or network
	result  revisit.FetchResult // what the request met
	own     bool                // beyond doubt the URL's, not its host's or the network's
	renewed bool                // the login of the host was made again: the URL is asked for once more

	// Of the next try.
	class revisit.FailureClass
	wait  time.Duration // what the host asked for
}

func (f *failure) none() bool { return f.Failure == store.Failure{} }

// refused is how a host refused a URL, none when it did not. It stays with a URL that is
// given back: so it is known after a restart, too, that the host is closed.
func (f *failure) refused() store.Failure {
	if f.result == revisit.Refused {
		return f.Failure
	}
	return store.Failure{}
}

// failureOf says why a request brought no page; none when it did.
func (r *Run) failureOf(resp *fetch.Response, err error) failure {
	var fe *fetch.Error
	switch {
	case errors.As(err, &fe):
		return r.failureOfFetch(fe)
	case err != nil:
		return failure{Failure: store.Failure{Kind: store.FailedUnknown, Detail: err.Error()}, result: revisit.Failed}
	case resp.Status < 400 && page.IsChallenge(resp.Body):
		return failure{Failure: store.Failure{Kind: store.FailedCaptcha}, result: revisit.Refused}
	case resp.Status < 400:
		return failure{}
	}
	status := store.Failure{Kind: store.StatusFailure(resp.Status)}
	f := failure{Failure: status, result: revisit.Failed, wait: resp.RetryAfter}
	switch {
	case resp.Status == 404 || resp.Status == 410:
		f.result, f.class, f.own = revisit.Missing, revisit.Gone, true
	case fetch.Refuses(resp.Status):
		f.result = revisit.Refused
	}
	return f
}

func (r *Run) failureOfFetch(fe *fetch.Error) failure {
	f := failure{Failure: store.Failure{Kind: store.FailureKind(fe.Kind)}, result: revisit.Failed, wait: fe.RetryAfter}
	if fe.Err != nil {
		f.Detail = fe.Err.Error()
	}
	switch {
	case fe.Kind == fetch.Login:
		return failure{Failure: hostauth.Failed, result: revisit.Login}
	case !fe.Temporary():
		return failure{Failure: f.Failure, class: revisit.Forbidden, own: true, unasked: true}
	case fe.Unreachable():
		f.result = revisit.Unreachable
	}
	// Where nothing has ever answered the name may be misspelt: waiting would only put
	// off saying so.
	f.own = fe.NoSuchHost() && !r.network.connected()
	return f
}

// trouble records a failed fetch: the URL is tried again after a growing time. It
// reports whether the failure was excused, because the host refuses everybody or
// the network is away: then it is not counted and the URL keeps its place.
func (r *Run) trouble(c visit, u *store.URL) (excused bool) {
	f := &c.failure
	stand := r.Watch.Stand(c.entry.Host)
	refuses := f.result == revisit.Refused || f.result == revisit.Login
	if f.result == revisit.Unreachable && stand.Away || refuses && stand.Banned || f.renewed {
		c.undo(u)
		c.Retry, c.Failure = time.Time{}, f.Failure
		c.again = true
		if stand.Banned && !f.renewed {
			c.entry.Class = frontier.Buried // another URL asks first whether the host has changed its mind
		}
		return true
	}
	r.counts.add(&r.counts.missed, 1)
	patience := r.Settings().Crawl.Retries
	switch {
	case f.result == revisit.Missing && stand.Missing:
		// One after the other: their host may have lost them for a while, hardly for seconds.
		f.class, patience = revisit.Passing, 0
	case f.result == revisit.Refused && stand.Closed:
		f.own, patience = true, 0 // a closed folder of a host that answers
	case f.own:
		patience = 0
	}
	c.Failure, c.Fails = f.Failure, u.Fails+1
	at, exception := f.class.Retry(r.Now(), c.Fails, patience, f.wait, rand.Float64())
	c.State, c.Retry = store.Waiting, at
	if exception {
		c.State = store.Exception
	}
	switch in := inWords(at.Sub(r.Now())); { // a URL is told of once as one to retry, once as one that failed
	case r.Topic.State().Muted(u.URL):
	case exception:
		r.Events.Note("warn", "%s · %s · asked again in %s", f.Failure, u.URL, in)
	case u.Fails == 0:
		r.Events.Note("info", "to retry: %s · %s · in %s", f.Failure, u.URL, in)
	}
	return false
}

// inWords rounds a distance for people.
func inWords(d time.Duration) message.Text {
	switch {
	case d >= 48*time.Hour:
		return message.Of("%d days", int(d.Hours()/24))
	case d >= time.Hour:
		return message.Text(d.Round(time.Minute).String())
	}
	return message.Text(d.Round(time.Second).String())
}

// asFailure is an error as it is stored; kind is that of an error which is no
// store.Failure.
func asFailure(kind store.FailureKind, err error) store.Failure {
	f := store.Failure{Kind: kind, Detail: err.Error()}
	errors.As(err, &f)
	return f
}

// noPage completes the capture of an answer that holds no page. What is stored of
// the URL stays.
func (r *Run) noPage(c *store.Capture, u *store.URL, class revisit.FailureClass, f store.Failure) {
	*c = store.Capture{ID: c.ID, Fails: u.Fails + 1, State: store.Exception, Failure: f}
	c.Retry, _ = class.Retry(r.Now(), c.Fails, 0, 0, rand.Float64())
	r.counts.add(&r.counts.missed, 1)
}

// staleRest is how long an address with an expired request is left alone; reading its
// list ends that.
const staleRest = 24 * time.Hour

// unasked is the visit of a URL whose request could not be made. It stays as it is when
// its list has to be read first, and is tried again for any other store.Failure. An error
// of the database ends the run.
func (r *Run) unasked(entry frontier.Entry, u *store.URL, err error) visit {
	var f store.Failure
	if !errors.As(err, &f) {
		return r.lost(entry, err)
	}
	r.front.Release(entry, frontier.Outcome{})
	c := newVisit(entry, u)
	c.undo(u)
	switch {
	case f.Kind != store.FailedStale:
		if r.ctx.Err() == nil {
			r.counts.add(&r.counts.fetched, 1)
			r.noPage(c.Capture, u, revisit.Passing, f)
		}
	case r.known(u.ID):
		c.State, c.Retry, c.Failure = store.Complete, time.Time{}, store.Failure{}
	default:
		c.Retry, c.Failure = r.Now().Add(staleRest), f
		if c.State != store.Exception {
			c.State = store.Waiting
		}
	}
	return c
}

// lost is the capture of a URL whose row cannot be read; the run ends.
func (r *Run) lost(entry frontier.Entry, err error) visit {
	if err == nil {
		err = fmt.Errorf("url %d is missing in the database; run: angler workspace check DIR", entry.ID)
	}
	r.fail(err)
	r.front.Release(entry, frontier.Outcome{})
	return visit{&store.Capture{ID: entry.ID, State: store.Waiting}, &tag{entry: entry}}
}

// lasts reports whether there is no page and hardly ever will be: it is gone, it is none,
// it leads nowhere, or
// robots.txt or our own rules keep us away.
func lasts(f store.Failure) bool {
	kind := view.KindOf(f.Kind)
	return kind == view.Gone || kind == view.Barred || f.Kind == store.FailedNoPage || f.Kind == store.FailedRedirect
}
