package run

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/frontier"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// This file is what a person does about URLs that failed: see why, and have them
// tried again at once.

// AllFailed names every URL that failed, see Retried.
const AllFailed = "all"

// Retried returns what a person means by naming failed URLs: all of them, those of
// a host (HOST, or *.SUFFIX with everything below it), or those whose reason holds
// the words, in any case.
func Retried(what string) func(*store.URL) bool {
	what = strings.ToLower(strings.TrimSpace(what))
	if what == AllFailed {
		return func(*store.URL) bool { return true }
	}
	named := hostNamed(what)
	return func(u *store.URL) bool {
		return named(urls.HostOf(u.URL)) || what != "" && strings.Contains(strings.ToLower(u.Reason), what)
	}
}

func hostNamed(what string) func(string) bool {
	if suffix, ok := strings.CutPrefix(what, "*."); ok {
		return func(host string) bool {
			host = strings.ToLower(host)
			return host == suffix || strings.HasSuffix(host, "."+suffix)
		}
	}
	return func(host string) bool { return strings.ToLower(host) == what }
}

// Troubles counts the URLs of a workspace that failed by what failed them, the most
// frequent first.
func Troubles(ws *store.Workspace) ([]view.Trouble, error) {
	counts := map[string]int{}
	for u, err := range ws.URLs() {
		if err != nil {
			return nil, err
		}
		if u.Troubled() {
			counts[reasonKind(u.Reason)]++
		}
	}
	var list []view.Trouble
	for reason, n := range counts {
		list = append(list, view.Trouble{Reason: reason, N: n})
	}
	slices.SortFunc(list, func(a, b view.Trouble) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Reason, b.Reason))
	})
	return list, nil
}

// reasonKind is a reason without its particulars.
func reasonKind(reason string) string {
	kind, _, _ := strings.Cut(reason, ":")
	return strings.TrimSpace(kind)
}

// Reopened takes up URLs that somebody wants to be tried again: their hosts rest no
// longer because of failures.
func (r *Run) Reopened(found []store.Admission) {
	hosts := map[string]bool{}
	for i := range found {
		u := &found[i].Row
		hosts[urls.HostOf(u.URL)] = true
		r.later.drop(u.ID)
	}
	match := func(host string) bool { return hosts[host] }
	r.Watch.Forgive(match)
	r.Fetch.Reconsider()
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
	switch todo := h.errands.of(u.ID); {
	case todo.list != nil:
		e.Priority = 1 + todo.list.score
	case todo.notice != nil:
		e.Priority = todo.notice.list.score
	default:
		return e, false
	}
	return e, true
}
