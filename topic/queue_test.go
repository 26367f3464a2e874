package topic

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
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
	values := []float32{.9, .305, .1, removed, .8, .28, .28, 0}
	for _, c := range []struct {
		name   string
		labels map[uint64]Label
		n      int
		want   []uint64
	}{
		{"a probable one and two doubtful ones by turns", nil, 4, []uint64{100, 101, 105, 104}},
		{"one at a time", nil, 1, []uint64{100}},
		{"after one label come the doubtful ones", map[uint64]Label{100: Yes}, 2, []uint64{101, 105}},
		{"unsure is an answer too", map[uint64]Label{100: Yes, 101: Unsure}, 2, []uint64{105, 104}},
		{"a label taken back is none", map[uint64]Label{100: NoLabel}, 1, []uint64{100}},
		{"labels of pages that are not here", map[uint64]Label{7: No, 8: No, 9: No}, 1, []uint64{100}},
		{"every page once, then no more", nil, 50, []uint64{100, 101, 105, 104, 106, 102, 107}},
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

// A doubt shared by many pages precedes a closer one of a single page, but only near the threshold.
func TestSharedDoubtComesFirst(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float32
		want   uint64
	}{
		{"eight alike", []float32{.315, .345, .345, .345, .345, .345, .345, .345, .345}, 101},
		{"two alike", []float32{.315, .345, .345}, 100},
		{"many alike far away", append([]float32{.36}, slices.Repeat([]float32{.1}, 500)...), 100},
		{"all pages of a crawl", slices.Repeat([]float32{1, 0}, 50), 101},
	} {
		t.Run(c.name, func(t *testing.T) {
			picks := flatScores(c.values...).Queue(map[uint64]Label{7: Yes}, 1)
			if len(picks) != 1 || picks[0].ID != c.want || !picks[0].Uncertain {
				t.Errorf("%+v, want the doubtful page %d", picks, c.want)
			}
		})
	}
}

// TestQueueEqualsAskingAgain labels the queue one by one: the same pages come as in one list, and
// none twice.
func TestQueueEqualsAskingAgain(t *testing.T) {
	s := flatScores(.5, .5, .29, .31, .7, .1, .3, .5, .02, .99)
	at := s.Queue(nil, 9)
	labels := map[uint64]Label{}
	for i, want := range at {
		got := s.Queue(labels, 1)[0]
		if got != want {
			t.Fatalf("pick %d is %+v, want %+v", i, got, want)
		}
		if got.Uncertain != (i%3 != 0) {
			t.Errorf("pick %d: uncertain %v", i, got.Uncertain)
		}
		labels[got.ID] = No
	}
}

// inColumns puts the pages of a snapshot into columns; 0 is none.
func inColumns(s *Scores, columns ...uint32) *Scores {
	for _, c := range columns {
		s.traits = append(s.traits, traits{shape: uint16(c)})
	}
	s.columns = []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	return s
}

func TestQueueSetsAnsweredColumnsBack(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []float32
		columns []uint32
		labels  map[uint64]Label
		want    []uint64 // the probable ones, in order
	}{
		{"the same column again only after less probable ones", []float32{.95, .94, .9, .6},
			[]uint32{1, 1, 2, 3}, nil, []uint64{100, 102, 103, 101}},
		{"by .5, so a page is never asked before one that much better", []float32{.95, .94, .43},
			[]uint32{1, 1, 2}, nil, []uint64{100, 101, 102}},
		{"an answer given before counts", []float32{.95, .94, .9},
			[]uint32{1, 1, 2}, map[uint64]Label{100: No, 7: No, 8: No}, []uint64{102, 101}},
		{"unsure is an answer, a label taken back is none", []float32{.95, .94, .9, .89},
			[]uint32{1, 1, 2, 2}, map[uint64]Label{100: Unsure, 102: NoLabel, 7: No, 8: No}, []uint64{102, 101, 103}},
		{"pages without a column stay where they are", []float32{.95, .94, .9},
			[]uint32{0, 0, 2}, nil, []uint64{100, 101, 102}},
		{"one column alone", []float32{.9, .8, .7},
			[]uint32{1, 1, 1}, nil, []uint64{100, 101, 102}},
	} {
		t.Run(c.name, func(t *testing.T) {
			asked := 3 * len(c.want)
			doubted := slices.Repeat([]float32{.3}, asked) // on the threshold: every doubtful question goes to one of them
			s := inColumns(flatScores(append(c.values, doubted...)...), append(c.columns, slices.Repeat([]uint32{9}, asked)...)...)
			var got []uint64
			for _, p := range s.Queue(c.labels, asked) {
				if !p.Uncertain {
					got = append(got, p.ID)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	s := inColumns(flatScores(.95, .305, .325, .345, .9), 1, 1, 1, 1, 2)
	if got := ids(s.Queue(map[uint64]Label{7: No}, 3)); !slices.Equal(got, []uint64{101, 102, 104}) {
		t.Errorf("doubt is asked wherever it is: %v", got)
	}
}

// TestQueueAgainstAskingAgain answers random pages in random columns one by one: the whole list at
// once must be equal, and each pick is the result of a plain search over all pages.
func TestQueueAgainstAskingAgain(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 11))
		var values []float32
		var columns []uint32
		for range 1 + r.IntN(60) {
			v := float32(r.IntN(20)) / 19 // many are equal
			if r.IntN(9) == 0 {
				v = removed
			}
			values, columns = append(values, v), append(columns, uint32(r.IntN(10)))
		}
		s := inColumns(flatScores(values...), columns...)
		labels := map[uint64]Label{}
		for i := range values {
			if r.IntN(12) == 0 {
				labels[uint64(100+i)] = Yes
			}
		}
		n := 1 + r.IntN(len(values)+3)
		for i, want := range s.Queue(maps.Clone(labels), n) {
			if plain := plainPick(s, labels); want.ID != plain {
				t.Fatalf("seed %d: pick %d is %d, a plain search finds %d", seed, i, want.ID, plain)
			}
			if again := s.Queue(labels, 1); len(again) != 1 || again[0] != want {
				t.Fatalf("seed %d: pick %d is %+v, asked again %+v", seed, i, want, again)
			}
			labels[want.ID] = No
		}
	}
}

// plainPick is a plain implementation of the queue for one pick.
func plainPick(s *Scores, labels map[uint64]Label) uint64 {
	answered := map[uint16]bool{}
	turn := 0
	for slot, id := range s.ids {
		if labels[id] != NoLabel {
			turn++
			if s.values[slot] >= 0 {
				answered[s.traits[slot].shape] = true
			}
		}
	}
	best, nearest := uint64(0), math.Inf(1)
	for slot, id := range s.ids {
		v := s.values[slot]
		if v < 0 || labels[id] != NoLabel {
			continue
		}
		d := float64(1 - v)
		if column := s.traits[slot].shape; column > 0 && answered[column] {
			d += .5
		}
		if turn%3 != 0 {
			d = math.Abs(float64(v) - s.Theta)
			if float32(d) < .1 {
				alike, asked := 0, false
				for i, x := range s.values {
					if x >= 0 && int(x*50) == int(v*50) {
						alike++
						asked = asked || labels[s.ids[i]] != NoLabel
					}
				}
				if !asked {
					d = float64(float32(d)) / (1 + math.Log2(float64(alike)))
				}
			}
			d = float64(float32(d))
		}
		if d < nearest {
			best, nearest = id, d
		}
	}
	return best
}

// TestQueueOfASnapshotStays queries a snapshot while pages are added, removed and packed: its
// answers belong to its moment, and no other goroutine may write its data.
func TestQueueOfASnapshotStays(t *testing.T) {
	ix, truth := crawl()
	s := ix.Scores()
	labels := some(ix, truth, 6)
	want := s.Queue(labels, 30)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range uint64(190) {
			ix.Remove(i)
			ix.Add(1000+i, Doc{URL: fmt.Sprintf("http://new%d.test/c%d/", i, i)})
		}
	}()
	for busy := true; busy; {
		select {
		case <-done:
			busy = false
		default:
		}
		if got := s.Queue(labels, 30); !slices.Equal(got, want) {
			t.Fatalf("%v, before %v", ids(got), ids(want))
		}
	}
	if now := ix.Scores().Queue(labels, 30); slices.Equal(now, want) {
		t.Error("a new snapshot asks for pages that are gone")
	}
}
