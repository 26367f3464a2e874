package topic

// This file handles slots, the numbers of pages in an index: the slot of a page, sets of slots, and
// the best of many. It does not lock.

// slotTable finds the slot of a page by its id. It is a hash table of slots alone, because the
// index has the ids in a column: a fifth of a map's memory. An entry stays when its page is
// removed, so probing needs no tombstones. The index knows which slots are gone, and packing
// rebuilds the table.
type slotTable struct {
	at   []uint32 // slot + 1; 0 = free; length a power of two
	used int
	bits uint
}

// minBits is the size of the smallest table.
const minBits = 6

// find returns the slot last set for id. ids is the index's column.
func (t *slotTable) find(ids []uint64, id uint64) (slot uint32, ok bool) {
	if t.used == 0 {
		return 0, false
	}
	at := t.at[t.place(ids, id)]
	return at - 1, at != 0
}

// set sets the slot of id and replaces an older one.
func (t *slotTable) set(ids []uint64, id uint64, slot uint32) {
	if t.used*4 >= len(t.at)*3 {
		t.grow(ids)
	}
	p := t.place(ids, id)
	if t.at[p] == 0 {
		t.used++
	}
	t.at[p] = slot + 1
}

// place returns the place of id, or the free place for it. Store ids count up; the multiplication
// (Fibonacci hashing) spreads them evenly.
func (t *slotTable) place(ids []uint64, id uint64) int {
	p := int(id * 0x9e3779b97f4a7c15 >> (64 - t.bits))
	for t.at[p] != 0 && ids[t.at[p]-1] != id {
		if p++; p == len(t.at) {
			p = 0
		}
	}
	return p
}

func (t *slotTable) grow(ids []uint64) {
	old := t.at
	t.bits = max(t.bits+1, minBits)
	t.at = make([]uint32, 1<<t.bits)
	for _, at := range old {
		if at != 0 {
			t.at[t.place(ids, ids[at-1])] = at
		}
	}
}

// slotSet is a set of slots: a column up to the last of them, so an empty set costs nothing.
type slotSet []bool

// has reports whether a slot is in the set.
func (s slotSet) has(slot uint32) bool { return int(slot) < len(s) && s[slot] }

// put adds a slot or removes it.
func (s *slotSet) put(slot uint32, in bool) {
	if n := int(slot) + 1 - len(*s); n > 0 {
		*s = append(*s, make([]bool, n)...)
	}
	(*s)[slot] = in
}
