package frontier

import (
	"fmt"
	"slices"

	"angler/store"
)

// disk is the record of what is on disk or on its way there: the tails of the
// queues, the table of what is spilled, and what the spiller is to do next. It
// reads and writes nothing itself.
type disk struct {
	arena   *arena
	tally   *tally
	spilled spilledTable
	off     bool // there is no backlog
	budget  int  // entries in memory

	tails   int      // queues with entries on disk
	wanting []*queue // to be refilled
	writing []*queue // with rows to be written
	pending int      // those rows
}

// slack is how many rows may wait to be written: the more, the fewer leaves of
// the tree each of them costs.
func (d *disk) slack() int { return 2 * d.budget }

// refill is how many entries are read at once.
func (d *disk) refill() int { return max(minHeads, min(d.budget/2/max(d.tails, 1), maxRefill)) }

// takes reports whether an entry belongs on disk: it is too deep to be handed
// out, or worse than the best that is there already.
func (d *disk) takes(q *queue, depth int16, m mark) bool {
	if d.off {
		return false
	}
	return d.tally.tooDeep(depth) || q.tail != nil && q.tail.within > 0 && q.tail.bound.before(m)
}

// put sends an entry that is in no heap and not in the arena to disk.
func (d *disk) put(q *queue, id uint64, depth int16, m mark) {
	t := q.tail
	if t == nil {
		t = new(tail)
		q.tail = t
		d.tails++
	}
	d.append(q, row{id, m.prio, m.seq, depth, m.class, d.spilled.put(id, depth)})
	l := t.laneOf(depth)
	if l.n == 0 || m.before(l.best) {
		l.best = m
	}
	l.n++
	if d.tally.tooDeep(depth) {
		d.tally.beyond++
		return
	}
	if t.within == 0 || m.before(t.bound) {
		t.bound = m
	}
	t.within++
	d.tally.waiting++
	d.tally.onDisk++
}

// append makes a row pending.
func (d *disk) append(q *queue, r row) {
	q.tail.pending = append(q.tail.pending, r)
	d.pending++
	d.writeLater(q)
}

func (d *disk) writeLater(q *queue) {
	if !q.tail.writing {
		q.tail.writing = true
		d.writing = append(d.writing, q)
	}
}

// want asks for a queue to be refilled.
func (d *disk) want(q *queue) {
	q.tail.wanted = true
	d.wanting = append(d.wanting, q)
}

// has reports whether an entry is on disk or on its way there.
func (d *disk) has(id uint64) bool {
	_, ok := d.spilled.depth(id)
	return ok
}

// void takes an entry off the disk: from now on its row there is worthless. It
// reports false when the entry is not in q, or can be moved no more.
func (d *disk) void(q *queue, id uint64) bool {
	depth, ok := d.spilled.depth(id)
	if !ok || q.tail == nil {
		return false
	}
	l := q.tail.laneOf(depth)
	if l.n == 0 || !d.spilled.void(id) {
		return false
	}
	d.leaves(q.tail, l)
	return true
}

// back counts a row that was read out of its lane. It reports false when the
// entry was pushed anew or removed since the row was written.
func (d *disk) back(t *tail, r *row) bool {
	if !d.spilled.live(r.id, r.gen) {
		return false
	}
	d.spilled.back(r.id)
	d.leaves(t, t.laneOf(r.depth))
	return true
}

// leaves counts an entry out of its lane.
func (d *disk) leaves(t *tail, l *lane) {
	l.n--
	if d.tally.tooDeep(l.depth) {
		d.tally.beyond--
		return
	}
	d.tally.waiting--
	d.tally.onDisk--
	if t.within--; l.n == 0 && t.within > 0 {
		d.measure(t)
	}
}

// measure sets within and bound anew.
func (d *disk) measure(t *tail) {
	t.within = 0
	for i := range t.lanes {
		l := &t.lanes[i]
		if l.n == 0 || d.tally.tooDeep(l.depth) {
			continue
		}
		if t.within == 0 || l.best.before(t.bound) {
			t.bound = l.best
		}
		t.within += l.n
	}
}

// recount counts a tail anew after the depth limit changed.
func (d *disk) recount(t *tail) {
	d.measure(t)
	d.tally.waiting += t.within
	d.tally.onDisk += t.within
	d.tally.beyond += t.all() - t.within
	t.credit = 0
}

// behind reports whether something better than the best entry in memory is on
// disk. That entry must be read first, but not again and again: when the score
// function lowers what was read, the rows that come next look better than they
// are.
func (d *disk) behind(q *queue) bool {
	t := q.tail
	if t == nil || t.within == 0 || t.credit > 0 {
		return false
	}
	return t.bound.before(d.arena.items[q.heap[0]].mark())
}

// topUp asks for more from disk when a queue in memory runs low.
func (d *disk) topUp(q *queue) {
	t := q.tail
	if t.within == 0 || t.wanted || t.loading {
		return
	}
	if len(q.heap) < d.refill()/4 || d.behind(q) {
		d.want(q)
	}
}

// pick takes the best n rows out of what is pending. When there are many it is
// the reason why a refill need not wait until they are written.
func (d *disk) pick(t *tail, n int) []row {
	rows := t.pending
	if d.tally.limit >= 0 { // what is too deep stays
		in := len(rows)
		for i := 0; i < in; {
			if d.tally.tooDeep(rows[i].depth) {
				in--
				rows[i], rows[in] = rows[in], rows[i]
			} else {
				i++
			}
		}
		rows = rows[:in]
	}
	n = min(n, len(rows))
	selectBest(rows, n, betterRow)
	best := slices.Clone(rows[:n])
	t.pending = append(t.pending[:0], t.pending[n:]...)
	d.pending -= n
	return best
}

// cut takes the rows of a queue that are to be written next out of what is
// pending: all, or as many as a refill may have to wait for. They are to be read
// before anything is appended.
func (d *disk) cut(q *queue) []row {
	t := q.tail
	t.writing = false
	rows := t.pending
	if len(rows) > maxWrite {
		rows = t.neighbours()
	}
	d.pending -= len(rows)
	t.pending = t.pending[:len(t.pending)-len(rows)]
	if len(t.pending) > 0 {
		d.writeLater(q)
	}
	return rows
}

// rank takes over the best rows that the lanes still hold, and finds the better
// ones among what has become pending since they were looked up. The error says
// that the disk has lost rows.
func (d *disk) rank(t *tail, lanes []uint64, heads []store.BacklogHead) (err error) {
	for i := range t.lanes {
		t.lanes[i].some = true // unless it was looked at
	}
	for i, key := range lanes {
		l := t.laneOf(laneDepth(key))
		l.best, l.some = mark{heads[i].Priority, heads[i].Seq, heads[i].Class}, heads[i].Any
	}
	for i := range t.pending {
		r := &t.pending[i]
		if m, l := r.mark(), t.laneOf(r.depth); !l.some || m.before(l.best) {
			l.best, l.some = m, true
		}
	}
	for i := range t.lanes {
		if l := &t.lanes[i]; !l.some && l.n > 0 {
			err = fmt.Errorf("%w: %d entries are missing there", ErrBacklog, l.n)
		}
	}
	d.measure(t)
	return err
}

// close ends the tail of a queue that has nothing on disk any more.
func (d *disk) close(q *queue) {
	if t := q.tail; t.within == 0 && len(t.pending) == 0 && !t.wanted && t.all() == 0 {
		q.tail = nil
		d.tails--
	}
}
