package run

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/frontier"
	"angler/crawl/view"
	"angler/store"
)

// This file is one request to a host, and what becomes of a URL when it
// fails.

// get fetches one URL politely and records what can be said without reading the
// page: failures, redirects, statuses. The response is nil when the capture is
// already complete.
func (r *Run) get(entry frontier.Entry, u *store.URL, req fetch.Request) (*fetch.Response, visit) {
	landed := r.inFlight.begin(view.Request{ID: u.ID, URL: u.URL, Host: entry.Host, Since: r.Now()})
	resp, err := r.Fetch.Fetch(r.ctx, req)
	landed()
	r.Metrics.Fetched(resp, err)
	c := visit{&store.Capture{ID: u.ID, State: store.Complete}, &tag{entry: entry, before: u}}
	var o frontier.Outcome
	o.CrawlDelay, o.Address = r.Fetch.CrawlDelay(entry.Host), r.Fetch.Address(entry.Host)
	var fe *fetch.Error
	switch {
	case err != nil && (r.ctx.Err() != nil || errors.As(err, &fe) && fe.Kind == fetch.Canceled):
		// Stopped: as if it had never been taken.
		c.State, c.Fails, c.Retry, c.Reason = store.Waiting, u.Fails, u.Retry, u.Reason
		r.front.Release(entry, o)
		return nil, c
	case err != nil:
		var wait time.Duration
		if errors.As(err, &fe) {
			o.Failed, wait = fe.Temporary(), fe.RetryAfter
		}
		o.Wait = max(o.Wait, wait)
		r.trouble(c.Capture, u, o.Failed, wait, fetch.Cause(err))
	case resp.Status == 429 || resp.Status >= 500:
		o.Failed = resp.Status != 429 && resp.Status != 503
		o.Slow = !o.Failed
		o.Wait = max(o.Wait, resp.RetryAfter)
		r.trouble(c.Capture, u, true, resp.RetryAfter, statusReason(resp.Status))
	case resp.Status >= 400:
		r.trouble(c.Capture, u, false, 0, statusReason(resp.Status))
	}
	r.counts.fetched.Add(1)
	r.front.Release(entry, o)
	if c.State != store.Complete {
		r.counts.failed.Add(1)
		return nil, c
	}
	return resp, c
}

// trouble records a failed fetch, which is tried again after a growing time or
// given up.
func (r *Run) trouble(c *store.Capture, u *store.URL, temporary bool, wait time.Duration, reason string) {
	c.Reason, c.Fails = reason, u.Fails+1
	if !temporary || c.Fails > r.Settings().Crawl.Retries {
		c.State = store.Exception
		r.Events.Note("warn", "%s · %s", reason, u.URL)
		return
	}
	// 1 s, 4 s, 16 s … and up to half as much again, so that the URLs of a
	// host that was down do not all come back in the same moment.
	back := time.Second << min(2*u.Fails, 20)
	back += time.Duration(rand.Int64N(int64(back/2) + 1))
	c.State, c.Retry = store.Waiting, r.Now().Add(max(back, wait))
	r.Events.Note("warn", "%s · %s · asked again in %s", reason, u.URL, max(back, wait).Round(time.Second))
}

// isGone reports whether a reason says that the page is there no more.
func isGone(reason string) bool { return reason == statusReason(404) || reason == statusReason(410) }

// statusReason is why a URL with a status is an exception.
func statusReason(status int) string { return fmt.Sprintf("HTTP status %d", status) }
