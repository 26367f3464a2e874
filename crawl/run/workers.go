package run

import (
	"errors"
	"time"

	"angler/crawl/frontier"
	"angler/store/writer"
)

// This file holds the workers, which take URLs, visit them and pass the captures to the writer.

// crawl runs workers until the frontier is empty, a bound is reached or the run is stopped. It then
// stores all captures.
func (r *Run) crawl() error {
	r.writer = writer.New(r.ctx, r.Store, writer.Hooks[*tag]{Committed: r.afterCommit, Failed: r.fail,
		Stalled: r.stalled, Hungry: r.wantsCommit})
	r.began.Store(max(1, int64(r.Now().Sub(r.started))))
	for more := true; more; {
		r.startWorkers()
		r.workersWG.Wait()
		if more = r.ctx.Err() == nil && r.taking.Err() == nil; more {
			var err error
			if more, err = r.plan.more(); err != nil {
				r.fail(err)
			}
		}
	}
	r.network.close()
	return r.writer.Close()
}

// wantsCommit returns true if the writer should commit now: if no worker holds a URL, or while a
// batch is large compared with the pages so far. Links enter the frontier with the commit of their
// page, so late commits would let fetches run ahead of the ranking.
func (r *Run) wantsCommit(batch int) bool {
	return r.underway.Load() == 0 || r.ordered && batch*ahead >= r.counts.value(&r.counts.committed)
}

// startWorkers starts workers until the wanted number runs.
func (r *Run) startWorkers() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.alive < r.wanted; r.alive++ {
		r.workersWG.Go(r.work)
	}
}

// limits returns the wanted number of workers and the number of fetches after which the run ends; 0
// = no limit.
func (r *Run) limits() (workers, fetches int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted, r.bound()
}

// retireWorker ends one worker if more run than wanted, or if anyway is set.
func (r *Run) retireWorker(anyway bool) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	leaves := anyway || r.alive > r.wanted
	if leaves {
		r.alive--
	}
	return leaves
}

// take counts a URL that is handed out; false means that the bound is reached.
func (r *Run) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken++
	most := r.bound()
	return most == 0 || r.taken <= most
}

func (r *Run) work() {
	for !r.retireWorker(false) {
		entry, err := r.front.Next(r.taking)
		switch {
		case errors.Is(err, frontier.ErrBacklog) && r.awaitRoom(err):
			continue
		case err != nil:
			r.retireWorker(true)
			return
		}
		u, err := r.Store.URL(entry.ID)
		if u != nil && r.plan.unwanted(u) {
			r.front.Done(entry, frontier.Outcome{})
			continue
		}
		if u != nil && entry.Queue != frontier.Errands && r.Order.Recheck(entry, u) {
			continue // a better URL goes first
		}
		if (u == nil || !r.plan.free(entry.ID, u)) && !r.take() {
			r.front.Done(entry, frontier.Outcome{})
			r.enough()
			continue
		}
		r.underway.Add(1)
		r.writer.Lease(entry.ID)
		var c visit
		if err != nil || u == nil {
			c = r.unreadable(entry, err)
		} else {
			c = r.plan.visit(entry, u)
		}
		r.looked(c.Page)
		// Before Put: the writer asks whether other captures can still come.
		r.underway.Add(-1)
		r.store(c)
	}
}

// stalled pauses the handing out of URLs while the disk is full. Captures are kept and written once
// there is room.
func (r *Run) stalled(err error) {
	if err != nil {
		r.full.Store(true)
		r.front.Pause()
		r.Events.Note("error", "disk full: the crawl waits; %v", err)
	} else {
		r.full.Store(false)
		if !r.paused.Load() {
			r.front.Resume()
		}
		r.Events.Note("info", "there is room on the disk again: the crawl goes on")
	}
	r.Listener.Changed()
}

// Stalled reports whether commits wait for room on the disk.
func (r *Run) Stalled() bool { return r.full.Load() }

// awaitRoom waits 2 s if the frontier cannot use its file, then retries; false = the run ends.
func (r *Run) awaitRoom(err error) bool {
	if r.noFile.CompareAndSwap(false, true) {
		r.Events.Note("error", "%v; the crawl waits", err)
		defer r.noFile.Store(false)
	}
	select {
	case <-r.taking.Done():
		return false
	case <-time.After(2 * time.Second):
		if !r.paused.Load() {
			r.front.Resume()
		}
		return true
	}
}
