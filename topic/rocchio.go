package topic

import (
	"errors"
	"math"
)

// ErrNoWeight means that the negative samples took the weight of every feature
// word, so that no page can score.
var ErrNoWeight = errors.New("the negative samples hold every feature word of the samples and leave none its weight, so no page can score; take a negative sample back, lower γ or add samples")

// Err returns ErrNoWeight if the negative samples took the weight of every
// feature word, so that all pages score 0; else nil.
func (m *Model) Err() error {
	lost := false
	for i := range m.rows {
		r := &m.rows[i]
		if r.weight() > 0 {
			return nil
		}
		lost = lost || r.on && r.taken == 1
	}
	if lost {
		return ErrNoWeight
	}
	return nil
}

// leastKept is the share of its weight that a word must keep, otherwise it loses all. A smaller
// rest is rounding, which a cosine would scale up to a full score.
const leastKept = 1e-9

// against subtracts the weights of the negative samples from those of the samples: Rocchio's
// relevance feedback (Rocchio 1971; Manning, Raghavan, Schütze, Introduction to Information
// Retrieval, 9.1.1) with the samples as relevant documents and an empty query,
//
//	K_t ← max(0, K_t − γ · ‖K‖/‖A‖ · A_t),
//
// A_t being the scheme's weight of the word over the negative samples and both norms over all
// words. The norms make γ mean the same under every scheme and for pages of any length. Words only
// in negative samples are left out: no weight is below 0. Both lists are in order of id.
func against(rows, negative []row, gamma float64) {
	scale := 0.0
	if a := rowsNorm(negative); a > 0 {
		scale = gamma * rowsNorm(rows) / a
	}
	for i := range rows {
		r := &rows[i]
		for len(negative) > 0 && negative[0].id < r.id {
			negative = negative[1:]
		}
		if len(negative) == 0 {
			return
		}
		if negative[0].id != r.id {
			continue
		}
		a := &negative[0]
		r.negativeTF, r.negativeDF = a.tf, a.df
		if r.base == 0 {
			continue
		}
		kept := 1 - scale*a.base/r.base
		if kept < leastKept {
			kept = 0
		}
		r.taken = 1 - kept
		r.base *= kept
	}
}

// rowsNorm returns √Σ base².
func rowsNorm(rows []row) float64 {
	sum := 0.0
	for i := range rows {
		sum += rows[i].base * rows[i].base
	}
	return math.Sqrt(sum)
}

// explainTaken adds for each word of the page the weight that the negative samples took, including
// words that lost all.
func (m *Model) explainTaken(e *Explanation, v Vector) {
	if len(m.negative) == 0 {
		return
	}
	taken := map[string]float64{}
	for i := range m.rows {
		r := &m.rows[i]
		taken[r.word] = r.taken
		if n := v.count(r.id); r.on && r.taken == 1 && n > 0 {
			e.Words = append(e.Words, contribution{Word: r.word, Count: int(n)})
		}
	}
	for i := range e.Words {
		e.Words[i].Taken = taken[e.Words[i].Word]
	}
}
