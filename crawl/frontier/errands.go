package frontier

// Errands is the queue of entries requested in addition to the ranked links: a discovery's notices.
// They take turns with links by Config.Share, ignore the depth limit and stay in memory.
//
// The turns depend on what is scarce. If more workers wait than hosts are ready, every ready host
// is fetched anyway, and each host divides its own fetches. Otherwise the workers are divided, so
// that poor links of a host with many errands do not delay these.
const Errands uint16 = maxQueues

// turns is the share of a fetch owed to errands, 0 … 1, and the number of consecutive link turns
// given to errands.
type turns struct {
	owed  float64
	given int
}

// maxGiven bounds the consecutive turns that poor links give to errands.
const maxGiven = 2

// next takes a turn and reports whether an errand gets it. poor means that the next link is poor
// and may give up its turn.
func (t *turns) next(share float64, poor bool) (errand bool) {
	if t.owed += share; t.owed >= 1 {
		t.owed--
		return true
	}
	if poor && t.given < maxGiven {
		t.given++
		return true
	}
	t.given = 0
	return false
}

// poor reports whether a host's best link promises less than an errand.
func (hs *hosts) poor(h *host) bool {
	it := &hs.arena.items[h.head]
	return it.class <= Ordinary && it.prio < hs.cfg.Poor
}

// any reports whether a host may be fetched now.
func (hs *hosts) any() bool { return len(hs.ready)+len(hs.errands) > 0 }

// choose returns the next host to hand out, and whether an errand. workers is the number of waiting
// workers. was is the host's owed before. A host must be ready.
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
	if h.pos != out && h.errandPos != out && workers >= len(hs.ready)+len(hs.errands)-1 {
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

// SetAhead changes Config.Ahead. Call it before the first Next.
func (f *Frontier) SetAhead(share int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.cfg.Ahead = share
}
