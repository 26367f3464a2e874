package frontier

import "angler/crawl/fetch"

// lease is what is to happen with an entry in flight.
type lease struct {
	retry    int64 // when it is to come again, 0 = never
	released bool  // its fetch has ended
	permit   fetch.Permit
	turn     uint16
	step     bool  // it used up a token of Step
	owed     turns // its host's before it
	owedAll  turns // and that of all hosts
}

// maxDeferred leases may be given back in a row without a fetch, so that scores
// that fall at every look cannot keep the workers from fetching.
const maxDeferred = 64

// leases are the entries in flight: handed out and not done.
type leases struct {
	arena *arena
	tally *tally
	hosts *hosts
	pool  *pool
	gate  *gate

	open     map[slot]lease
	deferred int // leases given back in a row
}

// begin leases the best ready entry, of which there must be one; false = its host may not
// be asked after all, and rests now.
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

// retry notes that a leased entry is to come again.
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

// end closes a lease; the entry is forgotten or waits for its retry.
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

// spare frees the host of a leased entry for which it was not asked: its turn is as
// if nothing had been leased.
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

// vacate undoes what a lease did to its host: its turn is as if nothing had been
// leased. The host is not placed.
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

// undo takes back an entry that was not received, as if it never left.
func (ls *leases) undo(s slot) {
	h := ls.hosts.of(s)
	ls.vacate(h, ls.open[s])
	delete(ls.open, s)
	ls.hosts.place(h)
	ls.pool.enqueue(s)
}

// giveBack makes a leased entry wait again under a new rank if another that may
// be handed out this moment is better, and reports whether it did.
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
	if !ls.gate.open() || !ls.hosts.ripe() || len(ls.hosts.ready) == 0 || !ls.arena.items[ls.hosts.ready[0].head].mark().above(m) {
		ls.deferred = 0
		ls.hosts.unplace(h)
		if p, ok := ls.hosts.occupy(h); ok { // else another has begun to ask the host
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

// Defer gives a lease back with a new, lower rank if another entry that may be
// handed out this moment is better than that, and reports whether it did: then e
// waits again, as if it had never been handed out (its host's politeness and
// counts are untouched; the turn is that of the host's next queue), and the caller
// asks Next. Otherwise the lease stays, with its old class and priority, and the
// caller goes on with it. It is for the re-check at the pop: a strategy that has
// learned since e was ranked looks once more before it pays for a fetch. Entries
// that only wait on disk do not count.
func (f *Frontier) Defer(e Entry, class int8, priority float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.leases.of(e.ID)
	if !ok {
		return false
	}
	if !f.leases.giveBack(s, class, priority) {
		f.spiller.rouse() // its host was looked at, and may want more from disk
		return false
	}
	f.dispatch()
	return true
}
