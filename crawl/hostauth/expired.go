package hostauth

import (
	"context"
	"net/http"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/secrets"
)

// This file handles pages that turned into a login.

// Failed is the failure of a URL whose host's login failed.
var Failed = store.Failure{Kind: store.FailedLogin}

var asks = store.Failure{Kind: store.FailedAsks}

var failures = [...]store.Failure{Closed: asks, Renewed: asks, NotOurs: {Kind: store.FailedOtherLogin},
	Rejected: Failed}

// IsBlocked reports whether a URL failed because its host requires a login.
func IsBlocked(f store.Failure) bool {
	return f.Kind == store.FailedAsks || f.Kind == store.FailedLogin || f.Kind == store.FailedOtherLogin
}

// maxStored bounds the bytes of a stored page that are searched for a login.
const maxStored = 1 << 20

// Turned reports whether the response for a page has become a login, and handles it. The page must
// have been open before, by w, or its host must have credentials. asked is the time of the request.
func (d *HostAuth) Turned(ctx context.Context, w *store.Workspace, u *store.URL, host string, resp *fetch.Response,
	asked time.Time) (v LoginVerdict, f store.Failure, turned bool) {
	if resp.Status < 200 || resp.Status == 304 || loginRequest(resp.Location, resp.Body) == "" ||
		IsLoginAddress(u.URL) {
		return v, f, false
	}
	if !d.Known(host) && !wasOpen(w, u.ID) {
		return v, f, false
	}
	v = d.Again(ctx, host, asked)
	return v, failures[v], true
}

// wasOpen reports whether a stored page did not require a login. A page whose body was deleted had
// been read as a page.
func wasOpen(w *store.Workspace, id uint64) bool {
	old, err := w.Page(id)
	if err != nil || old == nil || old.Location != "" {
		return false
	}
	body, err := w.Body(id, maxStored)
	return err != nil || !HasPassword(body)
}

// Asks records that a host requires a login and pauses until a time.
func (d *HostAuth) Asks(name, address string, f store.Failure, until time.Time) {
	if f.Kind == store.FailedLogin {
		d.Events.Note("warn", "host %s refuses access: its pages wait until %s; angler lists login tries it and shows the answer", name, until.Format("15:04"))
	} else {
		d.Events.Note("warn", "host %s asks for a login (%s): it rests until %s, stored pages stay; set a login under [host] in angler.toml, then try it with angler lists login", name, secrets.Redact(address), until.Format("15:04"))
	}
	d.mu.Lock()
	t := view.BlockedHost{Host: name, Kind: view.BlockAsksLogin, URL: secrets.Redact(address), Why: f.Error(),
		Since: d.Now(), Next: until}
	if was, ok := d.troubles[name]; ok {
		if t.Since = was.Since; was.Kind != view.BlockAsksLogin {
			t.Kind, t.Why = was.Kind, was.Why
		}
	}
	d.troubles[name] = t
	d.mu.Unlock()
	d.Events.Show()
}

// InPlaceOf checks the response for a document, requested at asked. It returns why the response is
// a login, "" = it is none, and handles it as Again does. Hosts without credentials are ignored.
func (d *HostAuth) InPlaceOf(ctx context.Context, address string, resp *fetch.Response,
	asked time.Time) (v LoginVerdict, reason string) {
	host := urls.HostOf(address)
	if !d.Known(host) || IsLoginAddress(address) {
		return v, ""
	}
	if loginRequest(resp.Location, resp.Body) == "" && resp.Status != http.StatusUnauthorized &&
		!(IsLoginAddress(resp.URL) && HasPassword(resp.Body)) {
		if resp.Status == http.StatusOK {
			d.Worked(host)
		}
		return v, ""
	}
	v = d.Again(ctx, host, asked)
	if v == Closed {
		d.Asks(host, address, asks, d.Now().Add(firstWait))
	}
	return v, failures[v].Error()
}
