package topic

import (
	"math"
	"slices"
	"testing"
)

func ids(picks []Pick) []uint64 {
	var out []uint64
	for _, p := range picks {
		out = append(out, p.ID)
	}
	return out
}

func TestQueue(t *testing.T) {
	values := []float32{.9, .31, .1, removed, .8, .28, .28, 0}
	for _, c := range []struct {
		name   string
		labels map[uint64]Label
		n      int
		want   []uint64
	}{
		{"probable and doubtful by turns", nil, 4, []uint64{100, 101, 104, 105}},
		{"one at a time", nil, 1, []uint64{100}},
		{"an odd number of labels asks for a doubtful one", map[uint64]Label{100: Yes}, 2, []uint64{101, 104}},
		{"unsure is an answer too", map[uint64]Label{100: Yes, 101: Unsure}, 2, []uint64{104, 105}},
		{"a label taken back is none", map[uint64]Label{100: NoLabel}, 1, []uint64{100}},
		{"labels of pages that are not here", map[uint64]Label{7: No, 8: No}, 1, []uint64{100}},
		{"every page once, then no more", nil, 50, []uint64{100, 101, 104, 105, 106, 102, 107}},
		{"all labelled", map[uint64]Label{100: No, 101: No, 102: No, 104: No, 105: No, 106: No, 107: No}, 3, nil},
		{"none wanted", nil, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := flatScores(values...)
			if got := ids(s.Queue(c.labels, c.n)); !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// TestQueueEqualsAskingAgain labels what is asked for one by one: the same pages
// come as in one list, and none twice.
func TestQueueEqualsAskingAgain(t *testing.T) {
	s := flatScores(.5, .5, .29, .31, .7, .1, .3, .5, .02, .99)
	at := s.Queue(nil, 9)
	labels := map[uint64]Label{}
	for i, want := range at {
		got := s.Queue(labels, 1)[0]
		if got != want {
			t.Fatalf("pick %d is %+v, want %+v", i, got, want)
		}
		if got.Uncertain != (i%2 == 1) {
			t.Errorf("pick %d: uncertain %v", i, got.Uncertain)
		}
		labels[got.ID] = No
	}
}

// TestSelectorAgainstSort covers the trimming, which short lists never reach.
func TestSelectorAgainstSort(t *testing.T) {
	var keys []uint64
	c := selector{k: 5, limit: math.MaxUint64}
	for i := range uint64(5000) {
		key := (i*2654435761)%10007<<32 | i
		keys = append(keys, key)
		if key <= c.limit {
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
