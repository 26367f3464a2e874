package topic

import "math"

// Pick is one page to label and why it is asked.
type Pick struct {
	ID        uint64
	Value     float64 // its score or probability
	Uncertain bool    // picked because it is close to the threshold, not because it is probable
}

// Queue returns the next n unlabelled pages worth a label: by turns the one with
// the highest value and the one closest to the threshold (DESIGN 5: the probable
// ones confirm what the topic is, the doubtful ones where it ends). The number
// of labels says whose turn it is, so asking again after every label gives the
// same pages as asking for many at once, unless the scores change. Among equals
// the page that came first wins.
//
// s are similarities or, once there is a Judge, its probabilities.
func (s *Scores) Queue(labels map[uint64]Label, n int) []Pick {
	if n < 1 {
		return nil
	}
	judged := func(slot uint32) bool { return labels[s.ids[slot]] != NoLabel }
	// A page may stand in both lists, so each must reach far enough.
	probable := s.best(n, func(v float32) float32 { return 1 - v }, judged)
	doubtful := s.best(n, func(v float32) float32 { return float32(math.Abs(float64(v) - s.Theta)) }, judged)
	turn := 0
	for _, l := range labels {
		if l != NoLabel {
			turn++
		}
	}
	taken := make(map[uint32]bool, n)
	var picks []Pick
	for ; len(picks) < n; turn++ {
		from := &probable
		if turn%2 == 1 {
			from = &doubtful
		}
		for len(*from) > 0 && taken[(*from)[0]] {
			*from = (*from)[1:]
		}
		if len(*from) == 0 {
			break // both lists hold every page there is, or n of them
		}
		slot := (*from)[0]
		taken[slot] = true
		picks = append(picks, Pick{s.ids[slot], float64(s.values[slot]), turn%2 == 1})
	}
	return picks
}

// best returns the slots of the k live pages with the smallest distance ≥ 0,
// the smallest first, leaving out those that skip refuses. One scan; skip is
// only asked about pages that would get in.
func (s *Scores) best(k int, distance func(float32) float32, skip func(slot uint32) bool) []uint32 {
	sel := selector{k: min(k, s.N), limit: math.MaxUint64}
	for slot, v := range s.values {
		if v < 0 {
			continue
		}
		key := uint64(math.Float32bits(distance(v)))<<32 | uint64(slot)
		if key <= sel.limit && !skip(uint32(slot)) {
			sel.add(key)
		}
	}
	return sel.slots()
}
