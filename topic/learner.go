package topic

import (
	"cmp"
	"errors"
	"math"
	"slices"
)

// Learner is a logistic regression on an analyst's labels. It learns how much the score, the look
// of a list and the URL say, beyond the words. It stands beside the Model and changes nothing by
// itself. It is immutable and safe for concurrent use.
type Learner struct {
	// Yes and No count the labels it learned from.
	Yes, No int
	// F1 is the cross-validated F1 on the labels: a regression trained without a label judges it. The
	// queue picks the most doubtful pages, so F1 on fresh pages is usually higher.
	F1 float64
	// ModelRev is the Model whose scores were inputs.
	ModelRev uint64

	theta float64 // of the model, for the score input
	regression
	held map[uint64]float64 // by label: probability without that label
}

// errNoYes is returned by Learn if no crawled page is labelled yes.
var errNoYes = errors.New("nothing to learn from: label a crawled page with yes")

// Ready reports whether there are enough labels to offer l as the judge: 10, of both kinds. Before
// that only the labelling queue uses its probabilities.
func (l *Learner) Ready() bool { return l.Yes > 0 && l.No > 0 && l.Yes+l.No >= MinLabels }

const (
	// MinLabels is how many labels a learner needs to be offered as judge.
	MinLabels = 10
	folds     = 5
)

// regression is p = σ(bias + Σ input·weight + Σ token weight ÷ √tokens).
type regression struct {
	bias   float64
	inputs inputs
	tokens map[string]float64
}

// example is one training page.
type example struct {
	id     uint64
	slot   int
	in     inputs
	tokens []int32 // local numbers
	yes    float64 // 1 or 0; between them for an unlabelled page
	weight float64 // 1 for a label, less for an unlabelled page
	crowd  bool    // not labelled; yes is the verdict of the rule
}

// ruleSlope is the weight of the score before any label: the learner starts as the rule, p = ½ at
// θ, and labels move it. A page at twice θ has p = .73, one at half of it .27.
const ruleSlope = 3

// The crowd: unlabelled pages trained with a small weight on the verdict of the rule. So labels
// change the verdict near them and leave it elsewhere. Nearly all pages are off topic, and the
// queue shows an analyst few of those. The whole crowd weighs as much as two labels, so real labels
// soon outvote it. Measured after 20 labels: for any list, F1 .97 and .99 on two sites where the
// rule has .18 and .43; for tender lists among mixed ones on the demo web .99 on average, the rule
// .63.
const (
	crowdPages  = 100
	crowdWeight = 2
)

// Learn trains a Learner on the yes and no labels of indexed pages, under the applied model. It
// ignores labels of other pages. It costs about a tenth of a millisecond a label and is
// deterministic.
func (ix *Index) Learn(labels map[uint64]Label) (*Learner, error) {
	ex, tokens, learner := ix.Scores().examples(labels)
	if learner.Yes == 0 {
		return nil, errNoYes
	}
	learner.regression = regressionOf(fit(ex, len(tokens), judging), tokens)
	learner.held = crossValidate(ex, tokens)
	learner.F1 = learner.f1(labels)
	return learner, nil
}

// MeasuredOn returns the learner with F1 on some of its labels, those of Evaluate. Its other
// examples, the samples, are the input of the rules.
func (l *Learner) MeasuredOn(labels map[uint64]Label) *Learner {
	out := *l
	out.F1 = out.f1(labels)
	return &out
}

func (l *Learner) f1(labels map[uint64]Label) float64 {
	var o outcome
	known := false
	for id, label := range labels {
		if p, ok := l.held[id]; ok && label != NoLabel {
			o.count(p >= .5, label == Yes)
			known = known || label == Yes
		}
	}
	if !known {
		return math.NaN()
	}
	return o.f1()
}

// examples collects the labelled pages, by ascending id.
func (s *Scores) examples(labels map[uint64]Label) ([]example, []string, *Learner) {
	learner := &Learner{ModelRev: s.ModelRev, theta: s.Theta}
	numbers := map[string]int32{}
	var tokens []string
	var ex []example
	for id, l := range labels {
		slot, ok := s.slot(id)
		if !ok || l != Yes && l != No {
			continue
		}
		e := example{id: id, slot: slot, weight: 1, in: s.traits[slot].inputs(float64(s.values[slot]), s.Theta)}
		if l == Yes {
			e.yes = 1
			learner.Yes++
		} else {
			learner.No++
		}
		ex = append(ex, e)
	}
	ex = append(ex, s.crowd(labels)...)
	slices.SortFunc(ex, func(a, b example) int { return cmp.Compare(a.id, b.id) })
	for i := range ex {
		for _, t := range shapeTokens(s.shape(ex[i].slot)) {
			n, ok := numbers[t]
			if !ok {
				n = int32(len(tokens))
				tokens = append(tokens, t)
				numbers[t] = n
			}
			ex[i].tokens = append(ex[i].tokens, n)
		}
	}
	return ex, tokens, learner
}

// crowd picks live pages without a label, evenly over the ids, independent of the order of arrival.
func (s *Scores) crowd(labels map[uint64]Label) []example {
	slots := make([]int, 0, len(s.ids))
	for slot, v := range s.values {
		if v >= 0 {
			slots = append(slots, slot)
		}
	}
	slices.SortFunc(slots, func(a, b int) int { return cmp.Compare(s.ids[a], s.ids[b]) })
	var ex []example
	stride := max(len(slots)/crowdPages, 1)
	for i := stride / 2; i < len(slots); i += stride {
		slot := slots[i]
		if id := s.ids[slot]; labels[id] == NoLabel {
			ex = append(ex, example{id: id, slot: slot, crowd: true,
				in: s.traits[slot].inputs(float64(s.values[slot]), s.Theta)})
		}
	}
	for i := range ex {
		ex[i].weight = crowdWeight / float64(len(ex))
		ex[i].yes = sigmoid(ruleSlope * ex[i].in[inScore])
	}
	return ex
}

// The training: gradient descent with Nesterov's momentum on the mean log loss. An L2 penalty on
// all weights but the bias pulls the score's weight to the rule's and all others to zero. No input
// exceeds 1 and a URL's tokens together weigh 1, so the second derivative of the loss is at most
// 7/4 and a step of ½ is stable. Training ends early, before the weights fit every label.
const (
	steps    = 60
	momentum = .9
)

// training is how a regression is trained.
type training struct{ step, penalty float64 }

var judging = training{step: .5, penalty: .004}

// weights in training: bias, inputs, then one for each token
const firstToken = 1 + numInputs

// fit returns the weights that examples with tokens below a number teach.
func fit(ex []example, tokens int, how training) []float64 {
	total := 0.0
	for i := range ex {
		total += ex[i].weight
	}
	n := firstToken + tokens
	w, ahead, g := make([]float64, n), make([]float64, n), make([]float64, n)
	const score = 1 + inScore
	w[score], ahead[score] = ruleSlope, ruleSlope
	for range steps {
		for k := range g {
			g[k] = how.penalty * ahead[k]
		}
		g[0] = 0
		g[score] -= how.penalty * ruleSlope
		for i := range ex {
			ex[i].gradient(ahead, g, total)
		}
		for k := range w {
			next := ahead[k] - how.step*g[k]
			ahead[k] = next + momentum*(next-w[k])
			w[k] = next
		}
	}
	return w
}

func regressionOf(w []float64, tokens []string) regression {
	r := regression{bias: w[0], inputs: inputs(w[1:firstToken]), tokens: make(map[string]float64, len(tokens))}
	for k, t := range tokens {
		r.tokens[t] = w[firstToken+k]
	}
	return r
}

// gradient adds the example's part of the gradient of the mean loss at w to g.
func (e *example) gradient(w, g []float64, total float64) {
	unit := tokenUnit(len(e.tokens))
	z := 0.0
	for _, t := range e.tokens {
		z += w[firstToken+t]
	}
	z = z*unit + w[0]
	for k, x := range e.in {
		z += w[1+k] * x
	}
	d := (sigmoid(z) - e.yes) * e.weight / total
	g[0] += d
	for k, x := range e.in {
		g[1+k] += d * x
	}
	d *= unit
	for _, t := range e.tokens {
		g[firstToken+t] += d
	}
}

// logit returns the part of the sum without the URL.
func (r *regression) logit(in *inputs) float64 {
	z := r.bias
	for k := range in {
		z += r.inputs[k] * in[k]
	}
	return z
}

// url returns the part of the sum from the URL's shape.
func (r *regression) url(of string) float64 {
	tokens := shapeTokens(of)
	z := 0.0
	for _, t := range tokens {
		z += r.tokens[t]
	}
	return z * tokenUnit(len(tokens))
}

// tokenUnit scales the tokens of one URL to the length of one input.
func tokenUnit(tokens int) float64 {
	if tokens == 0 {
		return 0
	}
	return 1 / math.Sqrt(float64(tokens))
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// crossValidate returns the probability of each example under a regression trained on the other
// folds, with both kinds spread evenly.
func crossValidate(ex []example, tokens []string) map[uint64]float64 {
	held := make(map[uint64]float64, len(ex))
	var next [2]int
	fold := make([]int, len(ex))
	for i := range ex {
		if ex[i].crowd {
			fold[i] = folds // used for training in every fold
			continue
		}
		k := int(ex[i].yes)
		fold[i] = next[k] % folds
		next[k]++
	}
	rest := make([]example, 0, len(ex))
	for f := range folds {
		rest = rest[:0]
		for i := range ex {
			if fold[i] != f {
				rest = append(rest, ex[i])
			}
		}
		r := regressionOf(fit(rest, len(tokens), judging), tokens)
		for i := range ex {
			if fold[i] != f || ex[i].crowd {
				continue
			}
			z := 0.0
			for _, t := range ex[i].tokens {
				z += r.tokens[tokens[t]]
			}
			held[ex[i].id] = sigmoid(r.logit(&ex[i].in) + z*tokenUnit(len(ex[i].tokens)))
		}
	}
	return held
}
