package crawl

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Flight is one request under way.
type Flight struct {
	ID    uint64
	URL   string
	Host  string
	Since time.Time
}

// flights are the requests under way, at most one a worker.
type flights struct {
	mu sync.Mutex
	m  map[uint64]Flight // by URL id: a URL is never fetched twice at once
}

// begin registers a request; the function returned ends it.
func (f *flights) begin(x Flight) (end func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.m == nil {
		f.m = map[uint64]Flight{}
	}
	f.m[x.ID] = x
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.m, x.ID)
	}
}

// list returns the n requests that have taken longest, longest first.
func (f *flights) list(n int) []Flight {
	f.mu.Lock()
	out := make([]Flight, 0, len(f.m))
	for _, x := range f.m {
		out = append(out, x)
	}
	f.mu.Unlock()
	slices.SortFunc(out, func(a, b Flight) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID)) })
	return out[:min(len(out), n)]
}
