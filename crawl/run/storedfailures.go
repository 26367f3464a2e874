package run

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// AllFailures selects every URL that failed, see MatchFailures.
const AllFailures = "all"

// MatchFailures returns a filter for the failed URLs that what selects: AllFailures, a host (HOST,
// or *.SUFFIX with its subdomains), addresses, or words of the failure in any case. Each line of
// what selects some.
func MatchFailures(what string) func(*store.URL) bool {
	what = strings.TrimSpace(what)
	if strings.Contains(what, "://") {
		named := map[string]bool{}
		for _, u := range strings.Fields(what) {
			named[u] = true
		}
		return func(u *store.URL) bool { return named[u.URL] }
	}
	if lines := strings.Split(what, "\n"); len(lines) > 1 {
		var any []func(*store.URL) bool
		for _, line := range lines {
			any = append(any, MatchFailures(line))
		}
		return func(u *store.URL) bool {
			return slices.ContainsFunc(any, func(meant func(*store.URL) bool) bool { return meant(u) })
		}
	}
	what = strings.ToLower(what)
	if what == AllFailures {
		return func(*store.URL) bool { return true }
	}
	named := hostOf(what)
	return func(u *store.URL) bool {
		return named(urls.HostOf(u.URL)) || what != "" && strings.Contains(strings.ToLower(u.Failure.Error()), what)
	}
}

// NarrowFailures is MatchFailures limited to a host, as in MatchFailures, and to failures that
// contain reason in any case; "" sets no limit.
func NarrowFailures(what, host, reason string) func(*store.URL) bool {
	named, on, why := MatchFailures(what), hostOf(strings.ToLower(host)), strings.ToLower(reason)
	return func(u *store.URL) bool {
		return named(u) && (host == "" || on(urls.HostOf(u.URL))) &&
			strings.Contains(strings.ToLower(u.Failure.Error()), why)
	}
}

func hostOf(what string) func(string) bool {
	if suffix, ok := strings.CutPrefix(what, "*."); ok {
		return func(host string) bool {
			host = strings.ToLower(host)
			return host == suffix || strings.HasSuffix(host, "."+suffix)
		}
	}
	return func(host string) bool { return strings.ToLower(host) == what }
}

// StoredFailures counts the failed URLs of a workspace by kind of failure, the most frequent first.
func StoredFailures(ws *store.Workspace) ([]view.FailureGroup, error) {
	counts := map[string]view.FailureGroup{}
	for u, err := range ws.URLs() {
		if err != nil {
			return nil, err
		}
		if u.Troubled() {
			t := counts[string(u.Failure.Kind)]
			if t.N++; u.State == store.Waiting {
				t.Waits++
			}
			counts[string(u.Failure.Kind)] = t
		}
	}
	var list []view.FailureGroup
	for reason, t := range counts {
		t.Reason = reason
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b view.FailureGroup) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Reason, b.Reason))
	})
	return list, nil
}
