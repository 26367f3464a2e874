package frontier

// rescoreChunk is the number of entries scored between two locks of the frontier.
const rescoreChunk = 1024

// Rescore sets class and priority of every waiting entry in memory by score, after the link order
// changed or learned. Entries with keep = false leave the frontier. It returns their number.
// Config.Score ranks entries on disk when they are read.
//
// score is called without the lock, so it may read a database while workers continue. Hosts are
// ranked one after the other; an entry that is handed out, pushed or removed meanwhile is
// unchanged. Only one Rescore runs at a time.
func (f *Frontier) Rescore(score scorer) (dropped int) {
	f.rescoring.Lock()
	defer f.rescoring.Unlock()
	r := rescorer{f: f, score: score}
	f.mu.Lock()
	hosts := f.hosts.all // append-only
	f.mu.Unlock()
	for _, h := range hosts {
		f.mu.Lock()
		for i := range len(h.queues) + 1 {
			q := h.errands
			if i < len(h.queues) {
				q = h.queues[i]
			}
			if q == nil || len(q.heap) == 0 {
				continue
			}
			// A short queue is scored in one piece, because its heap is then rebuilt at once.
			if len(r.slots) > 0 && len(r.slots)+len(q.heap) > rescoreChunk {
				r.flush()
			}
			r.slots = append(r.slots, q.heap...)
		}
		f.mu.Unlock()
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	r.flush()
	for i := range f.arena.items {
		if w := f.arena.items[i].where; w == isLater || w == isBeyond {
			r.slots = append(r.slots, slot(i))
		}
	}
	r.flush()
	f.dispatch()
	return r.dropped
}

// rescorer collects entries and scores them in chunks.
type rescorer struct {
	f       *Frontier
	score   scorer
	slots   []slot // collected entries
	chunk   []slot // entries being scored
	was     []Entry
	now     []rescored
	touched []*queue
	drop    []slot
	dropped int
}

// rescored is the result of a Scorer.
type rescored struct {
	prio  float64
	class int8
	keep  bool
}

// ask calls a Scorer.
func (score scorer) ask(old Entry) rescored {
	class, prio, keep := score(old.ID, old)
	return rescored{finite(prio), class, keep}
}

// flush scores the collected entries. The caller holds the lock, which flush releases while it
// scores.
func (r *rescorer) flush() {
	f := r.f
	for rest := r.slots; len(rest) > 0; {
		n := min(len(rest), rescoreChunk)
		r.chunk, r.was, r.now = r.chunk[:0], r.was[:0], r.now[:0]
		for _, s := range rest[:n] {
			if w := f.arena.items[s].where; w != isFree && w != inFlight {
				r.chunk = append(r.chunk, s)
				r.was = append(r.was, f.hosts.entry(s))
			}
		}
		rest = rest[n:]
		f.mu.Unlock()
		for i := range r.was {
			r.now = append(r.now, r.score.ask(r.was[i]))
		}
		f.mu.Lock()
		r.apply()
		f.dispatch()
	}
	r.slots = r.slots[:0]
}

// apply sets the new ranks of a chunk.
func (r *rescorer) apply() {
	f := r.f
	for i, s := range r.chunk {
		it, was, now := &f.arena.items[s], &r.was[i], &r.now[i]
		if it.where == isFree || it.where == inFlight || it.id != was.ID || it.prio != was.Priority ||
			it.class != was.Class || int(it.depth) != was.Depth {
			continue
		}
		if !now.keep {
			r.drop = append(r.drop, s)
			continue
		}
		if it.where != inQueue {
			it.class, it.prio = now.class, now.prio
			continue
		}
		q := f.hosts.queues[it.queue]
		if n := len(r.touched); n == 0 || r.touched[n-1] != q {
			f.hosts.unplace(q.host) // until the whole chunk has its ranks
			r.touched = append(r.touched, q)
		}
		it.class, it.prio = now.class, now.prio
		if p := int(it.pos); len(q.heap) > 4*rescoreChunk && siftUp(q.heap, p, byRank{&f.arena}) == p {
			siftDown(q.heap, p, byRank{&f.arena})
		}
	}
	for _, q := range r.touched {
		if len(q.heap) <= 4*rescoreChunk {
			heapInit(q.heap, byRank{&f.arena})
		}
	}
	for _, q := range r.touched {
		f.hosts.unplace(q.host)
		f.hosts.place(q.host)
	}
	for _, s := range r.drop {
		f.pool.dequeue(s)
		f.arena.forget(s)
	}
	r.dropped += len(r.drop)
	r.touched, r.drop = r.touched[:0], r.drop[:0]
}
