package topic

import (
	"math"
	"slices"
	"sync"
)

// Scores holds the score of every page under one model at one moment. It is immutable and safe for
// concurrent use. Its methods scan a flat array, about a millisecond for a million pages.
type Scores struct {
	Rev           uint64 // of the index; equal Rev means equal scores
	ModelRev      uint64
	N             int       // pages
	Theta         float64   // the threshold in force
	Rule          rule      // the reason of Theta
	Otsu          float64   // Otsu's threshold of the scores; 0: none
	Samples       []float64 // the samples' own scores
	LeaveOneOut   []float64 // each sample's score from the others; nil below two
	Negative      []float64 // the negative samples' own scores
	NegativeAlone []float64 // each negative sample's score from a model without it

	ids    []uint64  // by slot, shared with the index
	values []float32 // by slot, 0 … 1; removed is -1

	gated   []bool   // by slot, shared with the index; nil if the scheme has no gate
	traits  []traits // by slot, shared with the index
	columns []uint32 // by shape, shared with the index
	same    []uint64 // by slot, shared with the index
	shadow  slotSet  // shared with the index
	shapes  []string // by number, shared with the index

	known    []known // pages with a verdict, the lowest first
	labelled bool    // labels moved θ

	index *Index
	epoch uint64

	groupOnce sync.Once
	grouped   []float32
	starts    []int

	sortOnce     sync.Once
	sortedIDs    []uint64
	sortedValues []float32
}

// removed marks the slot of a removed page.
const removed = -1

// Scores returns the current scores. It returns the same snapshot until a page or the model
// changes. Without a model every page scores 0.
func (ix *Index) Scores() *Scores {
	ix.mu.RLock()
	s := ix.scores
	ix.mu.RUnlock()
	if s != nil {
		return s
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return ix.current()
}

// current returns the scores; the caller holds the write lock.
func (ix *Index) current() *Scores {
	if ix.scores == nil {
		ix.scores = ix.snapshot()
	}
	return ix.scores
}

// snapshot makes the scores; the caller holds the write lock.
func (ix *Index) snapshot() *Scores {
	s := &Scores{
		Rev: ix.rev, N: ix.live(), Theta: thetaDefault,
		ids: ix.ids[:len(ix.ids):len(ix.ids)], values: make([]float32, len(ix.ids)),
		traits: ix.traits[:len(ix.traits):len(ix.traits)], columns: ix.shapes.columns,
		same: ix.twins.same[:len(ix.ids):len(ix.ids)], shadow: ix.twins.shadow,
		shapes: ix.shapes.list, index: ix, epoch: ix.epoch,
	}
	ix.twins.lent = true
	m := ix.model
	if m != nil {
		ix.fill(s.values, &m.kernel)
		if m.kernel.gate {
			s.gated = ix.gated[:len(ix.gated):len(ix.gated)]
		}
		s.ModelRev = m.Rev
		if ix.samples == nil {
			ix.samples, ix.leaveOneOut = m.sampleScores(), m.leaveOneOut()
			ix.negative, ix.negativeAlone = m.negativeScores(), m.negativeLeaveOneOut()
		}
		s.Samples, s.LeaveOneOut = ix.samples, ix.leaveOneOut
		s.Negative, s.NegativeAlone = ix.negative, ix.negativeAlone
	}
	for slot, gone := range ix.gone {
		if gone {
			s.values[slot] = removed
		}
	}
	if m != nil {
		seen := s.look(m, func(id uint64) (int, bool) { slot, ok := ix.slot(id); return int(slot), ok })
		s.Otsu = seen.otsu * m.kernel.alike
		s.Theta, s.Rule = m.threshold()
		s.labelled = s.Rule != RuleSet && seen.moved > 0
	}
	return s
}

// fill computes every slot's score from the sums.
func (ix *Index) fill(values []float32, k *kernel) {
	scale := float32(k.scale)
	switch k.norm {
	case NormFull, NormInner:
		inv := ix.normOf(k)
		for i, dot := range ix.dot {
			values[i] = unit(dot * inv[i] * scale)
		}
	case NormProjected:
		for i, dot := range ix.dot {
			if s := ix.squares[i]; s > 0 && dot > 0 {
				values[i] = unit(dot * scale / float32(math.Sqrt(float64(s))))
			}
		}
	}
	if k.gate {
		by := [2]float32{1, gateFactor}
		for i, gated := range ix.gated {
			values[i] *= by[bit(gated)] // no branch: which pages are lists cannot be predicted
		}
	}
}

// bit returns 1 for true; it compiles to no jump.
func bit(b bool) (n uint8) {
	if b {
		n = 1
	}
	return n
}

// unit clamps a rounded score to 0 … 1.
func unit(x float32) float32 {
	if x > 1 {
		return 1
	}
	if x < 0 {
		return 0
	}
	return x
}

// nearTheta is the distance from θ up to which a page is in doubt.
const nearTheta = .05

// NoValley reports whether the scores do not tell where θ belongs: more than a
// fifth as many pages lie within ±.05 of it as above. Labels tell, so it is false
// for a θ that they moved.
func (s *Scores) NoValley() bool {
	if s.labelled {
		return false
	}
	near := s.Above(s.Theta-nearTheta) - s.Above(s.Theta+nearTheta)
	return near > 1 && 5*near > s.Above(s.Theta)
}

// Above returns how many pages score at least theta. The first call groups the scores, about three
// milliseconds for a million pages; later ones look at one group.
func (s *Scores) Above(theta float64) int {
	s.groupOnce.Do(s.group)
	least := float32(0)
	if theta > 0 {
		least = float32(theta)
	}
	g := groupOf(least)
	n := len(s.grouped) - s.starts[g+1]
	for _, v := range s.grouped[s.starts[g]:s.starts[g+1]] {
		if v >= least {
			n++
		}
	}
	return n
}

// groups is the number of equal intervals of 0 … 1 that Above counts in.
const groups = 4096

func groupOf(v float32) int { return int(min(v, 1) * (groups - 1)) }

// group orders the scores by their group: those of group g start at starts[g].
func (s *Scores) group() {
	s.starts = make([]int, groups+1)
	for _, v := range s.values {
		if v >= 0 {
			s.starts[groupOf(v)+1]++
		}
	}
	for g := range groups {
		s.starts[g+1] += s.starts[g]
	}
	s.grouped = make([]float32, s.starts[groups])
	next := slices.Clone(s.starts)
	for _, v := range s.values {
		if v >= 0 {
			g := groupOf(v)
			s.grouped[next[g]] = v
			next[g]++
		}
	}
}

// Histogram counts the pages in bins equal intervals of 0 … 1; the last one
// includes 1. It is nil if bins < 1.
func (s *Scores) Histogram(bins int) []int {
	if bins < 1 {
		return nil
	}
	h := make([]int, bins+1)
	n := float32(bins)
	for _, v := range s.values {
		if v >= 0 {
			h[int(v*n)]++ // v ≤ 1
		}
	}
	h[bins-1] += h[bins]
	return h[:bins]
}

// Top returns the k best pages, best first, and their scores.
func (s *Scores) Top(k int) (ids []uint64, values []float32) {
	return s.pick(0, float32(math.Inf(1)), k)
}

// Between returns at most most pages with lo ≤ score < hi, best first: the pages that a threshold
// moved between the two gains or loses.
func (s *Scores) Between(lo, hi float64, most int) []uint64 {
	ids, _ := s.pick(float32(max(lo, 0)), float32(hi), most)
	return ids
}

// pick returns at most k pages with lo ≤ score < hi, best first; ties go to the page that arrived
// first.
func (s *Scores) pick(lo, hi float32, k int) (ids []uint64, values []float32) {
	if k < 1 || !(lo < hi) {
		return nil, nil
	}
	c := newLeastKeys(min(k, s.N))
	for slot, v := range s.values {
		if !(v >= lo && v < hi) {
			continue
		}
		key := uint64(^math.Float32bits(v))<<32 | uint64(slot)
		if key > c.Limit {
			continue
		}
		if c.add(key) {
			lo = max(lo, math.Float32frombits(^uint32(c.Limit>>32)))
		}
	}
	at := c.slots()
	ids, values = make([]uint64, len(at)), make([]float32, len(at))
	for i, slot := range at {
		ids[i], values[i] = s.ids[slot], s.values[slot]
	}
	return ids, values
}

// Sorted returns all pages, best first, and their scores. The first call sorts: a fifth of a second
// for a million pages. Prefer Top and Between for screens. Do not change the slices.
func (s *Scores) Sorted() (ids []uint64, values []float32) {
	s.sortOnce.Do(func() {
		s.sortedIDs, s.sortedValues = s.pick(0, float32(math.Inf(1)), s.N)
	})
	return s.sortedIDs, s.sortedValues
}

// Of returns the score of one page.
func (s *Scores) Of(id uint64) (float64, bool) {
	slot, ok := s.slot(id)
	if !ok || s.values[slot] < 0 {
		return 0, false
	}
	return float64(s.values[slot]), true
}

// Similarity returns the score of one page as if it were a list of dated records, like
// Explanation.Raw. It compares notices, which all fail the gate.
func (s *Scores) Similarity(id uint64) (float64, bool) {
	slot, ok := s.slot(id)
	if !ok || s.values[slot] < 0 {
		return 0, false
	}
	v := float64(s.values[slot])
	if s.gated != nil && s.gated[slot] {
		v = min(v/gateFactor, 1)
	}
	return v, true
}

// slot asks the index, which may be newer: a page that was added or moved later is looked up in the
// snapshot itself.
func (s *Scores) slot(id uint64) (int, bool) {
	if s.index != nil {
		s.index.mu.RLock()
		slot, ok := s.index.table.find(s.index.ids, id)
		same := s.index.epoch == s.epoch
		s.index.mu.RUnlock()
		if same && !ok {
			return 0, false // only packing forgets pages
		}
		if same && int(slot) < len(s.ids) {
			return int(slot), s.values[slot] >= 0
		}
	}
	for slot := len(s.ids) - 1; slot >= 0; slot-- {
		if s.ids[slot] == id && s.values[slot] >= 0 {
			return slot, true
		}
	}
	return 0, false
}
