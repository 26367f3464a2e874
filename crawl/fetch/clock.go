package fetch

import (
	"sync"
	"time"
)

// Clock reads the time as nanoseconds since its start, so a monotonic clock stays monotonic. If a
// clock without monotonic readings is set back, time stands still for a moment, so that no host
// pauses for the length of the error. If it is set ahead, pauses end early once. It is safe for
// concurrent use.
type Clock struct {
	read func() time.Time

	mu   sync.Mutex // guards the fields below
	base time.Time
	last int64 // last value of Now
}

// Now returns the present time.
func (c *Clock) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at(c.read())
}

// at converts a reading made just now. The caller holds the lock.
func (c *Clock) at(t time.Time) int64 {
	ns := int64(t.Sub(c.base))
	if ns < c.last {
		c.base = t.Add(-time.Duration(c.last))
		return c.last
	}
	c.last = ns
	return ns
}

// Due converts a time that may have been stored, by its distance from the present.
func (c *Clock) Due(t time.Time) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	return c.at(now) + int64(t.Sub(now))
}

// Moment converts a value of this clock to a time.
func (c *Clock) Moment(ns int64) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	return now.Add(time.Duration(ns - c.at(now)))
}
