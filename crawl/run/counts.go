package run

import (
	"maps"
	"slices"
	"sync"
	"time"

	"angler/crawl/revisit"
	"angler/crawl/seeds"
	"angler/crawl/view"
	"angler/store"
)

// figures are what a run has done so far.
type figures struct {
	fetched   int // fetches that ended
	missed    int // fetches that brought no page
	committed int // captures
	pages     int // stored with a page
	unchanged int
	changed   int // notices
	lacking   int // lists that show more than could be followed
	skipped   int // records of lists that may not be asked for
	unmatched int // records that the title patterns leave out

	// Of a harvest.
	lists   int // to visit
	visited int
	gaveUp  int // lists whose visit failed
	absent  int // notices of a harvest of what is stored
	notDue  *revisit.NotDue

	// URLs by their last fetch.
	failed  map[store.FailureKind]int
	retries int // that wait for their next try

	// Notices that are new. Those that a discovery sends for while it goes on may be taken
	// back at its end. So one counts only while its list is judged to be one, and the
	// number told is the one that the end would come to.
	came    int
	strayed int // of them, those whose list is none now, or that were taken back
	copies  int // not in strayed: those of a copy of the list whose own notices are still to come
	back    int // of the strayed and of notices of earlier runs, those that no list announces: withdrawn

	pace pace
}

// counts keep the figures of a run. Its methods are safe for concurrent use.
type counts struct {
	mu sync.Mutex // guards what follows
	figures
	failures map[uint64]urlFailure
	later    map[uint64]int64 // URLs that are left to a later run: Unix seconds when they may be asked again
	short    map[uint64]bool  // the lists of lacking
	most     int              // the highest Tally.Lists so far
}

// urlFailure is how the last fetch of a URL failed.
type urlFailure struct {
	kind  store.FailureKind
	waits bool // for its next try; else it is given up
}

// add raises one of the figures.
func (n *counts) add(figure *int, by int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*figure += by
}

// value returns one of the figures.
func (n *counts) value(figure *int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return *figure
}

// now returns the figures as they stand.
func (n *counts) now() figures {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.figures
	f.failed = maps.Clone(f.failed)
	return f
}

// commit counts a capture. Reading again from the store is no visit, unless the run reads
// nothing else; lacking tells that a list shows more than could be followed.
func (n *counts) commit(it item, stored, lacking bool) {
	c, t := it.Capture, it.Tag
	n.mu.Lock()
	defer n.mu.Unlock()
	n.committed++
	if t.asked && c.Unchanged {
		n.unchanged++
	}
	if (t.asked || stored) && t.list != nil && t.list.page == 1 {
		n.visited++
	}
	row := &store.URL{ID: c.ID, State: c.State, Fails: c.Fails, Retry: c.Retry, Failure: c.Failure}
	n.fail(row, t.before != nil && c.Fails > t.before.Fails)
	if lacking && !n.short[c.ID] {
		n.short[c.ID] = true
		n.lacking++
	}
	if c.Page != nil && !c.Unchanged {
		n.pages++
	}
	switch {
	case c.Notice == nil:
	case c.Before != nil:
		n.changed++
	case !t.renewed:
		n.came++
		if n.copies > 0 { // it replaces one
			n.copies--
			n.strayed++
		}
	}
	if t.returned {
		delete(n.later, c.ID)
	}
}

// fail counts a URL by its stored row. asked tells that the run has fetched it. The lock
// is held.
func (n *counts) fail(u *store.URL, asked bool) {
	if was, ok := n.failures[u.ID]; ok && (asked || !u.Troubled()) {
		n.failing(was, -1)
		delete(n.failures, u.ID)
	}
	if !asked || !u.Troubled() {
		return
	}
	if n.failures == nil {
		n.failures, n.failed = map[uint64]urlFailure{}, map[store.FailureKind]int{}
	}
	x := urlFailure{u.Failure.Kind, u.State == store.Waiting}
	n.failures[u.ID] = x
	n.failing(x, 1)
}

func (n *counts) failing(x urlFailure, by int) {
	if x.waits {
		n.retries += by
	} else {
		n.failed[x.kind] += by
	}
}

// reopen takes up a URL that is tried again because a person asks for it.
func (n *counts) reopen(u *store.URL) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail(u, false)
	delete(n.later, u.ID)
}

// rest notes the lists that are not due.
func (n *counts) rest(notDue *revisit.NotDue) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notDue = notDue
}

// postpone leaves a URL to a later run.
func (n *counts) postpone(id uint64, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.later[id] = at.Unix()
}

// postponed returns how many URLs are left to a later run, and when the first of them may
// be asked; zero when there is none.
func (n *counts) postponed() (urls int, first time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.later) > 0 {
		first = time.Unix(slices.Min(slices.Collect(maps.Values(n.later))), 0)
	}
	return len(n.later), first
}

// weigh says how many of the notices that came are on no list now, how many on a copy of
// one, and how many notices are withdrawn.
func (n *counts) weigh(strayed, copies, back int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.strayed, n.copies, n.back = strayed, copies, back
}

// moved notes the pace of the run and returns when it last got on.
func (n *counts) moved(now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pace.add(now, n.fetched, n.fetched+n.committed)
}

// unlisted returns by how many lists is smaller than the highest number it was given.
func (n *counts) unlisted(lists int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.most = max(n.most, lists)
	return n.most - lists
}

// Tally is what the run has done so far; lists counts the aggregation pages that are
// known. It waits for nothing.
func (r *Run) Tally(lists int) view.Tally { return r.tally(r.Now(), lists, 0) }

// tally is Tally at a time; ahead counts what the frontier holds and what is in flight.
func (r *Run) tally(now time.Time, lists, ahead int) view.Tally {
	n := r.counts.now()
	_, bound := r.limits()
	t := view.Tally{Task: r.task, Began: r.started, Took: r.took(now), Fetched: n.fetched, Unchanged: n.unchanged,
		Missed: n.missed, Pages: max(0, r.Store.Counts().Pages-r.pagesBefore), Lists: max(0, lists-r.curve.Before),
		Changed: n.changed, Lacking: n.lacking, Unmatched: n.unmatched, Notices: n.came - n.strayed, Withdrawn: n.back,
		Patterns: seeds.KindOfPatterns(r.Settings().Harvest.Patterns), Blind: r.Topic.State().Empty(),
		Reasons: n.failed, Retries: n.retries, Errors: view.Kinds(n.failed),
		ToVisit: n.lists, NotDue: n.notDue.Value(), Ahead: ahead, Open: r.Ranks(), Bound: bound, Pace: n.pace.shown}
	if t.Bound > 0 && t.Fetched+t.Ahead >= t.Bound {
		t.Ahead, t.Open = max(0, t.Bound-t.Fetched), false
	}
	if r.task == view.Harvest {
		t.Visited, t.GaveUp = n.visited, n.gaveUp
	}
	t.Unlisted = r.counts.unlisted(t.Lists)
	t.Deadline, _ = r.ctx.Deadline()
	return t
}

// took is how long the run has been fetching.
func (r *Run) took(now time.Time) time.Duration {
	return max(0, now.Sub(r.started)-time.Duration(r.began.Load())) // without the wait for the dictionary
}
