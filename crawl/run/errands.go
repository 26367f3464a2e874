package run

import "sync"

// errand is what a harvest does with a URL that it scheduled: it visits a list
// or fetches a notice. One of the two is set.
type errand struct {
	list   *listVisit
	notice *announced
}

// errands remembers what a harvest scheduled. Each URL gets one errand a run; the
// first one counts. The zero value is empty.
type errands struct {
	mu sync.Mutex
	m  map[uint64]errand // by URL id
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

func (e *errands) of(id uint64) errand {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.m[id]
}
