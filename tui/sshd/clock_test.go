package sshd

import (
	"slices"
	"sync"
	"time"
)

// clock stands still until a test advances it.
type clock struct {
	mu      sync.Mutex
	now     time.Time
	pending []*alarm
}

// alarm is a scheduled call.
type alarm struct {
	c   *clock
	at  time.Time
	do  func()
	set bool
}

func newClock() *clock { return &clock{now: time.Unix(1e9, 0)} }

// config is the configuration of a server with this clock.
func (c *clock) config(l Limits) Config {
	return Config{Limits: l, Now: c.Now, After: c.After, AfterFunc: c.AfterFunc, Random: func() float64 { return .999 }}
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *clock) After(d time.Duration) <-chan time.Time {
	ch := make(chan time.Time, 1)
	c.AfterFunc(d, func() { ch <- c.Now() })
	return ch
}

func (c *clock) AfterFunc(d time.Duration, f func()) timer {
	a := &alarm{c: c, do: f}
	a.Reset(d)
	return a
}

// Stop implements timer.
func (a *alarm) Stop() bool {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	return a.stop()
}

func (a *alarm) stop() bool {
	was := a.set
	a.set = false
	a.c.pending = slices.DeleteFunc(a.c.pending, func(o *alarm) bool { return o == a })
	return was
}

// Reset implements timer.
func (a *alarm) Reset(d time.Duration) bool {
	a.c.mu.Lock()
	defer a.c.mu.Unlock()
	was := a.stop()
	a.set, a.at = true, a.c.now.Add(d)
	a.c.pending = append(a.c.pending, a)
	return was
}

// pass advances the clock and starts the calls that are due.
func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	c.now = c.now.Add(d)
	var due []*alarm
	for _, a := range slices.Clone(c.pending) {
		if !a.at.After(c.now) {
			a.stop()
			due = append(due, a)
		}
	}
	c.mu.Unlock()
	for _, a := range due {
		go a.do()
	}
}

// due counts the calls that are due exactly after d.
func (c *clock) due(d time.Duration) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, a := range c.pending {
		if a.at.Equal(c.now.Add(d)) {
			n++
		}
	}
	return n
}
