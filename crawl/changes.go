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

// This file applies changes of decisions, settings and page data to dependent parts.

// decided updates the parts that depend on a decision. A running discovery applies changed rules to the frontier at
// once. It applies a changed topic as soon as the link order has learned it.
func (c *core) decided(t *decisions.Effects) (err error) {
	defer c.publisher.publish()
	r := c.runner.current()
	if t.Words {
		c.search.Wake.Ring()
		c.machines.publish()
	}
	if t.Seeds {
		err = c.suggest.Decided() // a running discovery gets seeds from the settings
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
		c.regroup.Ring()
	}
	if t.Workers {
		err = errors.Join(err, c.machines.applyOrders())
	}
	if t.Rules {
		c.delayCheck.Ring()
		if r != nil {
			err = errors.Join(err, r.Reconsider())
		}
	}
	if r != nil && (t.Model || t.Labels || t.Words) {
		r.Retopic()
	}
	return err
}

// factsRead handles new or changed field values of notices.
func (c *core) factsRead(said []*facts.NoticeFacts) {
	c.inbox.Said(said)
	c.inbox.Documented(c.search.Said(said))
	c.notify.Noticed()
	c.regroup.Ring()
	c.factsRev.Add(1)
}

// attachmentsChanged handles attachments whose texts changed.
func (c *core) attachmentsChanged(ids []uint64) {
	c.search.Again(ids)
	c.inbox.Documented(ids)
	c.factsRev.Add(1)
}

// settingsChanged handles a change of settings.
func (c *core) settingsChanged(old, set *config.Settings) error {
	defer c.publisher.publish()
	c.notify.Wake.Ring()
	c.assistant.Wake.Ring()
	c.machines.publish()
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

// reloadLists makes viewers load lists of notices again, after the search index was completed or groups of notices
// changed.
func (c *core) reloadLists() {
	c.factsRev.Add(1)
	c.publisher.publish()
}

// keepEvery is the minimum interval between checks in keepModel.
const keepEvery = time.Second

// keepModel updates the model when the dictionary is loaded, and when the crawl has outgrown the model's background.
// It runs in its own goroutine, because the publisher must not wait for learning.
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
	c.updateModel()
	returnMemorySoon() // garbage of the opening
	c.decisions.ReadSoon()
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.publisher.grown:
		}
		if c.decisions.Outgrown() {
			c.updateModel()
		}
		select {
		case <-c.ctx.Done():
			return
		case <-time.After(keepEvery):
		}
	}
}

// takeEvery is the interval between two looks into the drop box of proposals.
const takeEvery = 2 * time.Second

// takeProposals takes in the proposals of assistants until the engine closes.
func (c *core) takeProposals() {
	for {
		c.decisions.TakeDropped()
		select {
		case <-c.ctx.Done():
			return
		case <-time.After(takeEvery):
		}
	}
}

func (c *core) updateModel() {
	if err := c.decisions.Settle(); err != nil {
		c.events.Note("error", "%v", err)
	}
	c.publisher.publish()
}
