package topic

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"angler/dict"
)

type bag map[string]float64

// tenders are three lists of tender notices; each names its own university.
func tenders() []refPage {
	page := func(own string) refPage {
		p := refPage{full: bag{"招标": 8, "采购": 6, own: 9, "新闻": 1}, records: 10, dated: 10}
		p.list = bag{"招标": 8, "采购": 6, own: 3}
		return p
	}
	return []refPage{page("甲大"), page("乙大"), page("丙大")}
}

func docs(lex *names, pages []refPage) []Doc {
	var out []Doc
	for _, p := range pages {
		out = append(out, lex.doc(p))
	}
	return out
}

func config(s Scheme, n Norm) Config { return Config{Scheme: s, Norm: n, M: 100} }

func row1(t *testing.T, m *Model, word string) Feature {
	t.Helper()
	for _, f := range m.Features(0) {
		if f.Word == word {
			return f
		}
	}
	t.Fatalf("no feature %q", word)
	return Feature{}
}

func TestFeatureTableIsThePapers(t *testing.T) {
	lex := &names{}
	m := Build(config(SchemeTFdivID, NormFull), docs(lex, tenders()), lex, nil)
	z := 3 * (8 + 6 + 9 + 1.)
	shared, own := row1(t, m, "招标"), row1(t, m, "甲大")
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"TF of a shared word", shared.TF, 24 / z},
		{"IDF of a shared word", shared.IDF, math.Log(2)},
		{"TF/IDF of a shared word", shared.TFdivIDF, 24 / z / math.Log(2)},
		{"weight of a shared word", shared.Weight, 24 / z / math.Log(2)},
		{"coverage of a shared word", shared.Coverage, 1},
		{"IDF of one sample's word", own.IDF, math.Log(4)},
		{"TF·IDF of one sample's word", own.TFIDF, 9 / z * math.Log(4)},
		{"coverage of one sample's word", own.Coverage, 1. / 3},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.what, c.got, c.want)
		}
	}
	if first := m.Features(1)[0].Word; first != "招标" {
		t.Errorf("heaviest word %q, want 招标: TF÷IDF brings out what samples share", first)
	}
}

func TestBackgroundTakesWeightFromCommonWords(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	ix := NewIndex()
	for i := range uint64(40) {
		ix.Add(i, lex.doc(refPage{list: bag{"新闻": 1, "采购": 1}}))
	}
	m := Build(config(SchemeRecords, NormFull), samples, lex, ix.Background())
	if f := row1(t, m, "采购"); f.Weight != 0 || f.Background != 1 {
		t.Errorf("采购 stands on every page: weight %v, background %v, want 0 and 1", f.Weight, f.Background)
	}
	if f := row1(t, m, "招标"); f.Weight <= 0 || f.Background != 0 {
		t.Errorf("招标 stands on no page: weight %v, background %v", f.Weight, f.Background)
	}
	young := Build(config(SchemeRecords, NormFull), samples, lex, &Background{N: 29, List: []uint32{29, 29, 29, 29}})
	if f := row1(t, young, "采购"); f.Weight == 0 {
		t.Error("29 pages are no background: the word must keep its weight")
	}
}

func TestGate(t *testing.T) {
	lex := &names{}
	m := Build(config(SchemeRecords, NormFull), docs(lex, tenders()), lex, nil)
	for _, c := range []struct {
		name           string
		records, dated int
		front, passes  bool
	}{
		{"no records", 0, 0, false, false},
		{"two dated", 2, 2, false, false},
		{"three dated", 3, 3, false, true},
		{"half dated", 8, 4, false, true},
		{"less than half dated", 9, 4, false, false},
		{"a front page", 8, 8, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := lex.doc(refPage{list: bag{"招标": 3, "采购": 2}, records: c.records, dated: c.dated, front: c.front})
			e := m.Explain(&d)
			want := e.Raw
			if !c.passes {
				want *= .001
			}
			if e.Gate != c.passes || e.Score != want || e.Raw < .5 || m.Score(&d) != e.Score {
				t.Errorf("%+v, Score %v: want gate %v, score %v", e, m.Score(&d), c.passes, want)
			}
		})
	}
}

// TestNothingIsNaN runs every scheme and norm on inputs that make a quotient 0 ÷ 0.
func TestNothingIsNaN(t *testing.T) {
	lex := &names{}
	full := docs(lex, tenders())
	wordless := Doc{Records: 5, Dated: 5}
	off := []string{"招标", "采购", "新闻", "甲大", "乙大", "丙大"}
	for _, c := range []struct {
		name    string
		samples []Doc
		edit    func(*Config)
		bg      *Background
		zero    bool // nothing can score
	}{
		{name: "no samples", zero: true},
		{name: "samples without words", samples: []Doc{wordless, wordless, {}}, zero: true},
		{name: "one sample", samples: full[:1]},
		{name: "one sample among wordless ones", samples: []Doc{wordless, full[0], wordless}},
		{name: "all words off", samples: full, edit: func(c *Config) { c.Off = off }, zero: true},
		{name: "all weights 0", samples: full, zero: true, edit: func(c *Config) {
			c.Weights = map[string]float64{}
			for _, w := range off {
				c.Weights[w] = 0
			}
		}},
		{name: "absurd weights", samples: full, edit: func(c *Config) {
			c.Weights = map[string]float64{"招标": math.NaN(), "采购": math.Inf(1), "新闻": -5}
		}},
		{name: "absurd numbers", samples: full, edit: func(c *Config) { c.M, c.Theta = -3, math.NaN() }},
		{name: "background that holds every word everywhere", samples: full,
			bg: &Background{N: 30, Full: slices.Repeat([]uint32{30}, 6), List: slices.Repeat([]uint32{30}, 6)}},
		{name: "background counted after the pages", samples: full,
			bg: &Background{N: 30, Full: []uint32{99, 99}, List: []uint32{99, 99}}},
		{name: "expert word in no page", samples: nil, edit: func(c *Config) { c.Expert = []string{"遴选"} }, zero: true},
	} {
		for _, s := range append(Schemes, "unheard of") {
			for _, n := range []Norm{NormFull, NormProjected, NormInner, ""} {
				t.Run(fmt.Sprintf("%s/%s/%s", c.name, s, n), func(t *testing.T) {
					cfg := config(s, n)
					if c.edit != nil {
						c.edit(&cfg)
					}
					m := Build(cfg, c.samples, lex, c.bg)
					ix := NewIndex()
					for i, d := range append(full[:len(full):len(full)], wordless, Doc{}) {
						ix.Add(uint64(i), d)
					}
					ix.Apply(m)
					sc := ix.Scores()
					numbers := append([]float64{m.Theta(), sc.Theta, sc.Otsu}, m.leaveOneOut()...)
					numbers = append(numbers, m.sampleScores()...)
					for i := range uint64(5) {
						x, ok := sc.Of(i)
						if numbers = append(numbers, x); !ok || c.zero && x != 0 {
							t.Errorf("page %d scores %v, %v", i, x, ok)
						}
					}
					for _, f := range m.Features(0) {
						numbers = append(numbers, f.TF, f.IDF, f.TFdivIDF, f.TFIDF, f.Coverage, f.Background)
						if f.Weight < 0 || math.IsNaN(f.Weight) || math.IsInf(f.Weight, 0) {
							t.Errorf("weight of %q is %v", f.Word, f.Weight)
						}
					}
					e := m.Explain(&full[0])
					numbers = append(numbers, e.Score, e.Raw, m.Anchor(full[0].List), m.Anchor(nil))
					for i, x := range numbers {
						if !(x >= 0 && x <= math.Log(4)*10) {
							t.Errorf("number %d is %v", i, x)
						}
					}
					if th := m.Theta(); th <= 0 || th > 1 {
						t.Errorf("θ = %v", th)
					}
				})
			}
		}
	}
}

func TestSwitches(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	base := Build(config(SchemeRecords, NormFull), samples, lex, nil)
	order := func(m *Model) (out []string) {
		for _, f := range m.Features(0) {
			out = append(out, f.Word)
		}
		return out
	}
	t.Run("a word switched off keeps its row and loses its weight", func(t *testing.T) {
		cfg := config(SchemeRecords, NormFull)
		cfg.Off = []string{"招标"}
		m := base.WithConfig(cfg)
		if f := row1(t, m, "招标"); f.On || f.Weight != 0 {
			t.Errorf("still scores: %+v", f)
		}
		if got, want := order(m), order(base); !slices.Equal(got, want) {
			t.Errorf("order %v, want %v", got, want)
		}
	})
	t.Run("m limits the feature words", func(t *testing.T) {
		cfg := config(SchemeRecords, NormFull)
		cfg.M = 1
		m := base.WithConfig(cfg)
		if !row1(t, m, "招标").Feature || row1(t, m, "采购").Feature {
			t.Errorf("features %+v, want 招标 only", m.Features(0))
		}
	})
	t.Run("a multiplier raises the page that has the word", func(t *testing.T) {
		cfg := config(SchemeRecords, NormFull)
		cfg.Weights = map[string]float64{"采购": 5}
		d := lex.doc(refPage{list: bag{"采购": 4, "网络": 2}, records: 3, dated: 3})
		if a, b := base.Score(&d), base.WithConfig(cfg).Score(&d); b <= a {
			t.Errorf("score %v, before %v", b, a)
		}
	})
	t.Run("an expert word counts though no sample has it", func(t *testing.T) {
		d := lex.doc(refPage{list: bag{"遴选": 4}, records: 3, dated: 3})
		cfg := config(SchemeRecords, NormFull)
		cfg.Expert = []string{"遴选"}
		m := base.WithConfig(cfg)
		if f := row1(t, m, "遴选"); !f.Expert || !f.Feature || f.Weight <= 0 || m.Score(&d) <= 0 {
			t.Errorf("feature %+v, score %v", f, m.Score(&d))
		}
	})
	t.Run("rows beyond max keep expert words and switches", func(t *testing.T) {
		cfg := config(SchemeRecords, NormFull)
		cfg.Off, cfg.Expert = []string{"丙大"}, []string{"遴选"}
		got := base.WithConfig(cfg).Features(1)
		if len(got) != 3 {
			t.Errorf("%d rows %+v, want the heaviest, the expert's and the one switched off", len(got), got)
		}
	})
}

func TestExplainAddsUp(t *testing.T) {
	lex := &names{}
	for _, s := range Schemes {
		for _, n := range []Norm{NormFull, NormProjected, NormInner} {
			m := Build(config(s, n), docs(lex, tenders()), lex, nil)
			d := lex.doc(refPage{full: bag{"招标": 2, "甲大": 1, "天气": 4}, list: bag{"招标": 2, "天气": 1}, records: 3, dated: 3})
			e := m.Explain(&d)
			total := 0.0
			for _, w := range e.Words {
				total += w.Share
			}
			if math.Abs(total-e.Raw) > 1e-9 || e.Words[0].Word != "招标" || e.Words[0].Count != 2 || e.Above != (e.Score >= e.Theta) {
				t.Errorf("%s/%s: shares sum to %v: %+v", s, n, total, e)
			}
		}
	}
}

func TestAnchorPrefersTopicWords(t *testing.T) {
	lex := &names{}
	m := Build(Default(), docs(lex, tenders()), lex, nil)
	on, mixed, none := m.Anchor(lex.vector(bag{"招标": 1})), m.Anchor(lex.vector(bag{"招标": 1, "天气": 1})), m.Anchor(lex.vector(bag{"天气": 1}))
	if !(on > mixed && mixed > none && none == 0 && on <= 1) {
		t.Errorf("招标 %v, 招标天气 %v, 天气 %v", on, mixed, none)
	}
}

func TestThetaRules(t *testing.T) {
	lex := &names{}
	three := docs(lex, tenders())
	for _, c := range []struct {
		name    string
		samples int
		set     float64
		otsu    float64
		want    float64
	}{
		{"set by the analyst", 3, .62, .4, .62},
		{"three samples", 3, 0, .3, .42},
		{"two samples", 2, 0, .3, .42},
		{"one sample", 1, 0, .3, .32},
		{"nothing seen", 1, 0, 0, .32},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := Default()
			cfg.Theta = c.set
			m := Build(cfg, three[:c.samples], lex, nil)
			m.seen.Store(&sight{otsu: c.otsu})
			if m.Theta() != c.want {
				t.Errorf("θ = %v, want %v", m.Theta(), c.want)
			}
			cfg.Theta = .5
			if n := m.WithConfig(cfg); n.Theta() != .5 || n.Rev == m.Rev {
				t.Errorf("WithConfig: θ = %v, rev %d → %d", n.Theta(), m.Rev, n.Rev)
			}
		})
	}
}

func TestLeaveOneOutShowsTheStranger(t *testing.T) {
	lex := &names{}
	samples := docs(lex, append(tenders(), refPage{list: bag{"讲座": 5}, full: bag{"讲座": 5}, records: 9, dated: 9}))
	got := Build(Default(), samples, lex, nil).leaveOneOut()
	if len(got) != 4 || got[3] != 0 || got[0] < .5 || got[1] < .5 || got[2] < .5 {
		t.Errorf("leave-one-out %v, want the last 0 and the others high", got)
	}
	if one := Build(Default(), samples[:1], lex, nil).leaveOneOut(); one != nil {
		t.Errorf("one sample: %v", one)
	}
}

func TestScoreAllocatesNothing(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	m := Build(Default(), samples, lex, nil)
	if n := testing.AllocsPerRun(50, func() { m.Score(&samples[0]); m.Anchor(samples[0].List) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestConfigIsNotSharedWithTheCaller(t *testing.T) {
	lex := &names{}
	cfg := Default()
	cfg.Off = []string{"新闻", "招标"}
	cfg.Weights = map[string]float64{"采购": 2}
	m := Build(cfg, docs(lex, tenders()), lex, nil)
	cfg.Off[0], cfg.Weights["采购"] = "采购", 9
	if got := m.config(); got.Weights["采购"] != 2 || !slices.Contains(got.Off, "新闻") || cfg.Off[1] != "招标" {
		t.Errorf("config %+v follows the caller's", got)
	}
}

func TestVectorOfCounter(t *testing.T) {
	var c dict.Counter
	c.Add(7, 2)
	c.Add(3, 1)
	c.Add(7, 1)
	v := VectorOf(&c)
	if !slices.Equal(v, Vector{{3, 1}, {7, 3}}) || v.total() != 4 || v.count(7) != 3 || v.count(5) != 0 {
		t.Errorf("vector %v", v)
	}
}

func TestMinWeight(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders())
	features := func(cfg Config) map[string]Feature {
		out := map[string]Feature{}
		for _, f := range Build(cfg, samples, lex, nil).Features(0) {
			out[f.Word] = f
		}
		return out
	}
	for _, s := range Schemes {
		t.Run(string(s), func(t *testing.T) {
			cfg := config(s, NormFull)
			all := features(cfg)
			heaviest, lightest := 0.0, math.Inf(1)
			for _, f := range all {
				if f.Weight > 0 {
					heaviest, lightest = max(heaviest, f.Weight), min(lightest, f.Weight)
				}
			}
			if lightest == heaviest {
				t.Fatal("all words weigh the same")
			}
			cfg.MinWeight = (lightest/heaviest + 1) / 2
			left := 0
			for w, f := range features(cfg) {
				if want := all[w].Weight >= cfg.MinWeight*heaviest; f.Feature != want || want && f.Weight != all[w].Weight || !want && f.Weight != 0 {
					t.Errorf("%s weighed %v, the heaviest %v: with the bound %+v", w, all[w].Weight, heaviest, f)
				}
				if f.Weight > 0 {
					left++
				}
			}
			if left == 0 || left == len(all) {
				t.Errorf("%d of %d words are left", left, len(all))
			}
			// The heaviest word and expert words are never below it.
			cfg.MinWeight, cfg.Expert = 1, []string{"公示", "新闻"}
			for w, f := range features(cfg) {
				if want := all[w].Weight == heaviest || f.Expert; f.Feature != want || want && f.Weight <= 0 {
					t.Errorf("at bound 1 %s: %+v", w, f)
				}
			}
		})
	}
	cfg := config(SchemeRecords, NormFull)
	for given, want := range map[float64]float64{-1: 0, 2: 1, math.NaN(): 0, .25: .25} {
		cfg.MinWeight = given
		if got := Build(cfg, samples, lex, nil).config().MinWeight; got != want {
			t.Errorf("%v became %v", given, got)
		}
	}
}
