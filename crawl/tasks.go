package crawl

import "sync"

// taskMap remembers what is to be done with a URL that a harvest scheduled.
// Each URL gets one task a run; the first one counts.
type taskMap struct {
	mu sync.Mutex
	m  map[uint64]any
}

func newTaskMap() *taskMap { return &taskMap{m: map[uint64]any{}} }

// add registers a task and reports whether the URL had none.
func (t *taskMap) add(id uint64, task any) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.m[id]; ok {
		return false
	}
	t.m[id] = task
	return true
}

func (t *taskMap) get(id uint64) any {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.m[id]
}
