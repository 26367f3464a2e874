package widget

import "slices"

// NewPlaces is an order of now in which the keys that stood in old keep their places: it
// holds the indexes of now. Where a key has left stands the first of now that is new, the
// other new ones follow; where none is left to stand there, what is below moves up. No key may
// stand twice in old or in now.
func NewPlaces(old, now []uint64) (order []int) {
	at := make(map[uint64]int, len(now))
	for i, k := range now {
		at[k] = i
	}
	const free = -1
	for _, k := range old {
		i, stays := at[k]
		if !stays {
			i = free
		}
		order = append(order, i)
		delete(at, k)
	}
	place := 0
	for i, k := range now {
		if _, isNew := at[k]; !isNew {
			continue
		}
		for place < len(order) && order[place] != free {
			place++
		}
		if place < len(order) {
			order[place] = i
		} else {
			order = append(order, i)
		}
	}
	return slices.DeleteFunc(order, func(i int) bool { return i == free })
}
