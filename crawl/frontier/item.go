package frontier

// slot is an index into the arena of items; one of 4 bytes stands for an entry
// wherever it waits.
type slot uint32

// place says where an item is.
type place uint8

const (
	isFree   place = iota
	inQueue        // in its host's queue
	isLater        // in the heap of retries
	isBeyond       // deeper than the limit: in no heap
	inFlight       // handed out
)

// item is one entry in memory, 32 bytes.
type item struct {
	id    uint64
	prio  float64
	seq   uint32 // order of arrival, for equal priorities
	queue uint32
	pos   int32 // index in the heap that holds it
	depth int16
	where place
}

// alloc puts a new entry into the arena, in no heap yet.
func (f *Frontier) alloc(q *queue, id uint64, depth int16, m mark) slot {
	var s slot
	if n := len(f.free); n > 0 {
		s, f.free = f.free[n-1], f.free[:n-1]
	} else {
		s = slot(len(f.items))
		f.items = append(f.items, item{})
	}
	f.items[s] = item{id: id, prio: m.prio, seq: m.seq, queue: q.index, depth: depth}
	f.byID[id] = s
	return s
}

// release forgets an item that is in no heap.
func (f *Frontier) release(s slot) {
	delete(f.byID, f.items[s].id)
	f.items[s] = item{}
	f.free = append(f.free, s)
}

func (f *Frontier) hostOf(s slot) *host { return f.queues[f.items[s].queue].host }

func (f *Frontier) entry(s slot) Entry {
	it := &f.items[s]
	q := f.queues[it.queue]
	return Entry{ID: it.id, Host: q.host.name, Queue: q.number, Priority: it.prio, Depth: int(it.depth)}
}

func (f *Frontier) tooDeep(depth int16) bool { return f.limit >= 0 && int(depth) > f.limit }

// enqueue makes an item that is in no heap wait: in its host's queue, beyond the
// depth limit, or on disk.
func (f *Frontier) enqueue(s slot) {
	it := &f.items[s]
	q := f.queues[it.queue]
	if f.parks(q, it.depth, mark{it.prio, it.seq}) {
		f.parkItem(s)
		return
	}
	if f.tooDeep(it.depth) {
		it.where = isBeyond
		f.beyond++
		return
	}
	f.keep(s, q)
}

// keep puts an item that is in no heap into its queue in memory.
func (f *Frontier) keep(s slot, q *queue) {
	f.items[s].where = inQueue
	f.waiting++
	f.queued++
	f.unplace(q.host)
	heapPush(&q.heap, s, byPriority{f})
	f.place(q.host)
}

// dequeue takes a waiting item out of wherever it waits in memory.
func (f *Frontier) dequeue(s slot) {
	it := &f.items[s]
	q := f.queues[it.queue]
	switch it.where {
	case inQueue:
		f.waiting--
		f.queued--
		f.unplace(q.host)
		heapRemove(&q.heap, int(it.pos), byPriority{f})
		f.place(q.host)
	case isLater:
		heapRemove(&f.later, int(it.pos), byTime{f})
		q.host.later--
		f.waiting--
	case isBeyond:
		f.beyond--
	}
}

// postpone makes an item that is in no heap wait for a time.
func (f *Frontier) postpone(s slot, at int64) {
	f.items[s].where = isLater
	f.waiting++
	f.hostOf(s).later++
	heapPush(&f.later, delayed{at, s}, byTime{f})
}

// rebuild fills all queues anew after the depth limit changed: linear in the
// number of entries in memory. Retries keep their time.
func (f *Frontier) rebuild() {
	f.waiting, f.beyond, f.queued, f.parked = len(f.later), 0, 0, 0
	for _, q := range f.queues {
		q.heap = q.heap[:0]
		if t := q.tail; t != nil {
			f.measure(t)
			f.waiting += t.within
			f.parked += t.within
			for _, l := range t.lanes {
				f.beyond += l.n
			}
			f.beyond -= t.within
			t.credit = 0
		}
	}
	for i := range f.items {
		it := &f.items[i]
		if it.where != inQueue && it.where != isBeyond {
			continue
		}
		if f.tooDeep(it.depth) {
			if f.cfg.Backlog != nil {
				f.parkItem(slot(i))
				continue
			}
			it.where = isBeyond
			f.beyond++
			continue
		}
		it.where = inQueue
		f.waiting++
		f.queued++
		q := f.queues[it.queue]
		q.heap = append(q.heap, slot(i))
	}
	f.ready, f.resting, f.well = f.ready[:0], f.resting[:0], 0
	for _, q := range f.queues {
		heapInit(q.heap, byPriority{f})
	}
	for _, h := range f.hosts {
		h.spot = nowhere
		f.place(h)
	}
}

// delayed is an entry in the heap of retries.
type delayed struct {
	at int64
	s  slot
}

// byPriority orders a host's queue: higher first, then first come.
type byPriority struct{ f *Frontier }

func (o byPriority) before(a, b slot) bool { return o.f.better(a, b) }
func (o byPriority) moved(s slot, i int)   { o.f.items[s].pos = int32(i) }

func (f *Frontier) better(a, b slot) bool {
	x, y := &f.items[a], &f.items[b]
	if x.prio != y.prio {
		return x.prio > y.prio
	}
	return x.seq < y.seq
}

// byTime orders the retries.
type byTime struct{ f *Frontier }

func (o byTime) before(a, b delayed) bool { return a.at < b.at }
func (o byTime) moved(d delayed, i int)   { o.f.items[d.s].pos = int32(i) }
