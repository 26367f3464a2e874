package crawl

import (
	"cmp"
	"slices"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/settings"
	"angler/store"
)

// This file does what follows from a change of decisions, of settings or of
// what is known of the pages.

// decided follows an analyst's action. A running discovery applies changed
// rules over the frontier at once, and a changed topic as soon as the link
// order has learned it.
func (c *core) decided(ev *store.Event) error {
	defer c.publisher.publish()
	r := c.runner.current()
	if r == nil {
		return nil
	}
	if decisions.Steers(ev.Changes) {
		return r.Reconsider()
	}
	r.Retopic()
	return nil
}

// resettled follows a change of settings.
func (c *core) resettled(old, set *store.Settings) error {
	defer c.publisher.publish()
	c.fetcher.SetSeedHosts(settings.SeedHosts(set))
	var err error
	if !slices.Equal(old.Harvest.Patterns, set.Harvest.Patterns) {
		err = c.decisions.SetPatterns(set.Harvest.Patterns)
	}
	if r := c.runner.current(); r != nil {
		err = cmp.Or(err, r.Adopt(old, set))
	}
	return err
}

// keepEvery is how often keepModel looks whether the model must be rebuilt.
const keepEvery = time.Second

// keepModel brings the model up to date when the dictionary has been loaded,
// and when the crawl has outgrown the background it was built with. It has a
// goroutine of its own, because the publisher must not wait for learning.
func (c *core) keepModel() {
	words := c.reader.Dict()
	select {
	case <-words.Ready():
	case <-c.ctx.Done():
		return
	}
	if err := words.Err(); err != nil {
		c.events.Note("error", "dictionary: %v", err)
	}
	for _, p := range words.Problems() {
		c.events.Note("warn", "dictionary: %v", p)
	}
	c.settle()
	c.decisions.ReadSoon()
	tick := time.NewTicker(keepEvery)
	defer tick.Stop()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-tick.C:
			if c.decisions.Outgrown() {
				c.settle()
			}
		}
	}
}

func (c *core) settle() {
	if err := c.decisions.Settle(); err != nil {
		c.events.Note("error", "%v", err)
	}
	c.publisher.publish()
}
