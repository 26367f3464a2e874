package frontier

// rescoreChunk entries are scored between two short looks at the frontier.
const rescoreChunk = 1024

// Rescore gives every waiting entry in memory the priority that score returns, as
// when the strategy is switched or has learned; an entry that it does not keep
// leaves the frontier. It returns how many did. Entries on disk are scored by
// Config.Score when they come back.
//
// score is called without the lock, so it may read a database while the workers
// go on: hosts are ranked one after the other, and an entry that is handed out,
// pushed or removed meanwhile is left as it is. One Rescore runs at a time.
func (f *Frontier) Rescore(score func(id uint64, old Entry) (priority float64, keep bool)) (dropped int) {
	f.rescoring.Lock()
	defer f.rescoring.Unlock()
	r := rescorer{f: f, score: score}
	f.mu.Lock()
	hosts := f.hosts // only ever appended to
	f.mu.Unlock()
	for _, h := range hosts {
		f.mu.Lock()
		for _, q := range h.queues {
			if q == nil || len(q.heap) == 0 {
				continue
			}
			// A queue is scored in one piece when it is short, because then its
			// heap is built anew at once.
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
	for i := range f.items {
		if w := f.items[i].where; w == isLater || w == isBeyond {
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
	score   func(uint64, Entry) (float64, bool)
	slots   []slot // collected
	chunk   []slot // of them, being scored
	was     []Entry
	now     []score
	touched []*queue
	drop    []slot
	dropped int
}

// flush scores what was collected. It is called with the lock and gives it up
// while it scores.
func (r *rescorer) flush() {
	f := r.f
	for rest := r.slots; len(rest) > 0; {
		n := min(len(rest), rescoreChunk)
		r.chunk, r.was, r.now = r.chunk[:0], r.was[:0], r.now[:0]
		for _, s := range rest[:n] {
			if w := f.items[s].where; w != isFree && w != inFlight {
				r.chunk = append(r.chunk, s)
				r.was = append(r.was, f.entry(s))
			}
		}
		rest = rest[n:]
		f.mu.Unlock()
		for i := range r.was {
			p, keep := r.score(r.was[i].ID, r.was[i])
			r.now = append(r.now, score{finite(p), keep})
		}
		f.mu.Lock()
		r.apply()
		f.dispatch()
	}
	r.slots = r.slots[:0]
}

// apply gives the entries of a chunk their new priorities.
func (r *rescorer) apply() {
	f := r.f
	for i, s := range r.chunk {
		it, was := &f.items[s], &r.was[i]
		if it.where == isFree || it.where == inFlight || it.id != was.ID || it.prio != was.Priority || int(it.depth) != was.Depth {
			continue
		}
		if !r.now[i].keep {
			r.drop = append(r.drop, s)
			continue
		}
		if it.where != inQueue {
			it.prio = r.now[i].prio
			continue
		}
		q := f.queues[it.queue]
		f.unplace(q.host)
		if n := len(r.touched); n == 0 || r.touched[n-1] != q {
			r.touched = append(r.touched, q)
		}
		it.prio = r.now[i].prio
		if p := int(it.pos); len(q.heap) > 4*rescoreChunk && siftUp(q.heap, p, byPriority{f}) == p {
			siftDown(q.heap, p, byPriority{f})
		}
	}
	for _, q := range r.touched {
		if len(q.heap) <= 4*rescoreChunk {
			heapInit(q.heap, byPriority{f})
		}
	}
	for _, q := range r.touched {
		f.unplace(q.host)
		f.place(q.host)
	}
	for _, s := range r.drop {
		f.dequeue(s)
		f.release(s)
	}
	r.dropped += len(r.drop)
	r.touched, r.drop = r.touched[:0], r.drop[:0]
}
