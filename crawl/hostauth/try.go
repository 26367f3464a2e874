package hostauth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"angler/crawl/fetch"
	"angler/crawl/view"
)

// This file tries a login on request and reports the result.

// errNoSettings means that a host has no settings of its own.
var errNoSettings = errors.New("has no settings of its own")

// Try logs in to a host, without regard to its last attempt. Without a login form it requests
// address and checks the response. The report's error wraps errNoSettings if [host] does not name
// the host.
func (d *HostAuth) Try(ctx context.Context, name, address string) LoginReport {
	d.mu.Lock()
	_, known := d.set[name]
	h, t := d.hosts[name], d.troubles[name]
	d.mu.Unlock()
	switch {
	case !known:
		r := d.look(ctx, name, address)
		if r.Err == nil {
			r.Err = fmt.Errorf("%s %w: it is asked like all others", name, errNoSettings)
		}
		return r
	case t.Kind == view.BlockSettings:
		return LoginReport{Err: errors.New(t.Why)}
	case h == nil:
		return d.look(ctx, name, address)
	}
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return LoginReport{Err: err}
	}
	defer h.turn.Release(1)
	d.Jar.Forget(name) // with a valid login the form would not appear
	r, err := d.login(ctx, h)
	r.Err = err
	return r
}

// look requests a page as a run would.
func (d *HostAuth) look(ctx context.Context, name, address string) (r LoginReport) {
	f := d.fetcher()
	if f == nil {
		return LoginReport{Err: errors.New("no fetcher to try the login with")}
	}
	c := &conversation{ctx: ctx, f: f, l: &formLogin{}}
	res, err := c.get(fetch.Request{URL: address})
	r = c.r
	r.Fingerprint = fetch.Fingerprint(err)
	if u, perr := url.Parse(address); perr == nil {
		r.Cookies = slices.Compact(d.Jar.Names(u))
	}
	switch {
	case err != nil:
		r.Err = err
	case res.Status == http.StatusUnauthorized || res.Status == http.StatusForbidden:
		r.Err = fmt.Errorf("%s answers with status %d: name or password may be wrong, or the host refuses us", name,
			res.Status)
	case res.Status >= 400:
		r.Err = fmt.Errorf("%s answers with status %d", name, res.Status)
	case loginRequest("", res.Body) != "" || IsLoginAddress(res.URL):
		r.Err = fmt.Errorf("%s asks for a login at %s: name login_page, or log in with a browser, export its cookies and name the file as cookies", name, bare(res.URL))
	}
	return r
}
