package browser

import (
	"sync"
	"time"
)

// State is what became of the browser so far.
type State struct {
	Pages    int           // that were rendered
	Failed   int           // that were not
	Begun    int           // times that the browser was begun
	Killed   int           // of those, ended for its memory
	Memory   int64         // bytes, as last seen; 0 = it does not run
	Peak     int64         // the most that was seen
	Requests int           // that pages made and that were answered
	Refused  int           // that were not
	Took     time.Duration // of all pages
	Err      string        // why the last page was not rendered; "" = it was
}

// tally counts. It is safe for concurrent use.
type tally struct {
	bare sync.Once // it was said that there is no sandbox

	mu sync.Mutex
	s  State
}

// State is what became of the browser so far.
func (b *Browser) State() State {
	b.tally.mu.Lock()
	defer b.tally.mu.Unlock()
	return b.tally.s
}

func (t *tally) begun() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.s.Begun++
}

func (t *tally) killed() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.s.Killed++
}

func (t *tally) memory(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.s.Memory, t.s.Peak = n, max(t.s.Peak, n)
}

func (t *tally) rendered(r *Rendered, err error, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.s.Took += took
	if err != nil {
		t.s.Failed, t.s.Err = t.s.Failed+1, err.Error()
		return
	}
	t.s.Pages, t.s.Err = t.s.Pages+1, ""
	t.s.Requests += r.Requests
	t.s.Refused += r.Refused
}
