package topic

import (
	"slices"
	"testing"
)

// TestLeastAgainstSort covers trimming, which short lists never reach.
func TestLeastAgainstSort(t *testing.T) {
	var keys []uint64
	c := newLeastKeys(5)
	for i := range uint64(5000) {
		key := (i*2654435761)%10007<<32 | i
		keys = append(keys, key)
		if key <= c.Limit {
			c.add(key)
		}
	}
	slices.Sort(keys)
	for i, slot := range c.slots() {
		if slot != uint32(keys[i]) {
			t.Errorf("place %d: slot %d, want %d", i, slot, uint32(keys[i]))
		}
	}
}
