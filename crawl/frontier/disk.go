package frontier

import (
	"fmt"
	"slices"

	"angler/store"
)

// disk records the entries on disk or on their way there: the tails of the queues, the table of
// spilled IDs, and the spiller's work list. It does no input or output itself.
type disk struct {
	arena   *arena
	tally   *tally
	spilled spilledTable
	off     bool // no backlog
	budget  int  // maximum of entries in memory

	tails   int      // queues with entries on disk
	wanting []*queue // queues to be refilled
	writing []*queue // queues with rows to be written
	pending int      // number of those rows
}

// slack is how many rows may wait to be written. More waiting rows mean fewer tree leaves written
// per row.
func (d *disk) slack() int { return 2 * d.budget }

// refill is how many entries are read at once.
func (d *disk) refill() int { return max(minHeads, min(d.budget/2/max(d.tails, 1), maxRefill)) }

// takes reports whether an entry belongs on disk: it is beyond the depth limit, or worse than the
// best entry on disk.
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

// append adds a row to the pending ones.
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

// want requests the refill of a queue.
func (d *disk) want(q *queue) {
	q.tail.wanted = true
	d.wanting = append(d.wanting, q)
}

// has reports whether an entry is on disk or on its way there.
func (d *disk) has(id uint64) bool {
	_, ok := d.spilled.depth(id)
	return ok
}

// void removes an entry from disk: its row there is ignored from now on. It returns false if the
// entry is not in q, or cannot be moved any more.
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

// back removes a row that was read from its lane. It returns false if the entry was pushed again or
// removed since the row was written.
func (d *disk) back(t *tail, r *row) bool {
	if !d.spilled.live(r.id, r.gen) {
		return false
	}
	d.spilled.back(r.id)
	d.leaves(t, t.laneOf(r.depth))
	return true
}

// leaves removes an entry from the counts of its lane.
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

// measure recomputes within and bound.
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

// recount recounts a tail after the depth limit changed.
func (d *disk) recount(t *tail) {
	d.measure(t)
	d.tally.waiting += t.within
	d.tally.onDisk += t.within
	d.tally.beyond += t.all() - t.within
	t.credit = 0
}

// behind reports whether an entry on disk is better than the best one in memory and must be read
// first. A credit bounds the repetitions: if the score function lowers entries when they are read,
// the remaining rows always look better than they are.
func (d *disk) behind(q *queue) bool {
	t := q.tail
	if t == nil || t.within == 0 || t.credit > 0 {
		return false
	}
	return t.bound.before(d.arena.items[q.heap[0]].mark())
}

// topUp requests a refill if a queue in memory runs low.
func (d *disk) topUp(q *queue) {
	t := q.tail
	if t.within == 0 || t.wanted || t.loading {
		return
	}
	if len(q.heap) < d.refill()/4 || d.behind(q) {
		d.want(q)
	}
}

// pick removes the best n pending rows. Because of it, a refill need not wait until many pending
// rows are written.
func (d *disk) pick(t *tail, n int) []row {
	rows := t.pending
	if d.tally.limit >= 0 { // rows beyond the limit stay
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

// cut removes the pending rows of a queue that are written next: all, or at most as many as a
// refill may wait for. Read the result before anything is appended.
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

// rank sets the best rows of the lanes from heads, and the better ones among rows pending since.
// The error means that rows are missing on disk.
func (d *disk) rank(t *tail, lanes []uint64, heads []store.BacklogHead) (err error) {
	for i := range t.lanes {
		t.lanes[i].some = true // unless heads says otherwise
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

// close deletes the tail of a queue without entries on disk.
func (d *disk) close(q *queue) {
	if t := q.tail; t.within == 0 && len(t.pending) == 0 && !t.wanted && t.all() == 0 {
		q.tail = nil
		d.tails--
	}
}
