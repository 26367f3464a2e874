package frontier

import "slices"

// pool holds all waiting entries: in their host's queue, until their retry time, beyond the depth
// limit, or on disk.
type pool struct {
	arena *arena
	tally *tally
	disk  *disk
	hosts *hosts

	later  []delayed // heap: entries to be retried, by time
	shedAt int       // number of queued entries above which the worst go to disk
}

// push adds an entry or ranks a waiting one again.
func (p *pool) push(e *Entry) {
	depth := clampDepth(e.Depth)
	s, known := p.arena.byID[e.ID]
	if !known {
		q := p.hosts.queue(e.Host, e.Queue)
		if p.disk.has(e.ID) && !p.disk.void(q, e.ID) {
			return
		}
		m := p.arena.arrive(e)
		if p.disk.takes(q, depth, m) {
			p.disk.put(q, e.ID, depth, m)
			return
		}
		p.enqueue(p.arena.add(q, e.ID, depth, m))
		return
	}
	it := &p.arena.items[s]
	m := mark{finite(e.Priority), it.seq, e.Class}
	switch {
	case it.where == inFlight:
	case e.Queue != Errands && p.hosts.queues[it.queue].number == Errands:
		// A link to a waiting errand changes nothing.
	case it.where == isLater:
		it.depth = depth
		it.rank(m)
	case it.depth != depth || it.mark() != m:
		p.dequeue(s)
		it.depth = depth
		it.rank(m)
		p.enqueue(s)
	}
}

// retry adds or moves an entry that is not in flight; it waits for a time.
func (p *pool) retry(e *Entry, at int64) {
	s, known := p.arena.byID[e.ID]
	if known {
		p.dequeue(s)
	} else {
		q := p.hosts.queue(e.Host, e.Queue)
		if p.disk.has(e.ID) && !p.disk.void(q, e.ID) {
			return
		}
		s = p.arena.add(q, e.ID, clampDepth(e.Depth), p.arena.arrive(e))
	}
	p.postpone(s, at)
}

// remove removes a waiting entry and reports whether there was one.
func (p *pool) remove(e *Entry) bool {
	s, known := p.arena.byID[e.ID]
	if !known {
		return p.disk.has(e.ID) && p.disk.void(p.hosts.queue(e.Host, e.Queue), e.ID)
	}
	if p.arena.items[s].where == inFlight {
		return false
	}
	p.dequeue(s)
	p.arena.forget(s)
	return true
}

// enqueue makes an item that is in no heap wait: in its host's queue, beyond the depth limit, or on
// disk.
func (p *pool) enqueue(s slot) {
	it := &p.arena.items[s]
	q := p.hosts.queues[it.queue]
	if p.disk.takes(q, it.depth, it.mark()) {
		p.spill(s)
		return
	}
	if p.tally.tooDeep(it.depth) {
		it.where = isBeyond
		p.tally.beyond++
		return
	}
	p.hosts.unplace(q.host)
	p.keep(s, q)
	p.hosts.place(q.host)
}

// keep puts an item that is in no heap into its queue in memory. It does not place the host.
func (p *pool) keep(s slot, q *queue) {
	p.arena.items[s].where = inQueue
	p.tally.waiting++
	p.tally.queued++
	heapPush(&q.heap, s, byRank{p.arena})
}

// restore puts an item read from disk into its queue. It returns false if the depth limit fell
// meanwhile. It does not place the host.
func (p *pool) restore(s slot, q *queue) bool {
	if p.tally.tooDeep(p.arena.items[s].depth) {
		p.spill(s)
		return false
	}
	p.keep(s, q)
	return true
}

// take removes the best entry of a queue for a hand-out. It does not place the host.
func (p *pool) take(q *queue) slot {
	s := heapRemove(&q.heap, 0, byRank{p.arena})
	if q.tail != nil && q.tail.credit > 0 {
		q.tail.credit--
	}
	p.tally.waiting--
	p.tally.queued--
	p.arena.items[s].where = inFlight
	return s
}

// dequeue removes a waiting item from where it waits in memory.
func (p *pool) dequeue(s slot) {
	it := &p.arena.items[s]
	q := p.hosts.queues[it.queue]
	switch it.where {
	case inQueue:
		p.tally.waiting--
		p.tally.queued--
		p.hosts.unplace(q.host)
		heapRemove(&q.heap, int(it.pos), byRank{p.arena})
		p.hosts.place(q.host)
	case isLater:
		heapRemove(&p.later, int(it.pos), byTime{p.arena})
		q.host.later--
		p.tally.waiting--
	case isBeyond:
		p.tally.beyond--
	}
}

// postpone makes an item that is in no heap wait for a time.
func (p *pool) postpone(s slot, at int64) {
	p.arena.items[s].where = isLater
	p.tally.waiting++
	p.hosts.of(s).later++
	heapPush(&p.later, delayed{at, s}, byTime{p.arena})
}

// spill moves an item that is in no heap to disk.
func (p *pool) spill(s slot) {
	it := &p.arena.items[s]
	q, id, depth, m := p.hosts.queues[it.queue], it.id, it.depth, it.mark()
	p.arena.forget(s)
	p.disk.put(q, id, depth, m)
}

// wake enqueues retries and hosts whose time has come.
func (p *pool) wake() {
	if len(p.later) == 0 && len(p.hosts.resting) == 0 {
		return
	}
	now := p.hosts.clock.Now()
	for len(p.later) > 0 && p.later[0].at <= now {
		s := p.later[0].s
		p.dequeue(s)
		p.enqueue(s)
	}
	p.hosts.wake(now)
}

// nextChange returns when time alone makes an entry ready; 0 = never.
func (p *pool) nextChange() int64 {
	at := int64(0)
	if r := p.hosts.resting; len(r) > 0 {
		at = r[0].wakes()
	}
	if len(p.later) > 0 && (at == 0 || p.later[0].at < at) {
		at = p.later[0].at
	}
	return at
}

// shed sends the worst entries of the longest queues to disk if memory holds more than
// Config.Budget allows. Every queue keeps its best minHeads.
func (p *pool) shed() {
	if p.disk.off || p.tally.queued <= p.shedAt {
		return
	}
	target := p.disk.budget * 3 / 4
	// fair is the water level: shorter queues keep all entries and leave their rest to the others.
	fair, long, left := 0, p.hosts.queues, target
	for n := -1; n != len(long) && len(long) > 0; {
		n, fair = len(long), max(left/len(long), minHeads)
		var longer []*queue
		for _, q := range long {
			if q.number != Errands && len(q.heap) > fair {
				longer = append(longer, q)
			} else {
				left -= len(q.heap)
			}
		}
		long = longer
	}
	for _, q := range long {
		p.cut(q, fair)
	}
	p.shedAt = max(p.disk.budget, p.tally.queued+p.disk.budget/4)
}

// cut keeps the best keep entries of a queue in memory.
func (p *pool) cut(q *queue, keep int) {
	p.hosts.unplace(q.host)
	selectBest(q.heap, keep, p.arena.better)
	for _, s := range q.heap[keep:] {
		p.tally.waiting--
		p.tally.queued--
		p.spill(s)
	}
	q.heap = q.heap[:keep]
	if cap(q.heap) > 4*keep {
		q.heap = slices.Clone(q.heap)
	}
	heapInit(q.heap, byRank{p.arena})
	p.hosts.place(q.host)
}

// rebuild fills all queues again after the depth limit changed, in time linear in the entries in
// memory. Retries keep their time.
func (p *pool) rebuild() {
	*p.tally = tally{limit: p.tally.limit, waiting: len(p.later)}
	for _, q := range p.hosts.queues {
		q.heap = q.heap[:0]
		if q.tail != nil {
			p.disk.recount(q.tail)
		}
	}
	for i := range p.arena.items {
		it := &p.arena.items[i]
		if it.where != inQueue && it.where != isBeyond {
			continue
		}
		if p.tally.tooDeep(it.depth) {
			if !p.disk.off {
				p.spill(slot(i))
				continue
			}
			it.where = isBeyond
			p.tally.beyond++
			continue
		}
		it.where = inQueue
		p.tally.waiting++
		p.tally.queued++
		q := p.hosts.queues[it.queue]
		q.heap = append(q.heap, slot(i))
	}
	for _, q := range p.hosts.queues {
		heapInit(q.heap, byRank{p.arena})
	}
	p.hosts.replace()
}
