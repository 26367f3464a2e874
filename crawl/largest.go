package crawl

import (
	"cmp"
	"slices"
)

// largest returns at most n of ids with the largest keys, largest first; ties
// go to the smaller id. It leaves ids alone.
func largest(ids []uint64, n int, key func(uint64) float64) []uint64 {
	type item struct {
		id  uint64
		key float64
	}
	less := func(a, b item) int {
		if c := cmp.Compare(b.key, a.key); c != 0 {
			return c
		}
		return cmp.Compare(a.id, b.id)
	}
	top := make([]item, 0, min(n, len(ids))+1)
	for _, id := range ids {
		x := item{id, key(id)}
		if len(top) == n && (n == 0 || less(x, top[n-1]) >= 0) {
			continue
		}
		i, _ := slices.BinarySearchFunc(top, x, less)
		top = slices.Insert(top, i, x)
		if len(top) > n {
			top = top[:n]
		}
	}
	out := make([]uint64, len(top))
	for i, x := range top {
		out[i] = x.id
	}
	return out
}
