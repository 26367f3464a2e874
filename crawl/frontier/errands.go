package frontier

// Errands is the queue of entries that a person has asked for beside those that a
// link order ranks: a discovery's notices. They take turns with the others, by
// Config.Share, do not mind the depth limit and stay in memory.
//
// Whose turn it is depends on what is scarce. While more workers wait than hosts
// are ready, every ready host is fetched in any case, and each divides its own
// fetches. Else the workers are divided: a host with many errands and poor links
// does not keep its errands waiting for those.
const Errands uint16 = maxQueues

// turns is how much of a fetch errands are owed, 0 … 1, and how many turns of the
// others were given away in a row.
type turns struct {
	owed float64
	gave int
}

// mostGiven turns in a row are given away to errands by others that are poor.
const mostGiven = 2

// next takes the next turn and reports whether it is an errand's. Of the turns of
// the others some are an errand's, too, if what they would fetch is poor.
func (t *turns) next(share float64, poor bool) (errand bool) {
	if t.owed += share; t.owed >= 1 {
		t.owed--
		return true
	}
	if poor && t.gave < mostGiven {
		t.gave++
		return true
	}
	t.gave = 0
	return false
}

// poor reports whether the best entry of a host that is no errand promises less than
// one.
func (hs *hosts) poor(h *host) bool {
	it := &hs.arena.items[h.head]
	return it.class <= Ordinary && it.prio < hs.cfg.Poor
}

// any reports whether a host may be fetched now.
func (hs *hosts) any() bool { return len(hs.ready)+len(hs.errands) > 0 }

// choose picks the host of the next hand-out, and whether it is an errand, for the
// first of so many workers that wait. was is what the host owed before. There must
// be a host that may be fetched.
func (hs *hosts) choose(workers int) (h *host, errand bool, was turns) {
	switch {
	case len(hs.errands) == 0:
		return hs.ready[0], false, hs.ready[0].owed
	case len(hs.ready) == 0:
		return hs.errands[0], true, hs.errands[0].owed
	}
	errand = hs.owed.next(hs.cfg.Share, hs.poor(hs.ready[0]))
	if h = hs.ready[0]; errand {
		h = hs.errands[0]
	}
	was = h.owed
	if h.pos != out && h.place != out && workers >= len(hs.ready)+len(hs.errands)-1 {
		errand = h.owed.next(hs.cfg.Share, hs.poor(h))
	}
	return h, errand, was
}

// SetShare changes Config.Share.
func (f *Frontier) SetShare(share float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cfg.Share = share
}

// SetAhead changes Config.Ahead, before the first Next.
func (f *Frontier) SetAhead(share int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cfg.Ahead = share
}

// byErrand orders ready hosts by their best errand; among equals the one that has
// waited longest.
type byErrand struct{ arena *arena }

func (o byErrand) before(a, b *host) bool {
	x, y := a.errands.heap[0], b.errands.heap[0]
	if p, q := o.arena.items[x].mark(), o.arena.items[y].mark(); p.above(q) || q.above(p) {
		return p.above(q)
	}
	if a.next != b.next {
		return a.next < b.next
	}
	return o.arena.better(x, y)
}
func (byErrand) moved(h *host, i int) { h.place = i }
