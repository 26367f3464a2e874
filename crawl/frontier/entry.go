package frontier

import (
	"math"

	"angler/crawl/fetch"
)

// Entry is one URL to fetch. ID identifies it; its Host and Queue never change. Host is the unit of
// politeness (with its port, if it has one). A larger Class goes first, then a higher Priority,
// then the earlier first Push.
type Entry struct {
	ID       uint64 // neighbouring ids take less memory on disk
	Host     string
	Priority float64 // NaN counts as the lowest
	Depth    int     // links from a seed, 0 … 32 767
	Queue    uint16  // number of the host's queue, by an Assignment; queues take turns
	Class    int8    // Ordinary unless an analyst decided otherwise
}

// Classes of entries. An analyst's decision is a class, so it holds for any range of priorities.
const (
	Boosted  int8 = 1  // before all others
	Ordinary int8 = 0  // ordered by priority only
	Revisit  int8 = -1 // known pages that are due for another visit
	Buried   int8 = -2 // after all others
)

// Outcome is the result of a fetch, for politeness.
type Outcome = fetch.Outcome

// mark is a place in the order of a queue: class, then priority, then order of arrival.
type mark struct {
	prio  float64 // finite
	seq   uint32
	class int8
}

// before reports whether m goes first.
func (m mark) before(o mark) bool {
	if m.class != o.class {
		return m.class > o.class
	}
	return m.prio > o.prio || m.prio == o.prio && m.seq < o.seq
}

// above reports whether m goes first independent of the order of arrival.
func (m mark) above(o mark) bool {
	if m.class != o.class {
		return m.class > o.class
	}
	return m.prio > o.prio
}

// finite makes any number comparable.
func finite(p float64) float64 {
	if math.IsNaN(p) {
		return -math.MaxFloat64
	}
	return max(-math.MaxFloat64, min(math.MaxFloat64, p))
}

func clampDepth(d int) int16 { return int16(max(0, min(d, math.MaxInt16))) }

// tally counts waiting entries and holds the depth limit.
type tally struct {
	limit   int // negative = none
	waiting int // entries within the limit, now or later
	beyond  int // entries deeper than limit
	queued  int // entries in queues in memory
	onDisk  int // entries within the limit, on disk or on their way there
}

func (t *tally) tooDeep(depth int16) bool { return t.limit >= 0 && int(depth) > t.limit }
