package frontier

import "time"

// spot says in which heap of hosts a host stands.
type spot uint8

const (
	nowhere spot = iota // nothing queued, or as much in flight as allowed
	atReady
	atResting
)

// Rest says why a host is not fetched now.
type Rest uint8

// The reasons of a rest.
const (
	NoRest     Rest = iota
	Politeness      // the plain delay
	CrawlDelay      // its robots.txt asks for a longer one
	Mercy           // it answered 429 or 503
	RetryAfter      // it named a time
	Failures        // it keeps failing
)

// String is the reason in a few words.
func (r Rest) String() string {
	return [...]string{"", "politeness", "Crawl-delay", "asked to slow down", "Retry-After", "failures"}[min(r, Failures)]
}

// unwell reports whether nobody knows that a host will ever answer again.
func (r Rest) unwell() bool { return r >= Mercy }

// host is the unit of politeness. Its entries wait in one queue, or in several
// that take turns; politeness stays with the host.
type host struct {
	name   string
	queues []*queue  // by number; nil = never used
	one    [1]*queue // room for the usual single queue
	turn   uint16    // the queue whose turn it is
	at     uint16    // the first one from there that can hand out, and
	head   slot      // its best entry; both valid in a heap of hosts
	later  int32     // entries waiting for a retry

	sweeping bool  // its entries are being taken off the disk
	sweeps   int32 // queues where that is not done

	busy            int32
	done, failed    int
	streak, mercies int32         // failures, pleas for mercy in a row
	slow            time.Duration // delay of a host that asked for mercy; 0 = Config.Delay
	crawl           time.Duration // the Crawl-delay it last named
	next            int64         // not fetched before
	why             Rest          // what next was set by

	spot spot
	pos  int
}

// failuresForgiven is how many failures in a row cost no more than the delay:
// single lost connections are everyday life.
const failuresForgiven = 1

// settle moves next by the outcome of a fetch that ended now.
func (h *host) settle(o Outcome, cfg *Config, now int64) {
	h.why = NoRest
	rest := time.Duration(0)
	atLeast := func(d time.Duration, why Rest) {
		if d > rest {
			rest, h.why = d, why
		}
	}
	if o.Failed {
		h.failed++
		h.streak++
	} else {
		h.done++
		h.streak = 0
	}
	switch {
	case o.Slow:
		// The delay doubles; a plea that even MaxDelay does not still makes the
		// rest go on doubling, up to MaxRest.
		if h.slow >= cfg.MaxDelay {
			h.mercies++
		}
		h.slow = min(max(2*h.delay(cfg), time.Second), cfg.MaxDelay)
	case !o.Failed:
		h.mercies = 0
		// A quarter at a time: a host that asked for mercy is not put to the
		// test by its first good answer.
		if h.slow -= h.slow / 4; h.slow <= cfg.Delay || h.slow < 100*time.Millisecond {
			h.slow = 0
		}
	}
	if cfg.PerHost == 1 || h.slow > 0 {
		atLeast(cfg.Delay, Politeness)
	}
	h.crawl = min(o.CrawlDelay, MaxWait)
	atLeast(h.crawl, CrawlDelay)
	if atLeast(h.slow, Politeness); o.Slow {
		atLeast(min(h.slow<<min(h.mercies, 20), max(MaxRest, h.slow)), Mercy)
		if h.why == Politeness {
			h.why = Mercy
		}
	}
	atLeast(min(o.Wait, MaxWait), RetryAfter)
	if n := h.streak - failuresForgiven; n > 0 {
		atLeast(min(time.Second<<min(n-1, 20), MaxRest), Failures)
	}
	h.next = max(h.next, now+int64(rest))
}

// delay is the least time between two fetches.
func (h *host) delay(cfg *Config) time.Duration { return max(h.slow, cfg.Delay) }

// unplace takes a host out of its heap; every change of its queues, of busy, of
// next or of why happens between unplace and place.
func (f *Frontier) unplace(h *host) {
	switch h.spot {
	case atReady:
		heapRemove(&f.ready, h.pos, byBest{f})
	case atResting:
		heapRemove(&f.resting, h.pos, byWaking{})
		if !h.why.unwell() {
			f.well--
		}
	}
	h.spot = nowhere
}

// place puts a host into the heap where it belongs now.
func (f *Frontier) place(h *host) { f.placeAt(h, f.now()) }

func (f *Frontier) placeAt(h *host, now int64) {
	if !f.aim(h) || int(h.busy) >= f.cfg.PerHost {
		return
	}
	if h.next > now {
		h.spot = atResting
		heapPush(&f.resting, h, byWaking{})
		if !h.why.unwell() {
			f.well++
		}
	} else {
		h.spot = atReady
		heapPush(&f.ready, h, byBest{f})
	}
}

// byWaking orders resting hosts.
type byWaking struct{}

func (byWaking) before(a, b *host) bool { return a.next < b.next }
func (byWaking) moved(h *host, i int)   { h.pos = i }

// byBest orders ready hosts by their best entry; among equals the one that has
// waited longest, so that equal priorities go round the hosts.
type byBest struct{ f *Frontier }

func (o byBest) before(a, b *host) bool {
	x, y := &o.f.items[a.head], &o.f.items[b.head]
	if x.prio != y.prio {
		return x.prio > y.prio
	}
	if a.next != b.next {
		return a.next < b.next
	}
	return x.seq < y.seq
}
func (byBest) moved(h *host, i int) { h.pos = i }
