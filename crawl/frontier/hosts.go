package frontier

import "angler/crawl/fetch"

// hosts holds all hosts ever seen and their turns: ready ones, and resting ones with the end of
// their pause.
type hosts struct {
	cfg   *Config
	clock *fetch.Clock
	arena *arena
	disk  *disk

	freed func(*host) // checks a host again, in its own goroutine

	all    []*host // append-only
	byName map[string]*host
	queues []*queue

	ready      []*host // heap: hosts ready to be fetched, by the rank of their best link
	errands    []*host // heap: hosts ready to be fetched that have errands, by the rank of their best errand
	owed       turns   // between links and errands
	resting    []*host // heap: hosts with entries whose pause has not ended, by its end
	recovering int     // hosts in resting whose pause ends by itself
}

// queue returns a host's queue by number and adds a new one. It copies the host's name, because
// callers cut it out of URLs that must not stay in memory.
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

// named returns a host and adds a new one.
func (hs *hosts) named(name string) *host {
	if h, known := hs.byName[name]; known {
		return h
	}
	limit := hs.cfg.Limiter.Host(name)
	h := &host{name: limit.Name, limit: limit, pos: out, errandPos: out}
	h.queues = h.one[:0]
	h.look(limit.Status())
	hs.all = append(hs.all, h)
	hs.byName[h.name] = h
	return h
}

// of returns the host of an entry in memory.
func (hs *hosts) of(s slot) *host { return hs.queues[hs.arena.items[s].queue].host }

// entry returns an entry in memory as an Entry.
func (hs *hosts) entry(s slot) Entry {
	it := &hs.arena.items[s]
	q := hs.queues[it.queue]
	return Entry{ID: it.id, Host: q.host.name, Queue: q.number, Class: it.class, Priority: it.prio,
		Depth: int(it.depth)}
}

// unplace removes a host from its heaps. Change its queues, busy, next, held and why only between
// unplace and place.
func (hs *hosts) unplace(h *host) {
	switch h.spot {
	case atReady:
		if h.pos != out {
			heapRemove(&hs.ready, h.pos, byEntry{arena: hs.arena})
		}
		if h.errandPos != out {
			heapRemove(&hs.errands, h.errandPos, byEntry{hs.arena, true})
		}
	case atResting:
		heapRemove(&hs.resting, h.pos, byWaking{})
		if h.reason().Recovers() {
			hs.recovering--
		}
	}
	h.spot, h.pos, h.errandPos = nowhere, out, out
}

// place puts a host into the heap where it belongs now.
func (hs *hosts) place(h *host) {
	if h.next == 0 { // never fetched: the time does not matter
		hs.placeAt(h, 0)
		return
	}
	hs.placeAt(h, hs.clock.Now())
}

func (hs *hosts) placeAt(h *host, now int64) {
	links := hs.aim(h)
	errands := h.errands != nil && len(h.errands.heap) > 0
	if !links && !errands || h.busy > 0 && (h.full || hs.cfg.Single) || hs.ahead(h) {
		return
	}
	if h.wakes() > now {
		h.spot = atResting
		heapPush(&hs.resting, h, byWaking{})
		if h.reason().Recovers() {
			hs.recovering++
		}
	} else {
		h.spot = atReady
		if links {
			heapPush(&hs.ready, h, byEntry{arena: hs.arena})
		}
		if errands {
			heapPush(&hs.errands, h, byEntry{hs.arena, true})
		}
	}
}

// update takes over the limiter's status of a host and places it.
func (hs *hosts) update(h *host, s fetch.HostStatus) {
	hs.unplace(h)
	h.look(s)
	hs.place(h)
}

// ahead reports whether the host has as many pages between fetch and commit as Config.Ahead allows.
func (hs *hosts) ahead(h *host) bool {
	return hs.cfg.Ahead > 0 && int(h.open) >= max(int(h.maxInFlight), (h.done+h.failed)/hs.cfg.Ahead)
}

// aim finds the next queue that can hand out an entry now and sets the host's head. It reports
// whether there is one. It requests refills of queues that run low.
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
					return true // no other queue needs a refill
				}
			}
		}
		k++
	}
	return found
}

// replace places all hosts again.
func (hs *hosts) replace() {
	hs.ready, hs.errands, hs.resting, hs.recovering = hs.ready[:0], hs.errands[:0], hs.resting[:0], 0
	for _, h := range hs.all {
		h.spot, h.pos, h.errandPos = nowhere, out, out
		hs.place(h)
	}
}

// wake makes hosts ready whose pause has ended.
func (hs *hosts) wake(now int64) {
	for len(hs.resting) > 0 && hs.resting[0].wakes() <= now {
		h := hs.resting[0]
		hs.unplace(h)
		hs.placeAt(h, now)
	}
}

// occupy begins a fetch if the limiter permits it, and places the host. The host must be in no
// heap.
func (hs *hosts) occupy(h *host) (p fetch.Permit, ok bool) {
	if h.claim == nil {
		h.claim = fetch.NewClaim(func() { hs.freed(h) })
	}
	p, s, ok := h.limit.Begin(h.claim)
	h.look(s)
	if ok {
		h.busy++
		h.open++
	} else {
		h.held = s.Held
	}
	hs.place(h)
	return p, ok
}

// settle counts a fetch that ended and places the host.
func (hs *hosts) settle(h *host, o Outcome) {
	hs.unplace(h)
	h.busy--
	if o.Failed {
		h.failed++
	} else {
		h.done++
	}
	h.look(h.limit.End(o))
	hs.place(h)
}

// ripe reports whether a host may be fetched now. It moves hosts on top of the heaps whose shared
// address may not be fetched to the resting ones.
func (hs *hosts) ripe() bool {
	for _, heap := range []*[]*host{&hs.ready, &hs.errands} {
		for len(*heap) > 0 {
			h := (*heap)[0]
			s := h.limit.Status()
			if max(s.Next, s.Held) <= hs.clock.Now() {
				break
			}
			hs.unplace(h)
			h.look(s)
			h.held = s.Held
			hs.place(h)
		}
	}
	return hs.any()
}

// byWaking orders resting hosts.
type byWaking struct{}

func (byWaking) before(a, b *host) bool { return a.wakes() < b.wakes() }
func (byWaking) moved(h *host, i int)   { h.pos = i }

// byEntry orders ready hosts by their best link or errand, then by the longest wait, so that equal ranks alternate
// between hosts.
type byEntry struct {
	arena   *arena
	errands bool
}

func (o byEntry) best(h *host) mark {
	if o.errands {
		return o.arena.items[h.errands.heap[0]].mark()
	}
	return o.arena.items[h.head].mark()
}

func (o byEntry) before(a, b *host) bool {
	x, y := o.best(a), o.best(b)
	if a.next == b.next || x.above(y) || y.above(x) {
		return x.before(y)
	}
	return a.next < b.next
}

func (o byEntry) moved(h *host, i int) {
	if o.errands {
		h.errandPos = i
	} else {
		h.pos = i
	}
}
