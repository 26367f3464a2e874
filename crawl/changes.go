package crawl

import (
	"cmp"
	"errors"
	"reflect"
	"slices"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/settings"
	"angler/store/config"
)

// This file does what follows from a change of decisions, of settings or of
// what is known of the pages.

// decided brings up to date what depends on an analyst's action. A running discovery
// applies changed rules over the frontier at once, and a changed topic as soon as the
// link order has learned it.
func (c *core) decided(t *decisions.Effects) (err error) {
	defer c.publisher.publish()
	r := c.runner.current()
	if t.Words {
		c.search.Wake.Ring()
		c.machines.tell()
	}
	if t.Seeds {
		err = c.suggest.Decided() // a running discovery takes up the seeds by the settings
	}
	if len(t.Recipes) > 0 {
		err = errors.Join(err, c.recipes.Decided(t.Recipes))
		c.lists.asked.Ring()
	}
	if t.Mutes {
		c.lists.asked.Ring()
	}
	if len(t.Values) > 0 {
		c.facts.Decided(t.Values)
	}
	if t.Kin {
		c.bind.Ring()
	}
	if t.Workers {
		err = errors.Join(err, c.machines.obey())
	}
	if t.Rules {
		c.lapse.Ring()
		if r != nil {
			err = errors.Join(err, r.Reconsider())
		}
	}
	if r != nil && (t.Model || t.Labels || t.Words) {
		r.Retopic()
	}
	return err
}

// factsRead follows values of notices that are there or have changed.
func (c *core) factsRead(said []*facts.NoticeFacts) {
	c.inbox.Said(said)
	c.inbox.Documented(c.search.Said(said))
	c.notify.Noticed()
	c.bind.Ring()
	c.facted.Add(1)
}

// documented follows documents of notices whose texts have changed.
func (c *core) documented(ids []uint64) {
	c.search.Again(ids)
	c.inbox.Documented(ids)
	c.facted.Add(1)
}

// resettled follows a change of settings.
func (c *core) resettled(old, set *config.Settings) error {
	defer c.publisher.publish()
	c.notify.Wake.Ring()
	c.machines.tell()
	c.fetcher.SetSeedHosts(settings.SeedHosts(set))
	var err error
	if !slices.Equal(old.Harvest.Patterns, set.Harvest.Patterns) {
		err = c.decisions.SetPatterns(set.Harvest.Patterns)
	}
	if !reflect.DeepEqual(old.Host, set.Host) {
		err = cmp.Or(err, c.hostAuth.Adopt(set.Host))
		c.watch.Forgive(func(host string) bool { return !reflect.DeepEqual(old.Host[host], set.Host[host]) })
	}
	c.facts.Resettled()
	if r := c.runner.current(); r != nil {
		err = cmp.Or(err, r.Adopt(old, set))
	}
	return err
}

// listsAgain has viewers ask for lists of notices again: the search index has become whole,
// or what belongs together is known better.
func (c *core) listsAgain() {
	c.facted.Add(1)
	c.publisher.publish()
}

// keepEvery is how often keepModel looks, at most, whether the model must be rebuilt.
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
	returnMemorySoon() // what opening has left
	c.decisions.ReadSoon()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.publisher.grown:
		}
		if c.decisions.Outgrown() {
			c.settle()
		}
		select {
		case <-c.ctx.Done():
			return
		case <-time.After(keepEvery):
		}
	}
}

func (c *core) settle() {
	if err := c.decisions.Settle(); err != nil {
		c.events.Note("error", "%v", err)
	}
	c.publisher.publish()
}
