package linkorder

import (
	"math"
	"testing"
)

// fetched is a page and its links, by ID.
func fetched(id uint64, score float64, out ...uint64) *Fetch {
	f := &Fetch{Target: Target{ID: id}, Verdict: Verdict{Score: score}}
	for _, o := range out {
		f.Out = append(f.Out, Out{ID: o})
	}
	return f
}

func linked(id uint64) *Target { return &Target{ID: id, Inlinks: []Inlink{{}}} }

// Page 1 links to 2 and 3 (3 twice, and to itself), page 2 to 3, page 4 to 5.
func smallWeb() web {
	w := newWeb(1000)
	w.add(fetched(1, 1, 2, 3, 3, 1))
	w.add(fetched(2, 0, 3))
	w.add(fetched(4, 0, 5))
	return w
}

func TestRanksByHand(t *testing.T) {
	t.Run("hits, one round", func(t *testing.T) {
		w := smallWeb()
		a := w.authorities(1) // of hubs 1.01, .01 and .01
		for id, want := range map[uint64]float64{1: 0, 2: 1.01, 3: 1.02, 4: 0, 5: .01} {
			if got := a[w.node[id]]; math.Abs(got-want) > 1e-6 {
				t.Errorf("authority of %d is %v, want %v", id, got, want)
			}
		}
	})
	t.Run("hits, second round", func(t *testing.T) {
		w := smallWeb()
		a := w.authorities(2)
		norm := math.Sqrt(2.03*2.03 + 1.02*1.02 + .01*.01) // hubs are 2.03, 1.02, .01 before
		for id, want := range map[uint64]float64{2: 2.03, 3: 3.05, 5: .01} {
			if got := a[w.node[id]] * norm; math.Abs(got-want) > 1e-6 {
				t.Errorf("authority of %d is %v, want %v", id, got, want)
			}
		}
	})
	t.Run("pagerank, two rounds", func(t *testing.T) {
		w := smallWeb()
		r := w.pageRank(.85, 2)
		const base = .15 / 5
		second := base + .85*.2/2 // of page 2 after one round
		for id, want := range map[uint64]float64{
			1: base, 2: base + .85*base/2, 3: base + .85*base/2 + .85*second, 5: base + .85*base,
		} {
			if got := r[w.node[id]]; math.Abs(got-want) > 1e-9 {
				t.Errorf("rank of %d is %v, want %v", id, got, want)
			}
		}
	})
}

func TestRankedStrategies(t *testing.T) {
	for _, name := range []string{"hits", "pagerank"} {
		s := make1(t, name)
		if !s.Observe(fetched(1, 1, 2, 3, 4)) {
			t.Fatalf("%s ranks nothing after the first fetch", name)
		}
		for id := uint64(5); id < 24; id++ {
			s.Observe(fetched(id, 0, 3, 100))
		}
		popular, plain, unknown := s.Value(linked(3)), s.Value(linked(2)), s.Value(linked(999))
		if !(popular > plain && plain > 0 && unknown == 0 && popular <= 1) {
			t.Errorf("%s: a page many link to has %v, one of one link %v, an unknown one %v", name, popular, plain, unknown)
		}
	}
}

func TestWebCountsAPageAsItIsNow(t *testing.T) {
	w := newWeb(1000)
	w.add(fetched(1, 1, 2, 3))
	w.add(fetched(1, 1, 4))
	r := w.pageRank(.85, 5)
	if now, before := r[w.node[4]], r[w.node[2]]; now <= before {
		t.Errorf("the link that is there now gives %v, the one that is gone %v", now, before)
	}
}

func TestWebForgetsTheOldest(t *testing.T) {
	w := newWeb(1000)
	for i := range uint64(5000) {
		w.add(fetched(i, .5, i+1, i+2, i+3))
		w.publish(w.pageRank(.85, 1))
		if n := len(w.links) + len(w.pages); n > 1000 {
			t.Fatalf("remembers %d links and pages, want at most 1000", n)
		}
	}
	if _, ok := w.node[10]; ok {
		t.Error("the oldest page is still known")
	}
	n, ok := w.node[5001]
	if !ok || w.rank[n] == 0 {
		t.Errorf("the newest is not ranked (known %v)", ok)
	}
	if len(w.node) > 1010 || len(w.rank) != len(w.node) {
		t.Errorf("knows %d pages and ranks %d", len(w.node), len(w.rank))
	}
	// A page with more links than fit never pushes out all others.
	huge := make([]uint64, 3000)
	for i := range huge {
		huge[i] = uint64(1e6 + i)
	}
	w.add(fetched(7777, 0, huge...))
	if _, ok := w.node[5001]; !ok {
		t.Error("one page pushed out all others")
	}
}
