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
	"angler/store"
)

// This file is one request to a host, and what becomes of a URL when it
// fails.

// met is what a request met, for the watch over hosts and network.
type met struct {
	asked   bool // a request was made that says something of them
	result  revisit.FetchResult
	wait    time.Duration // what the host asked for
	failure store.Failure
}

// fault is why a request brought no page.
type fault struct {
	met
	trouble revisit.FailureClass
	own     bool // beyond doubt the URL's, not its host's or the network's
	renewed bool // the login of the host was made again: the URL is asked for once more
}

// get fetches one URL politely and records what can be said without reading the
// page: failures, redirects, statuses. The response is nil when the capture is
// already complete. old is what is stored of the URL, nil = nothing.
func (r *Run) get(entry frontier.Entry, u *store.URL, old *store.Page, req fetch.Request) (*fetch.Response, visit) {
	if resp, c, ok := fromList(r, entry, u); ok {
		return resp, c
	}
	landed := r.inFlight.Begin(view.Request{ID: u.ID, URL: u.URL, Host: entry.Host, Since: r.Now()})
	asked := r.Now()
	b, err := ask(r, job(r, entry.Host, u, old, req))
	resp := b.Response
	landed()
	r.Metrics.Fetched(resp, err)
	c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry, before: u, draft: b.Draft, stored: b.Stored}}
	var o frontier.Outcome
	o.CrawlDelay, o.Address = r.PageWorkers.CrawlDelay(entry.Host), r.PageWorkers.Address(entry.Host)
	var fe *fetch.Error
	if err != nil && (r.ctx.Err() != nil || errors.As(err, &fe) && fe.Kind == fetch.Canceled) {
		// Stopped: as if it had never been taken.
		c.State, c.Fails, c.Retry, c.Failure = u.State, u.Fails, u.Retry, u.Failure
		r.front.Release(entry, o)
		return nil, c
	}
	r.counts.fetched.Add(1)
	f, failed := r.fault(resp, err)
	if !failed && (old != nil || r.HostAuth.Known(entry.Host)) { // a page that turned into a login is no capture: what is stored stays
		var v hostauth.LoginVerdict
		if v, f.failure, failed = r.HostAuth.Turned(r.ctx, r.Store, u, entry.Host, resp, asked); failed {
			f.asked, f.renewed = true, v == hostauth.Renewed
			f.result = map[hostauth.LoginVerdict]revisit.FetchResult{hostauth.Renewed: revisit.Failed, hostauth.NotOurs: revisit.Answered, hostauth.Closed: revisit.Login, hostauth.Rejected: revisit.Login}[v]
		}
	}
	if !failed {
		r.HostAuth.Worked(entry.Host)
		c.met = met{asked: true}
		r.network.weigh(c, u) // before the host is free: what it answers next must come after this
		r.front.Release(entry, o)
		return translated(r, c, u, resp)
	}
	excused := r.trouble(c, u, &f)
	r.network.weigh(c, u)
	switch {
	case f.own || f.renewed || f.result == revisit.Login || f.result == revisit.Answered || excused && f.result == revisit.Unreachable:
	case resp != nil && (resp.Status == 429 || resp.Status == 503):
		o.Slow, o.Wait = true, f.wait
	default:
		o.Failed = true
		if f.result != revisit.Unreachable {
			o.Wait = f.wait
		}
	}
	r.front.Release(entry, o)
	return nil, c
}

// fault says why a request brought no page; false when it did.
func (r *Run) fault(resp *fetch.Response, err error) (f fault, failed bool) {
	var fe *fetch.Error
	switch {
	case errors.As(err, &fe) && fe.Kind == fetch.Login:
		f.met = met{asked: true, result: revisit.Login, failure: hostauth.Failed}
		return f, true
	case errors.As(err, &fe) && !fe.Temporary():
		f.failure, f.trouble, f.own = failureOf(err), revisit.Forbidden, true
		return f, true
	case err != nil:
		f.met = met{asked: true, result: revisit.Failed, failure: failureOf(err)}
		if fe != nil {
			f.wait = fe.RetryAfter
			if fe.Unreachable() {
				f.result = revisit.Unreachable
			}
			// Where nothing has ever answered the name may be misspelt: waiting
			// would only put off saying so.
			f.own = fe.NoSuchHost() && !r.network.connected()
		}
		return f, true
	case resp.Status < 400:
		if page.IsChallenge(resp.Body) {
			f.met = met{asked: true, result: revisit.Refused, failure: store.Failure{Kind: store.FailedCaptcha}}
			return f, true
		}
		return f, false
	}
	f.met = met{asked: true, result: revisit.Failed, wait: resp.RetryAfter, failure: store.Failure{Kind: store.StatusFailure(resp.Status)}}
	switch {
	case resp.Status == 404 || resp.Status == 410:
		f.result, f.trouble, f.own = revisit.Missing, revisit.Gone, true
	case fetch.Refuses(resp.Status):
		f.result = revisit.Refused
	}
	return f, true
}

// trouble records a failed fetch: the URL is tried again after a growing time. It
// reports whether the failure was excused, because the host refuses everybody or
// the network is away: then it is not counted and the URL keeps its place.
func (r *Run) trouble(c visit, u *store.URL, f *fault) (excused bool) {
	c.met = f.met
	stand := r.Watch.Stand(c.entry.Host)
	refuses := f.result == revisit.Refused || f.result == revisit.Login
	if f.result == revisit.Unreachable && stand.Away || refuses && stand.Banned || f.renewed {
		c.State, c.Fails, c.Retry, c.Failure = u.State, u.Fails, time.Time{}, f.failure
		c.again = true
		if stand.Banned && !f.renewed {
			c.entry.Class = frontier.Buried // another URL asks first whether the host has changed its mind
		}
		return true
	}
	r.counts.failed.miss()
	patience := r.Settings().Crawl.Retries
	switch {
	case f.result == revisit.Missing && stand.Missing:
		f.trouble, patience = revisit.Passing, 0 // one after the other: their host may have lost them for a while, hardly for seconds
	case f.result == revisit.Refused && stand.Closed:
		f.own, patience = true, 0 // a closed folder of a host that answers
	case f.own:
		patience = 0
	}
	c.Failure, c.Fails = f.failure, u.Fails+1
	at, exception := f.trouble.Retry(r.Now(), c.Fails, patience, f.wait, rand.Float64())
	c.State, c.Retry = store.Waiting, at
	if exception {
		c.State = store.Exception
	}
	switch in := inWords(at.Sub(r.Now())); { // a URL is told of once as one to retry, once as one that failed
	case r.Topic.State().Muted(u.URL):
	case exception:
		r.Events.Note("warn", "%s · %s · asked again in %s", f.failure, u.URL, in)
	case u.Fails == 0:
		r.Events.Note("info", "to retry: %s · %s · in %s", f.failure, u.URL, in)
	}
	return false
}

// inWords rounds a distance for people.
func inWords(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return fmt.Sprintf("%d days", int(d.Hours()/24))
	case d >= time.Hour:
		return d.Round(time.Minute).String()
	}
	return d.Round(time.Second).String()
}

// noPage completes the capture of an answer that holds no page. What is stored of
// the URL stays. kind is that of an error which is no store.Failure.
func (r *pages) noPage(c *store.Capture, u *store.URL, trouble revisit.FailureClass, kind store.FailureKind, err error) {
	f := store.Failure{Kind: kind, Detail: err.Error()}
	errors.As(err, &f)
	*c = store.Capture{ID: c.ID, Fails: u.Fails + 1, State: store.Exception, Failure: f}
	c.Retry, _ = trouble.Retry(r.Now(), c.Fails, 0, 0, rand.Float64())
	r.failed.miss()
}

// failureOf is why a request brought nothing.
func failureOf(err error) store.Failure {
	var fe *fetch.Error
	if !errors.As(err, &fe) {
		return store.Failure{Kind: store.FailedUnknown, Detail: err.Error()}
	}
	f := store.Failure{Kind: store.FailureKind(fe.Kind)}
	if fe.Err != nil {
		f.Detail = fe.Err.Error()
	}
	return f
}

// lasts reports whether there is no page and hardly ever will be: it is gone, it is none,
// or robots.txt or our own rules keep us away.
func lasts(f store.Failure) bool {
	kind := view.KindOf(f.Kind)
	return kind == view.Gone || kind == view.Barred || f.Kind == store.FailedNoPage
}
