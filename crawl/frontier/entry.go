package frontier

import (
	"math"

	"angler/crawl/fetch"
)

// Entry is one URL to fetch. ID names it, and with it Host and Queue, which never
// change; Host is the unit of politeness (with its port, if it has one). A larger
// Class goes first, whatever the priorities; inside a class a higher Priority
// goes first, equal ones in the order of their first Push.
type Entry struct {
	ID       uint64 // ids that lie close together cost less memory when they are on disk
	Host     string
	Priority float64 // any number; NaN counts as the lowest
	Depth    int     // links from a seed, 0 … 32 767
	Queue    uint16  // of the host's queues, by an Assignment; they take turns
	Class    int8    // any number; Ordinary unless a person decided otherwise
}

// Classes of entries. Steering is a class beside the priority, so it holds
// whatever range the priorities of a strategy have.
const (
	Boosted  int8 = 1  // before everything else
	Ordinary int8 = 0  // ordered by the strategy alone
	Revisit  int8 = -1 // known pages that are due for another visit
	Buried   int8 = -2 // after everything else
)

// Outcome says how a fetch went, as far as politeness is concerned.
type Outcome = fetch.Outcome

// mark is a place in the order of a queue: the class, inside it the priority,
// inside that the order of arrival.
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

// above reports whether m goes first whatever the order of arrival.
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

// tally counts what waits and holds the depth limit that divides it.
type tally struct {
	limit   int // depth limit; negative = none
	waiting int // entries that may be handed out, now or later
	beyond  int // entries deeper than limit
	queued  int // entries in queues in memory
	onDisk  int // entries on disk or on their way that may be handed out
}

func (t *tally) tooDeep(depth int16) bool { return t.limit >= 0 && int(depth) > t.limit }
