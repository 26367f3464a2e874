package frontier

// maxDeferred leases may be given back in a row without a fetch, so that scores
// that fall at every look cannot keep the workers from fetching.
const maxDeferred = 64

// Defer gives a lease back with a new, lower priority if another entry that may
// be handed out this moment is better than that, and reports whether it did: then
// e waits again, as if it had never been handed out (its host's politeness and
// counts are untouched; the turn is that of the host's next queue), and the caller
// asks Next. Otherwise the lease stays,
// with its old priority, and the caller goes on with it. It is for the re-check
// at the pop: a strategy that has learned since e was ranked looks once more
// before it pays for a fetch. Entries that only wait on disk do not count.
func (f *Frontier) Defer(e Entry, priority float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.leased(e.ID)
	if !ok || f.leases[s].released || f.leases[s].retry != 0 {
		return false
	}
	prio := finite(priority)
	if prio >= f.items[s].prio || f.deferred >= maxDeferred {
		f.deferred = 0
		return false
	}
	h, l := f.hostOf(s), f.leases[s]
	turn := h.turn
	f.vacate(h, l)
	h.turn = turn // or the same queue would hand it out again
	f.place(h)
	f.wake()
	if !f.open() || len(f.ready) == 0 || f.items[f.ready[0].head].prio <= prio {
		f.deferred = 0
		if l.step && f.paused {
			f.tokens--
		}
		f.unplace(h)
		f.occupy(h)
		return false
	}
	f.deferred++
	delete(f.leases, s)
	f.items[s].prio = prio
	f.enqueue(s)
	f.dispatch()
	return true
}
