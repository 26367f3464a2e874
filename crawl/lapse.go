package crawl

import (
	"time"

	"angler/crawl/decisions"
)

// This file lets delays end when their time comes, also while a run goes on.

// lapsing waits for the delays of branches to end.
type lapsing struct {
	c    *core
	look chan struct{} // something has changed, or a time has come; holds one
}

func newLapsing(c *core) *lapsing { return &lapsing{c: c, look: make(chan struct{}, 1)} }

// again has the rules looked at.
func (l *lapsing) again() {
	select {
	case l.look <- struct{}{}:
	default:
	}
}

// longestNap bounds the time between two looks at the clock while a delay lasts: it may be
// set, and a machine may sleep.
const longestNap = time.Minute

// watch takes up what a delay has held back as soon as it ends. It runs until the
// engine closes, and sleeps while there is no delay.
func (l *lapsing) watch() {
	c := l.c
	seen := c.opt.Now()
	for {
		now := c.opt.Now()
		over, next := c.decisions.State().Lapsed(seen, now)
		seen = now
		if len(over) > 0 {
			l.ended(over)
		}
		stop := func() bool { return false }
		if !next.IsZero() {
			stop = c.opt.AfterFunc(min(next.Sub(now), longestNap), l.again)
		}
		select {
		case <-c.ctx.Done():
			stop()
			return
		case <-l.look:
			stop()
		}
	}
}

// ended lets what was held back enter the run under way.
func (l *lapsing) ended(over []decisions.Rule) {
	c := l.c
	for i := range over {
		c.events.Note("info", "the delay of %s is over: what waits below it is fetched again", over[i].Branch)
	}
	c.publisher.lapsed.Add(int64(len(over)))
	if r := c.runner.current(); r != nil {
		if err := r.Reconsider(); err != nil {
			c.events.Note("warn", "what was delayed could not be taken up: %v; the next run takes it up", err)
		}
	}
	c.publisher.publish()
}
