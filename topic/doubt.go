package topic

import (
	"cmp"
	"math"
)

// A doubtful page is worth more if many pages share its doubt, because one answer covers them all.
// Pages of one template have nearly one probability. A hundred of them near the threshold matter
// more than a single page on it. This counts only near the threshold, because farther away pages
// without a question are the majority. It also counts only until one of these pages has an answer.
//
// Measured for the topic "any list" on two real sites: with alternating questions and doubt by
// distance alone, F1 was .94 on one site after 20 labels, because 23 similar pages were never asked
// for. With both rules it is .99.
const (
	doubtBins = 50 // bins of the values 0 … 1
	doubtNear = .1
)

// doubts returns pages by how many pages share their doubt, like probables: the nearest to the
// threshold, and the nearest of every bin without an answer.
type doubts struct {
	s     *Scores
	all   []uint32               // slots, nearest first
	heads [doubtBins + 1]uint32  // slot + 1 of the nearest page by bin; 0: none
	alike [doubtBins + 1]float64 // 1 + log₂ of the pages in a bin
}

func (s *Scores) doubts(labels map[uint64]Label, n int) *doubts {
	judged := s.judged(labels)
	d := &doubts{s: s, all: s.best(n, s.beside, judged)}
	for slot, v := range s.values {
		if v < 0 {
			continue
		}
		bin := doubtBin(v)
		d.alike[bin]++
		if s.beside(v) >= doubtNear {
			continue
		}
		if h := d.heads[bin]; (h == 0 || s.beside(v) < s.beside(s.values[h-1])) && !judged(uint32(slot)) {
			d.heads[bin] = uint32(slot) + 1
		}
	}
	for i, n := range d.alike {
		d.alike[i] = 1 + math.Log2(max(n, 1))
	}
	for id, l := range labels {
		if slot, ok := s.slot(id); ok && l != NoLabel {
			d.answer(uint32(slot))
		}
	}
	return d
}

// beside returns the distance of a value from the threshold.
func (s *Scores) beside(v float32) float32 { return float32(math.Abs(float64(v) - s.Theta)) }

func doubtBin(v float32) int { return int(min(v, 1) * doubtBins) }

// next returns the next page to ask for that is not taken.
func (d *doubts) next(taken map[uint32]bool) (slot uint32, ok bool) {
	if slot, ok = firstFree(&d.all, taken); !ok {
		return 0, false
	}
	distance := d.s.beside(d.s.values[slot])
	for bin, h := range d.heads {
		if h == 0 {
			continue
		}
		x := float32(float64(d.s.beside(d.s.values[h-1])) / d.alike[bin])
		if order := cmp.Compare(x, distance); order < 0 || order == 0 && h-1 < slot {
			slot, distance = h-1, x
		}
	}
	return slot, true
}

// answer records that a page has an answer.
func (d *doubts) answer(slot uint32) { d.heads[doubtBin(max(d.s.values[slot], 0))] = 0 }
