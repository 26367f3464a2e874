package topic

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// news is a list that looks like the tenders but has another subject.
func news(own string) refPage {
	return refPage{full: bag{"新闻": 8, "采购": 3, own: 2}, list: bag{"新闻": 8, "采购": 3, own: 2}, records: 10, dated: 10}
}

func withGamma(c Config, gamma float64) Config { c.Gamma = gamma; return c }

func TestNegativeSamplesTakeWeight(t *testing.T) {
	lex := &names{}
	samples := docs(lex, tenders()[:1]) // 招标 8, 采购 6, 甲大 9, 新闻 1 of 24
	negative := docs(lex, []refPage{{full: bag{"采购": 1, "讲座": 3}}})
	cfg := withGamma(config(SchemeTF, NormFull), .5)
	m := BuildAgainst(cfg, samples, negative, lex, nil)
	scale := .5 * math.Sqrt(8*8+6*6+9*9+1) / 24 / math.Sqrt(1./16+9./16)
	for _, c := range []struct {
		word                      string
		weight, taken, negativeTF float64
		negativeDF                int
	}{
		{"招标", 8. / 24, 0, 0, 0},
		{"采购", 6./24 - scale/4, scale / 4 / (6. / 24), 1. / 4, 1},
		{"甲大", 9. / 24, 0, 0, 0},
	} {
		f := row1(t, m, c.word)
		if math.Abs(f.Weight-c.weight) > 1e-12 || math.Abs(f.Taken-c.taken) > 1e-12 || f.NegativeTF != c.negativeTF || f.NegativeDF != c.negativeDF {
			t.Errorf("%s: %+v, want weight %v, taken %v, share %v in %d", c.word, f, c.weight, c.taken, c.negativeTF, c.negativeDF)
		}
	}
	for _, f := range m.Features(0) {
		if f.Word == "讲座" {
			t.Error("a word of the negative samples alone became a feature")
		}
	}
}

// TestNegativeSamplesSeparate: a page like the negative sample falls, a page like the samples
// stays, under every scheme.
func TestNegativeSamplesSeparate(t *testing.T) {
	for _, s := range Schemes {
		t.Run(string(s), func(t *testing.T) {
			lex := &names{}
			samples := docs(lex, tenders())
			like, unlike := lex.doc(tenders()[0]), lex.doc(news("丁大"))
			cfg := withGamma(config(s, NormFull), DefaultGamma)
			before := Build(cfg, samples, lex, nil)
			after := BuildAgainst(cfg, samples, docs(lex, []refPage{news("戊大")}), lex, nil)
			if a, b := after.Score(&unlike), before.Score(&unlike); a >= b {
				t.Errorf("a page like the negative sample scores %v, before %v", a, b)
			}
			if a, b := after.Score(&like), before.Score(&like); a < .95*b {
				t.Errorf("a page like the samples scores %v, before %v", a, b)
			}
			if a, b := after.Anchor(unlike.List), before.Anchor(unlike.List); a >= b {
				t.Errorf("an anchor like the negative sample scores %v, before %v", a, b)
			}
		})
	}
}

// TestNoNegativeSamplesNoDifference: without negative samples γ changes no bit,
// and negative samples at γ 0 change no score.
func TestNoNegativeSamplesNoDifference(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 3))
		lex := &names{}
		var samples, negative []Doc
		for range 3 {
			samples, negative = append(samples, lex.doc(randomPage(r))), append(negative, lex.doc(randomPage(r)))
		}
		cfg := randomConfig(r)
		want := Build(withGamma(cfg, 0), samples, lex, nil)
		for name, m := range map[string]*Model{
			"γ alone":             Build(withGamma(cfg, MaxGamma), samples, lex, nil),
			"an empty list":       BuildAgainst(withGamma(cfg, 1), samples, []Doc{}, lex, nil),
			"negative samples, 0": BuildAgainst(withGamma(cfg, 0), samples, negative, lex, nil),
		} {
			if !reflect.DeepEqual(m.kernel, want.kernel) || !reflect.DeepEqual(m.anchor, want.anchor) {
				t.Errorf("seed %d: %s changed the weights", seed, name)
			}
			if name != "negative samples, 0" && (m.Theta() != want.Theta() || !reflect.DeepEqual(m.leaveOneOut(), want.leaveOneOut())) {
				t.Errorf("seed %d: %s changed θ", seed, name)
			}
		}
	}
}

func TestBadNegativeSamples(t *testing.T) {
	lex := &names{}
	full := docs(lex, tenders())
	wordless := Doc{Records: 5, Dated: 5}
	for _, c := range []struct {
		name              string
		samples, negative []Doc
		edit              func(*Config)
		err               error
		zero              bool // no page can score
	}{
		{name: "no samples", negative: full, zero: true},
		{name: "no words", samples: full, negative: []Doc{wordless, {}}},
		{name: "neither has words", samples: []Doc{wordless}, negative: []Doc{wordless}, zero: true},
		{name: "the samples again", samples: full, negative: full},
		{name: "the samples again, as heavy", samples: full, negative: full, edit: func(c *Config) { c.Gamma = 1 }, err: ErrNoWeight, zero: true},
		{name: "the samples again, heavier", samples: full, negative: full, edit: func(c *Config) { c.Gamma = 1e9 }, err: ErrNoWeight, zero: true},
		{name: "one word is switched off, the others are taken", samples: full, negative: full, err: ErrNoWeight, zero: true,
			edit: func(c *Config) { c.Gamma, c.Off = 1, []string{"招标"} }},
		{name: "an expert word stands by itself", samples: full, negative: full, edit: func(c *Config) { c.Gamma, c.Expert = 1, []string{"招标"} }},
		{name: "γ is no number", samples: full, negative: full, edit: func(c *Config) { c.Gamma = math.NaN() }},
	} {
		for _, s := range Schemes {
			for _, n := range Norms {
				t.Run(fmt.Sprintf("%s/%s/%s", c.name, s, n), func(t *testing.T) {
					cfg := Default()
					cfg.Scheme, cfg.Norm = s, n
					if c.edit != nil {
						c.edit(&cfg)
					}
					m := BuildAgainst(cfg, c.samples, c.negative, lex, nil)
					if err := m.Err(); !errors.Is(err, c.err) {
						t.Errorf("says %v, want %v", err, c.err)
					}
					ix := NewIndex()
					for i, d := range append(full[:len(full):len(full)], wordless) {
						ix.Add(uint64(i), d)
					}
					ix.Apply(m)
					sc := ix.Scores()
					if th := sc.Theta; !(th > 0 && th <= 1) {
						t.Errorf("θ %v", th)
					}
					if n := sc.Above(sc.Theta); c.zero && n != 0 {
						t.Errorf("%d pages stand above θ", n)
					}
					numbers := append(append(append([]float64{}, sc.Negative...), sc.NegativeAlone...), sc.LeaveOneOut...)
					for _, f := range m.Features(0) {
						numbers = append(numbers, f.Weight/10, f.Taken, f.NegativeTF)
					}
					for _, w := range m.Explain(&full[0]).Words {
						numbers = append(numbers, w.Share, w.Taken)
					}
					for i := range uint64(4) {
						x, _ := sc.Of(i)
						if numbers = append(numbers, x); c.zero && x != 0 {
							t.Errorf("page %d scores %v", i, x)
						}
					}
					for i, x := range numbers {
						if !(x >= 0 && x <= 1) {
							t.Errorf("number %d is %v", i, x)
						}
					}
				})
			}
		}
	}
}

func TestThetaClearsNegativeSamples(t *testing.T) {
	lex := &names{}
	three, near := docs(lex, tenders()), docs(lex, []refPage{{list: bag{"招标": 8, "采购": 1, "新闻": 9}, records: 9, dated: 9}})
	far := docs(lex, []refPage{{list: bag{"新闻": 9}, records: 9, dated: 9}})
	for _, c := range []struct {
		name              string
		samples, negative []Doc
		theta             float64 // the analyst's
		want              func(m *Model) float64
	}{
		{"above the highest", three, near, 0, func(m *Model) float64 { return m.negativeScores()[0] + thetaMargin }},
		{"the highest of several", three, append(far, near...), 0, func(m *Model) float64 { return m.negativeScores()[1] + thetaMargin }},
		{"far below it already", three, far, 0, func(*Model) float64 { return .35 }},
		{"as high as a sample", three, three[:1], 0, func(*Model) float64 { return .35 }},
		{"a single sample", three[:1], near, 0, func(m *Model) float64 { return m.negativeScores()[0] + thetaMargin }},
		{"no list: the gate keeps it out", three, docs(lex, []refPage{{list: bag{"招标": 8}}}), 0, func(*Model) float64 { return .35 }},
		{"the analyst's word", three, near, .123, func(*Model) float64 { return .123 }},
		{"no samples", nil, near, 0, func(*Model) float64 { return .32 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			cfg := withGamma(config(SchemeRecords, NormFull), DefaultGamma)
			cfg.Theta = c.theta
			m := BuildAgainst(cfg, c.samples, c.negative, lex, nil)
			if got, want := m.Theta(), c.want(m); math.Abs(got-want) > 1e-12 {
				t.Errorf("θ %v, want %v; negative samples %v, samples %v", got, want, m.negativeScores(), m.leaveOneOut())
			}
			ix := NewIndex()
			for i, d := range c.negative {
				ix.Add(uint64(i), d)
			}
			ix.Apply(m)
			if s := ix.Scores(); s.Theta != m.Theta() || len(s.Negative) != len(c.negative) {
				t.Errorf("the index has θ %v and %v", s.Theta, s.Negative)
			}
		})
	}
}

// TestNegativeSamplesAreJudgedByTheOthers: a negative sample must be measured by a model without
// it.
func TestNegativeSamplesAreJudgedByTheOthers(t *testing.T) {
	lex := &names{}
	samples, negative := docs(lex, tenders()), docs(lex, []refPage{{list: bag{"招标": 8, "采购": 4, "新闻": 9}, records: 9, dated: 9}})
	m := BuildAgainst(withGamma(config(SchemeRecords, NormFull), 1), samples, negative, lex, nil)
	ix := NewIndex()
	for i, d := range append(samples, negative...) {
		ix.Add(uint64(i+1), d)
	}
	ix.Apply(m)
	s := ix.Scores()
	stranger := Build(m.config(), samples, lex, nil).Score(&negative[0])
	if s.NegativeAlone[0] != stranger || s.Negative[0] >= stranger {
		t.Fatalf("alone %v, told %v; a model without it gives %v", s.NegativeAlone, s.Negative, stranger)
	}
	labels := map[uint64]Label{1: Yes, 2: Yes, 3: Yes, 4: No}
	told, _ := s.BestTheta(labels, nil)
	if alone, f1 := s.BestTheta(labels, []uint64{4}); f1 != 1 || alone <= told || alone <= stranger {
		t.Errorf("best θ %v, F1 %v; told of the negative sample %v, which scores %v", alone, f1, told, stranger)
	}
	before := Evaluate(ix, m, nil, nil, labels, learned(ix, labels))[0]
	after := Evaluate(ix, m, nil, []uint64{4}, labels, learned(ix, labels))[0]
	if after.BestTheta <= before.BestTheta || after.No != 1 {
		t.Errorf("evaluated with best θ %v, told of the negative sample %v", after.BestTheta, before.BestTheta)
	}
}

func TestExplainTellsWhatWasTaken(t *testing.T) {
	lex := &names{}
	negative := docs(lex, []refPage{{list: bag{"采购": 6}}})
	m := BuildAgainst(withGamma(config(SchemeRecords, NormFull), 1), docs(lex, tenders()), negative, lex, nil)
	d := lex.doc(tenders()[0])
	got := map[string]contribution{}
	for _, w := range m.Explain(&d).Words {
		got[w.Word] = w
	}
	if w := got["采购"]; w.Taken != 1 || w.Share != 0 || w.Count != 6 {
		t.Errorf("采购, which the negative sample takes whole: %+v", w)
	}
	if w := got["招标"]; w.Taken != 0 || w.Share <= 0 {
		t.Errorf("招标, which the negative sample does not hold: %+v", w)
	}
}
