package linkorder

import (
	"cmp"
	"slices"
	"sync"
)

// CaptureOrder records the order of captures. Lists show the newest pages first, and a link order learns from the
// latest. The zero value is empty; it is safe for concurrent use.
type CaptureOrder struct {
	mu  sync.Mutex
	seq []uint32 // by URL id; 0 = not captured
	n   uint32
}

// Add records a page as the latest capture.
func (o *CaptureOrder) Add(id uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for uint64(len(o.seq)) <= id {
		o.seq = append(o.seq, make([]uint32, max(1024, len(o.seq)/2))...)
	}
	o.n++
	o.seq[id] = o.n
}

// Latest returns the last n captured pages in capture order.
func (o *CaptureOrder) Latest(n int) []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	byTurn := make([]uint64, o.n+1) // a recaptured page has its last position
	for id, turn := range o.seq {
		if turn > 0 {
			byTurn[turn] = uint64(id)
		}
	}
	byTurn = slices.DeleteFunc(byTurn, func(id uint64) bool { return id == 0 })
	return byTurn[max(0, len(byTurn)-n):]
}

// Newest returns at most n of ids, latest capture first. Ids that were not captured come last, smaller ones first.
func (o *CaptureOrder) Newest(ids []uint64, n int) []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	at := func(id uint64) uint32 {
		if id < uint64(len(o.seq)) {
			return o.seq[id]
		}
		return 0
	}
	later := func(a, b uint64) int { return cmp.Or(cmp.Compare(at(b), at(a)), cmp.Compare(a, b)) }
	top := make([]uint64, 0, min(n, len(ids))+1)
	for _, id := range ids {
		if i, _ := slices.BinarySearchFunc(top, id, later); i < n {
			top = slices.Insert(top, i, id)
			top = top[:min(len(top), n)]
		}
	}
	return top
}
