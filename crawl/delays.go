package crawl

import (
	"time"

	"angler/crawl/decisions"
)

// This file ends delays of branches on time, also during a run.

// maxNap is the maximum time between two looks at the clock during a delay: clocks are set, and machines sleep.
const maxNap = time.Minute

// watchDelays releases URLs as soon as their delay ends. It runs until the engine closes, and sleeps while there is
// no delay.
func (c *core) watchDelays() {
	seen := c.opt.Now()
	for {
		now := c.opt.Now()
		over, next := c.decisions.State().Lapsed(seen, now)
		seen = now
		if len(over) > 0 {
			c.delaysEnded(over)
		}
		stop := func() bool { return false }
		if !next.IsZero() {
			stop = c.opt.AfterFunc(min(next.Sub(now), maxNap), c.delayCheck.Ring)
		}
		select {
		case <-c.ctx.Done():
			stop()
			return
		case <-c.delayCheck:
			stop()
		}
	}
}

// delaysEnded moves delayed URLs into the active run.
func (c *core) delaysEnded(over []decisions.Rule) {
	for i := range over {
		c.events.Note("info", "the delay of %s is over: its waiting pages are fetched again", over[i].Branch)
	}
	c.publisher.expired.Add(int64(len(over)))
	if r := c.runner.current(); r != nil {
		if err := r.Reconsider(); err != nil {
			c.events.Note("warn", "delayed addresses could not be resumed: %v; the next run resumes them", err)
		}
	}
	c.publisher.publish()
}
