package frontier

import "time"

// spot says in which heap of hosts a host stands.
type spot uint8

const (
	nowhere spot = iota // nothing queued, or as much in flight as allowed
	atReady
	atResting
)

// host is the unit of politeness. Its entries wait in one queue; an assignment
// to several queues (P2 2.1.1) would divide queue and leave the rest as it is,
// because politeness stays with the host.
type host struct {
	name  string
	queue []slot // heap by priority
	later int    // entries waiting for a retry

	busy, done, failed int
	streak             int           // failures in a row
	slow               time.Duration // delay of a host that asked for mercy; 0 = Config.Delay
	next               int64         // not fetched before
	resting            bool          // next was set by failures or by the host's own wish, not by plain delay

	spot spot
	pos  int
}

// failuresForgiven is how many failures in a row cost no more than the delay:
// single lost connections are everyday life.
const failuresForgiven = 1

// settle moves next by the outcome of a fetch that ended now.
func (h *host) settle(o Outcome, cfg Config, now int64) {
	if o.Failed {
		h.failed++
		h.streak++
	} else {
		h.done++
		h.streak = 0
	}
	switch {
	case o.Slow:
		h.slow = min(max(2*h.delay(cfg), time.Second), cfg.MaxDelay)
	case !o.Failed:
		// A quarter at a time: a host that asked for mercy is not put to the
		// test by its first good answer.
		if h.slow -= h.slow / 4; h.slow <= cfg.Delay || h.slow < 100*time.Millisecond {
			h.slow = 0
		}
	}
	rest := time.Duration(0)
	if cfg.PerHost == 1 || h.slow > 0 {
		rest = h.delay(cfg)
	}
	h.resting = false
	if wait := min(o.Wait, MaxWait); wait > rest {
		rest, h.resting = wait, true
	}
	if n := h.streak - failuresForgiven; n > 0 {
		if r := min(time.Second<<min(n-1, 20), MaxRest); r > rest {
			rest, h.resting = r, true
		}
	}
	h.next = max(h.next, now+int64(rest))
}

func (h *host) delay(cfg Config) time.Duration { return max(h.slow, cfg.Delay) }

// place puts a host into the heap where it belongs now.
func (f *Frontier) place(h *host) { f.placeAt(h, f.now()) }

func (f *Frontier) placeAt(h *host, now int64) {
	if len(h.queue) == 0 || h.busy >= f.cfg.PerHost {
		return
	}
	if h.next > now {
		h.spot = atResting
		heapPush(&f.resting, h, byWaking{})
	} else {
		h.spot = atReady
		heapPush(&f.ready, h, byBest{f})
	}
}

// unplace takes a host out of its heap; every change of its queue, of busy or of
// next happens between unplace and place.
func (f *Frontier) unplace(h *host) {
	switch h.spot {
	case atReady:
		heapRemove(&f.ready, h.pos, byBest{f})
	case atResting:
		heapRemove(&f.resting, h.pos, byWaking{})
	}
	h.spot = nowhere
}

// byWaking orders resting hosts.
type byWaking struct{}

func (byWaking) before(a, b *host) bool { return a.next < b.next }
func (byWaking) moved(h *host, i int)   { h.pos = i }

// byBest orders ready hosts by their best entry; among equals the one that has
// waited longest, so that equal priorities go round the hosts.
type byBest struct{ f *Frontier }

func (o byBest) before(a, b *host) bool {
	x, y := &o.f.items[a.queue[0]], &o.f.items[b.queue[0]]
	if x.prio != y.prio {
		return x.prio > y.prio
	}
	if a.next != b.next {
		return a.next < b.next
	}
	return x.seq < y.seq
}
func (byBest) moved(h *host, i int) { h.pos = i }
