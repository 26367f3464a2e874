package decisions

import (
	"maps"
	"slices"

	"angler/topic"
)

// Passing holds the pages that each threshold accepts at one moment, as Aggregations would return
// them while the rule decides. It is immutable and safe for concurrent use.
type Passing struct {
	Confirmed []uint64      // lists at every threshold: samples and pages labelled yes, one of each text
	Open      *topic.Scores // pages on which the threshold decides
}

// PassingOf returns the Passing of scores and the verdicts of analysts, sure. It costs a pass over
// the pages.
func PassingOf(scores *topic.Scores, sure map[uint64]bool) *Passing {
	yes, texts := settled(scores, sure)
	return &Passing{slices.Sorted(maps.Keys(yes)), scores.Without(
		func(id uint64) bool { _, known := sure[id]; return known },
		func(text uint64) bool { return texts[text] })}
}

// Lists returns the number of aggregation pages at a threshold.
func (p *Passing) Lists(theta float64) int { return len(p.Confirmed) + p.Open.Above(theta) }

// Passing returns the current Passing.
func (t *Topic) Passing() *Passing { return PassingOf(t.d.Index.Scores(), t.d.State().sure()) }
