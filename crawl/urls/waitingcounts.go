package urls

import (
	"strings"
	"sync"
	"sync/atomic"
)

// One host must not fill frontier and disk with generated addresses. The filter therefore counts the waiting URLs of
// each host and refuses unknown ones above a limit. Ordinary crawls never reach it; below it nothing depends on it,
// including the order of fetches. URLs on their way to the store make the limit soft.

// waitingCounts counts the waiting URLs by host. It is safe for concurrent use. While no host is full, a check costs
// one atomic load.
type waitingCounts struct {
	known func(canonical string) bool
	full  atomic.Int64 // hosts at the limit

	mu       sync.Mutex // guards the fields below
	limit    int        // 0 = no limit
	waiting  map[string]int
	reported map[string]bool
}

// BoundHosts sets the maximum number of waiting URLs per host; 0 means no limit. known reports whether a URL is
// stored; a known URL is never refused. Call it before the first Check. Later calls may change the limit with known
// nil.
func (f *Filter) BoundHosts(limit int, known func(canonical string) bool) {
	c := &f.crowds
	c.mu.Lock()
	defer c.mu.Unlock()
	if known != nil {
		c.known = known
	}
	if c.limit != limit {
		c.limit, c.reported = limit, nil
		c.recount()
	}
}

// SetWaiting replaces the counts of all hosts. It returns the full hosts that were not reported before.
func (f *Filter) SetWaiting(byHost map[string]int) (full []string) {
	c := &f.crowds
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = byHost
	c.recount()
	for host, n := range byHost {
		if c.crowded(n) && c.report(host) {
			full = append(full, host)
		}
	}
	return full
}

// Wait adds n, which may be negative, to the count of the URL's host. It reports whether the host is full and was
// not reported before.
func (f *Filter) Wait(canonical string, n int) (full bool) {
	c := &f.crowds
	host := HostOf(canonical)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.waiting == nil {
		c.waiting = make(map[string]int)
	}
	was, counted := c.waiting[host]
	now := max(was+n, 0)
	if !counted {
		host = strings.Clone(host)
	}
	if now == 0 {
		delete(c.waiting, host)
	} else {
		c.waiting[host] = now
	}
	switch {
	case c.crowded(now) && !c.crowded(was):
		c.full.Add(1)
		return c.report(host)
	case c.crowded(was) && !c.crowded(now):
		c.full.Add(-1)
	}
	return false
}

// refuses reports whether a URL exceeds its host's limit.
func (c *waitingCounts) refuses(canonical string) bool {
	if c.full.Load() == 0 {
		return false
	}
	c.mu.Lock()
	many := c.crowded(c.waiting[HostOf(canonical)])
	known := c.known
	c.mu.Unlock()
	return many && (known == nil || !known(canonical))
}

func (c *waitingCounts) crowded(n int) bool { return c.limit > 0 && n >= c.limit }

// report reports whether a host was not reported before, and records it.
func (c *waitingCounts) report(host string) bool {
	if c.reported[host] {
		return false
	}
	if c.reported == nil {
		c.reported = make(map[string]bool)
	}
	c.reported[host] = true
	return true
}

// recount counts the full hosts again.
func (c *waitingCounts) recount() {
	n := int64(0)
	for _, waiting := range c.waiting {
		if c.crowded(waiting) {
			n++
		}
	}
	c.full.Store(n)
}
