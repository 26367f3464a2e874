package frontier

import "strings"

// hosts are all hosts ever seen and their turns: which may be fetched now, and
// which rest until when.
type hosts struct {
	cfg   *Config
	clock *clock
	arena *arena
	disk  *disk

	addresses addresses

	all    []*host // only ever appended to
	byName map[string]*host
	queues []*queue

	ready      []*host // heap: hosts that may be fetched now, by the rank of their best entry that is no errand
	errands    []*host // heap: hosts that may be fetched now and have errands, by the rank of the best of those
	owed       turns   // between the two
	resting    []*host // heap: hosts with entries whose time has not come, by that time
	recovering int     // hosts in resting whose rest ends by itself
}

// queue returns the queue that an entry names, adding it if it is new. The
// host's name is copied: callers cut it out of URLs that should not be kept
// alive.
func (hs *hosts) queue(name string, number uint16) *queue {
	h := hs.named(name)
	if number == Errands {
		if h.errands == nil {
			h.errands = &queue{host: h, number: Errands, index: uint32(len(hs.queues))}
			hs.queues = append(hs.queues, h.errands)
		}
		return h.errands
	}
	if int(number) < len(h.queues) && h.queues[number] != nil {
		return h.queues[number]
	}
	for len(h.queues) <= int(number) {
		h.queues = append(h.queues, nil)
	}
	q := &queue{host: h, number: number, index: uint32(len(hs.queues))}
	h.queues[number] = q
	hs.queues = append(hs.queues, q)
	return q
}

// queueOf returns the queue of an entry in memory.
func (hs *hosts) queueOf(s slot) *queue { return hs.queues[hs.arena.items[s].queue] }

// named returns a host, adding it if it is new.
func (hs *hosts) named(name string) *host {
	if h, known := hs.byName[name]; known {
		return h
	}
	h := &host{name: strings.Clone(name), pos: out, place: out}
	h.queues, h.own = h.one[:0], hs.cfg.pace(name)
	hs.all = append(hs.all, h)
	hs.byName[h.name] = h
	return h
}

// of returns the host of an entry in memory.
func (hs *hosts) of(s slot) *host { return hs.queueOf(s).host }

// entry is an entry in memory as the outside knows it.
func (hs *hosts) entry(s slot) Entry {
	it := &hs.arena.items[s]
	q := hs.queues[it.queue]
	return Entry{ID: it.id, Host: q.host.name, Queue: q.number, Class: it.class, Priority: it.prio, Depth: int(it.depth)}
}

// unplace takes a host out of its heap; every change of its queues, of busy, of
// next, of held or of why happens between unplace and place.
func (hs *hosts) unplace(h *host) {
	switch h.spot {
	case atReady:
		if h.pos != out {
			heapRemove(&hs.ready, h.pos, byBest{hs.arena})
		}
		if h.place != out {
			heapRemove(&hs.errands, h.place, byErrand{hs.arena})
		}
	case atResting:
		heapRemove(&hs.resting, h.pos, byWaking{})
		if h.reason().recovers() {
			hs.recovering--
		}
	}
	h.spot, h.pos, h.place = nowhere, out, out
}

// place puts a host into the heap where it belongs now.
func (hs *hosts) place(h *host) {
	if h.next == 0 { // never fetched: what the clock says does not matter
		hs.placeAt(h, 0)
		return
	}
	hs.placeAt(h, hs.clock.now())
}

func (hs *hosts) placeAt(h *host, now int64) {
	links := hs.aim(h)
	errands := h.errands != nil && len(h.errands.heap) > 0
	if !links && !errands || int(h.busy) >= h.room(hs.cfg) || hs.ahead(h) {
		return
	}
	if h.wakes() > now {
		h.spot = atResting
		heapPush(&hs.resting, h, byWaking{})
		if h.reason().recovers() {
			hs.recovering++
		}
	} else {
		h.spot = atReady
		if links {
			heapPush(&hs.ready, h, byBest{hs.arena})
		}
		if errands {
			heapPush(&hs.errands, h, byErrand{hs.arena})
		}
	}
}

// ahead reports whether as many pages of a host are under way to its links as
// Config.Ahead allows.
func (hs *hosts) ahead(h *host) bool {
	return hs.cfg.Ahead > 0 && int(h.open) >= max(h.most(hs.cfg), (h.done+h.failed)/hs.cfg.Ahead)
}

// aim finds the queue whose turn it is among those that can hand out an entry now,
// and makes its best entry the host's. It reports whether there is one, and asks
// for more from disk where memory runs low.
func (hs *hosts) aim(h *host) (found bool) {
	k := int(h.turn)
	for range h.queues {
		if k >= len(h.queues) {
			k = 0
		}
		if q := h.queues[k]; q != nil {
			if q.tail != nil {
				hs.disk.topUp(q)
			}
			if !found && len(q.heap) > 0 && !hs.disk.behind(q) {
				found, h.at, h.head = true, uint16(k), q.heap[0]
				if hs.disk.tails == 0 {
					return true // no other queue needs more from disk
				}
			}
		}
		k++
	}
	return found
}

// replace places all hosts anew.
func (hs *hosts) replace() {
	hs.ready, hs.errands, hs.resting, hs.recovering = hs.ready[:0], hs.errands[:0], hs.resting[:0], 0
	for _, h := range hs.all {
		h.spot, h.pos, h.place = nowhere, out, out
		hs.place(h)
	}
}

// wake makes the hosts ready whose time has come.
func (hs *hosts) wake(now int64) {
	for len(hs.resting) > 0 && hs.resting[0].wakes() <= now {
		h := hs.resting[0]
		hs.unplace(h)
		hs.placeAt(h, now)
	}
}

// occupy counts a fetch that begins and places the host.
func (hs *hosts) occupy(h *host) {
	h.busy++
	h.open++
	if h.most(hs.cfg) > 1 {
		if next := hs.clock.now() + int64(max(h.delay(hs.cfg), h.crawl)); next > h.next {
			h.next, h.why = next, politeness
			if h.crawl > h.delay(hs.cfg) {
				h.why = crawlDelay
			}
		}
	}
	if h.addr != nil && hs.cfg.AddressDelay != 0 {
		h.ask(hs.cfg, hs.clock.now())
	}
	hs.place(h)
}

// settle counts a fetch that has ended and places the host.
func (hs *hosts) settle(h *host, o Outcome) {
	hs.unplace(h)
	h.busy--
	hs.addresses.meet(h, o.Address)
	h.settle(o, hs.cfg, hs.clock.now())
	hs.place(h)
}

// byWaking orders resting hosts.
type byWaking struct{}

func (byWaking) before(a, b *host) bool { return a.wakes() < b.wakes() }
func (byWaking) moved(h *host, i int)   { h.pos = i }

// byBest orders ready hosts by their best entry; among equals the one that has
// waited longest, so that equal ranks go round the hosts.
type byBest struct{ arena *arena }

func (o byBest) before(a, b *host) bool {
	x, y := &o.arena.items[a.head], &o.arena.items[b.head]
	if x.class != y.class {
		return x.class > y.class
	}
	if x.prio != y.prio {
		return x.prio > y.prio
	}
	if a.next != b.next {
		return a.next < b.next
	}
	return x.seq < y.seq
}
func (byBest) moved(h *host, i int) { h.pos = i }
