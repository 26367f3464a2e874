package topic

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// Measure is a figure on the labels with its interval: the middle 95 % of the figures on redrawn
// sets of labels (bootstrap, 1 000 draws, fixed seed).
type Measure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Evaluation says how well a judge, a scheme or the learner, agrees with the labels. An undefined
// measure is nil: precision if no page was accepted; recall, F1 and AUC without a yes label; AUC
// without a no label.
type Evaluation struct {
	Name      string   `json:"name"`                 // Config.Name, or LearnerName
	Theta     float64  `json:"theta"`                // its threshold
	Rule      rule     `json:"theta_rule,omitempty"` // the reason of Theta; "" for the learner
	Yes       int      `json:"yes"`                  // labels
	No        int      `json:"no"`                   // labels
	Above     int      `json:"above"`                // pages of the whole crawl that it accepts
	InUse     bool     `json:"in_use"`               // the scheme and norm of the model in force
	Precision *Measure `json:"precision"`
	Recall    *Measure `json:"recall"`
	F1        *Measure `json:"f1"`
	// AUC is the probability that a random yes page ranks before a random no page, whatever the
	// threshold; ½ is guessing.
	AUC *Measure `json:"auc"`
	// BestTheta is the threshold with the best F1 on these labels, BestF1. It is optimistic, because it
	// was chosen on the same labels.
	BestTheta float64 `json:"best_theta"`
	BestF1    float64 `json:"best_f1"`
}

// LearnerName names the learner among the Evaluations.
const LearnerName = "learner"

// bootstraps is the number of redrawn label sets.
const bootstraps = 1000

// Evaluate measures every scheme, and the learner unless it is nil, on the yes and no labels of
// indexed pages. m is the model in force. Its configuration comes first, then the other similarity,
// its other norms, and the other schemes with the norms of their papers, all with the same
// settings. Nothing is measured on data it was built from: a label on a sample is compared with the
// model of the other samples, one on a negative sample with the model of the other negative
// samples, and the learner is cross-validated. sampleIDs and negativeIDs are the pages of m's
// samples and negative samples in order, 0 for a page that was not crawled.
//
// Labels from a queue are on doubtful pages, so figures on fresh pages are usually better. With m
// nil it returns nothing. The cost is a rescore of the index for each scheme and a few milliseconds
// for a thousand labels.
func Evaluate(ix *Index, m *Model, sampleIDs, negativeIDs []uint64, labels map[uint64]Label,
	learner *Learner) []Evaluation {
	if m == nil {
		return nil
	}
	var out []Evaluation
	for _, cfg := range rivals(m.cfg) {
		n := m
		if cfg.Name() != m.cfg.Name() {
			n = m.WithConfig(cfg)
		}
		s := ix.Try(n)
		e := s.verdicts(labels, sampleIDs, negativeIDs).evaluate(s.Theta)
		e.Name = cfg.Name()
		e.InUse = n == m
		e.Rule = s.Rule
		e.Above = s.Above(s.Theta)
		out = append(out, e)
	}
	if learner != nil {
		v := newVerdicts(labels, func(id uint64) (float64, bool) {
			p, ok := learner.held[id]
			return p, ok
		})
		s := ix.Probabilities(learner)
		e := v.evaluate(s.Theta)
		e.Name = LearnerName
		e.Above = s.Above(s.Theta)
		out = append(out, e)
	}
	return out
}

// verdicts returns the labelled pages with their scores. A sample or negative sample has its score
// from a model without it; an id of 0 is no page.
func (s *Scores) verdicts(labels map[uint64]Label, sampleIDs, negativeIDs []uint64) verdicts {
	alone := map[uint64]float64{}
	for i := range min(len(sampleIDs), len(s.LeaveOneOut)) {
		alone[sampleIDs[i]] = s.LeaveOneOut[i]
	}
	for i := range min(len(negativeIDs), len(s.NegativeAlone)) {
		alone[negativeIDs[i]] = s.NegativeAlone[i]
	}
	delete(alone, 0)
	return newVerdicts(labels, func(id uint64) (float64, bool) {
		if x, ok := alone[id]; ok {
			return x, true
		}
		return s.Of(id)
	})
}

// rivals returns the configuration in force, its scheme with the other norms, and every other
// scheme with the norm of its paper.
func rivals(cfg Config) []Config {
	out := []Config{cfg}
	add := func(c Config) {
		c.Theta = 0 // the threshold belongs to other scores
		if c.Name() != cfg.Name() {
			out = append(out, c)
		}
	}
	for _, s := range Similarities {
		c := cfg
		c.Similarity = s
		add(c)
	}
	for _, n := range Norms {
		c := cfg
		c.Norm = n
		add(c)
	}
	for _, s := range Schemes {
		c := cfg
		if s == cfg.Scheme {
			continue
		}
		if c.Scheme, c.Norm = s, NormFull; s == SchemeTF {
			c.Norm = NormInner
		}
		add(c)
	}
	return out
}

// Try returns the scores of the index under m without applying it. It costs a full rescore.
func (ix *Index) Try(m *Model) *Scores {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	other := &Index{
		model: m, rev: ix.rev, epoch: ix.epoch, ids: ix.ids, gone: ix.gone, empty: ix.empty,
		gated: ix.gated, table: ix.table, twins: ix.twins, terms: ix.terms, norms: slices.Clone(ix.norms),
	}
	ix.twins.lent = true
	other.rescore(&m.kernel)
	s := other.snapshot()
	s.index = ix
	return s
}

// verdict is a labelled page with the value of a judge.
type verdict struct {
	id    uint64
	value float64
	yes   bool
}

// verdicts are in order of values, the highest first.
type verdicts []verdict

func newVerdicts(labels map[uint64]Label, value func(uint64) (float64, bool)) (v verdicts) {
	for id, l := range labels {
		if l != Yes && l != No {
			continue
		}
		if x, ok := value(id); ok {
			v = append(v, verdict{id, finite(x), l == Yes})
		}
	}
	slices.SortFunc(v, func(a, b verdict) int {
		return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(a.id, b.id))
	})
	return v
}

// figures are precision, recall, F1 and AUC; NaN if undefined.
type figures [4]float64

// measure computes the figures with each verdict counted times[i] times.
func (v verdicts) measure(theta float64, times []int) figures {
	var o outcome
	yes, no, before, area := 0.0, 0.0, 0.0, 0.0
	for i := 0; i < len(v); {
		// Equal values are adjacent: half of their pairs count.
		tieYes, tieNo := 0.0, 0.0
		x := v[i].value
		for ; i < len(v) && v[i].value == x; i++ {
			n := float64(times[i])
			switch {
			case v[i].yes && x >= theta:
				o.tp += n
			case v[i].yes:
				o.fn += n
			case x >= theta:
				o.fp += n
			}
			if v[i].yes {
				tieYes += n
			} else {
				tieNo += n
			}
		}
		area += tieNo * (before + tieYes/2)
		before += tieYes
		yes += tieYes
		no += tieNo
	}
	f1 := math.NaN()
	if yes > 0 {
		f1 = o.f1()
	}
	return figures{ratio(o.tp, o.tp+o.fp), ratio(o.tp, yes), f1, ratio(area, yes*no)}
}

// ratio returns a÷b, NaN for b = 0.
func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}

// evaluate measures at theta, with intervals.
func (v verdicts) evaluate(theta float64) Evaluation {
	e := Evaluation{Theta: theta}
	once := make([]int, len(v))
	for i := range v {
		once[i] = 1
		if v[i].yes {
			e.Yes++
		} else {
			e.No++
		}
	}
	e.BestTheta, e.BestF1 = v.best()
	point := v.measure(theta, once)
	var drawn [len(point)][]float64
	r := rand.New(rand.NewPCG(1, uint64(len(v))))
	times := make([]int, len(v))
	for range bootstraps {
		if len(times) == 0 {
			break
		}
		clear(times)
		for range times {
			times[r.IntN(len(times))]++
		}
		for k, x := range v.measure(theta, times) {
			if !math.IsNaN(x) {
				drawn[k] = append(drawn[k], x)
			}
		}
	}
	for k, to := range []**Measure{&e.Precision, &e.Recall, &e.F1, &e.AUC} {
		if x := point[k]; !math.IsNaN(x) {
			low, high := middle(drawn[k], x)
			*to = &Measure{x, low, high}
		}
	}
	return e
}

// middle returns the bounds of the middle 95 % of xs, widened to hold x.
func middle(xs []float64, x float64) (low, high float64) {
	if len(xs) == 0 {
		return x, x
	}
	slices.Sort(xs)
	cut := len(xs) / 40
	return min(xs[cut], x), max(xs[len(xs)-1-cut], x)
}

// best returns the threshold with the best F1, and that F1. The threshold is in the middle of the
// gap below the last accepted page. Both are 0 if no label says yes.
func (v verdicts) best() (theta, f1 float64) {
	yes := 0.0
	for i := range v {
		if v[i].yes {
			yes++
		}
	}
	tp := 0.0
	for i := range v {
		if v[i].yes {
			tp++
		}
		x, next := v[i].value, 0.0
		if i+1 < len(v) {
			if next = v[i+1].value; next == x {
				continue
			}
		}
		if f := 2 * tp / (float64(i+1) + yes); f > f1 {
			theta, f1 = (x+next)/2, f
		}
	}
	return theta, f1
}

// BestTheta returns the threshold of s with the best F1 on the labels, and that F1; 0, 0 if no
// labelled page of s says yes. negativeIDs are the pages of the negative samples in order, as for
// Evaluate. A label on one is compared with its score under a model without that negative sample.
func (s *Scores) BestTheta(labels map[uint64]Label, negativeIDs []uint64) (theta, f1 float64) {
	return s.verdicts(labels, nil, negativeIDs).best()
}

// F1At returns the F1 of the rule "score ≥ theta" on the pages of BestTheta; 0 if no labelled page
// of s says yes.
func (s *Scores) F1At(theta float64, labels map[uint64]Label, negativeIDs []uint64) float64 {
	v := s.verdicts(labels, nil, negativeIDs)
	if f1 := v.measure(theta, slices.Repeat([]int{1}, len(v)))[2]; f1 == f1 {
		return f1
	}
	return 0
}
