package frontier

import (
	"time"

	"angler/crawl/fetch"
)

// spot says in which heap of hosts a host stands.
type spot uint8

const (
	nowhere spot = iota // nothing queued, or as much in flight as allowed
	atReady
	atResting
)

// host is the unit of politeness. Its entries wait in one queue, or in several
// that take turns; politeness stays with the host.
type host struct {
	name   string
	limit  *fetch.Host
	claim  *fetch.Claim // nil = its turn was never waited for
	queues []*queue     // by number; nil = never used
	one    [1]*queue    // room for the usual single queue
	turn   uint16       // the queue whose turn it is
	at     uint16       // the first one from there that can hand out, and
	head   slot         // its best entry; both valid in the heap of ready hosts
	later  int32        // entries waiting for a retry

	errands *queue // nil = never used
	owed    turns  // between its errands and its other queues

	busy         int32
	open         int32 // leases
	done, failed int

	// How things stood when the limiter was asked last.
	next  int64 // not fetched before
	why   fetch.WaitReason
	held  int64 // not looked at before, for the sake of its address or of other requests
	full  bool  // as many requests as may be are under way
	fails int32 // in a row
	most  int32 // fetches that may be in flight while it answers
	delay time.Duration

	spot  spot
	pos   int // in the heap of ready or of resting hosts; out = in none
	place int // in the heap of hosts with errands; out = not there
}

// out is the place of a host in a heap that it is not in.
const out = -1

// look takes over how things stand with the host.
func (h *host) look(s fetch.HostStatus) {
	h.next, h.why, h.held, h.full = s.Next, s.Why, 0, s.Full
	h.fails, h.most, h.delay = int32(s.Fails), int32(s.Most), s.Delay
}

// wakes is when a host that rests may be looked at again.
func (h *host) wakes() int64 { return max(h.next, h.held) }

// reason says why a host rests.
func (h *host) reason() fetch.WaitReason {
	if h.held > h.next {
		return fetch.WaitPolite
	}
	return h.why
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
