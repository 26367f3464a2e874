package topic

import "slices"

// selector keeps the k smallest of many keys. A key orders by its upper half,
// then by slot, its lower half: for floats ≥ 0 the bits sort like the values.
type selector struct {
	k     int
	keys  []uint64
	limit uint64 // keys above it are out; the caller starts it at the maximum
}

// add reports whether limit may have fallen.
func (c *selector) add(key uint64) bool {
	if c.keys = append(c.keys, key); len(c.keys) < 2*c.k+1024 {
		return false
	}
	c.trim()
	return true
}

func (c *selector) trim() {
	slices.Sort(c.keys)
	if len(c.keys) > c.k {
		c.keys = c.keys[:c.k]
		c.limit = c.keys[c.k-1]
	}
}

// slots returns the slots of the keys kept, the smallest key first.
func (c *selector) slots() []uint32 {
	c.trim()
	out := make([]uint32, len(c.keys))
	for i, key := range c.keys {
		out[i] = uint32(key)
	}
	return out
}
