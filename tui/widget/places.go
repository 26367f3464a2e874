package widget

import "slices"

// NewPlaces orders now so that keys of old keep their places; it returns indexes of now. A new key
// takes the place of a removed one; further new keys follow. Without new keys, lower ones move up.
// Keys must be unique in old and in now.
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
