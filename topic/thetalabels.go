package topic

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
)

// A label that contradicts the automatic θ moves it. The new θ separates the known pages (labels,
// samples, negative samples) with the fewest errors. Among such values it lies in the middle of the
// widest gap between scores. Scores crowd near 0, so gaps are compared on the scale of square roots.
// While no known negative page lies below, only the upper half of that scale counts: one label does
// not admit every list of a crawl. Pages that fail the gate do not count, because no θ separates them
// from empty pages.

// ruleLabels describes a θ moved by n labels.
func ruleLabels(n int) rule {
	if n == 1 {
		return "automatic: θ from 1 label, in the widest gap of the scores"
	}
	return rule(fmt.Sprintf("automatic: θ from %d labels, in the widest gap of the scores", n))
}

// known is the score of a page with a verdict by a person.
type known struct {
	score float64
	yes   bool
	label bool // not a sample or negative sample
}

// WithLabels returns a copy of the model with labels by page id. Yes and No move the automatic θ as
// soon as one contradicts it. It copies labels.
func (m *Model) WithLabels(labels map[uint64]Label) *Model {
	n := *m
	n.Rev = revisions.Add(1)
	n.seen = new(atomic.Pointer[sight])
	n.labels = maps.Clone(labels)
	maps.DeleteFunc(n.labels, func(_ uint64, l Label) bool { return l != Yes && l != No })
	return &n
}

// ThetaWith returns the θ of m with other labels, see WithLabels. s are the scores of an index under m. It costs a pass
// over the scores, and an index goes on changing meanwhile.
func (s *Scores) ThetaWith(m *Model, labels map[uint64]Label) float64 {
	m = m.WithLabels(labels)
	other := &Scores{values: s.values, gated: s.gated, Samples: s.Samples, Negative: s.Negative}
	other.look(m, s.slot)
	return m.Theta()
}

// look finds what the scores show about the threshold of m, and stores it in m. slot finds the place of a page.
func (s *Scores) look(m *Model, slot func(id uint64) (int, bool)) sight {
	seen := look(m.kernel.onCentroidScale(s.values), s.gated)
	s.known, seen.labels = s.knownPages(m, slot)
	theta, _ := m.unlabelled(&seen)
	seen.moved = s.fromLabels(theta)
	m.seen.Store(&seen)
	return seen
}

// knownPages returns the pages with a verdict that θ decides, lowest score first, and the number of
// labelled pages.
func (s *Scores) knownPages(m *Model, slot func(id uint64) (int, bool)) (all []known, labels int) {
	least := s.least()
	for of, scores := range map[bool][]float64{true: s.Samples, false: s.Negative} {
		for _, x := range scores {
			if x >= least {
				all = append(all, known{x, of, false})
			}
		}
	}
	for id, l := range m.labels {
		at, ok := slot(id)
		if !ok {
			continue
		}
		labels++
		if s.decides(uint32(at)) {
			all = append(all, known{float64(s.values[at]), l == Yes, true})
		}
	}
	slices.SortFunc(all, byScore)
	return all, labels
}

func byScore(a, b known) int { return cmp.Compare(a.score, b.score) }

// least returns the lowest score of a page that passes the gate.
func (s *Scores) least() float64 {
	if s.gated != nil {
		return gateFactor
	}
	return 0
}

// decides reports whether θ decides a page: it is stored and passes the gate.
func (s *Scores) decides(slot uint32) bool {
	return s.values[slot] >= 0 && (s.gated == nil || !s.gated[slot])
}

// fromLabels returns the θ for the known pages. It is 0 if no label contradicts theta, or if no θ
// makes fewer errors than theta.
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
	widest, next, bounded := 0., 0, false // bounded: a negative page lies below
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

// gapBins is the resolution of gaps, on the scale of square roots.
const gapBins = 1024

// stops returns the ends of the gaps between scores, ascending: the lowest and the highest score in
// each bin, the scores of the known pages, and the ends of the scale.
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

// maxDeciding is the maximum of pages from Deciding: the first, and some that follow from its
// answer.
const maxDeciding = 4

// Deciding returns at most n pages whose labels decide the automatic θ, the most decisive first. θ
// lies between its neighbours among the known pages. The first page halves that interval on the scale
// of gaps, the others halve its parts. labels are pages that need no question, as for Queue. It
// returns nil if θ is set by hand or the interval holds no page.
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
