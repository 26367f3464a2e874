package crawl

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
)

// latencyBounds are the upper bounds of the fetch latency's buckets, seconds.
var latencyBounds = [...]float64{.01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}

// meters count what fetching costs since the engine was opened, over all runs.
type meters struct {
	fetched atomic.Int64
	bytes   atomic.Int64
	worst   atomic.Int64 // longest handing of a snapshot to the viewers, ns

	mu      sync.Mutex
	errors  map[string]int64 // by kind: fetch.Kind, or "http 404"
	buckets [len(latencyBounds) + 1]int64
	seconds float64
	timed   int64
}

// exchange counts one fetch. A fetch that was broken off is none.
func (m *meters) exchange(resp *fetch.Response, err error) {
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
	m.fetched.Add(1)
	m.mu.Lock()
	defer m.mu.Unlock()
	if kind != "" {
		if m.errors == nil {
			m.errors = map[string]int64{}
		}
		m.errors[kind]++
	}
	if resp == nil {
		return
	}
	m.bytes.Add(int64(len(resp.Body)))
	took := resp.Took.Seconds()
	i := 0
	for i < len(latencyBounds) && took > latencyBounds[i] {
		i++
	}
	m.buckets[i]++
	m.seconds += took
	m.timed++
}

// published keeps the longest time that handing out a snapshot took.
func (m *meters) published(d time.Duration) {
	for {
		was := m.worst.Load()
		if int64(d) <= was || m.worst.CompareAndSwap(was, int64(d)) {
			return
		}
	}
}
