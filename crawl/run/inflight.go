package run

import (
	"cmp"
	"slices"
	"sync"

	"angler/crawl/view"
)

// inFlight holds the requests in flight, at most one per worker. The zero value is empty; it is
// safe for concurrent use.
type inFlight struct {
	mu sync.Mutex
	m  map[uint64]view.Request // by URL id: a URL is never fetched twice at once
}

// begin registers a request; end removes it.
func (f *inFlight) begin(x view.Request) (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.m == nil {
		f.m = map[uint64]view.Request{}
	}
	f.m[x.ID] = x
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.m, x.ID)
	}
}

// list returns the n oldest requests, the oldest first.
func (f *inFlight) list(n int) []view.Request {
	f.mu.Lock()
	out := make([]view.Request, 0, len(f.m))
	for _, x := range f.m {
		out = append(out, x)
	}
	f.mu.Unlock()
	slices.SortFunc(out, func(a, b view.Request) int {
		return cmp.Or(a.Since.Compare(b.Since),
			cmp.Compare(a.ID, b.ID))
	})
	return out[:min(len(out), n)]
}
