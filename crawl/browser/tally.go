package browser

import (
	"sync"
	"time"
)

// state counts the work of a Browser.
type state struct {
	Pages    int           // rendered pages
	Failed   int           // failed pages
	Begun    int           // starts of the browser
	Killed   int           // ends because of memory
	Memory   int64         // bytes at the last check; 0 = not running
	Peak     int64         // highest value of Memory
	Requests int           // answered requests
	Refused  int           // refused requests
	Took     time.Duration // total of all pages
	Err      string        // why the last page failed; "" = it did not
}

// tally holds the counts. It is safe for concurrent use.
type tally struct {
	bare sync.Once // the missing sandbox was reported

	mu sync.Mutex
	s  state
}

// state returns the counts.
func (b *Browser) state() state {
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
