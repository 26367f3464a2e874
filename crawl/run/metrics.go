package run

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"angler/crawl/fetch"
)

// LatencyBounds are the upper bounds of the fetch latency's buckets, seconds.
var LatencyBounds = [...]float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

// Metrics count what fetching costs, over all runs. The zero value counts from
// now; it is safe for concurrent use.
type Metrics struct {
	Now func() time.Time // nil = time.Now; set before the first use

	mu sync.Mutex // guards n
	n  MetricTotals
}

// MetricTotals is what Metrics have counted so far.
type MetricTotals struct {
	Fetched int64
	Bytes   int64            // of the bodies, unpacked
	Errors  map[string]int64 // by kind: fetch.Kind, or "http 404"
	Buckets []int64          // fetches by time, up to each of LatencyBounds, and beyond
	Seconds float64          // of all fetches that were answered
	Timed   int64            // those
	Last    time.Time        // when the last fetch succeeded; zero = none did
}

// Totals returns a copy of what was counted.
func (m *Metrics) Totals() MetricTotals {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.n
	n.Errors, n.Buckets = maps.Clone(n.Errors), slices.Clone(n.Buckets)
	if n.Buckets == nil {
		n.Buckets = make([]int64, len(LatencyBounds)+1)
	}
	return n
}

// Fetched counts one fetch. A fetch that was broken off is none.
func (m *Metrics) Fetched(resp *fetch.Response, err error) {
	kind := ""
	var fe *fetch.Error
	switch {
	case errors.As(err, &fe):
		if kind = string(fe.Kind); fe.Kind == fetch.Canceled {
			return
		}
	case err != nil:
		kind = "other"
	case resp.Status >= 400:
		kind = "http " + strconv.Itoa(resp.Status)
	}
	now := time.Now
	if m.Now != nil {
		now = m.Now
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := &m.n
	n.Fetched++
	if kind == "" {
		n.Last = now()
	} else {
		if n.Errors == nil {
			n.Errors = map[string]int64{}
		}
		n.Errors[kind]++
	}
	if resp == nil {
		return
	}
	n.Bytes += int64(len(resp.Body))
	took := resp.Took.Seconds()
	i := 0
	for i < len(LatencyBounds) && took > LatencyBounds[i] {
		i++
	}
	if n.Buckets == nil {
		n.Buckets = make([]int64, len(LatencyBounds)+1)
	}
	n.Buckets[i]++
	n.Seconds += took
	n.Timed++
}
