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

// LatencyBounds are the upper bounds of the fetch latency buckets, in seconds.
var LatencyBounds = [...]float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

// Metrics counts fetches over all runs of a process. The zero value is ready to use; it is safe for
// concurrent use.
type Metrics struct {
	Now func() time.Time // nil = time.Now; set before the first use

	mu sync.Mutex // guards n
	n  metricTotals
}

// metricTotals holds the counts of Metrics.
type metricTotals struct {
	Fetched int64
	Bytes   int64            // of the decompressed bodies
	Errors  map[string]int64 // by kind: fetch.Kind, "other" or "http 404"
	Buckets []int64          // fetches by latency: one count per bound of LatencyBounds, and one above the last
	Seconds float64          // total time of all fetches with a response
	Timed   int64            // number of these fetches
	Last    time.Time        // last successful fetch; zero = none
}

// Totals returns a copy of the counts.
func (m *Metrics) Totals() metricTotals {
	m.mu.Lock()
	defer m.mu.Unlock()
	n := m.n
	n.Errors, n.Buckets = maps.Clone(n.Errors), slices.Clone(n.Buckets)
	if n.Buckets == nil {
		n.Buckets = make([]int64, len(LatencyBounds)+1)
	}
	return n
}

// Fetched counts one fetch. It ignores a canceled fetch.
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
