package frontier

import (
	"slices"

	"angler/store"
)

// The tail of a queue on disk is divided into lanes by depth, so that a change of the depth limit
// moves no row. On disk, rows are only added, and the best ones of a lane removed. An entry that is
// pushed again or removed gets a new generation, and its old row is dropped when it is read.

// tail is the part of a queue on disk or on its way there.
type tail struct {
	pending []row
	lanes   []lane // by depth
	within  int    // entries within the depth limit
	bound   mark   // upper bound of the entries within the limit; undefined if within is 0

	wanted  bool // listed in disk.wanting
	loading bool // being read
	writing bool // listed in disk.writing
	credit  int  // hand-outs that bound does not block
	lift    mark // worst row that neighbours wrote last
}

// lane holds a tail's entries of one depth.
type lane struct {
	depth int16
	some  bool // set by rank: a row exists
	n     int
	best  mark // upper bound of the entries; undefined if n is 0
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

// stored converts a row for the backlog, in a lane of q.
func (r *row) stored(q *queue) store.BacklogRow {
	return store.BacklogRow{ID: r.id, Lane: q.laneKey(r.depth), Class: r.class, Priority: r.prio, Seq: r.seq,
		Gen: r.gen}
}

// rowOf is the inverse of stored.
func rowOf(r *store.BacklogRow) row {
	return row{id: r.ID, prio: r.Priority, seq: r.Seq, depth: laneDepth(r.Lane), class: r.Class, gen: r.Gen}
}

// laneDepth returns the depth in a lane's key.
func laneDepth(key uint64) int16 { return int16(uint16(key)) }

// laneOf returns the lane of a depth and adds a new one.
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

// neighbours moves maxWrite pending rows to the end and returns them. Like an elevator it sweeps
// over all ranks repeatedly, so that rows written together fall onto few leaves.
func (t *tail) neighbours() []row {
	rows, below := t.pending, 0
	for i := range rows { // rows that the lift has passed go to the front
		if !t.lift.before(rows[i].mark()) {
			rows[i], rows[below] = rows[below], rows[i]
			below++
		}
	}
	if len(rows)-below < maxWrite { // at the bottom: continue from the top
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

// selectBest moves the best n elements to the front (quickselect, linear on average). The pivot is
// the middle element, so that ordered input is no bad case.
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
