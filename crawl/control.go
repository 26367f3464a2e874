package crawl

import (
	"fmt"

	"angler/crawl/order"
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
	s, err := order.New(name)
	if err != nil {
		return err
	}
	e.desk.Lock()
	e.set.Crawl.Strategy = name
	e.desk.Unlock()
	r := e.current()
	if r == nil || r.task != Discovery {
		return nil
	}
	r.strategy.Store(&s)
	err = r.rank()
	e.did("link order " + name)
	e.publish()
	return err
}

// SetWorkers changes how many fetches run at once.
func (e *Engine) SetWorkers(n int) error {
	e.desk.Lock()
	set := e.set
	set.Crawl.Workers = n
	err := set.Validate()
	if err == nil {
		e.set = set
	}
	e.desk.Unlock()
	if err != nil {
		return fmt.Errorf("%d workers: give a number from 1 to 1024", n)
	}
	if r := e.current(); r != nil {
		r.workers.Store(int64(n))
		if r.crawling.Load() {
			r.staff()
		}
	}
	e.publish()
	return nil
}
