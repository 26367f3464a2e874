package run

import (
	"reflect"
	"slices"

	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// This file is what a person does to a run under way.

// Pause lets the fetches under way end and starts no other. It reports whether
// the run was going.
func (r *Run) Pause() bool {
	if r.paused.Swap(true) {
		return false
	}
	r.front.Pause()
	return true
}

// Resume goes on after Pause, and reports whether the run was paused.
func (r *Run) Resume() bool {
	if !r.paused.Swap(false) {
		return false
	}
	r.front.Resume()
	return true
}

// Step fetches one page of a paused run.
func (r *Run) Step() { r.front.Step(1) }

// Stop ends the run: fetches under way are broken off and go on waiting, what was
// fetched is stored. It does not wait, and reports whether the run was going.
func (r *Run) Stop() bool {
	going := r.ctx.Err() == nil
	r.cancel()
	return going
}

// SetBudget changes after how many fetches the run ends; 0 = never.
func (r *Run) SetBudget(pages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.budget = pages
}

// Adopt takes up changed settings: depth, link order, seeds and scope of a discovery first,
// because a shorter delay may end a run whose last URL waits; then workers and delays.
func (r *Run) Adopt(old, set *config.Settings) error {
	var err error
	if r.Ranks() {
		err = r.readmit(old, set)
	}
	r.hire(set)
	r.front.Repace()
	if !reflect.DeepEqual(old.Host, set.Host) {
		r.front.Forgive(func(host string) bool { return !reflect.DeepEqual(old.Host[host], set.Host[host]) })
	}
	r.front.SetShare(set.Harvest.Share)
	return err
}

func (r *Run) readmit(old, set *config.Settings) error {
	r.front.SetDepth(set.Crawl.Depth)
	if a, b := &old.Crawl, &set.Crawl; a.Strategy != b.Strategy || !slices.Equal(a.Constants, b.Constants) || !slices.Equal(a.Important, b.Important) {
		left := r.Order.Chooses() // what the order before had left out may enter
		if err := r.Order.Use(set); err != nil || !left {
			return err
		}
	} else if reflect.DeepEqual(old.Scope, set.Scope) && slices.Equal(old.Seeds, set.Seeds) {
		return nil
	}
	return r.Reconsider()
}

// AddWorkers has a run take up that there are more workers elsewhere, or fewer.
func AddWorkers(r *Run) { r.hire(r.Settings()) }

// hire has as many fetches at once as the settings and the workers elsewhere want.
func (r *Run) hire(set *config.Settings) {
	r.mu.Lock()
	r.wanted = set.Crawl.Workers + r.PageWorkers.Slots()
	r.mu.Unlock()
	if r.began.Load() != 0 {
		r.staff()
	}
}

// Reconsider ranks what waits under changed rules or scope: some of it leaves
// the frontier, and some that had been left out enters it.
func (r *Run) Reconsider() error {
	d, ok := r.plan.(*discoverer)
	if !ok {
		return nil
	}
	d.Order.Rank()
	return d.refill(false)
}

// Retopic takes up a changed topic as soon as the link order has learned it.
func (r *Run) Retopic() {
	if r.Ranks() {
		r.Order.Retopic()
	}
}

// Ranks reports whether the run ranks links: a harvest takes what its lists announce.
func (r *Run) Ranks() bool { return r.task != view.Harvest }

// Enter makes seeds known to a discovery that were named while it goes on.
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

// Reopened takes up failed URLs that a person wants to be tried again at once: their hosts
// rest no longer because of failures.
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
			r.front.Retry(e, r.Now()) // moves what waits for its own time
		}
	}
	r.front.Forgive(match)
}
