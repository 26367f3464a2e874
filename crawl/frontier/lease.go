package frontier

import "angler/crawl/fetch"

// lease is the state of an entry in flight.
type lease struct {
	retry    int64 // retry time; 0 = none
	released bool  // its fetch has ended
	permit   fetch.Permit
	turn     uint16 // turn of its host before it
	step     bool   // it used a token of Step
	owed     turns  // owed of its host before it
	owedAll  turns  // owed of all hosts before it
}

// maxDeferred bounds consecutive leases given back without a fetch, so that falling scores cannot
// block the workers.
const maxDeferred = 64

// leases holds the entries in flight: handed out and not done.
type leases struct {
	arena *arena
	hosts *hosts
	pool  *pool
	gate  *gate

	open     map[slot]lease
	deferred int // consecutive leases given back
}

// begin leases the best ready entry, which must exist. It returns false if the limiter refuses its
// host, which then rests.
func (ls *leases) begin() (s slot, ok bool) {
	l := lease{owedAll: ls.hosts.owed}
	h, errand, was := ls.hosts.choose(len(ls.gate.waiters))
	ls.hosts.unplace(h)
	l.owed, l.turn = was, h.turn
	q, at := h.errands, h.at
	if !errand {
		q = h.queues[at]
		h.turn = at + 1
	}
	s = ls.pool.take(q)
	if l.permit, ok = ls.hosts.occupy(h); !ok {
		h.turn, h.owed, ls.hosts.owed = l.turn, l.owed, l.owedAll
		ls.pool.enqueue(s)
		return s, false
	}
	l.step = ls.gate.spend()
	ls.open[s] = l
	return s, true
}

// of returns the slot of an entry in flight.
func (ls *leases) of(id uint64) (slot, bool) {
	s, known := ls.arena.byID[id]
	return s, known && ls.arena.items[s].where == inFlight
}

// retry sets the retry time of a leased entry.
func (ls *leases) retry(s slot, at int64) {
	l := ls.open[s]
	l.retry = max(at, 1)
	ls.open[s] = l
}

// release frees the host of a leased entry, once.
func (ls *leases) release(s slot, o Outcome) {
	l := ls.open[s]
	if l.released {
		return
	}
	l.released = true
	ls.open[s] = l
	ls.settle(s, o)
}

func (ls *leases) settle(s slot, o Outcome) {
	ls.deferred = 0
	ls.hosts.settle(ls.hosts.of(s), o)
}

// end closes a lease. The entry is forgotten or waits for its retry.
func (ls *leases) end(s slot, o Outcome) {
	l := ls.open[s]
	if !l.released {
		ls.settle(s, o)
	}
	delete(ls.open, s)
	h := ls.hosts.of(s)
	if l.retry != 0 {
		ls.pool.postpone(s, l.retry)
	} else {
		ls.arena.forget(s)
	}
	waits := ls.hosts.ahead(h)
	if h.open--; waits {
		ls.hosts.unplace(h)
		ls.hosts.place(h)
	}
}

// spare frees the host of a leased entry that needed no request, and restores the host's turn.
func (ls *leases) spare(s slot) {
	l := ls.open[s]
	if l.released {
		return
	}
	l.released = true
	ls.open[s] = l
	h := ls.hosts.of(s)
	ls.vacate(h, l)
	h.open++ // until its end
	ls.hosts.place(h)
}

// fetching counts the leases whose fetch has not ended.
func (ls *leases) fetching() (n int) {
	for _, l := range ls.open {
		if !l.released {
			n++
		}
	}
	return n
}

// vacate restores the host's state from before a lease. It does not place the host.
func (ls *leases) vacate(h *host, l lease) {
	ls.hosts.unplace(h)
	h.busy--
	h.open--
	h.turn = l.turn
	h.owed, ls.hosts.owed = l.owed, l.owedAll
	h.look(h.limit.Cancel(l.permit))
	if l.step {
		ls.gate.refund()
	}
}

// undo takes back an entry that the caller did not receive.
func (ls *leases) undo(s slot) {
	h := ls.hosts.of(s)
	ls.vacate(h, ls.open[s])
	delete(ls.open, s)
	ls.hosts.place(h)
	ls.pool.enqueue(s)
}

// giveBack makes a leased entry wait again with a new rank if another one that may be handed out
// now is better. It reports whether it did.
func (ls *leases) giveBack(s slot, class int8, priority float64) bool {
	l := ls.open[s]
	if l.released || l.retry != 0 {
		return false
	}
	it := &ls.arena.items[s]
	m := mark{finite(priority), it.seq, class}
	if !it.mark().above(m) || ls.deferred >= maxDeferred {
		ls.deferred = 0
		return false
	}
	h := ls.hosts.of(s)
	turn := h.turn
	ls.vacate(h, l)
	h.turn = turn // or the same queue would hand it out again
	ls.hosts.place(h)
	ls.pool.wake()
	if !ls.gate.open() || !ls.hosts.ripe() || len(ls.hosts.ready) == 0 ||
		!ls.arena.items[ls.hosts.ready[0].head].mark().above(m) {
		ls.deferred = 0
		ls.hosts.unplace(h)
		if p, ok := ls.hosts.occupy(h); ok { // else another sender uses the host
			if l.permit = p; l.step {
				ls.gate.spend()
			}
			ls.open[s] = l
			return false
		}
	}
	ls.deferred++
	delete(ls.open, s)
	it.rank(m)
	ls.pool.enqueue(s)
	return true
}

// Defer gives a lease back with a new, lower rank if another entry that may be handed out now is
// better. If it returns true, e waits again and the caller calls Next. The host's pause and counts
// are untouched; its turn is that of its next queue. Otherwise the lease stays with its old class
// and priority, and the caller fetches e. A link order uses it to check a rank again before a
// fetch. Entries that wait on disk only do not count.
func (f *Frontier) Defer(e Entry, class int8, priority float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.leases.of(e.ID)
	if !ok {
		return false
	}
	if !f.leases.giveBack(s, class, priority) {
		f.spiller.start() // its host was checked and may need a refill
		return false
	}
	f.dispatch()
	return true
}
