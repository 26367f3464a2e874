package ratelimit

import (
	"sync"
	"time"
)

// Rate allows Burst things at once and then one every Every. Both must be
// positive.
type Rate struct {
	Burst int
	Every time.Duration
}

// bucket is what is left of a Rate: the time from which on it is full.
type bucket struct{ full time.Time }

// take takes one and returns how long it takes until it is due; with limit below
// that, nothing is taken.
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

// Pace slows down a client that does something too often. It is safe for concurrent
// use.
type Pace struct {
	Rate Rate

	mu sync.Mutex
	of book[bucket]
}

// Wait takes one thing of an owner's and returns how long it has to wait.
func (p *Pace) Wait(owner string, now time.Time) time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.of.note(owner).take(p.Rate, now, 1<<62)
}

// Lines bounds what strangers can make the log grow by: so many lines an owner,
// and so many of all together. What is left out is counted. It is safe for
// concurrent use.
type Lines struct {
	Each, All Rate

	mu   sync.Mutex
	of   book[bucket]
	all  bucket
	left int
}

// Keep reports whether a line about an owner goes into the log.
func (l *Lines) Keep(owner string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of.note(owner).take(l.Each, now, 0) > 0 || l.all.take(l.All, now, 0) > 0 {
		l.left++
		return false
	}
	return true
}

// Left returns how many lines were left out since it was asked last, or 0 while
// the log is full: the sum takes a line as well.
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
