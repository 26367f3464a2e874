package frontier

// slot is an index into the arena of items: 4 bytes for an entry in any heap.
type slot uint32

// place is where an item waits.
type place uint8

const (
	isFree   place = iota
	inQueue        // in its host's queue
	isLater        // in the heap of retries
	isBeyond       // deeper than the limit; in no heap
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
	class int8
	where place
}

func (it *item) mark() mark { return mark{it.prio, it.seq, it.class} }

// rank sets class and priority of an item; it keeps its order of arrival.
func (it *item) rank(m mark) { it.class, it.prio = m.class, m.prio }

// arena holds all entries in memory, waiting or in flight.
type arena struct {
	items []item
	free  []slot
	byID  map[uint64]slot
	seq   uint32 // of the last new entry
}

// arrive returns the mark of a new entry.
func (a *arena) arrive(e *Entry) mark {
	a.seq++
	return mark{finite(e.Priority), a.seq, e.Class}
}

// add puts a new entry into the arena, but in no heap.
func (a *arena) add(q *queue, id uint64, depth int16, m mark) slot {
	var s slot
	if n := len(a.free); n > 0 {
		s, a.free = a.free[n-1], a.free[:n-1]
	} else {
		s = slot(len(a.items))
		a.items = append(a.items, item{})
	}
	a.items[s] = item{id: id, prio: m.prio, seq: m.seq, class: m.class, queue: q.index, depth: depth}
	a.byID[id] = s
	return s
}

// forget frees the slot of an item that is in no heap.
func (a *arena) forget(s slot) {
	delete(a.byID, a.items[s].id)
	a.items[s] = item{}
	a.free = append(a.free, s)
}

// better reports whether x goes before y in a queue.
func (a *arena) better(x, y slot) bool {
	p, q := &a.items[x], &a.items[y]
	if p.class != q.class {
		return p.class > q.class
	}
	if p.prio != q.prio {
		return p.prio > q.prio
	}
	return p.seq < q.seq
}

// byRank orders a host's queue, the better entry first.
type byRank struct{ arena *arena }

func (o byRank) before(a, b slot) bool { return o.arena.better(a, b) }
func (o byRank) moved(s slot, i int)   { o.arena.items[s].pos = int32(i) }

// delayed is an entry in the heap of retries.
type delayed struct {
	at int64
	s  slot
}

// byTime orders the retries by time.
type byTime struct{ arena *arena }

func (o byTime) before(a, b delayed) bool { return a.at < b.at }
func (o byTime) moved(d delayed, i int)   { o.arena.items[d.s].pos = int32(i) }
