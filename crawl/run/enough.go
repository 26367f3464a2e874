package run

import (
	"math"

	"angler/crawl/linkorder"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
)

// This file estimates which share of the lists a discovery has fetched, and ends it at the share that Options.Until
// names.
//
// The judge's θ and word weights move while pages come, so a verdict at the time of the fetch is poor evidence. The
// estimate asks the present judge about all captured pages instead. It also counts lists that score close below θ,
// because a crawl reads pages near the topic first. Their words therefore look common, and all scores are too low
// until the other pages are there.
//
// The URLs that wait are grouped by shape, because most of them are often notices of one shape that brought no list so
// far. See evidence.missing for the lists among and behind them. Where few URLs wait, because each page shows few new
// addresses, the growth of the last third of the pages adds to them. Hosts that were never asked count on their own.
//
// An estimate follows whenever a twentieth of the captured pages more are committed. It takes a pass over the scores
// and the order of capture, so a page costs O(1).

// evidence is what a discovery knows when it estimates.
type evidence struct {
	pages   int   // captured
	waiting int   // URLs that wait
	grown   int   // pages among the last third that did not wait when it began
	ended   bool  // nothing is in flight
	finds   []int // places of the lists in the order of capture, from 0
	shapes  []shapeEvidence
	asked   int // hosts of which a page was fetched or given up
	yielded int // of asked: hosts with a list
	unasked int // hosts that only wait
}

// shapeEvidence counts the URLs of a shape, see linkorder.ShapeHash.
type shapeEvidence struct{ waiting, asked, finds int }

// Minimum evidence of an estimate, until a run has ended and no URL waits.
const (
	leastPages    = 50
	leastFinds    = 10  // fewer finds count as one
	leastPagesFew = 200 // with fewer finds
)

// priorAsked is the number of asked URLs for which the rate of all pages stands in the rate of a shape.
const priorAsked = 5

// recentShare divides the pages into those that tell the rate of finds, and older ones.
const recentShare = 3

// share returns the estimated share of the lists that are found; 0 without enough evidence. With fewer than ten lists,
// one more would break any promise. The share is then that of a single list: .95 leaves 1 in 19 that one is missing.
func (e *evidence) share() float64 {
	found := float64(len(e.finds))
	switch {
	case found == 0:
		return 0
	case e.ended && e.waiting == 0 && e.unasked == 0:
		return 1
	case found < leastFinds:
		if e.pages < leastPagesFew {
			return 0
		}
		found = 1
	case e.pages < leastPages:
		return 0
	}
	return found / (found + e.missing())
}

// missing returns the expected number of lists that were not fetched: among the URLs that wait, and behind them. The
// order of links puts the best first, so the rate of finds is that of the last third of the pages. It holds for what
// lies behind. Each shape of URLs has a rate of its own, drawn towards that of the last third and half a find more.
func (e *evidence) missing() float64 {
	recent, late := e.pages/recentShare, 0
	for _, at := range e.finds {
		if at >= e.pages-recent {
			late++
		}
	}
	behind := float64(late) / float64(recent)
	rate := (float64(late) + .5) / float64(recent)
	expected, waiting := 0., 0
	for _, s := range e.shapes {
		expected += float64(s.waiting) * (float64(s.finds) + priorAsked*rate) / float64(s.asked+priorAsked)
		waiting += s.waiting
	}
	among := rate
	if waiting > 0 {
		among = expected / float64(waiting)
	}
	missing := (among+behind)*float64(e.waiting) + rate*float64(max(0, e.grown-e.waiting))
	return missing + float64(e.unasked)*(float64(e.yielded)+.5)/float64(e.asked+1)
}

// enough decides when a discovery has found enough. Only the writer's goroutine uses it after begin.
type enough struct {
	hosts   map[string]bool // by name; true = asked
	unasked int
	shapes  map[uint64]*shapeEvidence
	next    int       // pages of the next estimate
	held    int       // estimates in a row that kept the promise
	past    []backlog // at the estimates so far
}

// backlog is the number of URLs that waited when so many pages were captured.
type backlog struct{ pages, waiting int }

// grown returns how many of the newest pages did not wait when they began: those that the backlog of that time cannot
// explain. If the run is younger, it extends the growth since its first estimate to all of them.
func (e *enough) grown(pages, newest int) int {
	if len(e.past) == 0 {
		return 0
	}
	since := e.past[0]
	for _, b := range e.past {
		if b.pages <= pages-newest {
			since = b
		}
	}
	came := pages - since.pages
	if came <= since.waiting {
		return 0
	}
	return (came - since.waiting) * newest / came
}

// met records a URL that waits, or that was fetched or given up (asked).
func (e *enough) met(url string, asked bool) {
	if s := e.shape(url); asked {
		s.asked++
	} else {
		s.waiting++
	}
	e.metHost(urls.HostOf(url), asked)
}

// changed records that a URL was fetched or given up after it waited (wait = -1), or that it waits again (wait = 1).
func (e *enough) changed(url string, wait int) {
	s := e.shape(url)
	s.waiting += wait
	s.asked -= wait
	e.metHost(urls.HostOf(url), wait < 0)
}

// maxShapes bounds the shapes; further ones share a count.
const maxShapes = 1 << 16

// shape returns the counts of a URL's shape.
func (e *enough) shape(url string) *shapeEvidence {
	id := linkorder.ShapeHash(url)
	if e.shapes[id] == nil && len(e.shapes) >= maxShapes {
		id = 0
	}
	s := e.shapes[id]
	if s == nil {
		s = &shapeEvidence{}
		e.shapes[id] = s
	}
	return s
}

func (e *enough) metHost(host string, asked bool) {
	was, known := e.hosts[host]
	switch {
	case known && (was || !asked):
		return
	case known:
		e.unasked--
	case !asked:
		e.unasked++
	}
	e.hosts[host] = asked
}

const (
	estimateEvery = 10 // commits between two estimates, at least
	heldFor       = 2  // estimates in a row that must keep the promise
)

// estimate updates the recall after a commit, and ends the run at Options.Until.
func (r *discoverer) estimate(batch []item, found []store.Admission) {
	if r.task != view.Discovery || r.opt.Under != "" || r.reached.Load() {
		return
	}
	e := &r.found
	for i := range found {
		if found[i].New {
			e.met(found[i].Row.URL, false)
		}
	}
	for _, it := range batch {
		if wait := waitingChange(it); wait != 0 {
			e.changed(it.Tag.before.URL, wait)
		}
	}
	n := r.counts.value(&r.counts.committed)
	if n < e.next || r.Topic.State().Empty() {
		return
	}
	x := r.recallNow(false)
	e.past = append(e.past, backlog{x.Pages, x.Waiting})
	e.next = n + max(estimateEvery, x.Pages/20)
	r.recall.Store(&x)
	if r.opt.Until == 0 || x.Share < r.opt.Until || x.Waiting == 0 { // a run without waiting URLs ends by itself
		e.held = 0
		return
	}
	if e.held++; e.held == heldFor && r.taking.Err() == nil {
		r.reached.Store(true)
		r.Events.Note("info", "stopped: about %s of the lists are found, %d lists in %d pages; %d more pages score close below θ",
			x.Percent(), x.Lists, x.Pages, x.Near)
		r.enough()
	}
}

// estimateEnd updates the recall after the last commit. A run that Options.Until ended keeps the estimate that ended it.
func (r *discoverer) estimateEnd() {
	if r.task != view.Discovery || r.opt.Under != "" || r.reached.Load() || r.Topic.State().Empty() {
		return
	}
	x := r.recallNow(r.ctx.Err() == nil && r.taking.Err() == nil)
	r.recall.Store(&x)
}

// recallNow estimates from all captured pages and the present judge. ended means that nothing is in flight.
func (r *discoverer) recallNow(ended bool) records.RunRecall {
	lists, near := r.Topic.NearLists(nearShare)
	finds := make(map[uint64]bool, len(lists)+len(near))
	hosts := map[string]bool{}
	for _, s := range r.found.shapes {
		s.finds = 0
	}
	for _, ids := range [][]uint64{lists, near} {
		for _, id := range ids {
			finds[id] = true
		}
		_ = r.Store.EachURL(ids, func(u *store.URL) {
			hosts[urls.HostOf(u.URL)] = true
			r.found.shape(u.URL).finds++
		})
	}
	order := r.Order.Captured.Latest(math.MaxInt32)
	x := evidence{pages: len(order), waiting: r.front.Len(), ended: ended, yielded: len(hosts),
		unasked: r.found.unasked}
	for _, s := range r.found.shapes {
		if s.waiting > 0 {
			x.shapes = append(x.shapes, *s)
		}
	}
	x.grown = r.found.grown(x.pages, x.pages/recentShare)
	x.asked = len(r.found.hosts) - x.unasked
	for at, id := range order {
		if finds[id] {
			x.finds = append(x.finds, at)
		}
	}
	return records.RunRecall{At: r.Now(), Share: x.share(), Lists: len(lists), Near: len(near), Pages: x.pages,
		Waiting: x.waiting, Through: ended}
}

// nearShare is the share of θ above which a list counts as close: on the full demo, 97 % of the lists of a full crawl
// score so high after a third of its pages.
const nearShare = .75
