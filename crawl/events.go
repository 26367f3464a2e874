package crawl

import (
	"slices"
	"sync"
)

// note files what happened by itself.
func (e *Engine) note(kind, format string, args ...any) {
	e.log.Note(kind, format, args...)
}

// did files what the person in whose hands the engine is has done.
func (e *Engine) did(what string) {
	e.log.Did(e.by, what)
}

// fetchOrder remembers in which order pages were captured, so that lists can
// show the newest first.
type fetchOrder struct {
	mu  sync.Mutex
	seq []uint32 // by URL id; 0 = not captured
	n   uint32
}

func (o *fetchOrder) add(id uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for uint64(len(o.seq)) <= id {
		o.seq = append(o.seq, make([]uint32, max(1024, len(o.seq)/2))...)
	}
	o.n++
	o.seq[id] = o.n
}

// has reports whether a page with words was captured.
func (o *fetchOrder) has(id uint64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return id < uint64(len(o.seq)) && o.seq[id] > 0
}

// latest returns the last n captured pages, in the order of their capture.
func (o *fetchOrder) latest(n int) []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	byTurn := make([]uint64, o.n+1) // a page captured twice stands at its last turn
	for id, turn := range o.seq {
		if turn > 0 {
			byTurn[turn] = uint64(id)
		}
	}
	byTurn = slices.DeleteFunc(byTurn, func(id uint64) bool { return id == 0 })
	return byTurn[max(0, len(byTurn)-n):]
}

// newest returns at most n of ids, the latest captured first.
func (o *fetchOrder) newest(ids []uint64, n int) []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := func(id uint64) uint32 {
		if id < uint64(len(o.seq)) {
			return o.seq[id]
		}
		return 0
	}
	return largest(ids, n, func(id uint64) float64 { return float64(at(id)) })
}
