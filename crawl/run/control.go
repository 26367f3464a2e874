package run

import (
	"reflect"
	"slices"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// This file holds the calls by which a person controls a run.

// Pause starts no further fetch and lets fetches in flight end. It reports whether the run was not
// paused before.
func (r *Run) Pause() bool {
	if r.paused.Swap(true) {
		return false
	}
	r.front.Pause()
	return true
}

// Resume continues a paused run and reports whether it was paused.
func (r *Run) Resume() bool {
	if !r.paused.Swap(false) {
		return false
	}
	r.front.Resume()
	return true
}

// Step fetches one page of a paused run.
func (r *Run) Step() { r.front.Step(1) }

// Stop cancels the run without waiting for its end. Canceled fetches stay waiting; fetched pages
// are stored. It reports whether the run was not stopped before.
func (r *Run) Stop() bool {
	going := r.ctx.Err() == nil
	r.cancel()
	return going
}

// SetBudget changes the number of fetches after which the run ends; 0 = no limit.
func (r *Run) SetBudget(pages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.budget = pages
}

// Adopt applies changed settings. Depth, link order, seeds and scope of a discovery come first,
// because a shorter delay may end a run whose last URL waits. Workers and delays follow.
func (r *Run) Adopt(old, set *config.Settings) error {
	var err error
	if r.Ranks() {
		err = r.readmit(old, set)
	}
	r.adjustWorkers(set)
	r.front.Repace()
	if !reflect.DeepEqual(old.Host, set.Host) {
		r.front.Forgive(func(host string) bool { return !reflect.DeepEqual(old.Host[host], set.Host[host]) })
	}
	r.front.SetShare(set.Harvest.Share)
	return err
}

func (r *Run) readmit(old, set *config.Settings) error {
	r.front.SetDepth(set.Crawl.Depth)
	if a, b := &old.Crawl, &set.Crawl; a.Strategy != b.Strategy || !slices.Equal(a.Constants, b.Constants) ||
		!slices.Equal(a.Important, b.Important) {
		left := r.Order.Chooses() // the old order left out URLs that the new one may admit
		if err := r.Order.Use(set); err != nil || !left {
			return err
		}
	} else if reflect.DeepEqual(old.Scope, set.Scope) && slices.Equal(old.Seeds, set.Seeds) {
		return nil
	}
	return r.Reconsider()
}

// AddWorkers adapts a run to the present number of remote workers.
func AddWorkers(r *Run) { r.adjustWorkers(r.Settings()) }

// adjustWorkers sets the number of parallel fetches from the settings and the slots of remote
// workers.
func (r *Run) adjustWorkers(set *config.Settings) {
	r.mu.Lock()
	r.wanted = set.Crawl.Workers + r.PageWorkers.Slots()
	r.mu.Unlock()
	if r.began.Load() != 0 {
		r.startWorkers()
	}
}

// Reconsider ranks waiting URLs again after rules or scope changed. Excluded URLs leave the
// frontier, and URLs that are no longer excluded enter it.
func (r *Run) Reconsider() error {
	d, ok := r.plan.(*discoverer)
	if !ok {
		return nil
	}
	d.Order.Rank()
	return d.refill(false)
}

// Retopic applies a changed topic once the link order has learned it.
func (r *Run) Retopic() {
	if r.Ranks() {
		r.Order.Retopic()
	}
}

// Ranks reports whether the run ranks links. A harvest does not.
func (r *Run) Ranks() bool { return r.task != view.Harvest }

// Enter adds seeds, as canonical URLs, to a discovery in progress. Other runs ignore them.
func (r *Run) Enter(canonical []string) error {
	d, ok := r.plan.(*discoverer)
	if !ok {
		return nil
	}
	found, err := d.Store.Seed(canonical)
	if err == nil {
		d.admit(found)
	}
	return err
}

// Reopened retries failed URLs at once on an analyst's request, and ends the pauses of their hosts
// that failures caused.
func (r *Run) Reopened(found []store.Admission) {
	hosts := map[string]bool{}
	for i := range found {
		u := &found[i].Row
		hosts[urls.HostOf(u.URL)] = true
		r.counts.reopen(u)
	}
	match := func(host string) bool { return hosts[host] }
	r.Watch.Forgive(match)
	r.PageWorkers.Reconsider()
	for i := range found {
		if e, keep := r.plan.entry(&found[i].Row); keep {
			r.front.Retry(e, r.Now()) // moves a URL that waits for its retry time
		}
	}
	r.front.Forgive(match)
}
