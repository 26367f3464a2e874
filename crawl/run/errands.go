package run

import "sync"

// errand is what is to be done with a URL that a list has announced: the list's next
// page is visited, a notice is fetched, or a known one looked at again. One of them is
// set.
type errand struct {
	list   *listVisit
	notice *announced
	look   bool       // a known notice is looked at again
	script *listVisit // a script file, for a list
}

// errands remembers what was scheduled. Each URL gets one errand; the first one
// counts. The zero value is empty.
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
