package fetch

import (
	"sync"
	"time"
)

// Clock reads the time as nanoseconds since its start, so a monotonic clock stays one. If
// a clock without monotonic readings is set back, time stands still for a moment: no host
// rests for as long as the clock was wrong. One that is set ahead ends rests early, once.
// It is safe for concurrent use.
type Clock struct {
	read func() time.Time

	mu   sync.Mutex // guards what follows
	base time.Time
	last int64 // of Now
}

// Now is the present time.
func (c *Clock) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at(c.read())
}

// at is the time of a reading just made. The lock is held.
func (c *Clock) at(t time.Time) int64 {
	ns := int64(t.Sub(c.base))
	if ns < c.last {
		c.base = t.Add(-time.Duration(c.last))
		return c.last
	}
	c.last = ns
	return ns
}

// Due is when a time comes that may have been stored: by its distance from the present.
func (c *Clock) Due(t time.Time) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	return c.at(now) + int64(t.Sub(now))
}

// Moment is a time to come as the clock will show it.
func (c *Clock) Moment(ns int64) time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	return now.Add(time.Duration(ns - c.at(now)))
}
