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

// This file is about pages that have turned into a login.

// Failed is the failure of a URL whose host was to be logged in to, in vain.
var Failed = store.Failure{Kind: store.FailedLogin}

var asks = store.Failure{Kind: store.FailedAsks}

var failures = [...]store.Failure{Closed: asks, Renewed: asks, NotOurs: {Kind: store.FailedOtherLogin}, Rejected: Failed}

// IsBlocked reports whether a URL failed because its host does not let us in.
func IsBlocked(f store.Failure) bool {
	return f.Kind == store.FailedAsks || f.Kind == store.FailedLogin || f.Kind == store.FailedOtherLogin
}

// longestStored is how many bytes of a stored page are looked through for a login.
const longestStored = 1 << 20

// Turned reports whether an answer is that of a page which has turned into a login, and
// what follows from it. A page is out of the ordinary when it was open before, as w has
// it, or when its host is one that lets us in. asked is when it was asked for.
func (d *HostAuth) Turned(ctx context.Context, w *store.Workspace, u *store.URL, host string, resp *fetch.Response, asked time.Time) (v LoginVerdict, f store.Failure, turned bool) {
	if resp.Status < 200 || resp.Status == 304 || loginRequest(resp.Location, resp.Body) == "" || IsLoginAddress(u.URL) {
		return v, f, false
	}
	if !d.Known(host) && !wasOpen(w, u.ID) {
		return v, f, false
	}
	v = d.Again(ctx, host, asked)
	return v, failures[v], true
}

// wasOpen reports whether a page is stored that did not ask for a login. One whose body
// was deleted had been read as a page.
func wasOpen(w *store.Workspace, id uint64) bool {
	old, err := w.Page(id)
	if err != nil || old == nil || old.Location != "" {
		return false
	}
	body, err := w.Body(id, longestStored)
	return err != nil || !HasPassword(body)
}

// Asks tells that a host does not let us in and rests until a time.
func (d *HostAuth) Asks(name, address string, f store.Failure, until time.Time) {
	if f.Kind == store.FailedLogin {
		d.Events.Note("warn", "host %s refuses access: its pages wait until %s; angler lists login tries it and says what came", name, until.Format("15:04"))
	} else {
		d.Events.Note("warn", "host %s asks for a login (%s): it rests until %s, and what is stored stays; give it one under [host] in angler.toml, angler lists login tries it", name, secrets.Redact(address), until.Format("15:04"))
	}
	d.mu.Lock()
	t := view.BlockedHost{Host: name, Kind: view.BlockAsksLogin, URL: secrets.Redact(address), Why: f.Error(), Since: d.Now(), Next: until}
	if was, ok := d.troubles[name]; ok {
		if t.Since = was.Since; was.Kind != view.BlockAsksLogin {
			t.Kind, t.Why = was.Kind, was.Why
		}
	}
	d.troubles[name] = t
	d.mu.Unlock()
	d.Events.Show()
}

// InPlaceOf is told of what came for a document, which is no page of a run, and when it
// was asked for: why that asks for a login, "" when it does not, and what follows. A host
// without a login of its own is no concern of doors.
func (d *HostAuth) InPlaceOf(ctx context.Context, address string, resp *fetch.Response, asked time.Time) (v LoginVerdict, reason string) {
	host := urls.HostOf(address)
	if !d.Known(host) || IsLoginAddress(address) {
		return v, ""
	}
	if loginRequest(resp.Location, resp.Body) == "" && resp.Status != http.StatusUnauthorized && !(IsLoginAddress(resp.URL) && HasPassword(resp.Body)) {
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
