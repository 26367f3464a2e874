package order

import (
	"slices"
	"sync"
)

// opic is On-line Page Importance Computation (Abiteboul, Preda and Cobena
// 2003, sections 3 and 4) as a crawl order: every seed begins with cash 1; a
// fetched page hands its cash in equal parts to the distinct pages it links to;
// the page with most cash is fetched first. The cash of a page without links is
// lost, as if paid to the paper's virtual page. Values are cash ÷ (1 + cash),
// which stays below 1.
//
// A page nobody paid (a seed, or one found before this strategy was chosen)
// begins with 1 when it is fetched. One fetch moves only the pages it links to:
// Moved names them. Some 50 bytes are remembered a page that was paid.
type opic struct {
	mu    sync.RWMutex
	cash  recent[float64]
	to    map[uint64]struct{} // scratch of Observe
	moved []uint64
}

// mostMoved is how many moved targets are kept for Moved; one more, and Observe
// says that everything is stale instead.
const mostMoved = 1 << 13

func newOPIC(p Params) *opic {
	return &opic{cash: newRecent[float64](int(p["opic.pages"])), to: map[uint64]struct{}{}}
}

func (*opic) Name() string { return "opic" }

func (o *opic) Value(t *Target) float64 {
	if len(t.Inlinks) == 0 {
		return seedValue
	}
	c := o.of(t)
	return c / (1 + c)
}

func (o *opic) Score(t *Target) Score {
	if len(t.Inlinks) == 0 {
		return seed()
	}
	c := o.of(t)
	return Score{Value: c / (1 + c), Terms: []Term{{"cash", c}}}
}

func (o *opic) of(t *Target) float64 {
	o.mu.RLock()
	defer o.mu.RUnlock()
	c, _ := o.cash.get(t.ID)
	return c
}

func (o *opic) Observe(f *Fetch) (stale bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	cash, paid := o.cash.get(f.Target.ID)
	if !paid {
		cash = 1
	}
	o.cash.put(f.Target.ID, 0)

	clear(o.to)
	for i := range f.Out {
		if id := f.Out[i].ID; id != f.Target.ID {
			o.to[id] = struct{}{}
		}
	}
	if cash == 0 {
		return false
	}
	share := cash / float64(len(o.to))
	for id := range o.to {
		c, _ := o.cash.get(id)
		o.cash.put(id, c+share)
	}
	if len(o.moved)+len(o.to) > mostMoved {
		o.moved = o.moved[:0]
		return true
	}
	for id := range o.to {
		o.moved = append(o.moved, id)
	}
	return false
}

// Moved returns the targets whose cash changed since it was asked last, by ID.
func (o *opic) Moved() []uint64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	moved := o.moved
	o.moved = nil
	slices.Sort(moved)
	return slices.Compact(moved)
}
