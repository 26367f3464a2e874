package frontier

import (
	"context"
	"time"
)

// Next hands out the best entry whose host may be fetched now and leases it to the caller until
// Done. It blocks while every such host pauses or is busy, while all entries are being read from
// disk, and while the frontier is paused. The last caller is served first. On an error nothing is
// leased: errDrained if no entry is left, errResting if waiting is not worth it, ErrBacklog
// (wrapped with the cause) if the disk fails, and ctx's error if ctx ends first.
func (f *Frontier) Next(ctx context.Context) (Entry, error) {
	if err := ctx.Err(); err != nil {
		return Entry{}, err
	}
	w := &waiter{ch: make(chan grant, 1)}
	f.mu.Lock()
	f.gate.waiters = append(f.gate.waiters, w)
	f.dispatch()
	f.mu.Unlock()

	select {
	case g := <-w.ch:
		return f.take(g)
	case <-ctx.Done():
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gate.leave(w) {
		f.dispatch() // the alarm may have no waiter left
	} else if g := <-w.ch; g.err == nil {
		// Handed out at the same moment: take it back.
		f.leases.undo(g.slot)
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
	return f.hosts.entry(g.slot), nil
}

// Pause stops handing out; entries in flight are unaffected.
func (f *Frontier) Pause() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate.paused, f.gate.tokens = true, 0
	f.dispatch()
}

// Resume hands out again, drops unused steps and retries a failed backlog.
func (f *Frontier) Resume() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate.paused, f.gate.tokens, f.spiller.broken = false, 0, nil
	f.dispatch()
}

// Step lets n more entries pass while paused, with the usual host pauses. It does nothing while
// running.
func (f *Frontier) Step(n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gate.paused && n > 0 {
		f.gate.tokens += n
		f.dispatch()
	}
}

// Hold stops handing out like Pause, but neither Resume nor Step ends it. Next keeps waiting even
// if nothing is left, because the caller may push entries again. Unhold ends it.
func (f *Frontier) Hold() { f.hold(true) }

// Unhold ends Hold.
func (f *Frontier) Unhold() { f.hold(false) }

func (f *Frontier) hold(on bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate.held = on
	f.dispatch()
}

// Rest pauses a host until a time because it refuses requests. A longer pause stays.
func (f *Frontier) Rest(name string, until time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	h := f.hosts.named(name)
	f.hosts.update(h, h.limit.Rest(until))
	f.dispatch()
}

// Forgive clears the failures of the hosts that match. A pause because of them or of Rest ends now;
// normal delays and the host's own wishes stay.
func (f *Frontier) Forgive(match func(host string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cfg.Limiter.Forgive(match)
	f.refresh(match)
}

// dispatch serves as many waiters as possible and sets the alarm for the others. Every change of
// the frontier ends with it.
func (f *Frontier) dispatch() {
	f.spiller.start()
	if len(f.gate.waiters) == 0 {
		f.alarm.set(0)
		return
	}
	f.pool.wake()
	for len(f.gate.waiters) > 0 && f.gate.open() && f.hosts.any() {
		if s, ok := f.leases.begin(); ok {
			f.gate.hand(grant{slot: s})
		}
	}
	f.spiller.start() // handed-out or woken entries may require a refill
	for err := f.over(); err != nil && len(f.gate.waiters) > 0; {
		f.gate.hand(grant{err: err})
	}
	at := int64(0)
	if len(f.gate.waiters) > 0 && f.gate.open() {
		at = f.pool.nextChange()
	}
	f.alarm.set(at)
}

// ring serves the waiters when the alarm fires.
func (f *Frontier) ring(at int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.alarm.rang(at) { // else a newer alarm is set
		f.dispatch()
	}
}

// over returns why waiting is useless; nil = it is not.
func (f *Frontier) over() error {
	switch {
	case f.hosts.any() || f.gate.held:
	case f.spiller.broken != nil:
		return f.spiller.broken
	case len(f.leases.open) > 0:
	case f.tally.waiting == 0 || f.spiller.closed && f.tally.waiting == f.tally.onDisk:
		return errDrained
	case f.cfg.Patience > 0 && !f.gate.paused && f.hosts.recovering == 0 && !f.spiller.busy():
		if at := f.pool.nextChange(); at > f.clock.Now()+int64(f.cfg.Patience) {
			return errResting
		}
	}
	return nil
}
