package urls

import (
	"strings"
	"sync"
	"sync/atomic"
)

// One host must not fill frontier and disk with addresses that it makes up. So
// the filter counts how many URLs of a host wait, and refuses unknown ones while
// too many do. The bound is for hosts that no ordinary crawl meets: below it
// nothing depends on it, and the order of fetching decides nothing. It is soft by
// what is on its way to the store.

// waitingCounts counts the waiting URLs by host. It is safe for concurrent use; while no
// host is full, a question costs one atomic load.
type waitingCounts struct {
	known func(canonical string) bool
	full  atomic.Int64 // hosts at the limit

	mu      sync.Mutex // guards what follows
	limit   int        // 0 = none
	waiting map[string]int
	told    map[string]bool
}

// BoundHosts sets how many URLs of one host may wait, 0 = any number, and how to
// find out whether a URL is known already: a known one is never refused. Call it
// before the first Check; the bound alone may be changed later with known nil.
func (f *Filter) BoundHosts(limit int, known func(canonical string) bool) {
	c := &f.crowds
	c.mu.Lock()
	defer c.mu.Unlock()
	if known != nil {
		c.known = known
	}
	if c.limit != limit {
		c.limit, c.told = limit, nil
		c.recount()
	}
}

// SetWaiting replaces how many URLs of each host wait, and returns the hosts that
// are full and were not named before.
func (f *Filter) SetWaiting(byHost map[string]int) (full []string) {
	c := &f.crowds
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting = byHost
	c.recount()
	for host, n := range byHost {
		if c.crowded(n) && c.tell(host) {
			full = append(full, host)
		}
	}
	return full
}

// Wait counts that n more URLs of the canonical URL's host wait, fewer if n is
// negative. It reports whether the host is full now and was not named before.
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
		return c.tell(host)
	case c.crowded(was) && !c.crowded(now):
		c.full.Add(-1)
	}
	return false
}

// refuses reports whether a URL that passed everything else is one too many.
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

// tell reports whether a host was not named before.
func (c *waitingCounts) tell(host string) bool {
	if c.told[host] {
		return false
	}
	if c.told == nil {
		c.told = make(map[string]bool)
	}
	c.told[host] = true
	return true
}

// recount counts the full hosts anew.
func (c *waitingCounts) recount() {
	n := int64(0)
	for _, waiting := range c.waiting {
		if c.crowded(waiting) {
			n++
		}
	}
	c.full.Store(n)
}
