package doors

import (
	"strings"
	"time"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file is about hosts that let nobody in: a captcha, a ban, robots.txt. None of it is
// got around; it is told, with what may help.

// mostSeeds bounds the seeds that Shut looks at.
const mostSeeds = 2000

// Shut are the hosts that keep us from a seed, by what a workspace has stored of the
// last try, in no order. It costs two look-ups a seed.
func Shut(w *store.Workspace, seeds []string) (out []view.DoorTrouble) {
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
		if err != nil || u == nil || u.Reason == "" {
			continue
		}
		if kind := kindOf(u.Reason); kind != "" {
			seen[host] = true
			out = append(out, view.DoorTrouble{Host: host, Kind: kind, URL: u.URL, Why: u.Reason, Next: u.Retry})
		}
	}
	return out
}

// kindOf is the kind of trouble that a reason speaks of; "" = none of a door's.
func kindOf(reason string) string {
	switch {
	case reason == ReasonAsks || reason == ReasonOther:
		return view.DoorAsks
	case reason == ReasonFailed:
		return view.DoorFailed
	case strings.HasPrefix(reason, reasonCaptcha):
		return view.DoorCaptcha
	case view.KindOf(reason) == view.Refused:
		return view.DoorRefuses
	case strings.HasPrefix(reason, "robots:"):
		return view.DoorRobots
	}
	return ""
}

// reasonCaptcha is the reason of a page that asks for proof of a person.
const reasonCaptcha = "captcha"

// Look has the hosts that Shut finds stand among the troubles from now on, in place of
// those of the look before. What a run has met itself goes before.
func (d *Doors) Look(w *store.Workspace, seeds []string) {
	closed := map[string]view.DoorTrouble{}
	for _, t := range Shut(w, seeds) {
		closed[t.Host] = t
	}
	d.mu.Lock()
	d.closed = closed
	d.mu.Unlock()
	d.changed()
}

// Refuses tells that a host refuses whatever is asked, and rests until a time; the event
// is the caller's.
func (d *Doors) Refuses(name, address, reason string, until time.Time) {
	d.mu.Lock()
	kind := view.DoorRefuses
	if strings.HasPrefix(reason, reasonCaptcha) {
		kind = view.DoorCaptcha
	}
	t := view.DoorTrouble{Host: name, Kind: kind, URL: address, Why: reason, Since: d.Now(), Next: until}
	was, ok := d.troubles[name]
	if ok {
		t.Since = was.Since
	}
	if !ok || passing(was.Kind) { // what its settings lack is the better reason
		d.troubles[name] = t
	}
	d.mu.Unlock()
	d.changed()
}

// passing reports whether a trouble is the host's, and ends when it answers.
func passing(kind string) bool {
	return kind == view.DoorAsks || kind == view.DoorCaptcha || kind == view.DoorRefuses
}
