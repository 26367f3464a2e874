package decisions

import (
	"maps"
	"slices"

	"angler/topic"
)

// Passing tells of one moment what a threshold lets in, whatever it is: what
// Aggregations would be with it, while the rule decides. It is immutable and safe for
// concurrent use.
type Passing struct {
	Confirmed []uint64      // lists at every threshold: samples and what is labelled yes, one for each text
	Open      *topic.Scores // pages on which the threshold decides, the others taken out
}

// PassingOf returns what passes by scores when analysts have given the verdicts sure.
// It costs a pass over the pages.
func PassingOf(scores *topic.Scores, sure map[uint64]bool) *Passing {
	yes, texts := settled(scores, sure)
	return &Passing{slices.Sorted(maps.Keys(yes)), scores.Without(
		func(id uint64) bool { _, known := sure[id]; return known },
		func(text uint64) bool { return texts[text] })}
}

// Lists returns how many aggregation pages there are at a threshold.
func (p *Passing) Lists(theta float64) int { return len(p.Confirmed) + p.Open.Above(theta) }

// Passing returns what thresholds let in as of now.
func (t *Topic) Passing() *Passing { return PassingOf(t.d.Index.Scores(), t.d.State().sure()) }
