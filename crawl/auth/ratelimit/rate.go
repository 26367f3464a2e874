package ratelimit

import (
	"sync"
	"time"
)

// Rate allows a burst of Burst events, and then one every Every. Both must be positive.
type Rate struct {
	Burst int
	Every time.Duration
}

// bucket is the remaining part of a Rate: the time from which it is full.
type bucket struct{ full time.Time }

// take takes one event and returns the time until it is due; if that exceeds limit, it takes none.
func (b *bucket) take(r Rate, now time.Time, limit time.Duration) time.Duration {
	if b.full.Before(now) {
		b.full = now
	}
	wait := max(0, b.full.Add(r.Every).Sub(now)-time.Duration(r.Burst)*r.Every)
	if wait <= limit {
		b.full = b.full.Add(r.Every)
	}
	return wait
}

// Pace slows down clients that act too often. It is safe for concurrent use.
type Pace struct {
	Rate Rate

	mu sync.Mutex
	of book[bucket]
}

// Wait takes one event of an owner and returns how long it must wait.
func (p *Pace) Wait(owner string, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of.note(owner).take(p.Rate, now, 1<<62)
}

// Lines bounds the log lines about strangers, by owner and in all, and counts the omitted ones. It
// is safe for concurrent use.
type Lines struct {
	Each, All Rate

	mu   sync.Mutex
	of   book[bucket]
	all  bucket
	left int
}

// Keep reports whether a line about an owner is logged.
func (l *Lines) Keep(owner string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of.note(owner).take(l.Each, now, 0) > 0 || l.all.take(l.All, now, 0) > 0 {
		l.left++
		return false
	}
	return true
}

// Left returns the number of lines omitted since its last call, or 0 while the log is full, because
// the sum takes a line as well.
func (l *Lines) Left(now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.left == 0 || l.all.take(l.All, now, 0) > 0 {
		return 0
	}
	n := l.left
	l.left = 0
	return n
}

// Over takes one thing of an owner's, or reports that the owner has taken too much.
func (p *Pace) Over(owner string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of.note(owner).take(p.Rate, now, 0) > 0
}
