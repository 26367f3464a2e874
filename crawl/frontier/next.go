package frontier

import (
	"context"
	"slices"
	"time"
)

// Next hands out the best entry whose host may be fetched now and leases it to
// the caller until Done. It blocks while every such host rests or is busy, and
// while the frontier is paused; it returns ErrDrained when there is nothing
// left to wait for, and ctx's error when ctx ends first, with nothing leased.
// Callers are served in the order they came.
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

// Resume hands out again and forgets steps left over.
func (f *Frontier) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.paused, f.tokens = false, 0
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
	if len(f.waiters) == 0 {
		f.setAlarm(0)
		return
	}
	f.wake()
	for len(f.waiters) > 0 && len(f.ready) > 0 && f.open() {
		f.grant(grant{slot: f.lease()})
	}
	if f.waiting == 0 && len(f.leases) == 0 {
		for len(f.waiters) > 0 {
			f.grant(grant{err: ErrDrained})
		}
	}
	at := int64(0)
	if len(f.waiters) > 0 && f.open() {
		at = f.nextChange()
	}
	f.setAlarm(at)
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
	s := heapRemove(&h.queue, 0, byPriority{f})
	f.items[s].where = inFlight
	f.waiting--
	f.leases[s] = lease{}
	h.busy++
	if f.cfg.PerHost > 1 {
		h.next = max(h.next, f.now()+int64(h.delay(f.cfg)))
	}
	if f.paused {
		f.tokens--
	}
	f.place(h)
	return s
}

// unlease undoes lease. The delay that PerHost > 1 added at the start stays: a
// lost turn is cheaper than a hasty one.
func (f *Frontier) unlease(s slot) {
	h := f.hosts[f.items[s].host]
	f.unplace(h)
	h.busy--
	delete(f.leases, s)
	f.place(h)
	f.enqueue(s)
	if f.paused {
		f.tokens++
	}
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
