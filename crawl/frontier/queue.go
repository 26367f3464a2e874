package frontier

import "strings"

// queue holds entries of one host: all of them, or those that an assignment
// (P2 2.1.1) gave this number.
type queue struct {
	host   *host
	number uint16 // among the host's
	index  uint32 // in Frontier.queues
	heap   []slot // by priority
	tail   *tail  // nil = nothing is on disk
}

// Bounds of what a queue keeps in memory when there is a backlog.
const (
	minHeads  = 16   // at least so many, whatever the budget
	maxRefill = 4096 // read at once
)

// queueOf returns the queue that an entry names, adding it if it is new. The
// host's name is copied: callers cut it out of URLs that should not be kept
// alive.
func (f *Frontier) queueOf(name string, number uint16) *queue {
	h, known := f.byHost[name]
	if !known {
		h = &host{name: strings.Clone(name)}
		h.queues = h.one[:0]
		f.hosts = append(f.hosts, h)
		f.byHost[h.name] = h
	}
	if int(number) < len(h.queues) && h.queues[number] != nil {
		return h.queues[number]
	}
	for len(h.queues) <= int(number) {
		h.queues = append(h.queues, nil)
	}
	q := &queue{host: h, number: number, index: uint32(len(f.queues))}
	h.queues[number] = q
	f.queues = append(f.queues, q)
	return q
}

// aim finds the queue whose turn it is among those that can hand out an entry now,
// and makes its best entry the host's. It reports whether there is one, and asks
// for more from disk where memory runs low.
func (f *Frontier) aim(h *host) (found bool) {
	k := int(h.turn)
	for range h.queues {
		if k >= len(h.queues) {
			k = 0
		}
		if q := h.queues[k]; q != nil {
			if q.tail != nil {
				f.topUp(q)
			}
			if !found && len(q.heap) > 0 && !f.behind(q) {
				found, h.at, h.head = true, uint16(k), q.heap[0]
				if f.tails == 0 {
					return true // no other queue needs more from disk
				}
			}
		}
		k++
	}
	return found
}

// behind reports whether something better than the best entry in memory is on
// disk. It must be read first, but not again and again: when the score function
// lowers what was read, the rows that come next look better than they are.
func (f *Frontier) behind(q *queue) bool {
	t := q.tail
	if t == nil || t.within == 0 || t.credit > 0 {
		return false
	}
	it := &f.items[q.heap[0]]
	return t.bound.before(mark{it.prio, it.seq})
}

// topUp asks for more from disk when a queue in memory runs low.
func (f *Frontier) topUp(q *queue) {
	t := q.tail
	if t.within == 0 || t.wanted || t.loading {
		return
	}
	if len(q.heap) < f.refill()/4 || f.behind(q) {
		t.wanted = true
		f.wanting = append(f.wanting, q)
		f.rouse()
	}
}

// refill is how many entries are read at once.
func (f *Frontier) refill() int {
	return max(minHeads, min(f.cfg.Budget/2/max(f.tails, 1), maxRefill))
}
