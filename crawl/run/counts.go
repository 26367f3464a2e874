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

// figures counts the work of a run.
type figures struct {
	fetched   int // completed fetches
	missed    int // fetches without a page
	committed int // captures
	pages     int // captures with a changed or new page
	unchanged int
	changed   int // notices whose text changed
	lacking   int // lists with missing entries
	skipped   int // records whose URLs may not be requested
	unmatched int // records that the title patterns exclude

	// Only a harvest sets these.
	lists   int // lists to visit
	visited int
	gaveUp  int // lists whose visit failed
	absent  int // notices without a stored page, in a harvest of stored pages
	notDue  *revisit.NotDue

	// URLs by the result of their last fetch.
	failed  map[store.FailureKind]int
	retries int // URLs that wait for a retry

	// New notices. A discovery may withdraw provisional notices at its end. A notice therefore
	// counts only while its list qualifies, so the count shown equals the count at the end.
	newNotices int
	orphans    int // new notices that no qualifying list announces now, or that were withdrawn
	copies     int // not in orphans: new notices of a duplicate list that the final part reads again
	withdrawn  int // withdrawn notices: orphans and notices of earlier runs that no list announces

	pace pace
}

// counts holds the counts of a run. Its methods are safe for concurrent use.
type counts struct {
	mu sync.Mutex // guards what follows
	figures
	failures map[uint64]urlFailure
	later    map[uint64]int64 // retry times of URLs left to a later run, in Unix seconds
	short    map[uint64]bool  // ids of the lists counted in lacking
	maxLists int              // highest Tally.Lists so far
}

// urlFailure is the failure of a URL's last fetch.
type urlFailure struct {
	kind  store.FailureKind
	waits bool // true = waits for a retry; false = given up
}

// add adds by to one count.
func (n *counts) add(figure *int, by int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	*figure += by
}

// value returns one count.
func (n *counts) value(figure *int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return *figure
}

// now returns a copy of all counts.
func (n *counts) now() figures {
	n.mu.Lock()
	defer n.mu.Unlock()
	f := n.figures
	f.failed = maps.Clone(f.failed)
	return f
}

// commit counts a capture. A page read from the store counts as a visit only if stored is set.
// lacking means that entries of the list are missing.
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
		n.newNotices++
		if n.copies > 0 { // replaces a copy
			n.copies--
			n.orphans++
		}
	}
	if t.returned {
		delete(n.later, c.ID)
	}
}

// fail updates the failure counts from a URL's stored row. asked means that the run fetched the
// URL. The caller holds the lock.
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

// reopen removes a URL from the failures when an analyst retries it.
func (n *counts) reopen(u *store.URL) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.fail(u, false)
	delete(n.later, u.ID)
}

// setNotDue keeps the lists that are not due.
func (n *counts) setNotDue(notDue *revisit.NotDue) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notDue = notDue
}

// postpone leaves a URL to a later run, at its retry time.
func (n *counts) postpone(id uint64, at time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.later[id] = at.Unix()
}

// postponed returns the number of URLs left to a later run and the earliest retry time; zero if
// there is none.
func (n *counts) postponed() (urls int, first time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.later) > 0 {
		first = time.Unix(slices.Min(slices.Collect(maps.Values(n.later))), 0)
	}
	return len(n.later), first
}

// setOrphans sets the numbers of orphans, copies and withdrawn notices.
func (n *counts) setOrphans(strayed, copies, back int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.orphans, n.copies, n.withdrawn = strayed, copies, back
}

// addPace updates the pace of the run and returns the time of its last progress.
func (n *counts) addPace(now time.Time) time.Time {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pace.add(now, n.fetched, n.fetched+n.committed)
}

// unlisted returns by how many lists the number of lists fell below its maximum.
func (n *counts) unlisted(lists int) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.maxLists = max(n.maxLists, lists)
	return n.maxLists - lists
}

// Tally returns the counts of the run. lists is the number of known aggregation pages. It never
// blocks on the network or the writer.
func (r *Run) Tally(lists int) view.Tally { return r.tally(r.Now(), lists, 0) }

// tally is Tally at time now. ahead counts URLs in the frontier and in flight.
func (r *Run) tally(now time.Time, lists, ahead int) view.Tally {
	n := r.counts.now()
	_, bound := r.limits()
	t := view.Tally{Task: r.task, Began: r.started, Took: r.took(now), Fetched: n.fetched, Unchanged: n.unchanged,
		Missed: n.missed, Pages: max(0, r.Store.Counts().Pages-r.pagesBefore), Lists: max(0, lists-r.curve.Before),
		Changed: n.changed, Lacking: n.lacking, Unmatched: n.unmatched, Notices: n.newNotices - n.orphans,
		Withdrawn: n.withdrawn,
		Patterns:  seeds.KindOfPatterns(r.Settings().Harvest.Patterns), Blind: r.Topic.State().Empty(),
		Reasons: n.failed, Retries: n.retries, Errors: view.Kinds(n.failed),
		ToVisit: n.lists, NotDue: n.notDue.Value(), Ahead: ahead, Open: r.Ranks(), Bound: bound, Pace: n.pace.shown}
	if x := r.recall.Load(); x != nil {
		t.Recall = *x
	}
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

// took returns how long the run has been fetching.
func (r *Run) took(now time.Time) time.Duration {
	return max(0, now.Sub(r.started)-time.Duration(r.began.Load())) // excludes loading the dictionary
}
