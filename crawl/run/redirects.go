package run

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/hostauth"
	"angler/crawl/urls"
)

// This file follows redirects after a POST (post, redirect, get), and those to the same page that add the token of a
// visit.

// postHops bounds the redirects followed for one request.
const postHops = 5

// errHops means that a POST leads to too many redirects.
var errHops = errors.New("the answer leads from redirect to redirect")

// ask sends a request. If a POST is answered with a redirect, ask fetches the target at once, after
// the host's pause, because it may exist for this session only. It does not follow redirects to
// other hosts, out of scope or to logins.
func (r *Run) ask(j PageJob) (PageResult, error) {
	if j.Method != http.MethodPost {
		return r.askAt(j, func(location string) bool {
			to, err := r.Reader.Resolver.Canonical(location)
			return err == nil && to == j.Address
		})
	}
	b, err := r.PageWorkers.Do(r.ctx, j)
	first := j.URL
	for hop := 0; err == nil && b.Response.Location != "" && b.Response.Status >= 300 &&
		b.Response.Status < 400; hop++ {
		target, bad := r.Reader.Resolver.Canonical(b.Response.Location)
		if bad != nil || !strings.EqualFold(urls.HostOf(target), j.Host) || hostauth.IsLoginAddress(target) ||
			r.Filter.Check(target, urls.ClassOf(target)) != urls.Accepted {
			return b, nil
		}
		if hop == postHops {
			return PageResult{Stored: b.Stored}, &fetch.Error{Kind: fetch.Redirect, URL: first, Err: errHops}
		}
		if b, err = r.askNext(&j, b); err != nil {
			return b, err
		}
	}
	if err == nil && j.URL != first && folder(j.URL) != folder(first) &&
		!bytes.Contains(bytes.ToLower(b.Response.Body), []byte("<base")) {
		// relative links resolve against the final address
		b.Response.Body = append([]byte(`<base href="`+strings.ReplaceAll(j.URL, `"`, "%22")+`">`), b.Response.Body...)
		b.Draft = nil
	}
	return b, err
}

// askAt sends a GET and follows redirects to the same page: to addresses that differ from its own in the token of a
// visit, which canonical addresses leave out.
func (r *Run) askAt(j PageJob, same func(location string) bool) (PageResult, error) {
	b, err := r.PageWorkers.Do(r.ctx, j)
	for hop := 0; err == nil && hop < postHops && b.Response.Location != "" && b.Response.Status >= 300 &&
		b.Response.Status < 400 && urls.Bare(b.Response.Location) != j.URL && same(b.Response.Location); hop++ {
		b, err = r.askNext(&j, b)
	}
	return b, err
}

// askNext follows a redirect after the host's pause.
func (r *Run) askNext(j *PageJob, b PageResult) (PageResult, error) {
	j.Request = j.Redirected(b.Response)
	if err := r.pause(max(r.Settings().DelayOf(j.Host), r.PageWorkers.CrawlDelay(j.Host))); err != nil {
		return PageResult{Stored: b.Stored}, err
	}
	return r.PageWorkers.Do(r.ctx, *j)
}

// folder returns the part of an address that relative links resolve against.
func folder(address string) string {
	address, _, _ = strings.Cut(address, "?")
	return address[:strings.LastIndexByte(address, '/')+1]
}

// pause waits for d, or returns the error of the run's context.
func (r *Run) pause(d time.Duration) error {
	over := make(chan struct{})
	defer r.AfterFunc(d, func() { close(over) })()
	select {
	case <-over:
		return nil
	case <-r.ctx.Done():
		return r.ctx.Err()
	}
}
