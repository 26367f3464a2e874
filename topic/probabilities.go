package topic

import (
	"cmp"
	"math"
	"slices"
)

// Probabilities returns the probability of every page under l as Scores, so that histogram, counts
// and queues work as on similarities. Theta is ½.
func (ix *Index) Probabilities(l *Learner) *Scores {
	from := ix.Scores()
	s := &Scores{
		Rev: from.Rev, ModelRev: l.ModelRev, N: from.N, Theta: .5,
		ids: from.ids, values: make([]float32, len(from.values)),
		traits: from.traits, columns: from.columns, same: from.same, shadow: from.shadow,
		shapes: from.shapes, index: ix, epoch: from.epoch,
	}
	urls := make([]float64, max(len(from.shapes), 1))
	for i, of := range from.shapes {
		urls[i] = l.url(of)
	}
	for slot := range s.values {
		if from.values[slot] < 0 {
			s.values[slot] = removed
			continue
		}
		t := &from.traits[slot]
		in := t.inputs(float64(from.values[slot]), l.theta)
		s.values[slot] = float32(sigmoid(l.logit(&in) + urls[t.shape]))
	}
	return s
}

// Probability returns the probability of one page under l, from its score.
func (s *Scores) Probability(l *Learner, id uint64) (float64, bool) {
	slot, ok := s.slot(id)
	if !ok || s.values[slot] < 0 {
		return 0, false
	}
	in := s.traits[slot].inputs(float64(s.values[slot]), l.theta)
	return float64(float32(sigmoid(l.logit(&in) + l.url(s.shape(slot))))), true
}

// shape returns the URL shape of a page.
func (s *Scores) shape(slot int) string {
	if n := int(s.traits[slot].shape); n < len(s.shapes) {
		return s.shapes[n]
	}
	return ""
}

// LearnerTerm is one term of a Learner's decision.
type LearnerTerm struct {
	Name  string  `json:"name"`  // "score", "dated share", "url path /info/#", … or "bias"
	Value float64 `json:"value"` // of the input, −1 … 1
	Share float64 `json:"share"` // contribution to the log-odds; yes is above 0
}

// Explain returns the probability that d, whose similarity is score, is on topic, and its terms,
// strongest first: the bias, every input, and the URL tokens seen on a labelled page.
func (l *Learner) Explain(d *Doc, score float64) (probability float64, terms []LearnerTerm) {
	t := d.traits(d.Front)
	in := t.inputs(finite(score), l.theta)
	terms = append(terms, LearnerTerm{"bias", 1, l.bias})
	for k, x := range in {
		terms = append(terms, LearnerTerm{inputNames[k], x, x * l.inputs[k]})
	}
	tokens := shapeTokens(URLShape(d.URL))
	unit := tokenUnit(len(tokens))
	for _, name := range tokens {
		if w := l.tokens[name]; w != 0 {
			terms = append(terms, LearnerTerm{"url " + name, unit, unit * w})
		}
	}
	z := 0.0
	for i := range terms {
		z += terms[i].Share
	}
	slices.SortStableFunc(terms, func(a, b LearnerTerm) int {
		return cmp.Compare(math.Abs(b.Share), math.Abs(a.Share))
	})
	return sigmoid(z), terms
}
