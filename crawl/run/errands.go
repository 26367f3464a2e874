package run

import (
	"maps"
	"slices"
	"sync"
)

// errand is what a harvest does with a URL that it scheduled: it visits a list
// or fetches a notice. One of the two is set.
type errand struct {
	list   *listVisit
	notice *announced
}

// errands remembers what a harvest scheduled. Each URL gets one errand a run; the
// first one counts. The zero value is empty.
type errands struct {
	mu   sync.Mutex
	m    map[uint64]errand // by URL id
	left map[uint64]int    // notices not brought home yet, by the id of their list
}

// add registers an errand and reports whether the URL had none.
func (e *errands) add(id uint64, x errand) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, ok := e.m[id]; ok {
		return false
	}
	if e.m == nil {
		e.m = map[uint64]errand{}
	}
	e.m[id] = x
	return true
}

// announce counts a notice that a list announces and that is to be fetched; done
// counts one that was fetched or given up.
func (e *errands) announce(list uint64) { e.count(list, 1) }
func (e *errands) done(list uint64)     { e.count(list, -1) }

func (e *errands) count(list uint64, n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.left == nil {
		e.left = map[uint64]int{}
	}
	if e.left[list] += n; e.left[list] <= 0 {
		delete(e.left, list)
	}
}

// open returns the lists some of whose notices have not come home.
func (e *errands) open() []uint64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Sorted(maps.Keys(e.left))
}

func (e *errands) of(id uint64) errand {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.m[id]
}
