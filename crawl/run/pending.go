package run

import (
	"sync"
	"time"
)

// postponedURLs remembers the URLs that are left to a later run, and when each may be
// asked again. The zero value is empty; it is safe for concurrent use.
type postponedURLs struct {
	mu sync.Mutex
	m  map[uint64]int64 // Unix seconds by URL id
}

// Add remembers a URL.
func (l *postponedURLs) Add(id uint64, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.m == nil {
		l.m = map[uint64]int64{}
	}
	l.m[id] = at.Unix()
}

// drop forgets one.
func (l *postponedURLs) drop(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.m, id)
}

// First returns how many there are and when the first of them may be asked; zero
// when there is none.
func (l *postponedURLs) First() (n int, at time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	least := int64(0)
	for _, t := range l.m {
		if least == 0 || t < least {
			least = t
		}
	}
	if len(l.m) > 0 {
		at = time.Unix(least, 0)
	}
	return len(l.m), at
}
