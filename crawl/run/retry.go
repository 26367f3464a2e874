package run

import (
	"angler/crawl/frontier"
	"angler/crawl/urls"
	"angler/store"
)

// This file has URLs that failed tried again at once, because a person asks for it.

// Reopened takes up URLs that somebody wants to be tried again: their hosts rest no
// longer because of failures.
func (r *Run) Reopened(found []store.Admission) {
	hosts := map[string]bool{}
	for i := range found {
		u := &found[i].Row
		hosts[urls.HostOf(u.URL)] = true
		r.counts.reopen(u)
	}
	match := func(host string) bool { return hosts[host] }
	r.Watch.Forgive(match)
	r.PageWorkers.Reconsider()
	for i := range found {
		if e, keep := r.plan.entry(&found[i].Row); keep {
			r.front.Retry(e, r.Now()) // moves what waits for its own time
		}
	}
	r.front.Forgive(match)
}

// entry ranks what a discovery is to try again.
func (r *discoverer) entry(u *store.URL) (frontier.Entry, bool) { return r.Order.Entry(u) }

// entry finds what this harvest has scheduled; the rest is left to the next one.
func (h *harvester) entry(u *store.URL) (frontier.Entry, bool) {
	e := frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL)}
	switch todo := h.tasks.of(u.ID); {
	case todo.list != nil:
		e.Priority = 1 + todo.list.score
	case todo.notice != nil:
		e.Priority = todo.notice.list.score
	case todo.script != nil:
		e.Priority = 2
	case todo.look:
	default:
		return e, false
	}
	return e, true
}
