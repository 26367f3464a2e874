package topic

import (
	"math"
	"slices"
)

// leastKeys keeps the k smallest of many keys. A key orders by its upper half, then by slot, its
// lower half. For floats ≥ 0 the bits sort like the values.
type leastKeys struct {
	Limit uint64 // larger keys are rejected; it falls as keys arrive

	k    int
	keys []uint64
}

// newLeastKeys returns an empty selection of k keys.
func newLeastKeys(k int) leastKeys { return leastKeys{Limit: math.MaxUint64, k: k} }

// add reports whether Limit may have fallen.
func (c *leastKeys) add(key uint64) bool {
	if c.keys = append(c.keys, key); len(c.keys) < 2*c.k+1024 {
		return false
	}
	c.trim()
	return true
}

func (c *leastKeys) trim() {
	slices.Sort(c.keys)
	if len(c.keys) > c.k {
		c.keys = c.keys[:c.k]
		c.Limit = c.keys[c.k-1]
	}
}

// slots returns the slots of the kept keys, smallest key first.
func (c *leastKeys) slots() []uint32 {
	c.trim()
	out := make([]uint32, len(c.keys))
	for i, key := range c.keys {
		out[i] = uint32(key)
	}
	return out
}
