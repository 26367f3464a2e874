package topic

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func verdictsOf(values []float64, yes string) verdicts {
	labels, at := map[uint64]Label{}, map[uint64]float64{}
	for i, x := range values {
		labels[uint64(i)], at[uint64(i)] = No, x
		if yes[i] == 'y' {
			labels[uint64(i)] = Yes
		}
	}
	return newVerdicts(labels, func(id uint64) (float64, bool) { return at[id], true })
}

func TestMeasures(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		yes    string
		theta  float64
		want   figures // precision, recall, F1, AUC
	}{
		{"perfect", []float64{.9, .8, .2, .1}, "yynn", .5, figures{1, 1, 1, 1}},
		{"one of each", []float64{.9, .8, .2, .1}, "ynyn", .5, figures{.5, .5, .5, .75}},
		{"all wrong", []float64{.9, .1}, "ny", .5, figures{0, 0, 0, 0}},
		{"all scores equal", []float64{.5, .5, .5, .5}, "ynyn", .5, figures{.5, 1, 2. / 3, .5}},
		{"nothing accepted", []float64{.1, .2}, "yn", .5, figures{nan, 0, 0, 0}},
		{"only yes", []float64{.9, .1}, "yy", .5, figures{1, .5, 2. / 3, nan}},
		{"only no", []float64{.9, .1}, "nn", .5, figures{0, nan, nan, nan}},
		{"NaN is no score", []float64{nan, .9}, "ny", .5, figures{1, 1, 1, 1}},
		{"no labels", nil, "", .5, figures{nan, nan, nan, nan}},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := verdictsOf(c.values, c.yes)
			once := make([]int, len(c.values))
			for i := range once {
				once[i] = 1
			}
			got := v.measure(c.theta, once)
			e := v.evaluate(c.theta)
			for k, m := range []*Measure{e.Precision, e.Recall, e.F1, e.AUC} {
				if math.IsNaN(c.want[k]) {
					if m != nil || !math.IsNaN(got[k]) {
						t.Errorf("figure %d is %v, want none", k, got[k])
					}
					continue
				}
				if math.Abs(got[k]-c.want[k]) > 1e-12 || m == nil || m.Value != got[k] {
					t.Errorf("figure %d is %v (%v), want %v", k, got[k], m, c.want[k])
				} else if !(m.Low <= m.Value && m.Value <= m.High && m.Low >= 0 && m.High <= 1) {
					t.Errorf("figure %d: interval %+v", k, *m)
				}
			}
			if _, err := json.Marshal(e); err != nil {
				t.Errorf("does not travel as JSON: %v", err)
			}
		})
	}
}

// TestMeasuresAgainstTheDefinitions compares with plain pairs and counts, on random labels with
// many ties.
func TestMeasuresAgainstTheDefinitions(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 3))
		var values []float64
		var yes strings.Builder
		times := make([]int, 0, 40)
		for range 1 + r.IntN(40) {
			values = append(values, float64(r.IntN(6))/5)
			yes.WriteByte("yn"[r.IntN(2)])
			times = append(times, 1)
		}
		theta := r.Float64()
		v := verdictsOf(values, yes.String())
		var o outcome
		pairs, won := 0.0, 0.0
		best := 0.0
		for i, x := range values {
			o.count(x >= theta, yes.String()[i] == 'y')
			for j, y := range values {
				if yes.String()[i] == 'y' && yes.String()[j] == 'n' {
					pairs++
					if x > y {
						won++
					} else if x == y {
						won += .5
					}
				}
			}
			var at outcome
			for j, y := range values {
				at.count(y >= x, yes.String()[j] == 'y')
			}
			best = max(best, at.f1())
		}
		got := v.measure(theta, times)
		if o.tp+o.fn > 0 && got[2] != o.f1() || pairs > 0 && math.Abs(got[3]-won/pairs) > 1e-12 {
			t.Fatalf("seed %d: %v, want F1 %v, AUC %v", seed, got, o.f1(), won/pairs)
		}
		at, f1 := v.best()
		if math.Abs(f1-best) > 1e-12 {
			t.Fatalf("seed %d: best F1 %v, want %v", seed, f1, best)
		}
		if f1 > 0 {
			if f := v.measure(at, times)[2]; math.Abs(f-f1) > 1e-12 {
				t.Fatalf("seed %d: the best threshold %v gives %v, not %v", seed, at, f, f1)
			}
		}
	}
}

func TestIntervalsNarrowWithLabels(t *testing.T) {
	width := func(n int) float64 {
		var values []float64
		for i := range n {
			values = append(values, float64((i*7)%10)/10)
		}
		e := verdictsOf(values, strings.Repeat("ynnyynynny", n/10)).evaluate(.5)
		return e.F1.High - e.F1.Low
	}
	few, many := width(20), width(2000)
	if !(many < few/4) || few == 0 {
		t.Errorf("width %.3f with 20 labels, %.3f with 2000", few, many)
	}
}

func TestEvaluate(t *testing.T) {
	ix, truth := crawl()
	labels := some(ix, truth, 30)
	labels[5000] = Yes // not crawled
	cfg := Default()
	cfg.Norm = NormProjected
	m := ix.model.WithConfig(cfg)
	before := ix.Scores()
	rows := Evaluate(ix, m, []uint64{3, 13}, nil, labels, learned(ix, labels))
	names := ""
	for _, e := range rows {
		names += e.Name + " "
		if e.Yes+e.No != 30 || e.F1 == nil || e.AUC == nil || e.BestF1 < e.F1.Value-1e-12 && e.Name != LearnerName {
			t.Errorf("%+v", e)
		}
		if e.InUse != (e.Name == "records/projected") {
			t.Errorf("%s: in use %v", e.Name, e.InUse)
		}
	}
	if want := "records/projected records/projected/mean records/full records/inner tf/idf/full tf-idf/full tf/inner learner "; names != want {
		t.Errorf("rows %q, want %q", names, want)
	}
	if learner := rows[len(rows)-1]; learner.F1.Value < rows[0].F1.Value {
		t.Errorf("the learner at %.3f is worse than the rule at %.3f", learner.F1.Value, rows[0].F1.Value)
	}
	if ix.Scores() != before {
		t.Error("evaluating changed the scores in force")
	}
	if again := Evaluate(ix, m, []uint64{3, 13}, nil, labels, learned(ix, labels)); !reflect.DeepEqual(rows, again) {
		t.Error("the same labels gave other figures")
	}
}

func TestEvaluateWithNothingToMeasure(t *testing.T) {
	ix, _ := crawl()
	if rows := Evaluate(ix, nil, nil, nil, map[uint64]Label{1: Yes}, nil); rows != nil {
		t.Errorf("%v without a model", rows)
	}
	rows := Evaluate(ix, ix.model, nil, nil, nil, nil)
	if want := len(Schemes) + len(Norms) + len(Similarities) - 2; len(rows) != want {
		t.Fatalf("%d rows, want the %d schemes, norms and similarities and no learner", len(rows), want)
	}
	for _, e := range rows {
		if e.Precision != nil || e.Recall != nil || e.F1 != nil || e.AUC != nil || e.BestF1 != 0 {
			t.Errorf("figures without labels: %+v", e)
		}
	}
}

// TestSampleIsJudgedByTheOthers: a sample without common words scores high in its own model, and
// must not be counted for it.
func TestSampleIsJudgedByTheOthers(t *testing.T) {
	lex := &names{}
	ix := NewIndex()
	stranger := lex.doc(refPage{list: bag{"天气": 5}, records: 9, dated: 9})
	member := lex.doc(refPage{list: bag{"招标": 5}, records: 9, dated: 9})
	ix.Add(1, stranger)
	ix.Add(2, member)
	m := Build(config(SchemeRecords, NormFull), []Doc{stranger, member}, lex, nil)
	ix.Apply(m)
	labels := map[uint64]Label{1: Yes}
	told := Evaluate(ix, m, nil, nil, labels, learned(ix, labels))[0]
	alone := Evaluate(ix, m, []uint64{1, 2}, nil, labels, learned(ix, labels))[0]
	if told.Recall.Value != 1 || alone.Recall.Value != 0 {
		t.Errorf("recall %v as told, %v left out; want 1 and 0", told.Recall.Value, alone.Recall.Value)
	}
}

func TestTryEqualsApply(t *testing.T) {
	ix, _ := crawl()
	m := ix.model
	for _, s := range Schemes {
		for _, n := range []Norm{NormFull, NormProjected, NormInner} {
			other := m.WithConfig(config(s, n))
			tried := ix.Try(other)
			ix.Apply(other)
			applied := ix.Scores()
			if !reflect.DeepEqual(tried.values, applied.values) || tried.Theta != applied.Theta {
				t.Errorf("%s/%s: tried and applied differ", s, n)
			}
			ix.Apply(m)
		}
	}
}

func TestBestThetaOnScores(t *testing.T) {
	s := flatScores(.9, .7, .5, .2)
	theta, f1 := s.BestTheta(map[uint64]Label{100: Yes, 101: Yes, 102: No, 103: Unsure, 999: Yes}, nil)
	if math.Abs(theta-.6) > 1e-6 || f1 != 1 {
		t.Errorf("θ %v, F1 %v; want .6 and 1", theta, f1)
	}
}

// learned returns the learner of some labels; nil if there is nothing to learn.
func learned(ix *Index, labels map[uint64]Label) *Learner {
	l, err := ix.Learn(labels)
	if err != nil {
		return nil
	}
	return l
}
