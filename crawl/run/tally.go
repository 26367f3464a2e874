package run

import (
	"sync"
	"time"

	"angler/crawl/seeds"
	"angler/crawl/view"
	"angler/store"
)

// This file counts what view.Tally tells of a run.

// Tally is what the run has done so far; lists counts the aggregation pages that are
// known. It waits for nothing.
func (r *Run) Tally(lists int) view.Tally { return tallyOf(r, r.Now(), lists, 0) }

// tallyOf is Tally at a time; ahead counts what the frontier holds and what is in flight.
func tallyOf(r *Run, now time.Time, lists, ahead int) view.Tally {
	n := &r.counts
	t := view.Tally{Task: r.task, Began: r.started, Took: tookOf(r, now), Fetched: int(n.fetched.Load()), Unchanged: int(n.unchanged.Load()), Missed: n.failed.Missed(),
		Pages: max(0, r.Store.Counts().Pages-r.pagesBefore), Lists: max(0, lists-r.curve.Before), Changed: int(n.changed.Load()), Lacking: int(n.lacking.Load()), Unmatched: int(n.unmatched.Load()), Patterns: seeds.KindOfPatterns(r.Settings().Harvest.Patterns), Blind: r.Topic.State().Empty(),
		ToVisit: int(n.lists.Load()), NotDue: n.notDue.Load().Value(), Ahead: ahead, Open: r.task != view.Harvest, Bound: int(r.bound()), Pace: r.pace.now()}
	if t.Bound > 0 && t.Fetched+t.Ahead >= t.Bound {
		t.Ahead, t.Open = max(0, t.Bound-t.Fetched), false
	}
	if r.task == view.Harvest {
		t.Visited, t.GaveUp = int(n.visited.Load()), int(n.gaveUp.Load())
	}
	t.Reasons, t.Retries = n.failed.reasons()
	t.Errors = view.Kinds(t.Reasons)
	t.Unlisted = n.unlisted(t.Lists)
	t.Notices, t.Withdrawn = n.notices.count()
	t.Deadline, _ = r.ctx.Deadline()
	return t
}

// unlisted returns by how many lists is smaller than the highest number it was given.
func (n *counts) unlisted(lists int) int {
	for {
		most := n.mostLists.Load()
		if int64(lists) <= most {
			return int(most) - lists
		}
		if n.mostLists.CompareAndSwap(most, int64(lists)) {
			return 0
		}
	}
}

// tally counts what a commit says of a request and nothing else does. What is read again
// from the store does not count, unless nothing else is read.
func (n *counts) tally(c *store.Capture, t *tag, stored bool) {
	if !t.asked && !stored {
		return
	}
	if t.asked && c.Unchanged {
		n.unchanged.Add(1)
	}
	if t.list != nil && t.list.page == 1 {
		n.visited.Add(1)
	}
}

// newNotices counts the notices that a run brings. What a discovery sends for while it goes
// on may be taken back at its end: it counts only while its list is judged to be one, so
// that the number told is the one that the end would come to. The zero value is none; it is
// safe for concurrent use.
type newNotices struct {
	mu      sync.Mutex
	came    int
	strayed int // of them, those whose list is none now, or that were taken back
	copies  int // not in strayed: those of a copy of the list whose own notices are still to come
	back    int // of the strayed and of notices of earlier runs, those that no list announces: withdrawn
}

// add counts one that has come.
func (n *newNotices) add() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.came++
	if n.copies > 0 { // it replaces one
		n.copies--
		n.strayed++
	}
}

// weigh says how many of those that came are on no list now, how many on a copy of one, and
// how many notices are withdrawn.
func (n *newNotices) weigh(strayed, copies, back int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.strayed, n.copies, n.back = strayed, copies, back
}

// count returns how many new notices there are, and how many notices are withdrawn because
// their list no longer qualifies.
func (n *newNotices) count() (fresh, withdrawn int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.came - n.strayed, n.back
}

// stray is how many notices are stored that the run does not count.
func (n *newNotices) stray() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.strayed
}

// tookOf is how long the run has been fetching.
func tookOf(r *Run, now time.Time) time.Duration {
	return max(0, now.Sub(r.started)-time.Duration(r.began.Load())) // without the wait for the dictionary
}
