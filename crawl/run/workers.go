package run

import (
	"errors"
	"time"

	"angler/crawl/frontier"
	"angler/store/writer"
)

// This file is the workers: they take URLs, have them handled and hand what comes
// of them to the writer.

// crawl runs workers until the frontier is drained, a bound is reached or the
// run is stopped, and stores everything they brought.
func (r *Run) crawl() error {
	r.writer = writer.New(r.ctx, r.Store, writer.Hooks[*tag]{Committed: r.afterCommit, Failed: r.fail, Stalled: r.stalled, Hungry: r.hungry})
	r.began.Store(max(1, int64(r.Now().Sub(r.started))))
	for more := true; more; {
		r.staff()
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

// hungry tells the writer when a commit is worth its while: when no worker has
// anything in hand, and as long as the run is young. Links enter the frontier with
// the commit of their page; a batch is no larger than a share of what came before
// it, so what is fetched meanwhile is a small part of the whole.
func (r *Run) hungry(batch int) bool {
	return r.underway.Load() == 0 || r.ordered && batch*ahead >= r.counts.value(&r.counts.committed)
}

// staff starts workers until as many run as are wanted.
func (r *Run) staff() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; r.alive < r.wanted; r.alive++ {
		r.workersWG.Go(r.work)
	}
}

// limits returns how many workers are wanted, and the number of fetches after which the
// run ends; 0 means never.
func (r *Run) limits() (workers, fetches int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.wanted, r.bound()
}

// leave ends one worker when fewer are wanted than run, or in any case.
func (r *Run) leave(anyway bool) bool {
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
	for !r.leave(false) {
		entry, err := r.front.Next(r.taking)
		switch {
		case errors.Is(err, frontier.ErrBacklog) && r.awaitRoom(err):
			continue
		case err != nil:
			r.leave(true)
			return
		}
		u, err := r.Store.URL(entry.ID)
		if u != nil && r.plan.unwanted(u) {
			r.front.Done(entry, frontier.Outcome{})
			continue
		}
		if u != nil && entry.Queue != frontier.Errands && r.Order.Recheck(entry, u) {
			continue // a better one goes first
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
			c = r.lost(entry, err)
		} else {
			c = r.plan.visit(entry, u)
		}
		r.looked(c.Page)
		// Before Put: the writer asks whether anything else can still come.
		r.underway.Add(-1)
		r.store(c)
	}
}

// stalled pauses the handing out while the disk is full; what was fetched is
// kept and written as soon as there is room.
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

// Stalled tells that commits wait for room on the disk.
func (r *Run) Stalled() bool { return r.full.Load() }

// awaitRoom waits a little when the frontier cannot use its file and tries it
// again; false when the run is to end.
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
