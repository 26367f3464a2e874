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

// item is one entry, 32 bytes.
type item struct {
	id    uint64
	prio  float64
	seq   uint32 // order of arrival, for equal priorities
	host  uint32
	pos   int32 // index in the heap that holds it
	depth int16
	where place
}

// alloc puts a new entry into the arena, in no heap yet.
func (f *Frontier) alloc(e Entry) slot {
	var s slot
	if n := len(f.free); n > 0 {
		s, f.free = f.free[n-1], f.free[:n-1]
	} else {
		s = slot(len(f.items))
		f.items = append(f.items, item{})
	}
	f.seq++
	f.items[s] = item{
		id: e.ID, prio: finite(e.Priority), seq: f.seq,
		host: f.intern(e.Host), depth: clampDepth(e.Depth),
	}
	f.byID[e.ID] = s
	return s
}

// release forgets an item that is in no heap.
func (f *Frontier) release(s slot) {
	delete(f.byID, f.items[s].id)
	f.items[s] = item{}
	f.free = append(f.free, s)
}

func (f *Frontier) entry(s slot) Entry {
	it := &f.items[s]
	return Entry{ID: it.id, Host: f.hosts[it.host].name, Priority: it.prio, Depth: int(it.depth)}
}

func (f *Frontier) tooDeep(it *item) bool { return f.limit >= 0 && int(it.depth) > f.limit }

// enqueue makes an item that is in no heap wait: in its host's queue, or beyond
// the depth limit.
func (f *Frontier) enqueue(s slot) {
	it := &f.items[s]
	if f.tooDeep(it) {
		it.where = isBeyond
		f.beyond++
		return
	}
	it.where = inQueue
	f.waiting++
	h := f.hosts[it.host]
	f.unplace(h)
	heapPush(&h.queue, s, byPriority{f})
	f.place(h)
}

// dequeue takes a waiting item out of wherever it waits.
func (f *Frontier) dequeue(s slot) {
	it := &f.items[s]
	switch it.where {
	case inQueue:
		h := f.hosts[it.host]
		f.unplace(h)
		heapRemove(&h.queue, int(it.pos), byPriority{f})
		f.place(h)
		f.waiting--
	case isLater:
		heapRemove(&f.later, int(it.pos), byTime{f})
		f.hosts[it.host].later--
		f.waiting--
	case isBeyond:
		f.beyond--
	}
}

// postpone makes an item that is in no heap wait for a time.
func (f *Frontier) postpone(s slot, at int64) {
	it := &f.items[s]
	it.where = isLater
	f.waiting++
	f.hosts[it.host].later++
	heapPush(&f.later, delayed{at, s}, byTime{f})
}

// rebuild fills all queues anew after depths or priorities changed: linear in
// the number of entries. Retries keep their time.
func (f *Frontier) rebuild() {
	for _, h := range f.hosts {
		h.queue = h.queue[:0]
	}
	f.waiting, f.beyond = len(f.later), 0
	for i := range f.items {
		it := &f.items[i]
		if it.where != inQueue && it.where != isBeyond {
			continue
		}
		if f.tooDeep(it) {
			it.where = isBeyond
			f.beyond++
			continue
		}
		it.where = inQueue
		f.waiting++
		h := f.hosts[it.host]
		h.queue = append(h.queue, slot(i))
	}
	f.ready, f.resting = f.ready[:0], f.resting[:0]
	for _, h := range f.hosts {
		heapInit(h.queue, byPriority{f})
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
