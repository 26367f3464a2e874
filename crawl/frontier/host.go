package frontier

import "time"

// spot says in which heap of hosts a host stands.
type spot uint8

const (
	nowhere spot = iota // nothing queued, or as much in flight as allowed
	atReady
	atResting
)

// WaitReason says why a host is not fetched now.
type WaitReason uint8

// The reasons of a rest.
const (
	noRest     WaitReason = iota
	politeness            // the plain delay
	crawlDelay            // its robots.txt asks for a longer one
	throttled             // it answered 429 or 503
	retryAfter            // it named a time
	failures              // it keeps failing
	refuses               // it refuses whatever is asked
)

// String is the reason in a few words.
func (r WaitReason) String() string {
	return [...]string{"", "politeness", "Crawl-delay", "asked to slow down", "Retry-After", "failures", "it refuses us"}[min(r, refuses)]
}

// recovers reports whether the rest ends by itself; otherwise nobody knows that
// the host will ever answer again.
func (r WaitReason) recovers() bool { return r < throttled }

// host is the unit of politeness. Its entries wait in one queue, or in several
// that take turns; politeness stays with the host.
type host struct {
	name   string
	queues []*queue  // by number; nil = never used
	one    [1]*queue // room for the usual single queue
	own    *Pace     // nil = that of all hosts
	turn   uint16    // the queue whose turn it is
	at     uint16    // the first one from there that can hand out, and
	head   slot      // its best entry; both valid in the heap of ready hosts
	later  int32     // entries waiting for a retry

	errands *queue // nil = never used
	owed    turns  // between its errands and its other queues

	sweeping bool  // its entries are being taken off the disk
	sweeps   int32 // queues where that is not done

	busy         int32
	open         int32 // leases
	done, failed int
	streak       int32         // failures in a row
	throttled    int32         // times in a row that it throttled at the largest delay
	slow         time.Duration // delay of a host that throttles; 0 = Config.Delay
	crawl        time.Duration // the Crawl-delay it last named
	next         int64         // not fetched before
	why          WaitReason    // what next was set by
	addr         *address      // where it answers from; nil = unknown
	held         int64         // not looked at before, for the sake of its address

	spot  spot
	pos   int // in the heap of ready or of resting hosts; out = in none
	place int // in the heap of hosts with errands; out = not there
}

// out is the place of a host in a heap that it is not in.
const out = -1

// failuresForgiven is how many failures in a row cost no more than the delay: a
// single lost connection is common.
const failuresForgiven = 1

// settle moves next by the outcome of a fetch that ended now.
func (h *host) settle(o Outcome, cfg *Config, now int64) {
	was := h.why
	h.why = noRest
	rest := time.Duration(0)
	atLeast := func(d time.Duration, why WaitReason) {
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
		// The delay doubles; when the host throttles at MaxDelay too, the rest
		// goes on doubling, up to maxRest.
		if h.slow >= cfg.MaxDelay {
			h.throttled++
		}
		h.slow = min(max(2*h.delay(cfg), time.Second), cfg.MaxDelay)
	case !o.Failed:
		h.throttled = 0
		// A quarter at a time: a host that throttled is not put to the test by
		// its first good answer.
		if h.slow -= h.slow / 4; h.slow <= h.plain(cfg) || h.slow < 100*time.Millisecond {
			h.slow = 0
		}
	}
	if h.room(cfg) == 1 {
		atLeast(h.plain(cfg), politeness)
	}
	h.crawl = min(o.CrawlDelay, maxWait)
	atLeast(h.crawl, crawlDelay)
	if atLeast(h.slow, politeness); o.Slow {
		atLeast(min(h.slow<<min(h.throttled, 20), max(maxRest, h.slow)), throttled)
		if h.why == politeness {
			h.why = throttled
		}
	}
	atLeast(min(o.Wait, maxWait), retryAfter)
	if n := h.streak - failuresForgiven; n > 0 {
		atLeast(min(time.Second<<min(n-1, 20), maxRest), failures)
	}
	if at := now + int64(rest); at >= h.next {
		h.next = at
	} else {
		h.why = was // another fetch, or Rest, has asked for more
	}
}

// room is how many fetches of a host may be in flight: Config.PerHost of one that
// answers, and one at a time of a host of which nothing is known yet (its robots.txt may
// ask for a Crawl-delay), that fails, or that was asked to slow down.
func (h *host) room(cfg *Config) int {
	if h.done == 0 || h.streak > 0 || h.slow > 0 {
		return 1
	}
	return h.most(cfg)
}

// delay is the least time between two fetches.
func (h *host) delay(cfg *Config) time.Duration { return max(h.slow, h.plain(cfg)) }

// onDisk counts a host's entries on disk or on their way, at any depth.
func (h *host) onDisk() (n int) {
	for _, q := range h.queues {
		if q != nil && q.tail != nil {
			n += q.tail.all()
		}
	}
	return n
}

// waiting counts a host's entries within the depth limit, and those of them on
// disk.
func (h *host) waiting() (all, disk int) {
	all = int(h.later)
	if h.errands != nil {
		all += len(h.errands.heap)
	}
	for _, q := range h.queues {
		if q == nil {
			continue
		}
		all += len(q.heap)
		if q.tail != nil {
			disk += q.tail.within
		}
	}
	return all + disk, disk
}

// filled counts a host's queues that have entries.
func (h *host) filled() (n int) {
	if h.errands != nil && len(h.errands.heap) > 0 {
		n++
	}
	for _, q := range h.queues {
		if q != nil && (len(q.heap) > 0 || q.tail != nil && q.tail.within > 0) {
			n++
		}
	}
	return n
}
