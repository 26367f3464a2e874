package ratelimit

import (
	"sync"
	"time"
)

const (
	knownFor   = 7 * 24 * time.Hour
	triesFor   = 10 * time.Minute
	firstDelay = 100 * time.Millisecond
)

// Logins remembers the addresses with recent logins, and the number of failed logins of each. It is
// safe for concurrent use.
type Logins struct {
	Free int           // failed logins of an address before a delay
	Most time.Duration // the longest delay

	mu     sync.Mutex
	known  book[time.Time]
	failed book[tries]
}

type tries struct {
	n    int
	last time.Time
}

// Succeeded records a login from an owner's address.
func (l *Logins) Succeeded(owner string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*l.known.note(owner) = now
}

// Known reports whether the address had a login within seven days.
func (l *Logins) Known(owner string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	at := l.known.look(owner)
	return at != nil && now.Sub(*at) <= knownFor
}

// Failed records a connection whose keys were all refused.
func (l *Logins) Failed(owner string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.failed.note(owner)
	if now.Sub(t.last) > triesFor {
		t.n = 0
	}
	t.n, t.last = t.n+1, now
}

// Delay returns how long the refusal of a key is delayed: not at all for the first failed logins of
// an address, then a tenth of a second, and twice as long for each further one up to Most. Ten
// minutes without failures reset it. Only refusals are delayed, so a valid key from the same
// address is not slowed down.
func (l *Logins) Delay(owner string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.failed.look(owner)
	if t == nil || t.n <= l.Free || now.Sub(t.last) > triesFor {
		return 0
	}
	d := firstDelay
	for range t.n - l.Free - 1 {
		if d *= 2; d >= l.Most {
			break
		}
	}
	return min(d, l.Most)
}
