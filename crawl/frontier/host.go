package frontier

import (
	"time"

	"angler/crawl/fetch"
)

// spot is the heap of hosts that a host is in.
type spot uint8

const (
	nowhere spot = iota // no entry queued, or the maximum in flight
	atReady
	atResting
)

// host is the unit of politeness. Its entries wait in one queue, or in several that take turns.
type host struct {
	name   string
	limit  *fetch.Host
	claim  *fetch.Claim // nil = it never waited for its turn
	queues []*queue     // by number; nil = never used
	one    [1]*queue    // storage for the usual single queue
	turn   uint16       // next queue
	at     uint16       // first queue from turn that can hand out, and
	head   slot         // its best entry; both valid in the heap of ready hosts
	later  int32        // entries waiting for a retry

	errands *queue // nil = never used
	owed    turns  // between its errands and its links

	busy         int32
	open         int32 // leases
	done, failed int

	// Status at the last call of the limiter.
	next        int64 // end of the pause
	why         fetch.WaitReason
	held        int64 // later time because of its address or other requests
	full        bool  // the maximum number of requests is in progress
	fails       int32 // consecutive failures
	maxInFlight int32 // maximum of fetches in flight while it responds
	delay       time.Duration

	spot      spot
	pos       int // index in the heap of ready or resting hosts; out = in none
	errandPos int // index in the heap of hosts with errands; out = not in it
}

// out is the index of a host that is not in a heap.
const out = -1

// look takes over the limiter's status of the host.
func (h *host) look(s fetch.HostStatus) {
	h.next, h.why, h.held, h.full = s.Next, s.Why, 0, s.Full
	h.fails, h.maxInFlight, h.delay = int32(s.Fails), int32(s.Most), s.Delay
}

// wakes returns when a resting host may be checked again.
func (h *host) wakes() int64 { return max(h.next, h.held) }

// reason returns why a host rests.
func (h *host) reason() fetch.WaitReason {
	if h.held > h.next {
		return fetch.WaitPolite
	}
	return h.why
}

// waiting counts a host's entries within the depth limit: all, and those on disk.
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
