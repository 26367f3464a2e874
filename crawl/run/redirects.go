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

// This file follows redirects after a POST (post, redirect, get).

// postHops bounds the redirects followed for one POST.
const postHops = 5

// errHops means that a POST leads to too many redirects.
var errHops = errors.New("the answer leads from redirect to redirect")

// ask sends a request. If a POST is answered with a redirect, ask fetches the target at once, after
// the host's pause, because it may exist for this session only. It does not follow redirects to
// other hosts, out of scope or to logins.
func (r *Run) ask(j PageJob) (PageResult, error) {
	b, err := r.PageWorkers.Do(r.ctx, j)
	if j.Method != http.MethodPost {
		return b, err
	}
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
		j.Request = j.Redirected(b.Response)
		if err = r.pause(max(r.Settings().DelayOf(j.Host), r.PageWorkers.CrawlDelay(j.Host))); err != nil {
			return PageResult{Stored: b.Stored}, err
		}
		b, err = r.PageWorkers.Do(r.ctx, j)
	}
	if err == nil && j.URL != first && folder(j.URL) != folder(first) &&
		!bytes.Contains(bytes.ToLower(b.Response.Body), []byte("<base")) {
		// relative links resolve against the final address
		b.Response.Body = append([]byte(`<base href="`+strings.ReplaceAll(j.URL, `"`, "%22")+`">`), b.Response.Body...)
		b.Draft = nil
	}
	return b, err
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
