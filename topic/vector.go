package topic

import (
	"cmp"
	"slices"

	"angler/dict"
)

// VectorOf returns what c has counted.
func VectorOf(c *dict.Counter) Vector {
	v := make(Vector, 0, c.Len())
	c.Each(func(id, n uint32) { v = append(v, Term{id, n}) })
	return v
}

// Total returns the number of words, each counted as often as it occurs.
func (v Vector) Total() uint64 {
	n := uint64(0)
	for _, t := range v {
		n += uint64(t.N)
	}
	return n
}

// Count returns the occurrences of id.
func (v Vector) Count(id uint32) uint32 {
	i, ok := slices.BinarySearchFunc(v, id, func(t Term, id uint32) int { return cmp.Compare(t.ID, id) })
	if !ok {
		return 0
	}
	return v[i].N
}
