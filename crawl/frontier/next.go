package frontier

import (
	"context"
	"slices"
	"time"
)

// Next hands out the best entry whose host may be fetched now and leases it to
// the caller until Done. It blocks while every such host rests or is busy, while
// the only entries left are being read from disk, and while the frontier is
// paused. It returns ErrDrained when there is nothing left to wait for, ErrResting
// when waiting is not worth it, ErrBacklog (wrapped with the cause) when the disk
// fails, and ctx's error when ctx ends first; then nothing is leased. Callers are
// served in the order they came.
func (f *Frontier) Next(ctx context.Context) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	w := &waiter{ch: make(chan grant, 1)}
	f.mu.Lock()
	f.waiters = append(f.waiters, w)
	f.dispatch()
	f.mu.Unlock()

	select {
	case g := <-w.ch:
		return f.take(g)
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if i := slices.Index(f.waiters, w); i >= 0 {
		f.waiters = slices.Delete(f.waiters, i, i+1)
		f.dispatch() // the alarm may have no one left to wake
	} else if g := <-w.ch; g.err == nil {
		// Handed out in the same moment: take it back as if it never left.
		f.unlease(g.slot)
		f.dispatch()
	}
	return Entry{}, ctx.Err()
}

func (f *Frontier) take(g grant) (Entry, error) {
	if g.err != nil {
		return Entry{}, g.err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.entry(g.slot), nil
}

// Pause stops handing out; what is in flight goes on.
func (f *Frontier) Pause() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.paused, f.tokens = true, 0
	f.dispatch()
}

// Resume hands out again and forgets steps left over. A backlog that failed is
// tried again.
func (f *Frontier) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.paused, f.tokens, f.broken = false, 0, nil
	f.dispatch()
}

// Step lets n more entries pass while paused; politeness still holds. It does
// nothing while running.
func (f *Frontier) Step(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.paused && n > 0 {
		f.tokens += n
		f.dispatch()
	}
}

// dispatch serves as many waiters as it can and sets the alarm for the others.
// Every change of the frontier ends with it.
func (f *Frontier) dispatch() {
	f.rouse()
	if len(f.waiters) == 0 {
		f.setAlarm(0)
		return
	}
	f.wake()
	for len(f.waiters) > 0 && len(f.ready) > 0 && f.open() {
		f.grant(grant{slot: f.lease()})
	}
	for err := f.over(); err != nil && len(f.waiters) > 0; {
		f.grant(grant{err: err})
	}
	at := int64(0)
	if len(f.waiters) > 0 && f.open() {
		at = f.nextChange()
	}
	f.setAlarm(at)
}

// over says why nobody need wait any more; nil = there is something to wait for.
func (f *Frontier) over() error {
	switch {
	case len(f.ready) > 0:
	case f.broken != nil:
		return f.broken
	case len(f.leases) > 0:
	case f.waiting == 0 || f.closed && f.waiting == f.parked:
		return ErrDrained
	case f.cfg.Patience > 0 && !f.paused && f.well == 0 && len(f.wanting) == 0 && !f.clerking:
		if at := f.nextChange(); at > f.now()+int64(f.cfg.Patience) {
			return ErrResting
		}
	}
	return nil
}

func (f *Frontier) open() bool { return !f.paused || f.tokens > 0 }

func (f *Frontier) grant(g grant) {
	w := f.waiters[0]
	f.waiters[0] = nil
	f.waiters = f.waiters[1:]
	w.ch <- g
}

// wake moves retries and hosts whose time has come to where they are handed out.
func (f *Frontier) wake() {
	now := f.now()
	for len(f.later) > 0 && f.later[0].at <= now {
		s := f.later[0].s
		f.dequeue(s)
		f.enqueue(s)
	}
	for len(f.resting) > 0 && f.resting[0].next <= now {
		h := f.resting[0]
		f.unplace(h)
		f.placeAt(h, now)
	}
}

// nextChange is when time alone will make something ready; 0 = never.
func (f *Frontier) nextChange() int64 {
	at := int64(0)
	if len(f.resting) > 0 {
		at = f.resting[0].next
	}
	if len(f.later) > 0 && (at == 0 || f.later[0].at < at) {
		at = f.later[0].at
	}
	return at
}

// lease takes the best ready entry.
func (f *Frontier) lease() slot {
	h := f.ready[0]
	f.unplace(h)
	q := h.queues[h.at]
	s := heapRemove(&q.heap, 0, byPriority{f})
	if q.tail != nil && q.tail.credit > 0 {
		q.tail.credit--
	}
	f.waiting--
	f.queued--
	f.items[s].where = inFlight
	l := lease{next: h.next, turn: h.turn, step: f.paused}
	if l.step {
		f.tokens--
	}
	h.turn = h.at + 1
	f.occupy(h)
	l.set = h.next
	f.leases[s] = l
	return s
}

// occupy counts a fetch that begins and places the host.
func (f *Frontier) occupy(h *host) {
	h.busy++
	if f.cfg.PerHost > 1 {
		if next := f.now() + int64(h.delay(&f.cfg)); next > h.next {
			h.next, h.why = next, Politeness
		}
	}
	f.place(h)
}

// vacate undoes occupy: the host's turn is as if nothing had been leased. The
// host is not placed.
func (f *Frontier) vacate(h *host, l lease) {
	f.unplace(h)
	h.busy--
	h.turn = l.turn
	if h.next == l.set { // no other fetch began or ended meanwhile
		h.next = l.next
	}
	if l.step && f.paused {
		f.tokens++
	}
}

// unlease undoes lease.
func (f *Frontier) unlease(s slot) {
	h := f.hostOf(s)
	f.vacate(h, f.leases[s])
	delete(f.leases, s)
	f.place(h)
	f.enqueue(s)
}

// setAlarm makes dispatch run at a time; 0 stops the alarm.
func (f *Frontier) setAlarm(at int64) {
	if at == f.alarmAt {
		return
	}
	if f.alarm != nil {
		f.alarm()
		f.alarm = nil
	}
	f.alarmAt = at
	if at == 0 {
		return
	}
	f.alarm = f.cfg.AfterFunc(time.Duration(max(at-f.now(), 0)), func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.alarmAt == at { // else a newer alarm is set
			f.alarmAt, f.alarm = 0, nil
			f.dispatch()
		}
	})
}
