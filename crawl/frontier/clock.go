package frontier

import "time"

// clock reads the time. Times inside the frontier are nanoseconds since base, so
// a monotonic clock stays one. A clock without monotonic readings that is set
// back moves base: time stands still for a moment, and no host rests for as long
// as the clock was wrong. One that is set ahead ends rests early, once.
type clock struct {
	read func() time.Time
	base time.Time
	last int64 // of now
}

func (c *clock) now() int64 { return c.at(c.read()) }

// at is the time of a reading just made.
func (c *clock) at(t time.Time) int64 {
	ns := int64(t.Sub(c.base))
	if ns < c.last {
		c.base = t.Add(-time.Duration(c.last))
		return c.last
	}
	c.last = ns
	return ns
}

// due is when a time comes that may have been stored: by its distance from the
// clock of now.
func (c *clock) due(t time.Time) int64 {
	now := c.read()
	return c.at(now) + int64(t.Sub(now))
}

// moment is a time to come as the clock of now will show it.
func (c *clock) moment(ns int64) time.Time {
	now := c.read()
	return now.Add(time.Duration(ns - c.at(now)))
}

// alarm calls ring at one time to come.
type alarm struct {
	clock *clock
	after func(d time.Duration, fn func()) (stop func() bool)
	ring  func(at int64) // called in its own goroutine with the time it was set for
	stop  func() bool    // nil = not set
	at    int64
}

// set replaces the time; 0 stops the alarm.
func (a *alarm) set(at int64) {
	if at == a.at {
		return
	}
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
	a.at = at
	if at == 0 {
		return
	}
	a.stop = a.after(time.Duration(max(at-a.clock.now(), 0)), func() { a.ring(at) })
}

// rang takes note of a ring and reports whether it is the one that was set last.
func (a *alarm) rang(at int64) bool {
	if a.at != at {
		return false
	}
	a.at, a.stop = 0, nil
	return true
}
