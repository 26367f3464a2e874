// Package troubles is what people see of URLs that failed, and how they name those that
// are to be tried again. Functions are safe for concurrent use.
package troubles

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// All names every URL that failed, see Named.
const All = "all"

// Named returns what a person means by naming failed URLs: all of them, those of
// a host (HOST, or *.SUFFIX with everything below it), those with the addresses, or
// those whose reason holds the words, in any case. Of several lines each names some.
func Named(what string) func(*store.URL) bool {
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
			any = append(any, Named(line))
		}
		return func(u *store.URL) bool {
			return slices.ContainsFunc(any, func(meant func(*store.URL) bool) bool { return meant(u) })
		}
	}
	what = strings.ToLower(what)
	if what == All {
		return func(*store.URL) bool { return true }
	}
	named := hostOf(what)
	return func(u *store.URL) bool {
		return named(urls.HostOf(u.URL)) || what != "" && strings.Contains(strings.ToLower(u.Failure.Error()), what)
	}
}

// Narrowed narrows Named: to a host as Named names it, and to reasons that hold
// the words, in any case; "" narrows nothing.
func Narrowed(what, host, reason string) func(*store.URL) bool {
	named, on, why := Named(what), hostOf(strings.ToLower(host)), strings.ToLower(reason)
	return func(u *store.URL) bool {
		return named(u) && (host == "" || on(urls.HostOf(u.URL))) && strings.Contains(strings.ToLower(u.Failure.Error()), why)
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

// Of counts the URLs of a workspace that failed by what failed them, the most
// frequent first.
func Of(ws *store.Workspace) ([]view.Trouble, error) {
	counts := map[string]view.Trouble{}
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
	var list []view.Trouble
	for reason, t := range counts {
		t.Reason = reason
		list = append(list, t)
	}
	slices.SortFunc(list, func(a, b view.Trouble) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Reason, b.Reason))
	})
	return list, nil
}

// Counts counts the fetches that brought no page, by what failed. The zero value is
// none; it is safe for concurrent use.
type Counts struct {
	total atomic.Int64

	mu sync.Mutex // guards n
	n  map[store.FailureKind]int
}

// Add counts one.
func (e *Counts) Add(kind store.FailureKind) {
	e.total.Add(1)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.n == nil {
		e.n = map[store.FailureKind]int{}
	}
	e.n[kind]++
}

// Load is how many there are.
func (e *Counts) Load() int64 { return e.total.Load() }

// Kinds are they by what can be done about them, see view.Kinds.
func (e *Counts) Kinds() []view.Trouble {
	e.mu.Lock()
	n := maps.Clone(e.n)
	e.mu.Unlock()
	return view.Kinds(n)
}
