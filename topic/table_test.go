package topic

import (
	"math/rand/v2"
	"testing"
)

// TestTableAgainstMap adds ascending ids, ids that collide in their low bits and repeated ids, and
// looks up known and unknown ones.
func TestTableAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var table slotTable
	var ids []uint64
	want := map[uint64]uint32{}
	if _, ok := table.find(ids, 0); ok {
		t.Fatal("an empty table finds page 0")
	}
	for i := range uint64(5000) {
		id := i
		switch i % 3 {
		case 1:
			id = i << 40
		case 2:
			id = r.Uint64N(2000)
		}
		slot := uint32(len(ids))
		ids = append(ids, id)
		table.set(ids, id, slot)
		want[id] = slot
	}
	for id, slot := range want {
		if got, ok := table.find(ids, id); !ok || got != slot {
			t.Fatalf("id %d: slot %d, %v; want %d", id, got, ok, slot)
		}
	}
	for range 5000 {
		id := r.Uint64()
		if _, ok := table.find(ids, id); ok != (want[id] != 0) {
			t.Fatalf("id %d found: %v", id, ok)
		}
	}
	if len(table.at) > 8192 {
		t.Errorf("%d places for %d ids", len(table.at), len(want))
	}
}
