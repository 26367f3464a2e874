// Package frontier decides which waiting URL is fetched next and when: a
// schedule over what the store keeps, after Mercator (Heydon and Najork 1999).
// Every host has a queue ordered by class and priority, or several that take
// turns; hosts whose politeness allows a fetch now stand in one heap by the rank
// of their best entry, resting hosts in another by the time they wake. So the
// best permitted entry of all is always on top, and a push, a hand-out or a
// release costs a few comparisons whatever the size.
//
// An entry in memory costs under 100 bytes. With a backlog only the heads of the
// queues are in memory, the tails are on disk, where an entry costs three bytes
// of memory; one goroutine, the spiller, writes and refills in batches beside the
// workers. A host costs some 500 bytes and 16 entries at most. Time is injected,
// so a stored crawl can be replayed at any speed.
//
// Frontier itself is only the lock and the hand-out. What it locks is built in
// layers, each of which knows only those below it: an arena of entries and a
// tally of them; the record of what is on disk; the hosts and their turns; the
// pool of all that waits; the leases of what was handed out; the spiller.
//
// The end of a run needs care, because a page in flight may still add entries:
// errDrained comes only when nothing waits, in memory or on disk, and nothing
// is in flight. What a page linked to must be pushed before its Done. Release
// frees the host earlier, as soon as the fetch has ended.
//
// P0 … P4: see docs/papers.md.
package frontier

import (
	"errors"
	"sync"
	"time"

	"angler/crawl/fetch"
)

// errDrained is returned by Next when nothing may be handed out any more:
// nothing waits within the depth limit, now or later, and nothing is in flight.
var errDrained = errors.New("frontier drained: nothing waits and nothing is in flight")

// errResting is returned by Next when nothing is in flight and all that is left
// waits for hosts that fail or throttle and rest for longer than
// Config.Patience. It is left to a later run.
var errResting = errors.New("frontier at rest: all that is left waits for hosts that do not answer")

// Config sets politeness and clock.
type Config struct {
	// Limiter keeps the pauses of hosts, and the time; nil = a new one without pauses.
	Limiter *fetch.HostLimiter

	// Single asks for one URL of a host at a time, whatever its pace allows.
	Single bool

	// Ahead bounds how far the fetches of a host run ahead of what its pages link
	// to: between Next and Done are at most a share of 1/Ahead of the host's pages
	// so far, and PerHost at least; 0 = no bound.
	Ahead int

	// Share is how many of a hundred hand-outs are errands where there are both
	// errands and others, as a fraction, see Errands.
	Share float64

	// Poor is the priority below which an entry of the class Ordinary promises less
	// than an errand and gives every second of its turns away.
	Poor float64

	// Patience is how long Next waits when nothing is left but hosts that fail or
	// throttle; 0 = for as long as it takes. Plain politeness and Crawl-delay
	// are always waited for.
	Patience time.Duration

	// Backlog keeps what exceeds Budget entries in memory (defaultBudget when 0);
	// nil keeps all in memory. Budget is a goal: every queue keeps up to 16
	// entries, up to four times as many may be on their way to disk (24 bytes
	// each), retries are not counted.
	Backlog Backlog
	Budget  int

	// Score ranks an entry that comes back from disk, as in Rescore, for its
	// rank there may be old; nil keeps that. It is called by one goroutine,
	// not under a lock, and must not wait for a Push.
	Score Scorer
}

// Scorer returns the class and the priority that an entry has now; when keep is
// false it leaves the frontier.
type Scorer func(id uint64, old Entry) (class int8, priority float64, keep bool)

// defaultBudget is Config.Budget unless given: some 20 MB.
const defaultBudget = 200_000

// Frontier is the schedule. All methods are safe for concurrent use. None but
// Next blocks, except that with a backlog Push waits while the disk is far behind.
type Frontier struct {
	cfg       Config
	rescoring sync.Mutex // one Rescore at a time; taken before mu

	clock *fetch.Clock

	mu      sync.Mutex // guards all that follows
	alarm   alarm
	arena   arena
	tally   tally
	disk    disk
	hosts   hosts
	pool    pool
	gate    gate
	leases  leases
	spiller spiller
}

// New returns an empty, running frontier without a depth limit.
func New(cfg Config) *Frontier {
	if cfg.Limiter == nil {
		cfg.Limiter = fetch.NewHostLimiter(nil, nil, nil)
	}
	if cfg.Budget <= 0 {
		cfg.Budget = defaultBudget
	}
	f := &Frontier{cfg: cfg}
	f.clock = cfg.Limiter.Clock
	f.alarm = alarm{clock: f.clock, after: cfg.Limiter.AfterFunc, ring: f.ring}
	f.arena = arena{byID: make(map[uint64]slot)}
	f.tally = tally{limit: -1}
	f.disk = disk{arena: &f.arena, tally: &f.tally, spilled: make(spilledTable), off: cfg.Backlog == nil, budget: cfg.Budget}
	f.hosts = hosts{cfg: &f.cfg, clock: f.clock, arena: &f.arena, disk: &f.disk, byName: make(map[string]*host), freed: f.freed}
	f.pool = pool{arena: &f.arena, tally: &f.tally, disk: &f.disk, hosts: &f.hosts, shedAt: cfg.Budget}
	f.leases = leases{arena: &f.arena, tally: &f.tally, hosts: &f.hosts, pool: &f.pool, gate: &f.gate, open: make(map[slot]lease)}
	f.spiller = spiller{backlog: cfg.Backlog, score: cfg.Score, lock: &f.mu, arena: &f.arena, disk: &f.disk, pool: &f.pool, changed: f.dispatch}
	f.spiller.turned.L = &f.mu
	return f
}

// Close ends the use of the backlog, which may be closed afterwards; what is on
// disk is handed out no more. It is called after the last lease has ended.
func (f *Frontier) Close() {
	f.mu.Lock()
	f.spiller.close()
	f.dispatch()
	for _, h := range f.hosts.all {
		if h.claim != nil {
			h.limit.Withdraw(h.claim)
		}
		h.limit.Forget()
	}
	f.mu.Unlock()
	f.spiller.running.Wait()
}

// Push adds entries. An entry whose ID already waits gets the new class, priority
// and depth and keeps its turn among equals (unless it is on disk: then it gets a
// new one) and its retry time; one in flight is left alone. With a backlog it
// waits while the disk is far behind.
func (f *Frontier) Push(entries ...Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range entries {
		f.spiller.makeRoom()
		f.pool.push(&entries[i])
	}
	f.pool.shed()
	f.dispatch()
}

// Retry asks for e to be handed out again, not before at. Called for an entry in
// flight, before its Done, it takes effect with Done; a waiting entry is moved;
// an unknown one is added.
func (f *Frontier) Retry(e Entry, at time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spiller.makeRoom()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.retry(s, f.clock.Due(at))
		return
	}
	f.pool.retry(&e, f.clock.Due(at))
	f.dispatch()
}

// Spare is Release for an entry that cost no request: its host's politeness, its
// turns and a step are as if it had never been handed out.
func (f *Frontier) Spare(e Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.spare(s)
		f.dispatch()
	}
}

// Release says that the fetch of an entry handed out by Next has ended: its
// host may be fetched again when politeness allows. The lease stays open until
// Done, because links of the page may still be under way to the frontier (they
// are pushed when the page is committed). A second Release does nothing.
func (f *Frontier) Release(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.release(s, o)
		f.dispatch()
	}
}

// Done ends the lease of what Next handed out, and releases its host if Release
// was not called. Push the entries found on the page first, and call Retry first
// if the entry is to come again. A second Done for the same entry does nothing.
func (f *Frontier) Done(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.end(s, o)
		f.dispatch()
	}
}

// Len returns how many entries wait within the depth limit, now or later.
func (f *Frontier) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tally.waiting
}

// Repace takes up changed paces of hosts. It costs one pass over all hosts. What is in
// flight goes on.
func (f *Frontier) Repace() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lookAgain(func(string) bool { return true })
}

// lookAgain asks the limiter anew for the hosts that match. The lock is held.
func (f *Frontier) lookAgain(match func(host string) bool) {
	for _, h := range f.hosts.all {
		if match(h.name) {
			f.hosts.unplace(h)
			h.look(h.limit.Status())
			f.hosts.place(h)
		}
	}
	f.dispatch()
}

// freed looks again at a host that was not free for us, in a goroutine of its own.
func (f *Frontier) freed(h *host) {
	f.cfg.Limiter.AfterFunc(0, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.hosts.unplace(h)
		h.look(h.limit.Status())
		f.hosts.place(h)
		f.dispatch()
	})
}

// Remove takes a waiting entry out and reports whether there was one. An entry
// in flight stays until its Done. Of e only ID, Host and Queue count.
func (f *Frontier) Remove(e Entry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spiller.makeRoom()
	defer f.dispatch()
	return f.pool.remove(&e)
}

// SetDepth sets the depth limit; negative means none. Deeper entries are kept
// and counted as beyond, and come back when the limit rises. It costs one pass
// over all entries in memory and all hosts.
func (f *Frontier) SetDepth(limit int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	limit = max(limit, -1)
	if limit == f.tally.limit {
		return
	}
	f.tally.limit = limit
	f.pool.rebuild()
	f.pool.shed()
	f.dispatch()
}
