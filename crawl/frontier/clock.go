package frontier

import "time"

// clock reads the time. Times inside the frontier are nanoseconds since base, so
// a monotonic clock stays one.
type clock struct {
	read func() time.Time
	base time.Time
}

func (c *clock) now() int64                { return c.since(c.read()) }
func (c *clock) since(t time.Time) int64   { return int64(t.Sub(c.base)) }
func (c *clock) moment(ns int64) time.Time { return c.base.Add(time.Duration(ns)) }

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
