package hostauth

import (
	"time"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file is about hosts that refuse every request: a captcha, a ban, robots.txt, a login from
// the first visit on. None of it is got around; it is told, with what may help.

// mostSeeds bounds the seeds that BlockedSeeds looks at.
const mostSeeds = 2000

// BlockedSeeds are the hosts that keep us from a seed, by what a workspace has stored of the
// last try, in no order. It costs two look-ups a seed, and two more where that was fetched.
func BlockedSeeds(w *store.Workspace, seeds []string) (out []view.BlockedHost) {
	seen := map[string]bool{}
	for _, seed := range seeds[:min(len(seeds), mostSeeds)] {
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

// mostLeads bounds the redirects that are followed from a seed to what it leads to.
const mostLeads = 5

// asksFromTheFirst reports whether what a seed brought is a login and no list: nothing has
// turned into one, because no visit has met anything else. A person who gives a login as a seed
// means it.
func asksFromTheFirst(w *store.Workspace, u *store.URL) bool {
	id, asks := u.ID, false
	for range mostLeads {
		p, err := w.Page(id)
		if err != nil || p == nil || IsLoginAddress(u.URL) {
			return asks
		}
		if p.Location == "" {
			body, err := w.Body(id, longestStored)
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

// kindOf is the kind of trouble that a failure is; "" = none of a door's.
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

// Look has the hosts that BlockedSeeds finds stand among the troubles from now on, in place of
// those of the look before. What a run has met itself goes before.
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

// Refuses tells that a host refuses whatever is asked, and rests until a time; the event
// is the caller's.
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
	if !ok || passing(was.Kind) { // what its settings lack is the better reason
		d.troubles[name] = t
	}
	d.mu.Unlock()
	d.Events.Show()
}

// passing reports whether a trouble is the host's, and ends when it answers.
func passing(kind string) bool {
	return kind == view.BlockAsksLogin || kind == view.BlockCaptcha || kind == view.BlockRefuses
}
