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

// This file handles visits that bring no page.

// failure says why a visit brought no page, and what this means for host and retry. The zero value
// means no failure.
type failure struct {
	store.Failure // as stored

	// For the host.
	unasked bool                // no request tells anything about host or network
	result  revisit.FetchResult // result of the request
	own     bool                // certainly the URL's fault, not the host's or the network's
	renewed bool                // the host's login was renewed: the URL is fetched again

	// For the retry.
	class revisit.FailureClass
	wait  time.Duration // delay that the host asked for
}

func (f *failure) none() bool { return f.Failure == store.Failure{} }

// refused returns how a host refused a URL, or no failure. A restored URL keeps it, so that the ban
// is known after a restart.
func (f *failure) refused() store.Failure {
	if f.result == revisit.Refused {
		return f.Failure
	}
	return store.Failure{}
}

// failureOf returns why a request brought no page, or no failure.
func (r *Run) failureOf(resp *fetch.Response, err error) failure {
	var fe *fetch.Error
	switch {
	case errors.As(err, &fe):
		return r.failureOfFetch(fe)
	case err != nil:
		return failure{Failure: store.Failure{Kind: store.FailedUnknown, Detail: err.Error()}, result: revisit.Failed}
	case resp.Status < 400 && page.IsChallenge(resp.Body):
		return failure{Failure: store.Failure{Kind: store.FailedCaptcha}, result: revisit.Refused}
	case resp.Status == 200 && page.IsBusy(resp.Body):
		return failure{Failure: store.Failure{Kind: store.FailedBusy}, result: revisit.Failed}
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
	// While no host has ever answered, the name may be misspelt; waiting would only delay the
	// message.
	f.own = fe.NoSuchHost() && !r.network.connected()
	return f
}

// trouble records a failed fetch and schedules a retry after a growing time. It returns true if a
// ban of the host or an outage of the network excuses the failure. An excused URL keeps its place
// and its failure count.
func (r *Run) trouble(c visit, u *store.URL) (excused bool) {
	f := &c.failure
	stand := r.Watch.Stand(c.entry.Host)
	refuses := f.result == revisit.Refused || f.result == revisit.Login
	if f.result == revisit.Unreachable && stand.Away || refuses && stand.Banned || f.renewed {
		c.undo(u)
		c.Retry, c.Failure = time.Time{}, f.Failure
		c.again = true
		if stand.Banned && !f.renewed {
			c.entry.Class = frontier.Buried // another URL probes the host first
		}
		return true
	}
	r.counts.add(&r.counts.missed, 1)
	patience := r.Settings().Crawl.Retries
	switch {
	case f.result == revisit.Missing && stand.Missing:
		// Missing in a row: the host may have lost these pages for a while, hardly for seconds.
		f.class, patience = revisit.Passing, 0
	case f.result == revisit.Refused && stand.Closed:
		f.own, patience = true, 0 // a forbidden folder of a host that answers
	case f.own:
		patience = 0
	}
	c.Failure, c.Fails = f.Failure, u.Fails+1
	at, exception := f.class.Retry(r.Now(), c.Fails, patience, f.wait, rand.Float64())
	c.State, c.Retry = store.Waiting, at
	if exception {
		c.State = store.Exception
	}
	switch in := inWords(at.Sub(r.Now())); { // a URL is reported once to retry and once as failed
	case r.Topic.State().Muted(u.URL):
	case exception:
		r.Events.Note("warn", "%s · %s · asked again in %s", f.Failure, u.URL, in)
	case u.Fails == 0:
		r.Events.Note("info", "to retry: %s · %s · in %s", f.Failure, u.URL, in)
	}
	return false
}

// inWords formats a duration for messages.
func inWords(d time.Duration) message.Text {
	switch {
	case d >= 48*time.Hour:
		return message.Of("%d days", int(d.Hours()/24))
	case d >= time.Hour:
		return message.Text(d.Round(time.Minute).String())
	}
	return message.Text(d.Round(time.Second).String())
}

// asFailure converts an error for the store. kind applies to an error that is no store.Failure.
func asFailure(kind store.FailureKind, err error) store.Failure {
	f := store.Failure{Kind: kind, Detail: err.Error()}
	errors.As(err, &f)
	return f
}

// noPage completes the capture of a reply without a page. The stored page stays.
func (r *Run) noPage(c *store.Capture, u *store.URL, class revisit.FailureClass, f store.Failure) {
	*c = store.Capture{ID: c.ID, Fails: u.Fails + 1, State: store.Exception, Failure: f}
	c.Retry, _ = class.Retry(r.Now(), c.Fails, 0, 0, rand.Float64())
	r.counts.add(&r.counts.missed, 1)
}

// staleRest is the retry time of an address whose request expired. Reading its list ends it.
const staleRest = 24 * time.Hour

// unasked returns the visit of a URL whose request could not be made. An expired request leaves the
// URL unchanged until its list is read; any other store.Failure is retried. A database error ends
// the run.
func (r *Run) unasked(entry frontier.Entry, u *store.URL, err error) visit {
	var f store.Failure
	if !errors.As(err, &f) {
		return r.unreadable(entry, err)
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

// unreadable returns the capture of a URL whose row cannot be read, and ends the run.
func (r *Run) unreadable(entry frontier.Entry, err error) visit {
	if err == nil {
		err = fmt.Errorf("url %d is missing in the database; run: angler workspace check DIR", entry.ID)
	}
	r.fail(err)
	r.front.Release(entry, frontier.Outcome{})
	return visit{&store.Capture{ID: entry.ID, State: store.Waiting}, &tag{entry: entry}}
}

// isPermanent reports whether a failure is likely to stay. The page is gone or is no page, its
// redirect leads nowhere, or robots.txt or our own rules forbid it.
func isPermanent(f store.Failure) bool {
	kind := view.KindOf(f.Kind)
	return kind == view.Gone || kind == view.Barred || f.Kind == store.FailedNoPage || f.Kind == store.FailedRedirect
}
