package topic

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// list is a page whose text is 24 words.
func list(lex *names, text string, url string) Doc {
	p := refPage{full: bag{}, list: bag{"招标": 4, "采购": 3}, records: 8, dated: 8}
	for i := range 24 {
		p.full[fmt.Sprint(text, i)] = 1
	}
	d := lex.doc(p)
	d.URL = url
	return d
}

func TestOnePageUnderSeveralAddresses(t *testing.T) {
	lex := &names{}
	ix := NewIndex()
	a, b := list(lex, "a", "http://x.test/a/"), list(lex, "b", "http://x.test/b/")
	for id, d := range map[uint64]Doc{3: a, 7: a, 2: a, 5: b, 9: {Records: 9, Dated: 9}, 10: {Records: 9, Dated: 9}} {
		ix.Add(id, d)
	}
	ix.Apply(Build(Default(), []Doc{a}, lex, nil))
	s := ix.Scores()
	shadows := func(s *Scores) (out []uint64) {
		for id := range uint64(20) {
			if s.Shadow(id) {
				out = append(out, id)
			}
		}
		return out
	}
	if got := shadows(s); !slices.Equal(got, []uint64{3, 7}) {
		t.Errorf("shadows %v, want 3 and 7 of 2", got)
	}
	if got := s.Others([]uint64{2, 5}); !reflect.DeepEqual(got, map[uint64][]uint64{2: {3, 7}}) {
		t.Errorf("others %v", got)
	}
	var asked []uint64
	for _, p := range s.Queue(nil, 20) {
		asked = append(asked, p.ID)
	}
	slices.Sort(asked)
	if !slices.Equal(asked, []uint64{2, 5, 9, 10}) {
		t.Errorf("asked for %v", asked)
	}
	for _, p := range s.Queue(map[uint64]Label{7: Yes}, 20) {
		if p.ID == 2 || p.ID == 3 {
			t.Errorf("page %d is asked for, though 7 shows the same and has a label", p.ID)
		}
	}
	labels := map[uint64]Label{2: Yes, 7: No, 5: Yes, 9: Yes, 10: No}
	if got := s.Contradictions(labels); !reflect.DeepEqual(got, [][]uint64{{2, 7}}) {
		t.Errorf("contradictions %v", got)
	}
	ix.Remove(2)
	if got := shadows(ix.Scores()); !slices.Equal(got, []uint64{7}) {
		t.Errorf("without page 2, shadows %v, want 7", got)
	}
	if got := shadows(s); !slices.Equal(got, []uint64{3, 7}) {
		t.Errorf("the old snapshot has shadows %v now", got)
	}
	ix.Pack()
	if got := shadows(ix.Scores()); !slices.Equal(got, []uint64{7}) {
		t.Errorf("packed, shadows %v, want 7", got)
	}
}

// TestShadowsOfRandomPages compares with a plain search after every step.
func TestShadowsOfRandomPages(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 1))
		lex, ix, text := &names{}, NewIndex(), map[uint64]int{}
		for range 200 {
			id := uint64(r.IntN(40))
			if r.IntN(4) == 0 {
				ix.Remove(id)
				delete(text, id)
			} else {
				text[id] = r.IntN(12)
				ix.Add(id, list(lex, fmt.Sprint("t", text[id], "w"), "http://x.test/"))
			}
			s := ix.Scores()
			for id, k := range text {
				want := false
				for other, l := range text {
					want = want || l == k && other < id
				}
				if got := s.Shadow(id); got != want {
					t.Fatalf("seed %d: page %d with text %d is a shadow: %v", seed, id, k, got)
				}
			}
		}
	}
}

func TestMirrorsOfFrontPages(t *testing.T) {
	lex := &names{}
	home, before := list(lex, "h", "http://x.test/"), list(lex, "h", "http://x.test/zh/main.psp")
	home.Front = true
	ix := NewIndex()
	ix.Add(1, before)
	ix.Add(2, list(lex, "l", "http://x.test/list.htm"))
	ix.Apply(Build(Default(), []Doc{before}, lex, nil))
	old := ix.Scores()
	ix.Add(3, home)
	ix.Add(4, list(lex, "h", "http://mirror.test/main.psp"))
	s := ix.Scores()
	for id, front := range map[uint64]bool{1: true, 2: false, 3: true, 4: true} {
		if x, _ := s.Of(id); (x < .01) != front {
			t.Errorf("page %d scores %v, front page: %v", id, x, front)
		}
	}
	if x, _ := old.Similarity(1); x < .9 {
		t.Errorf("the old snapshot changed: %v", x)
	}
}

func TestSamplesOfTwoKinds(t *testing.T) {
	lex := &names{}
	tender := func(unit string) refPage {
		return refPage{list: bag{"招标": 8, "采购": 5, unit: 3}, records: 9, dated: 9}
	}
	lecture := func(unit string) refPage {
		return refPage{list: bag{"讲座": 8, "学术": 5, unit: 3}, records: 9, dated: 9}
	}
	for _, c := range []struct {
		name  string
		pages []refPage
		odd   []int
	}{
		{"none", nil, nil},
		{"one", []refPage{tender("甲")}, nil},
		{"two alike", []refPage{tender("甲"), tender("乙")}, nil},
		{"two unlike", []refPage{tender("甲"), lecture("乙")}, []int{1}},
		{"one stranger", []refPage{tender("甲"), lecture("乙"), tender("丙"), tender("丁")}, []int{1}},
		{"the first is the stranger", []refPage{lecture("甲"), tender("乙"), tender("丙")}, []int{0}},
		{"two and two", []refPage{tender("甲"), lecture("乙"), tender("丙"), lecture("丁")}, []int{1, 3}},
		{"a page without words", []refPage{tender("甲"), tender("乙"), {records: 3, dated: 3}}, []int{2}},
		{"three unlike", []refPage{tender("甲"), lecture("乙"), {list: bag{"新闻": 3}}}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			odd, alike := Build(Default(), docs(lex, c.pages), lex, nil).Odd()
			if !slices.Equal(odd, c.odd) {
				t.Errorf("odd %v (alike %.3f), want %v", odd, alike, c.odd)
			}
		})
	}
}

// TestEitherOfTwoKinds: of samples without common words each kind finds its own pages, as it would
// alone.
func TestEitherOfTwoKinds(t *testing.T) {
	lex := &names{}
	list := func(words bag) refPage { return refPage{list: words, records: 9, dated: 9} }
	pages := docs(lex, []refPage{list(bag{"招标": 8, "采购": 5, "甲": 3}), list(bag{"招标": 7, "采购": 6, "乙": 2}), list(bag{"tender": 8, "bids": 4, "campus": 2}),
		list(bag{"招标": 5, "采购": 5, "丙": 4}), list(bag{"tender": 6, "bids": 5, "town": 3}), list(bag{"讲座": 6, "学术": 4})})
	both := Build(Default(), pages[:3], lex, nil)
	chinese, english := Build(Default(), pages[:2], lex, nil), Build(Default(), pages[2:3], lex, nil)
	for _, c := range []struct {
		page  int
		alone float64
	}{{3, chinese.Score(&pages[3])}, {4, english.Score(&pages[4])}, {5, 0}} {
		if got := both.Score(&pages[c.page]); math.Abs(got-c.alone) > 1e-6 {
			t.Errorf("page %d scores %.4f under both kinds, %.4f under its own", c.page, got, c.alone)
		}
	}
	papers := Default()
	papers.Scheme = SchemeTFIDF
	if m := Build(papers, pages[:3], lex, nil); m.cfg.parted(m.groups, m.alike) != nil {
		t.Error("a paper's scheme weighs the kinds apart")
	}
	changed := both.config()
	changed.Off = []string{"甲"}
	if a, b := both.WithConfig(changed).Score(&pages[4]), Build(changed, pages[:3], lex, nil).Score(&pages[4]); a != b {
		t.Errorf("a change gives %.4f, the same built anew %.4f", a, b)
	}
}
