// Package frontier decides which waiting URL is fetched next and when: an
// in-memory schedule over what the store keeps, after Mercator (Heydon and
// Najork 1999). Every host has a queue ordered by priority; hosts whose
// politeness allows a fetch now stand in one heap by the priority of their best
// entry, resting hosts in another by the time they wake. So the best permitted
// entry of all is always on top, and a push, a hand-out or a release costs a
// few comparisons whatever the size.
//
// An entry costs under 100 bytes; a million of them fit into 100 MB. Nothing
// here touches disk or network and time is injected, so a stored crawl can be
// replayed at any speed. The danger is in the end of a run: a page in flight may
// still add entries, so ErrDrained comes only when nothing waits and nothing is
// in flight, and what a page linked to must be pushed before its Done. Release
// frees the host earlier, as soon as the fetch has ended.
package frontier

import (
	"errors"
	"math"
	"strings"
	"sync"
	"time"
)

// ErrDrained is returned by Next when nothing may be handed out any more:
// nothing waits within the depth limit, now or later, and nothing is in flight.
var ErrDrained = errors.New("frontier drained: nothing waits and nothing is in flight")

// Entry is one URL to fetch. ID names it; Host is the unit of politeness (with
// its port, if it has one); a higher Priority goes first, equal ones in the
// order of their first Push.
type Entry struct {
	ID       uint64
	Host     string
	Priority float64 // any number; NaN counts as the lowest
	Depth    int     // links from a seed, 0 … 32 767
}

// Outcome says how a fetch went, as far as politeness is concerned.
type Outcome struct {
	Wait   time.Duration // rest the host at least this long: Retry-After, Crawl-delay; at most an hour
	Slow   bool          // the host asked for mercy (429, 503): its delay doubles, up to MaxDelay, and shrinks again as fetches succeed
	Failed bool          // no usable answer: a host that keeps failing rests for longer and longer, up to MaxRest
}

// Limits of a host's rest.
const (
	MaxWait = time.Hour        // of Outcome.Wait
	MaxRest = 10 * time.Minute // after failures
)

// Config sets politeness and clock.
type Config struct {
	// Delay is the least time between the end of a host's fetch and the start
	// of its next; with PerHost > 1, between two starts.
	Delay    time.Duration
	MaxDelay time.Duration // of a host that was slowed down; a minute when 0
	PerHost  int           // fetches in flight on one host; 1 when 0

	// The clock; time.Now and time.AfterFunc when nil. AfterFunc calls fn once
	// after d, in its own goroutine, unless stop is called first.
	Now       func() time.Time
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Frontier is the schedule. All methods are safe for concurrent use and none
// but Next blocks.
type Frontier struct {
	cfg  Config
	base time.Time // times inside are ns since base, so a monotonic clock stays one

	mu     sync.Mutex
	items  []item // arena; freed slots are in free
	free   []slot
	byID   map[uint64]slot
	seq    uint32
	limit  int // depth limit; negative = none
	hosts  []*host
	byHost map[string]uint32

	ready   []*host        // heap: hosts that may be fetched now, by the priority of their best entry
	resting []*host        // heap: hosts with entries whose time has not come, by that time
	later   []delayed      // heap: entries to be retried, by time
	leases  map[slot]lease // entries in flight

	waiting int // entries that may be handed out, now or later
	beyond  int // entries deeper than limit

	paused  bool
	tokens  int // entries that Step lets pass
	waiters []*waiter
	alarm   func() bool // stops the armed timer; nil = none
	alarmAt int64
}

// lease is what is to happen with an entry in flight.
type lease struct {
	retry    int64 // when it is to come again, 0 = never
	released bool  // its fetch has ended
}

// waiter is one blocked Next. It receives exactly one value, unless it takes
// itself off the list first.
type waiter struct{ ch chan grant }

type grant struct {
	slot slot
	err  error
}

// New returns an empty, running frontier without a depth limit.
func New(cfg Config) *Frontier {
	if cfg.PerHost <= 0 {
		cfg.PerHost = 1
	}
	if cfg.MaxDelay <= 0 {
		cfg.MaxDelay = time.Minute
	}
	cfg.MaxDelay = max(cfg.MaxDelay, cfg.Delay)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.AfterFunc == nil {
		cfg.AfterFunc = func(d time.Duration, fn func()) func() bool { return time.AfterFunc(d, fn).Stop }
	}
	return &Frontier{
		cfg:    cfg,
		base:   cfg.Now(),
		limit:  -1,
		byID:   make(map[uint64]slot),
		byHost: make(map[string]uint32),
		leases: make(map[slot]lease),
	}
}

// Push adds entries. An entry whose ID already waits gets the new priority and
// depth and keeps its turn among equals and its retry time; one in flight is
// left alone.
func (f *Frontier) Push(entries ...Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range entries {
		s, known := f.byID[e.ID]
		if !known {
			s = f.alloc(e)
			f.enqueue(s)
			continue
		}
		it := &f.items[s]
		if it.where == inFlight {
			continue
		}
		depth, prio := clampDepth(e.Depth), finite(e.Priority)
		if it.where == isLater {
			it.depth, it.prio = depth, prio
			continue
		}
		if it.depth == depth && it.prio == prio {
			continue
		}
		f.dequeue(s)
		it.depth, it.prio = depth, prio
		f.enqueue(s)
	}
	f.dispatch()
}

// Retry asks for e to be handed out again, not before at. Called for an entry in
// flight, before its Done, it takes effect with Done; a waiting entry is moved;
// an unknown one is added.
func (f *Frontier) Retry(e Entry, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, known := f.byID[e.ID]
	switch {
	case !known:
		s = f.alloc(e)
	case f.items[s].where == inFlight:
		f.leases[s] = lease{max(f.since(at), 1), f.leases[s].released}
		return
	default:
		f.dequeue(s)
	}
	f.postpone(s, f.since(at))
	f.dispatch()
}

// Release says that the fetch of an entry handed out by Next has ended: its
// host may be fetched again when politeness allows. The lease stays open until
// Done, because links of the page may still be under way to the frontier (they
// are pushed when the page is committed). A second Release does nothing.
func (f *Frontier) Release(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leased(e.ID); ok {
		f.letGo(s, o)
		f.dispatch()
	}
}

// Done ends the lease of what Next handed out, and releases its host if Release
// was not called. Push the entries found on the page first, and call Retry first
// if the entry is to come again. A second Done for the same entry does nothing.
func (f *Frontier) Done(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.leased(e.ID)
	if !ok {
		return
	}
	f.letGo(s, o)
	retry := f.leases[s].retry
	delete(f.leases, s)
	if retry != 0 {
		h := f.hosts[f.items[s].host]
		f.unplace(h)
		f.postpone(s, retry)
		f.place(h)
	} else {
		f.release(s)
	}
	f.dispatch()
}

func (f *Frontier) leased(id uint64) (slot, bool) {
	s, known := f.byID[id]
	return s, known && f.items[s].where == inFlight
}

// letGo frees the host of a leased entry, once.
func (f *Frontier) letGo(s slot, o Outcome) {
	if f.leases[s].released {
		return
	}
	f.leases[s] = lease{f.leases[s].retry, true}
	h := f.hosts[f.items[s].host]
	f.unplace(h)
	h.busy--
	h.settle(o, f.cfg, f.now())
	f.place(h)
}

// Remove takes a waiting entry out and reports whether there was one. An entry
// in flight stays until its Done.
func (f *Frontier) Remove(id uint64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, known := f.byID[id]
	if !known || f.items[s].where == inFlight {
		return false
	}
	f.dequeue(s)
	f.release(s)
	f.dispatch()
	return true
}

// DropHost takes all waiting entries of a host out and returns how many.
func (f *Frontier) DropHost(name string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	hi, known := f.byHost[name]
	if !known {
		return 0
	}
	n := 0
	for s := range f.items {
		it := &f.items[s]
		if it.host == hi && (it.where == inQueue || it.where == isBeyond || it.where == isLater) {
			f.dequeue(slot(s))
			f.release(slot(s))
			n++
		}
	}
	f.dispatch()
	return n
}

// SetDepth sets the depth limit; negative means none. Deeper entries are kept
// and counted as beyond, and come back when the limit rises. It costs one pass
// over all entries.
func (f *Frontier) SetDepth(limit int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if limit < 0 {
		limit = -1
	}
	if limit == f.limit {
		return
	}
	f.limit = limit
	f.rebuild()
	f.dispatch()
}

// Rescore gives every entry that is not in flight the priority score returns,
// as when the strategy is switched. Nothing is handed out in between. score
// sees the entry as it stands and must not call f; it costs one pass over all
// entries.
func (f *Frontier) Rescore(score func(id uint64, old Entry) float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for s := range f.items {
		if it := &f.items[s]; it.where != isFree && it.where != inFlight {
			it.prio = finite(score(it.id, f.entry(slot(s))))
		}
	}
	f.rebuild()
	f.dispatch()
}

// Len returns how many entries wait within the depth limit, now or later.
func (f *Frontier) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waiting
}

// SetDelay changes Config.Delay from the next release of each host on.
func (f *Frontier) SetDelay(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cfg.Delay = max(d, 0)
	f.cfg.MaxDelay = max(f.cfg.MaxDelay, f.cfg.Delay)
}

func (f *Frontier) now() int64                { return f.since(f.cfg.Now()) }
func (f *Frontier) since(t time.Time) int64   { return int64(t.Sub(f.base)) }
func (f *Frontier) moment(ns int64) time.Time { return f.base.Add(time.Duration(ns)) }

// finite makes any number comparable.
func finite(p float64) float64 {
	if math.IsNaN(p) {
		return -math.MaxFloat64
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, p))
}

func clampDepth(d int) int16 { return int16(max(0, min(d, math.MaxInt16))) }

// intern returns the index of a host, adding it if it is new. The name is
// copied: callers cut it out of URLs that should not be kept alive.
func (f *Frontier) intern(name string) uint32 {
	if i, ok := f.byHost[name]; ok {
		return i
	}
	name = strings.Clone(name)
	i := uint32(len(f.hosts))
	f.hosts = append(f.hosts, &host{name: name})
	f.byHost[name] = i
	return i
}
