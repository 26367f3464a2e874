package crawl

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/order"
	"angler/crawl/view"
	"angler/store"
)

func (e *Engine) current() *run {
	e.runMu.Lock()
	defer e.runMu.Unlock()
	return e.run
}

// Pause lets the fetches under way end and starts no other.
func (e *Engine) Pause() {
	if r := e.current(); r != nil && !r.paused.Swap(true) {
		r.front.Pause()
		e.did(r.task + " paused")
		e.publish()
	}
}

// Resume goes on after Pause.
func (e *Engine) Resume() {
	if r := e.current(); r != nil && r.paused.Swap(false) {
		r.front.Resume()
		e.did(r.task + " resumed")
		e.publish()
	}
}

// Step fetches one page of a paused run; a running one is paused.
func (e *Engine) Step() {
	e.Pause()
	if r := e.current(); r != nil {
		r.front.Step(1)
	}
}

// Stop ends the run: fetches under way are broken off and stay waiting, what
// was fetched is stored. It does not wait.
func (e *Engine) Stop() {
	if r := e.current(); r != nil {
		if r.ctx.Err() == nil && e.ctx.Err() == nil {
			e.did(r.task + " stopped")
		}
		r.cancel()
	}
}

// Strategies lists the names that SetStrategy takes.
func (e *Engine) Strategies() []string { return order.Names() }

// SetStrategy changes the link order; a running discovery ranks its frontier
// anew.
func (e *Engine) SetStrategy(name string) error {
	return e.Change("link order "+name, func(s *store.Settings) { s.Crawl.Strategy = name })
}

// SetWorkers changes how many fetches run at once.
func (e *Engine) SetWorkers(n int) error {
	return e.Change(fmt.Sprintf("%d workers", n), func(s *store.Settings) { s.Crawl.Workers = n })
}

// SetDelay changes the time between two fetches of one host.
func (e *Engine) SetDelay(d time.Duration) error {
	return e.Change(fmt.Sprintf("delay %v", d), func(s *store.Settings) { s.Crawl.Delay = store.Duration(d) })
}

// SetDepth changes how many links from a seed a discovery goes.
func (e *Engine) SetDepth(n int) error {
	return e.Change(fmt.Sprintf("depth %d", n), func(s *store.Settings) { s.Crawl.Depth = n })
}

// SetBudget changes after how many fetches the run under way ends; 0 = never.
func (e *Engine) SetBudget(pages int) error {
	if pages < 0 {
		return fmt.Errorf("a budget of %d pages: give 0 for none, or more", pages)
	}
	r := e.current()
	if r == nil {
		return ErrNoRun
	}
	r.budget.Store(int64(pages))
	e.did(fmt.Sprintf("budget %d pages", pages))
	e.publish()
	return nil
}

// ErrNoRun means that an action needs a run under way.
var ErrNoRun = errors.New("nothing is running; start a discovery first")

// Change changes settings: it checks them, writes them to angler.toml, and
// applies what a run under way can take up at once: link order, workers, delay,
// depth and scope. Proxy, user agent and limits of a fetch count from the next
// opening. Settings given by flags for this process stay as they are in the
// file, unless change sets them.
func (e *Engine) Change(what string, change func(*store.Settings)) error {
	e.desk.Lock()
	old := e.set
	set := old.Clone()
	change(&set)
	err := e.checkSettings(&set)
	if err == nil {
		err = e.ws.ChangeSettings(change)
	}
	if err == nil {
		e.set = set
		err = errors.Join(e.rescope(), e.rejudge())
		e.deskRev++
	}
	e.desk.Unlock()
	if err != nil {
		return err
	}
	if r := e.current(); r != nil {
		err = r.adopt(&old, &set)
	}
	e.did(what)
	e.publish()
	return err
}

// checkSettings reports the first setting that cannot work.
func (e *Engine) checkSettings(set *store.Settings) error {
	if err := set.Validate(); err != nil {
		return err
	}
	if _, err := strategyOf(set); err != nil {
		return fmt.Errorf("angler.toml: %w", err)
	}
	if _, err := frontier.Assignment(set.Crawl.Queues, set.Crawl.QueueCount); err != nil {
		return fmt.Errorf("angler.toml: crawl.queues: %w", err)
	}
	if _, err := schedule(&set.Revisit); err != nil {
		return err
	}
	_, err := scopeOf(set)
	return err
}

// adopt takes changed settings into a run under way.
func (r *run) adopt(old, set *store.Settings) error {
	r.workers.Store(int64(set.Crawl.Workers))
	if r.crawling.Load() {
		r.staff()
	}
	r.front.SetDelay(time.Duration(set.Crawl.Delay))
	if r.task != view.Discovery {
		return nil
	}
	r.front.SetDepth(set.Crawl.Depth)
	if old.Crawl.Strategy != set.Crawl.Strategy || !slices.Equal(old.Crawl.Constants, set.Crawl.Constants) {
		s, err := strategyOf(set)
		if err == nil {
			err = r.order.use(s)
		}
		return err
	}
	if !reflect.DeepEqual(old.Scope, set.Scope) || !slices.Equal(old.Seeds, set.Seeds) {
		return r.reconsider()
	}
	return nil
}

// reconsider ranks what waits under changed rules or scope: some of it leaves
// the frontier, and some that had been left out enters it.
func (r *run) reconsider() error {
	r.order.rank()
	return r.refill()
}
