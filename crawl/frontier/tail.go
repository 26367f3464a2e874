package frontier

import (
	"slices"

	"angler/store"
)

// The queue of a host whose tail is on disk is divided into lanes by depth, so
// that a change of the depth limit moves no row. What is on disk is changed only
// by adding rows and by taking the best ones of a lane: an entry that is pushed
// again or removed while it is there gets another generation, and its old row is
// thrown away when it comes up.

// tail is the part of a queue that is on disk or on its way there.
type tail struct {
	pending []row
	lanes   []lane // by depth
	within  int    // entries within the depth limit
	bound   mark   // no entry within the depth limit is better; meaningless when within is 0

	wanted  bool // stands in disk.wanting
	loading bool // is being read
	writing bool // stands in disk.writing
	credit  int  // hand-outs that bound may not stop
	lift    mark // the worst row of those that neighbours wrote last
}

// lane is a tail's entries of one depth.
type lane struct {
	depth int16
	some  bool // rank's: there is a row
	n     int
	best  mark // no entry is better; meaningless when n is 0
}

// row is an entry on disk or on its way there, 24 bytes.
type row struct {
	id    uint64
	prio  float64
	seq   uint32
	depth int16
	class int8
	gen   uint8
}

func (r *row) mark() mark { return mark{r.prio, r.seq, r.class} }

func betterRow(a, b row) bool { return a.mark().before(b.mark()) }

// stored is a row as the backlog of the store keeps it, in a lane of q.
func (r *row) stored(q *queue) store.BacklogRow {
	return store.BacklogRow{ID: r.id, Lane: q.laneKey(r.depth), Class: r.class, Priority: r.prio, Seq: r.seq, Gen: r.gen}
}

// rowOf undoes stored.
func rowOf(r *store.BacklogRow) row {
	return row{id: r.ID, prio: r.Priority, seq: r.Seq, depth: laneDepth(r.Lane), class: r.Class, gen: r.Gen}
}

// laneDepth reads the depth out of a lane's key.
func laneDepth(key uint64) int16 { return int16(uint16(key)) }

// laneOf returns the lane of a depth, adding it if it is new.
func (t *tail) laneOf(depth int16) *lane {
	i, found := slices.BinarySearchFunc(t.lanes, depth, func(l lane, d int16) int { return int(l.depth) - int(d) })
	if !found {
		t.lanes = slices.Insert(t.lanes, i, lane{depth: depth})
	}
	return &t.lanes[i]
}

// all counts the entries of all lanes.
func (t *tail) all() (n int) {
	for i := range t.lanes {
		n += t.lanes[i].n
	}
	return n
}

// neighbours moves maxWrite pending rows to the end and returns them: like an
// elevator it passes over all ranks again and again, so that what is written at
// once falls onto few leaves and every leaf is written as seldom as can be.
func (t *tail) neighbours() []row {
	rows, below := t.pending, 0
	for i := range rows { // those that the lift has passed to the front
		if !t.lift.before(rows[i].mark()) {
			rows[i], rows[below] = rows[below], rows[i]
			below++
		}
	}
	if len(rows)-below < maxWrite { // at the bottom: from the top again
		below = 0
	}
	rows = rows[below:]
	n := len(rows) - maxWrite
	selectBest(rows, n, func(a, b row) bool { return betterRow(b, a) })
	rows = rows[n:]
	t.lift = rows[0].mark()
	for i := range rows {
		if m := rows[i].mark(); t.lift.before(m) {
			t.lift = m
		}
	}
	return rows
}

// selectBest moves the best n elements to the front (quickselect, linear on
// average; the middle element as pivot, so that ordered input is no bad case).
func selectBest[T any](a []T, n int, better func(a, b T) bool) {
	for lo, hi := 0, len(a)-1; lo < hi; {
		a[(lo+hi)/2], a[hi] = a[hi], a[(lo+hi)/2]
		p := lo
		for i := lo; i < hi; i++ {
			if better(a[i], a[hi]) {
				a[i], a[p] = a[p], a[i]
				p++
			}
		}
		a[p], a[hi] = a[hi], a[p]
		switch {
		case p == n:
			return
		case p < n:
			lo = p + 1
		default:
			hi = p - 1
		}
	}
}
