package hostauth

import (
	"time"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file finds hosts that refuse every request: by a captcha, a ban, robots.txt, or a login from
// the first visit on. None of it is evaded; it is reported with possible remedies.

// maxSeeds bounds the seeds that BlockedSeeds checks.
const maxSeeds = 2000

// BlockedSeeds returns the hosts that refuse a seed, from the stored result of the last visit, in
// no order. It costs two look-ups per seed, and two more if the seed was fetched.
func BlockedSeeds(w *store.Workspace, seeds []string) (out []view.BlockedHost) {
	seen := map[string]bool{}
	for _, seed := range seeds[:min(len(seeds), maxSeeds)] {
		host := urls.HostOf(seed)
		if seen[host] {
			continue
		}
		id, ok := w.Lookup(seed)
		if !ok {
			continue
		}
		u, err := w.URL(id)
		if err != nil || u == nil {
			continue
		}
		kind, why := kindOf(u.Failure.Kind), u.Failure.Error()
		if u.State == store.Complete && asksFromTheFirst(w, u) {
			kind, why = view.BlockAsksLogin, asks.Error()
		}
		if kind != "" {
			seen[host] = true
			out = append(out, view.BlockedHost{Host: host, Kind: kind, URL: u.URL, Why: why, Next: u.Retry})
		}
	}
	return out
}

// maxLeads bounds the redirects followed from a seed.
const maxLeads = 5

// asksFromTheFirst reports whether a seed leads to a login and to no list. Turned cannot detect it,
// because no earlier visit met anything else. A seed that is itself a login address is intended and
// does not count.
func asksFromTheFirst(w *store.Workspace, u *store.URL) bool {
	id, asks := u.ID, false
	for range maxLeads {
		p, err := w.Page(id)
		if err != nil || p == nil || IsLoginAddress(u.URL) {
			return asks
		}
		if p.Location == "" {
			body, err := w.Body(id, maxStored)
			return err == nil && p.Records == 0 && loginRequest("", body) != ""
		}
		asks = asks || IsLoginAddress(p.Location)
		var known bool
		if id, known = w.Lookup(p.Location); !known {
			return asks
		}
	}
	return asks
}

// kindOf returns the kind of block for a failure; "" = the host does not block.
func kindOf(f store.FailureKind) string {
	switch f {
	case store.FailedAsks, store.FailedOtherLogin:
		return view.BlockAsksLogin
	case store.FailedLogin:
		return view.BlockLoginFailed
	case store.FailedCaptcha:
		return view.BlockCaptcha
	case store.FailedRobots:
		return view.BlockRobots
	}
	if view.KindOf(f) == view.Refused {
		return view.BlockRefuses
	}
	return ""
}

// Look finds the blocked seeds and replaces those of the last Look. Blocks that a run has met have
// precedence.
func (d *HostAuth) Look(w *store.Workspace, seeds []string) {
	closed := map[string]view.BlockedHost{}
	for _, t := range BlockedSeeds(w, seeds) {
		closed[t.Host] = t
	}
	d.mu.Lock()
	d.closed = closed
	d.mu.Unlock()
	d.Events.Show()
}

// Refuses records that a host refuses all requests and pauses until a time. The caller logs the
// event.
func (d *HostAuth) Refuses(name, address string, f store.Failure, until time.Time) {
	d.mu.Lock()
	kind := view.BlockRefuses
	if f.Kind == store.FailedCaptcha {
		kind = view.BlockCaptcha
	}
	t := view.BlockedHost{Host: name, Kind: kind, URL: address, Why: f.Error(), Since: d.Now(), Next: until}
	was, ok := d.troubles[name]
	if ok {
		t.Since = was.Since
	}
	if !ok || passing(was.Kind) { // missing settings are the better reason
		d.troubles[name] = t
	}
	d.mu.Unlock()
	d.Events.Show()
}

// passing reports whether a block is the host's and ends when the host responds.
func passing(kind string) bool {
	return kind == view.BlockAsksLogin || kind == view.BlockCaptcha || kind == view.BlockRefuses
}
