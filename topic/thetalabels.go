package topic

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// Labels move the automatic θ once one contradicts it. The new θ parts the known pages
// (labels, samples, negative samples) with the fewest errors, and of such places it takes
// the middle of the widest gap of all scores. Scores crowd near 0, so gaps are compared on
// the scale of their roots. While no known page that says no lies below, only the upper half
// of that scale is looked at: one label does not let in every list of a crawl. Pages that fail the gate count nowhere: no θ can part them from
// pages that say nothing.

// ruleLabels is the rule of a θ that n labels have moved.
func ruleLabels(n int) rule {
	if n == 1 {
		return "automatic: θ from 1 label, in the widest gap of the scores"
	}
	return rule(fmt.Sprintf("automatic: θ from %d labels, in the widest gap of the scores", n))
}

// known is the score of a page whose verdict a person has given.
type known struct {
	score float64
	yes   bool
	label bool // not a sample or negative sample
}

// WithLabels returns the model with labels on pages of the index, by id: those that say
// yes or no move the automatic θ as soon as one contradicts it. labels is not kept.
func (m *Model) WithLabels(labels map[uint64]Label) *Model {
	n := *m
	n.Rev = revisions.Add(1)
	n.seen = new(atomic.Pointer[sight])
	n.labels = maps.Clone(labels)
	maps.DeleteFunc(n.labels, func(_ uint64, l Label) bool { return l != Yes && l != No })
	return &n
}

// known returns the pages with a verdict on which θ decides, the lowest score first, and
// how many labelled pages there are. It needs the lock, and the scores of s.
func (ix *Index) known(m *Model, s *Scores) (all []known, labels int) {
	least := s.least()
	for of, scores := range map[bool][]float64{true: s.Samples, false: s.Negative} {
		for _, x := range scores {
			if x >= least {
				all = append(all, known{x, of, false})
			}
		}
	}
	for id, l := range m.labels {
		slot, ok := ix.slot(id)
		if !ok {
			continue
		}
		labels++
		if s.decides(slot) {
			all = append(all, known{float64(s.values[slot]), l == Yes, true})
		}
	}
	slices.SortFunc(all, byScore)
	return all, labels
}

func byScore(a, b known) int { return cmp.Compare(a.score, b.score) }

// least is the lowest score that a page can have that passes the gate and is near the topic.
func (s *Scores) least() float64 {
	if s.gated != nil {
		return gateFactor
	}
	return 0
}

// decides reports whether θ decides on a page: it is there and passes the gate.
func (s *Scores) decides(slot uint32) bool {
	return s.values[slot] >= 0 && (s.gated == nil || !s.gated[slot])
}

// fromLabels returns the θ that the known pages ask for; 0 where no label contradicts
// theta, or no θ makes fewer errors than theta.
func (s *Scores) fromLabels(theta float64) (moved float64) {
	least, errors := 0, 0 // errors of theta, and of a θ below all scores
	contradicted := false
	for _, k := range s.known {
		if k.yes != (k.score >= theta) {
			least++
			contradicted = contradicted || k.label
		}
		if !k.yes {
			errors++
		}
	}
	if !contradicted {
		return 0
	}
	widest, next, bounded := 0., 0, false // bounded: a page that says no lies below
	stops := s.stops()
	for i, below := range stops[:len(stops)-1] {
		for ; next < len(s.known) && s.known[next].score <= below; next++ {
			if s.known[next].yes {
				errors++
			} else {
				errors--
				bounded = true
			}
		}
		if next < len(s.known) && !bounded {
			below = max(below, s.known[next].score/4)
		}
		gap := math.Sqrt(stops[i+1]) - math.Sqrt(below)
		if errors < least || errors == least && moved > 0 && gap > widest {
			least, widest = errors, gap
			moved = (below + stops[i+1]) / 2
		}
	}
	return moved
}

// gapBins is how finely gaps of the scores are told, on the scale of their roots.
const gapBins = 1024

// stops returns the ends of the gaps between scores, ascending: the least and the highest
// score in each bin, those of the known pages, and the ends of the scale.
func (s *Scores) stops() []float64 {
	var low, high [gapBins]float64
	for slot, v := range s.values {
		if x := float64(v); s.decides(uint32(slot)) && x >= s.least() {
			b := min(int(math.Sqrt(x)*gapBins), gapBins-1)
			if high[b] == 0 || x < low[b] {
				low[b] = x
			}
			high[b] = max(high[b], x)
		}
	}
	stops := []float64{s.least(), 1}
	for b, x := range high {
		if x > 0 {
			stops = append(stops, low[b], x)
		}
	}
	for _, k := range s.known {
		stops = append(stops, max(k.score, s.least()))
	}
	slices.Sort(stops)
	return slices.Compact(stops)
}

// maxDeciding is how many questions Deciding asks at once: the first, and some of those
// that follow from its answer.
const maxDeciding = 4

// Deciding returns at most n pages whose answers decide the automatic θ, the page that
// decides most first. θ lies between the known pages next to it; the first page halves
// that stretch on the scale of gaps, the others halve its parts. labels are pages that
// need no question, as for Queue. It is nil where θ is set by hand or no page lies there.
func (s *Scores) Deciding(labels map[uint64]Label, n int) []Pick {
	if s.Rule == RuleSet || s.ModelRev == 0 {
		return nil
	}
	low, high := s.least(), 1.
	for _, k := range s.known {
		if k.score < s.Theta {
			low = max(low, k.score)
		} else {
			high = min(high, k.score)
		}
	}
	judged := s.judged(labels)
	var picks []Pick
	for parts := [][2]float64{{low, high}}; len(parts) > 0 && len(picks) < min(n, maxDeciding); parts = parts[1:] {
		low, high := parts[0][0], parts[0][1]
		half := (math.Sqrt(low) + math.Sqrt(high)) / 2
		best, nearest := -1, math.Inf(1)
		for slot, v := range s.values {
			x := float64(v)
			if x <= low || x >= high || !s.decides(uint32(slot)) {
				continue
			}
			if d := math.Abs(math.Sqrt(x) - half); d < nearest && !judged(uint32(slot)) {
				best, nearest = slot, d
			}
		}
		if best < 0 {
			continue
		}
		x := float64(s.values[best])
		picks = append(picks, Pick{ID: s.ids[best], Value: x, Uncertain: true, Decides: true})
		parts = append(parts, [2]float64{low, x}, [2]float64{x, high})
	}
	return picks
}
