package frontier

import (
	"math"
	"slices"

	"angler/store"
)

// Backlog keeps on disk what does not fit into Config.Budget; *store.Backlog is
// one. It must be empty when it is given to New and belongs to the frontier
// until Close. Exchange is called by one goroutine at a time and never under the
// frontier's lock.
type Backlog interface {
	Exchange(put []store.BacklogRow, take []store.BacklogTake) ([]store.BacklogTaken, error)
}

// The queue of a host whose tail is on disk is divided into lanes by depth, so
// that a change of the depth limit moves no row. What is on disk is changed only
// by adding rows and by taking the best ones of a lane: an entry that is pushed
// again or removed while it is there gets another generation, and its old row is
// thrown away when it comes up.

// tail is the part of a queue that is on disk or on its way there.
type tail struct {
	pending []parked
	lanes   []lane // by depth
	within  int    // entries within the depth limit
	bound   mark   // no entry within the depth limit is better; meaningless when within is 0

	wanted   bool // stands in Frontier.wanting
	loading  bool // is being read
	swept    bool // and that from all lanes, because its host is dropped
	spilling bool // stands in Frontier.spilling
	credit   int  // hand-outs that bound may not stop
	lift     mark // the worst row of those that neighbours wrote last
}

// lane is a tail's entries of one depth.
type lane struct {
	depth int16
	some  bool // rank's: there is a row
	n     int
	best  mark // no entry is better; meaningless when n is 0
}

// mark is a place in the order of a queue.
type mark struct {
	prio float64
	seq  uint32
}

func (m mark) before(o mark) bool { return m.prio > o.prio || m.prio == o.prio && m.seq < o.seq }

// parked is an entry that is to be written.
type parked struct {
	id    uint64
	prio  float64
	seq   uint32
	depth int16
	gen   uint8
}

// laneKey names a lane on disk.
func (q *queue) laneKey(depth int16) uint64 { return uint64(q.index)<<16 | uint64(uint16(depth)) }

// laneOf returns the lane of a depth, adding it if it is new.
func (t *tail) laneOf(depth int16) *lane {
	i, found := slices.BinarySearchFunc(t.lanes, depth, func(l lane, d int16) int { return int(l.depth) - int(d) })
	if !found {
		t.lanes = slices.Insert(t.lanes, i, lane{depth: depth})
	}
	return &t.lanes[i]
}

// measure sets within and bound anew.
func (f *Frontier) measure(t *tail) {
	t.within = 0
	for i := range t.lanes {
		l := &t.lanes[i]
		if l.n == 0 || f.limit >= 0 && int(l.depth) > f.limit {
			continue
		}
		if t.within == 0 || l.best.before(t.bound) {
			t.bound = l.best
		}
		t.within += l.n
	}
}

// parks reports whether an entry belongs on disk: it is too deep to be handed
// out, or worse than the best that is there already.
func (f *Frontier) parks(q *queue, depth int16, m mark) bool {
	if f.cfg.Backlog == nil {
		return false
	}
	return f.limit >= 0 && int(depth) > f.limit || q.tail != nil && q.tail.within > 0 && q.tail.bound.before(m)
}

// park sends an entry that is in no heap and not in the arena to disk.
func (f *Frontier) park(q *queue, id uint64, depth int16, m mark) {
	t := q.tail
	if t == nil {
		t = new(tail)
		q.tail = t
		f.tails++
	}
	f.append(q, parked{id, m.prio, m.seq, depth, f.away.put(id, depth)})
	l := t.laneOf(depth)
	if l.n == 0 || m.before(l.best) {
		l.best = m
	}
	l.n++
	if f.limit >= 0 && int(depth) > f.limit {
		f.beyond++
		return
	}
	if t.within == 0 || m.before(t.bound) {
		t.bound = m
	}
	t.within++
	f.waiting++
	f.parked++
}

// append makes a row pending.
func (f *Frontier) append(q *queue, r parked) {
	q.tail.pending = append(q.tail.pending, r)
	f.pending++
	if !q.tail.spilling {
		q.tail.spilling = true
		f.spilling = append(f.spilling, q)
	}
}

// parkItem moves an item that is in no heap to disk.
func (f *Frontier) parkItem(s slot) {
	it := &f.items[s]
	q, id, depth, m := f.queues[it.queue], it.id, it.depth, mark{it.prio, it.seq}
	f.release(s)
	f.park(q, id, depth, m)
}

// unpark takes an entry off the disk: from now on its row there is void. It
// reports false when the entry is not in q, or can be moved no more.
func (f *Frontier) unpark(q *queue, id uint64) bool {
	depth, ok := f.away.depth(id)
	if !ok || q.tail == nil {
		return false
	}
	l := q.tail.laneOf(depth)
	if l.n == 0 || !f.away.void(id) {
		return false
	}
	f.leaves(q.tail, l)
	return true
}

// leaves counts an entry out of its lane.
func (f *Frontier) leaves(t *tail, l *lane) {
	l.n--
	if f.limit >= 0 && int(l.depth) > f.limit {
		f.beyond--
		return
	}
	f.waiting--
	f.parked--
	if t.within--; l.n == 0 && t.within > 0 {
		f.measure(t)
	}
}

// shed sends the worst entries of the longest queues to disk when more are in
// memory than Config.Budget allows. Every queue keeps its best minHeads.
func (f *Frontier) shed() {
	if f.cfg.Backlog == nil || f.queued <= f.shedAt {
		return
	}
	target := f.cfg.Budget * 3 / 4
	// The water level: queues below it keep all they have, what they leave of
	// the target goes to the others.
	fair, long, left := 0, f.queues, target
	for n := -1; n != len(long) && len(long) > 0; {
		n, fair = len(long), max(left/len(long), minHeads)
		var longer []*queue
		for _, q := range long {
			if len(q.heap) > fair {
				longer = append(longer, q)
			} else {
				left -= len(q.heap)
			}
		}
		long = longer
	}
	for _, q := range long {
		f.cut(q, fair)
	}
	f.shedAt = max(f.cfg.Budget, f.queued+f.cfg.Budget/4)
}

// cut leaves the best keep entries of a queue in memory.
func (f *Frontier) cut(q *queue, keep int) {
	f.unplace(q.host)
	selectBest(q.heap, keep, f.better)
	for _, s := range q.heap[keep:] {
		f.waiting--
		f.queued--
		f.parkItem(s)
	}
	q.heap = q.heap[:keep]
	if cap(q.heap) > 4*keep {
		q.heap = slices.Clone(q.heap)
	}
	heapInit(q.heap, byPriority{f})
	f.place(q.host)
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

// awayTable knows which IDs are on disk, at which depth, and which generation of
// their rows counts. IDs that lie close together cost three bytes each, lone
// ones 250.
type awayTable map[uint64]*awayPage

type awayPage struct {
	depth [64]uint16 // plus one; 0 = not on disk
	gen   [64]uint8
}

func (a awayTable) depth(id uint64) (int16, bool) {
	p := a[id/64]
	if p == nil || p.depth[id%64] == 0 {
		return 0, false
	}
	return int16(p.depth[id%64] - 1), true
}

// put says that id goes to disk and returns the generation of its row.
func (a awayTable) put(id uint64, depth int16) uint8 {
	p := a[id/64]
	if p == nil {
		p = new(awayPage)
		a[id/64] = p
	}
	p.depth[id%64] = uint16(depth) + 1
	return p.gen[id%64]
}

// void makes the row of id worthless. It reports false when the generations are
// used up: the entry stays as it is.
func (a awayTable) void(id uint64) bool {
	p := a[id/64]
	if p.gen[id%64] == math.MaxUint8 {
		return false
	}
	p.gen[id%64]++
	p.depth[id%64] = 0
	return true
}

// live reports whether a row is the one that counts.
func (a awayTable) live(id uint64, gen uint8) bool {
	p := a[id/64]
	return p != nil && p.depth[id%64] != 0 && p.gen[id%64] == gen
}

// back says that the row of id has been read.
func (a awayTable) back(id uint64) { a[id/64].depth[id%64] = 0 }
