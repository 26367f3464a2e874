// Package frontier decides which waiting URL is fetched next and when: a schedule over the stored
// URLs, after Mercator (Heydon and Najork 1999). Every host has a queue ordered by class and
// priority, or several that take turns. Hosts that may be fetched now are in one heap by the rank
// of their best entry, pausing hosts in another by the end of their pause. So the best permitted
// entry is always on top. A push, a hand-out or a release costs a few comparisons, whatever the
// size.
//
// An entry in memory costs under 100 bytes. With a backlog only the heads of the queues are in
// memory. The tails are on disk, where an entry costs three bytes of memory. One goroutine, the
// spiller, writes and refills in batches beside the workers. A host costs about 500 bytes and at
// most 16 entries. Time is injected, so a stored crawl can be replayed at any speed.
//
// Frontier itself is only the lock and the hand-out. The locked parts are layers, each of which
// knows only those below it: an arena of entries and a tally of them; the record of entries on
// disk; the hosts and their turns; the pool of all waiting entries; the leases of entries in
// flight; the spiller.
//
// The end of a run needs care, because a page in flight may still add entries. errDrained comes
// only when nothing waits, in memory or on disk, and nothing is in flight. Push the links of a page
// before its Done. Release frees the host earlier, when the fetch has ended.
//
// P0 … P4: see docs/papers.md.
package frontier

import (
	"errors"
	"sync"
	"time"

	"angler/crawl/fetch"
)

// errDrained is returned by Next if nothing waits within the depth limit, now or later, and nothing
// is in flight.
var errDrained = errors.New("frontier drained: nothing waits and nothing is in flight")

// errResting is returned by Next if nothing is in flight and all entries wait for hosts that fail
// or throttle and pause for longer than Config.Patience. These entries are left to a later run.
var errResting = errors.New("frontier at rest: all that is left waits for hosts that do not answer")

// Config configures a Frontier.
type Config struct {
	// Limiter keeps the pauses of hosts and the time; nil = a new one without pauses.
	Limiter *fetch.HostLimiter

	// Single allows one URL of a host at a time, whatever the host's pace.
	Single bool

	// Ahead bounds how far fetches of a host run ahead of the links of its pages. At most 1/Ahead
	// of the host's pages so far are between Next and Done, and PerHost at least; 0 = no bound.
	Ahead int

	// Share is the fraction of hand-outs that are errands if both errands and links wait, see
	// Errands.
	Share float64

	// Poor is the priority below which an Ordinary entry promises less than an errand. Such a link
	// gives two of three turns to errands.
	Poor float64

	// Patience is how long Next waits if only hosts that fail or throttle are left; 0 = without
	// limit. Next always waits for normal pauses and Crawl-delays.
	Patience time.Duration

	// Backlog keeps the entries beyond Budget on disk (0 = defaultBudget); nil = all stay in
	// memory. Budget is a goal. Every queue keeps up to 16 entries, up to four times Budget may be
	// on their way to disk (24 bytes each), and retries do not count.
	Backlog backlogFile
	Budget  int

	// Score ranks an entry read back from disk, as in Rescore, because its stored rank may be old;
	// nil keeps the stored rank. One goroutine calls it without a lock; it must not wait for a
	// Push.
	Score scorer
}

// scorer returns the present class and priority of an entry; keep = false removes it from the
// frontier.
type scorer func(id uint64, old Entry) (class int8, priority float64, keep bool)

// defaultBudget is the default of Config.Budget: about 20 MB.
const defaultBudget = 200_000

// Frontier is the schedule. All methods are safe for concurrent use. Only Next blocks; with a
// backlog Push also waits while the disk is far behind.
type Frontier struct {
	cfg       Config
	rescoring sync.Mutex // serializes Rescore; locked before mu

	clock *fetch.Clock

	mu      sync.Mutex // guards the fields below
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
	f.disk = disk{arena: &f.arena, tally: &f.tally, spilled: make(spilledTable), off: cfg.Backlog == nil,
		budget: cfg.Budget}
	f.hosts = hosts{cfg: &f.cfg, clock: f.clock, arena: &f.arena, disk: &f.disk, byName: make(map[string]*host),
		freed: f.freed}
	f.pool = pool{arena: &f.arena, tally: &f.tally, disk: &f.disk, hosts: &f.hosts, shedAt: cfg.Budget}
	f.leases = leases{arena: &f.arena, hosts: &f.hosts, pool: &f.pool, gate: &f.gate,
		open: make(map[slot]lease)}
	f.spiller = spiller{backlog: cfg.Backlog, score: cfg.Score, lock: &f.mu, arena: &f.arena, disk: &f.disk,
		pool: &f.pool, changed: f.dispatch}
	f.spiller.turned.L = &f.mu
	return f
}

// Close ends the use of the backlog, which may be closed afterwards; entries on disk are no longer
// handed out. Call it after the last lease has ended.
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

// Push adds entries. A waiting entry with the same ID gets the new class, priority and depth. It
// keeps its order of arrival, unless it is on disk, and its retry time. An entry in flight is
// unchanged. With a backlog Push waits while the disk is far behind.
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

// Retry schedules e for a hand-out not before at. For an entry in flight, called before its Done,
// it takes effect at Done. A waiting entry is moved; an unknown one is added.
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

// Spare is Release for an entry that needed no request: the host's pause, turns and step are
// restored.
func (f *Frontier) Spare(e Entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.spare(s)
		f.dispatch()
	}
}

// Release reports the end of a fetch: the host may be fetched again after its pause. The lease
// stays open until Done, because the page's links are pushed only after its commit. A second
// Release does nothing.
func (f *Frontier) Release(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.release(s, o)
		f.dispatch()
	}
}

// Done ends the lease of an entry, and releases its host if Release was not called. Before it, push
// the links of the page, and call Retry if the entry is to be fetched again. A second Done for the
// same entry does nothing.
func (f *Frontier) Done(e Entry, o Outcome) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if s, ok := f.leases.of(e.ID); ok {
		f.leases.end(s, o)
		f.dispatch()
	}
}

// Len returns the number of entries within the depth limit, now or later.
func (f *Frontier) Len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tally.waiting
}

// Repace applies changed paces of hosts. It costs one pass over all hosts. Entries in flight are
// unaffected.
func (f *Frontier) Repace() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refresh(func(string) bool { return true })
}

// refresh reads the limiter's status of the hosts that match. The caller holds the lock.
func (f *Frontier) refresh(match func(host string) bool) {
	for _, h := range f.hosts.all {
		if match(h.name) {
			f.hosts.update(h, h.limit.Status())
		}
	}
	f.dispatch()
}

// freed reads the status of a host that became free, in its own goroutine.
func (f *Frontier) freed(h *host) {
	f.cfg.Limiter.AfterFunc(0, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.hosts.update(h, h.limit.Status())
		f.dispatch()
	})
}

// Remove removes a waiting entry and reports whether there was one. An entry in flight stays until
// its Done. Only ID, Host and Queue of e are used.
func (f *Frontier) Remove(e Entry) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.spiller.makeRoom()
	defer f.dispatch()
	return f.pool.remove(&e)
}

// SetDepth sets the depth limit; negative = none. Deeper entries stay, counted as beyond, and
// return if the limit rises. It costs one pass over all entries in memory and all hosts.
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
