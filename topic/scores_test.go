package topic

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
)

// flatScores is a snapshot of given scores; page i has id 100+i.
func flatScores(values ...float32) *Scores {
	s := &Scores{values: values, Theta: .3}
	for i, v := range values {
		s.ids = append(s.ids, uint64(100+i))
		if v != removed {
			s.N++
		}
	}
	return s
}

// Above counts like a scan, also next to the bounds of its groups.
func TestAboveCountsLikeAScan(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []float32{0, 1, removed, 1 - 1e-7, 1e-7}
	for g := range 50 {
		values = append(values, rng.Float32(), float32(g)/(groups-1), rng.Float32()*1e-3)
	}
	s := flatScores(values...)
	for _, theta := range append(slices.Clone(values), -.5, 1.5, float32(math.NaN())) {
		want := 0
		for _, v := range values {
			if v >= 0 && !(v < theta) {
				want++
			}
		}
		if got := s.Above(float64(theta)); got != want {
			t.Errorf("Above(%v) = %d, want %d", theta, got, want)
		}
	}
}

func TestScoresAnswers(t *testing.T) {
	s := flatScores(.1, .5, removed, .5, 1, 0, .3)
	t.Run("above", func(t *testing.T) {
		for theta, want := range map[float64]int{0: 6, .3: 4, .5: 3, .500001: 1, 1: 1, 1.1: 0} {
			if got := s.Above(theta); got != want {
				t.Errorf("Above(%v) = %d, want %d", theta, got, want)
			}
		}
	})
	t.Run("top, equal scores by arrival", func(t *testing.T) {
		ids, values := s.Top(3)
		if !slices.Equal(ids, []uint64{104, 101, 103}) || !slices.Equal(values, []float32{1, .5, .5}) {
			t.Errorf("%v %v", ids, values)
		}
		if ids, _ := s.Top(99); len(ids) != 6 {
			t.Errorf("%d pages, want all 6 that are not gone", len(ids))
		}
		if ids, _ := s.Top(0); ids != nil {
			t.Errorf("%v for nothing", ids)
		}
	})
	t.Run("between", func(t *testing.T) {
		for _, c := range []struct {
			lo, hi float64
			max    int
			want   []uint64
		}{
			{.1, .5, 9, []uint64{106, 100}},
			{.5, 2, 2, []uint64{104, 101}},
			{.5, .5, 9, nil},
			{.9, .1, 9, nil},
			{math.NaN(), 1, 9, nil},
			{-9, .05, 9, []uint64{105}},
		} {
			if got := s.Between(c.lo, c.hi, c.max); !slices.Equal(got, c.want) {
				t.Errorf("Between(%v, %v, %d) = %v, want %v", c.lo, c.hi, c.max, got, c.want)
			}
		}
	})
	t.Run("histogram", func(t *testing.T) {
		if got := s.Histogram(4); !slices.Equal(got, []int{2, 1, 2, 1}) {
			t.Errorf("%v", got)
		}
		if got := s.Histogram(0); got != nil {
			t.Errorf("%v for no bins", got)
		}
	})
	t.Run("of", func(t *testing.T) {
		if x, ok := s.Of(103); !ok || x != .5 {
			t.Errorf("%v %v", x, ok)
		}
		for _, id := range []uint64{102, 7} {
			if _, ok := s.Of(id); ok {
				t.Errorf("page %d has a score", id)
			}
		}
	})
}

// TestTopIsAPrefixOfSorted checks the selection against a plain sort.
func TestTopIsAPrefixOfSorted(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{1, 50, 5000} {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(r.IntN(200)) / 200 // many equals
		}
		s := flatScores(values...)
		ids, sorted := s.Sorted()
		if !slices.IsSortedFunc(sorted, func(a, b float32) int { return cmp.Compare(b, a) }) || len(ids) != n {
			t.Fatalf("%d pages are not sorted", n)
		}
		for _, k := range []int{1, 10, 700} {
			top, _ := s.Top(k)
			if !slices.Equal(top, ids[:min(k, n)]) {
				t.Errorf("the best %d of %d differ from the sorted list", k, n)
			}
		}
	}
}

func TestOtsu(t *testing.T) {
	for _, c := range []struct {
		name   string
		values []float32
		ok     bool
		lo, hi float64
	}{
		{"nothing", nil, false, 0, 0},
		{"one value", []float32{.4}, false, 0, 0},
		{"equal values", slices.Repeat([]float32{.7}, 50), false, 0, 0},
		{"two heaps split in the gap's middle", append(slices.Repeat([]float32{.1}, 90), slices.Repeat([]float32{.9}, 10)...), true, .45, .55},
		{"NaN is no page", []float32{.1, float32(math.NaN()), .9}, true, .45, .55},
		{"the ends of the range", []float32{0, 1}, true, .45, .55},
	} {
		t.Run(c.name, func(t *testing.T) {
			var bins [otsuBins]int
			for _, v := range c.values {
				if v >= 0 {
					bins[bin(v, otsuBins)]++
				}
			}
			theta, ok := otsu(bins[:])
			if ok != c.ok || theta < c.lo || theta > c.hi {
				t.Errorf("%v %v, want %v within %v … %v", theta, ok, c.ok, c.lo, c.hi)
			}
		})
	}
}

func TestSnapshotsDoNotChange(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	ix := NewIndex()
	for i := range uint64(100) {
		ix.Add(i, samples[i%3])
	}
	ix.Apply(Build(Default(), samples, lex, nil))
	s := ix.Scores()
	if s != ix.Scores() {
		t.Error("an unchanged index gives a new snapshot")
	}
	before, _ := s.Of(5)
	top, _ := s.Top(100)
	for i := range uint64(60) {
		ix.Remove(i) // packs the index on the way
	}
	ix.Add(500, Doc{})
	ix.Apply(nil)
	if after, ok := s.Of(5); !ok || after != before || before < .5 || s.N != 100 {
		t.Errorf("page 5 scored %v, now %v %v, %d pages", before, after, ok, s.N)
	}
	if again, _ := s.Top(100); !slices.Equal(top, again) {
		t.Error("the ranking of an old snapshot changed")
	}
	if _, ok := s.Of(500); ok {
		t.Error("a page added later is in the old snapshot")
	}
	now := ix.Scores()
	if x, ok := now.Of(70); now.Rev == s.Rev || now.N != 41 || !ok || x != 0 {
		t.Errorf("new snapshot: rev %d, %d pages, page 70 %v %v; want a new rev, 41 pages, score 0", now.Rev, now.N, x, ok)
	}
}

// Pages beyond the crawl are scored, and must not change which words are common.
func TestPagesAsideAreNoBackground(t *testing.T) {
	lex := &names{}
	ix := NewIndex()
	ix.Apply(Build(Default(), docs(lex, tenders()), lex, nil))
	found := lex.doc(refPage{full: bag{"常": 1}, list: bag{"稀": 1}})
	harvested := docs(lex, tenders())[0]
	harvested.Aside = true
	for i := range uint64(40) {
		ix.Add(i, found)
		ix.Add(100+i, harvested)
	}
	look := func(n int) {
		t.Helper()
		b := ix.Background()
		for id, df := range b.List {
			if want := uint32(b.N); lex.Word(uint32(id)) == "稀" && df != want || lex.Word(uint32(id)) != "稀" && df != 0 {
				t.Errorf("%s stands on %d of %d pages", lex.Word(uint32(id)), df, b.N)
			}
		}
		if b.N != n || ix.Known() != n {
			t.Errorf("%d pages are background, %d known, want %d", b.N, ix.Known(), n)
		}
	}
	look(40)
	if x, ok := ix.Scores().Of(100); !ok || x < .3 {
		t.Errorf("a harvested page scored %v, %v", x, ok)
	}
	for i := range uint64(20) {
		ix.Remove(i)
		ix.Remove(100 + i)
	}
	ix.Pack()
	look(20)
	harvested.Aside = false // a discovery has found it
	ix.Add(130, harvested)
	ix.Pack()
	if b := ix.Background(); b.N != 21 {
		t.Errorf("%d pages are background, want 21", b.N)
	}
}

func TestBackgroundCountsLivePages(t *testing.T) {
	lex := &names{}
	ix := NewIndex()
	for i := range uint64(80) {
		ix.Add(i, lex.doc(refPage{full: bag{"常": 1}, list: bag{"稀": 1}}))
	}
	for i := range uint64(50) {
		ix.Remove(i)
	}
	ix.Remove(999)
	b := ix.Background()
	if b.N < 30 || b.N > 34 || ix.Len() != 30 || b.Full[lex.intern("常")] != uint32(b.N) || b.List[lex.intern("稀")] != uint32(b.N) {
		t.Errorf("N %d, full %v, list %v, %d pages", b.N, b.Full, b.List, ix.Len())
	}
}

func TestScoresSetAnAutomaticTheta(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	ix := NewIndex()
	for i := range uint64(50) {
		ix.Add(i, lex.doc(refPage{list: bag{"天气": 1}, records: 9, dated: 9}))
	}
	ix.Add(50, samples[1])
	ix.Apply(Build(Default(), samples[:1], lex, nil))
	if s := ix.Scores(); s.Otsu <= 0 || s.Theta != .32 || s.Rule != ruleOne || s.Above(s.Theta) != 1 {
		t.Errorf("Otsu %v, θ %v, %d above, want the one list", s.Otsu, s.Theta, s.Above(s.Theta))
	}
	ix.Apply(Build(Default(), samples, lex, nil))
	if s := ix.Scores(); s.Theta != .42 || s.Rule != ruleMore || len(s.LeaveOneOut) != 3 || len(s.Samples) != 3 {
		t.Errorf("θ %v, samples %v, leave-one-out %v", s.Theta, s.Samples, s.LeaveOneOut)
	}
}

// TestIndexUnderConcurrentUse adds pages while an analyst changes words and viewers read, under the
// race detector; in the end every page has its score.
func TestIndexUnderConcurrentUse(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	models := []*Model{Build(Default(), samples, lex, nil)}
	cfg := Default()
	cfg.Off = []string{"招标"}
	models = append(models, models[0].WithConfig(cfg))
	ix := NewIndex()
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				switch w {
				case 0, 1:
					ix.Add(uint64(i*2+w), samples[i%3])
				case 2:
					ix.Apply(models[i%2])
				case 3:
					s := ix.Scores()
					if ids, _ := s.Top(5); len(ids) > s.N || s.Above(0) != s.N {
						t.Errorf("%d best and %d in all of %d pages", len(ids), s.Above(0), s.N)
					}
					ix.Background()
				}
			}
		})
	}
	wg.Wait()
	ix.Apply(models[0])
	s := ix.Scores()
	for i := range 400 {
		want := models[0].Score(&samples[i/2%3])
		if got, ok := s.Of(uint64(i)); !ok || math.Abs(got-want) > 1e-5 {
			t.Fatalf("page %d scores %v %v, want %v", i, got, ok, want)
		}
	}
}

// A notice is not a list: its similarity is its score without the gate, like Explanation.Raw; for a
// list it is the score.
func TestSimilarityKnowsNoGate(t *testing.T) {
	for _, scheme := range Schemes {
		lex := &names{}
		pages := docs(lex, tenders())
		ix := NewIndex()
		for i := range pages {
			d := pages[i]
			ix.Add(uint64(2*i), d)
			d.Records, d.Dated = 0, 0
			ix.Add(uint64(2*i+1), d)
		}
		m := Build(config(scheme, NormFull), pages[:2], lex, ix.Background())
		ix.Apply(m)
		s := ix.Scores()
		for i := range pages {
			score, _ := s.Of(uint64(2 * i))
			for id := uint64(2 * i); id < uint64(2*i+2); id++ {
				got, ok := s.Similarity(id)
				if raw := m.Explain(&pages[i]).Raw; !ok || math.Abs(got-raw) > 1e-5 || !pages[i].gated() && math.Abs(got-score) > 1e-6 {
					t.Errorf("%s: page %d: similarity %v, want %v", scheme, id, got, raw)
				}
			}
		}
		ix.Remove(1)
		for _, id := range []uint64{1, 999} {
			if v, ok := ix.Scores().Similarity(id); ok {
				t.Errorf("%s: page %d, which is not there, has the similarity %v", scheme, id, v)
			}
		}
	}
}
