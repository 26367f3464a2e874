// Package frontier decides which waiting URL is fetched next and when: a
// schedule over what the store keeps, after Mercator (Heydon and Najork 1999).
// Every host has a queue ordered by priority, or several that take turns; hosts
// whose politeness allows a fetch now stand in one heap by the priority of their
// best entry, resting hosts in another by the time they wake. So the best
// permitted entry of all is always on top, and a push, a hand-out or a release
// costs a few comparisons whatever the size.
//
// An entry in memory costs under 100 bytes. With a backlog only the heads of the
// queues are in memory, the tails are on disk, where an entry costs three bytes
// of memory; one goroutine writes and refills in batches beside the workers. A
// host costs some 300 bytes and 16 entries at most. Time is injected, so a stored
// crawl can be replayed at any speed.
//
// The danger is in the end of a run: a page in flight may still add entries, so
// ErrDrained comes only when nothing waits, in memory or on disk, and nothing is
// in flight, and what a page linked to must be pushed before its Done. Release
// frees the host earlier, as soon as the fetch has ended.
package frontier

import (
	"errors"
	"math"
	"sync"
	"time"
)

// ErrDrained is returned by Next when nothing may be handed out any more:
// nothing waits within the depth limit, now or later, and nothing is in flight.
var ErrDrained = errors.New("frontier drained: nothing waits and nothing is in flight")

// ErrResting is returned by Next when nothing is in flight and all that is left
// waits for hosts that fail or asked for mercy and rest for longer than
// Config.Patience. It is left to a later run.
var ErrResting = errors.New("frontier at rest: all that is left waits for hosts that do not answer")

// Entry is one URL to fetch. ID names it, and with it Host and Queue, which never
// change; Host is the unit of politeness (with its port, if it has one); a higher
// Priority goes first, equal ones in the order of their first Push.
type Entry struct {
	ID       uint64 // ids that lie close together cost less memory when they are on disk
	Host     string
	Priority float64 // any number; NaN counts as the lowest
	Depth    int     // links from a seed, 0 … 32 767
	Queue    uint16  // of the host's queues, by an Assignment; they take turns
}

// Outcome says how a fetch went, as far as politeness is concerned.
type Outcome struct {
	Wait       time.Duration // Retry-After: rest the host at least this long; at most an hour
	CrawlDelay time.Duration // what its robots.txt asks for; at most an hour
	Slow       bool          // the host asked for mercy (429, 503): its delay doubles, up to MaxDelay, and shrinks again as fetches succeed; a host that goes on asking rests for longer and longer, up to MaxRest
	Failed     bool          // no usable answer: a host that keeps failing rests for longer and longer, up to MaxRest
}

// Limits of a host's rest.
const (
	MaxWait = time.Hour        // of Outcome.Wait
	MaxRest = 10 * time.Minute // after failures and pleas for mercy
)

// Config sets politeness and clock.
type Config struct {
	// Delay is the least time between the end of a host's fetch and the start
	// of its next; with PerHost > 1, between two starts.
	Delay    time.Duration
	MaxDelay time.Duration // of a host that was slowed down; a minute when 0
	PerHost  int           // fetches in flight on one host; 1 when 0

	// Patience is how long Next waits when nothing is left but hosts that fail or
	// ask for mercy; 0 = for as long as it takes. Plain politeness and Crawl-delay
	// are always waited for.
	Patience time.Duration

	// Backlog keeps what exceeds Budget entries in memory (DefaultBudget when 0);
	// nil keeps all in memory. Budget is a goal: every queue keeps up to 16
	// entries, up to four times as many may be on their way to disk (24 bytes
	// each), retries are not counted.
	Backlog Backlog
	Budget  int

	// Score ranks an entry that comes back from disk, as in Rescore, for its
	// priority there may be old; nil keeps that. It is called by one goroutine,
	// not under a lock, and must not wait for a Push.
	Score func(id uint64, old Entry) (priority float64, keep bool)

	// The clock; time.Now and time.AfterFunc when nil. AfterFunc calls fn once
	// after d, in its own goroutine, unless stop is called first.
	Now       func() time.Time
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// DefaultBudget is Config.Budget unless given: some 20 MB.
const DefaultBudget = 200_000

// Frontier is the schedule. All methods are safe for concurrent use. None but
// Next blocks, except that with a backlog Push waits while the disk is far behind,
// and DropHost until the disk has forgotten the host.
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
	byHost map[string]*host
	queues []*queue

	ready   []*host        // heap: hosts that may be fetched now, by the priority of their best entry
	resting []*host        // heap: hosts with entries whose time has not come, by that time
	later   []delayed      // heap: entries to be retried, by time
	leases  map[slot]lease // entries in flight

	waiting int // entries that may be handed out, now or later
	beyond  int // entries deeper than limit
	well    int // hosts in resting that will be well again by themselves

	// With a backlog.
	away     awayTable
	queued   int      // entries in queues in memory
	parked   int      // entries on disk or on their way that may be handed out
	shedAt   int      // queued above which the worst go to disk
	tails    int      // queues with entries on disk
	wanting  []*queue // to be refilled
	spilling []*queue // with entries to be written
	pending  int      // those entries
	sweeping int      // hosts being dropped
	clerking bool     // the clerk is at work
	closed   bool
	broken   error
	clerk    sync.WaitGroup
	room     sync.Cond // a job of the clerk has ended

	deferred  int        // leases given back in a row
	rescoring sync.Mutex // one Rescore at a time
	paused    bool
	tokens    int // entries that Step lets pass
	waiters   []*waiter
	alarm     func() bool // stops the armed timer; nil = none
	alarmAt   int64
}

// lease is what is to happen with an entry in flight.
type lease struct {
	retry    int64 // when it is to come again, 0 = never
	released bool  // its fetch has ended
	next     int64 // the host's before it,
	set      int64 // and after it
	turn     uint16
	step     bool // it used up a token of Step
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
	if cfg.Budget <= 0 {
		cfg.Budget = DefaultBudget
	}
	f := &Frontier{
		cfg:    cfg,
		base:   cfg.Now(),
		limit:  -1,
		byID:   make(map[uint64]slot),
		byHost: make(map[string]*host),
		leases: make(map[slot]lease),
		away:   make(awayTable),
		shedAt: cfg.Budget,
	}
	f.room.L = &f.mu
	return f
}

// Close ends the use of the backlog, which may be closed afterwards; what is on
// disk is handed out no more. Without a backlog it does nothing.
func (f *Frontier) Close() {
	f.mu.Lock()
	f.closed = true
	f.room.Broadcast()
	f.dispatch()
	f.mu.Unlock()
	f.clerk.Wait()
}

// Push adds entries. An entry whose ID already waits gets the new priority and
// depth and keeps its turn among equals (unless it is on disk: then it gets a new
// one) and its retry time; one in flight is left alone. With a backlog it waits
// while the disk is far behind.
func (f *Frontier) Push(entries ...Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range entries {
		f.makeRoom()
		f.push(&entries[i])
	}
	f.shed()
	f.dispatch()
}

func (f *Frontier) push(e *Entry) {
	depth, prio := clampDepth(e.Depth), finite(e.Priority)
	s, known := f.byID[e.ID]
	if !known {
		q := f.queueOf(e.Host, e.Queue)
		if _, away := f.away.depth(e.ID); away && !f.unpark(q, e.ID) {
			return
		}
		f.seq++
		m := mark{prio, f.seq}
		if f.parks(q, depth, m) {
			f.park(q, e.ID, depth, m)
			return
		}
		f.enqueue(f.alloc(q, e.ID, depth, m))
		return
	}
	it := &f.items[s]
	switch {
	case it.where == inFlight:
	case it.where == isLater:
		it.depth, it.prio = depth, prio
	case it.depth != depth || it.prio != prio:
		f.dequeue(s)
		it.depth, it.prio = depth, prio
		f.enqueue(s)
	}
}

// makeRoom waits until the disk is not too far behind and no host is being
// dropped. Without a backlog it costs nothing.
func (f *Frontier) makeRoom() {
	if f.cfg.Backlog == nil {
		return
	}
	f.shed()
	for (f.pending > 2*f.slack() || f.sweeping > 0) && f.broken == nil && !f.closed {
		f.dispatch() // what was pushed so far is handed out meanwhile
		f.room.Wait()
	}
}

// Retry asks for e to be handed out again, not before at. Called for an entry in
// flight, before its Done, it takes effect with Done; a waiting entry is moved;
// an unknown one is added.
func (f *Frontier) Retry(e Entry, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.makeRoom()
	s, known := f.byID[e.ID]
	switch {
	case !known:
		q := f.queueOf(e.Host, e.Queue)
		if _, away := f.away.depth(e.ID); away && !f.unpark(q, e.ID) {
			return
		}
		f.seq++
		s = f.alloc(q, e.ID, clampDepth(e.Depth), mark{finite(e.Priority), f.seq})
	case f.items[s].where == inFlight:
		l := f.leases[s]
		l.retry = max(f.since(at), 1)
		f.leases[s] = l
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
		f.postpone(s, retry)
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
	l := f.leases[s]
	if l.released {
		return
	}
	l.released = true
	f.leases[s] = l
	f.deferred = 0
	h := f.hostOf(s)
	f.unplace(h)
	h.busy--
	h.settle(o, &f.cfg, f.now())
	f.place(h)
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
