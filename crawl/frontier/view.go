package frontier

import (
	"slices"
	"strings"
	"time"

	"angler/crawl/fetch"
)

// View is a snapshot of the frontier for display.
type View struct {
	Waiting  int // within the depth limit, now or later
	OnDisk   int // of Waiting, on disk
	Busy     int // being fetched
	Beyond   int // deeper than the limit
	NumHosts int // hosts ever seen
	Top      []waitingRow
	Hosts    []hostStat // by number of entries, most first
	Idle     string     // why nothing is handed out; "" = something is or can be
	Until    time.Time  // when the host that Idle names continues; zero = unknown
}

// waitingRow is a waiting entry and the end of its host's pause; zero = now.
type waitingRow struct {
	Entry
	Next time.Time
}

// hostStat is the status of one host's queues. Next is zero if it may be fetched now.
type hostStat struct {
	Host                        string
	Waiting, Busy, Done, Failed int // Waiting within the depth limit
	OnDisk                      int // of Waiting
	Next                        time.Time
	Why                         fetch.WaitReason // reason for Next
	Delay                       time.Duration    // present delay between two fetches
}

// View returns the counts, the best top entries of all queues, the fullest hosts and the reason for
// idling. Retries that still wait, and entries on disk, are not among the top entries. It visits
// every host once and about 2·top entries, so its cost does not depend on the number of entries.
func (f *Frontier) View(top, hosts int) View {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.pool.wake()
	f.spiller.start()
	now := f.clock.Now()
	idle, until := f.idle()
	return View{
		Waiting:  f.tally.waiting,
		OnDisk:   f.tally.onDisk,
		Busy:     f.leases.fetching(),
		Beyond:   f.tally.beyond,
		NumHosts: len(f.hosts.all),
		Top:      f.hosts.top(max(top, 0), now),
		Hosts:    f.hosts.fullest(max(hosts, 0), now),
		Idle:     idle,
		Until:    until,
	}
}

// node is a place in a queue's heap; entries below it are no better.
type node struct {
	s slot
	q *queue
}

// bestFirst and worstFirst order nodes without tracking their index.
type bestFirst struct{ arena *arena }

func (o bestFirst) before(a, b node) bool { return o.arena.better(a.s, b.s) }
func (bestFirst) moved(node, int)         {}

type worstFirst struct{ arena *arena }

func (o worstFirst) before(a, b node) bool { return o.arena.better(b.s, a.s) }
func (worstFirst) moved(node, int)         {}

// top returns the n best queued entries: the n queues with the best heads, then best-first down
// their heaps.
func (hs *hosts) top(n int, now int64) []waitingRow {
	if n == 0 {
		return nil
	}
	var heads []node
	for _, q := range hs.queues {
		if len(q.heap) == 0 {
			continue
		}
		x := node{q.heap[0], q}
		if len(heads) < n {
			heapPush(&heads, x, worstFirst{hs.arena})
		} else if hs.arena.better(x.s, heads[0].s) {
			heads[0] = x
			siftDown(heads, 0, worstFirst{hs.arena})
		}
	}
	heapInit(heads, bestFirst{hs.arena})
	rows := make([]waitingRow, 0, min(n, len(hs.arena.items)))
	for len(rows) < n && len(heads) > 0 {
		x := heapRemove(&heads, 0, bestFirst{hs.arena})
		rows = append(rows, waitingRow{Entry: hs.entry(x.s), Next: hs.nextTime(x.q.host, now)})
		for c := 2*int(hs.arena.items[x.s].pos) + 1; c <= 2*int(hs.arena.items[x.s].pos)+2; c++ {
			if c < len(x.q.heap) {
				heapPush(&heads, node{x.q.heap[c], x.q}, bestFirst{hs.arena})
			}
		}
	}
	return rows
}

func (hs *hosts) nextTime(h *host, now int64) time.Time {
	if h.wakes() <= now {
		return time.Time{}
	}
	return hs.clock.Moment(h.wakes())
}

// loaded is a host with its number of entries, waiting or in flight.
type loaded struct {
	h *host
	n int
}

// byLoad orders hosts with the least full one on top.
type byLoad struct{}

func (byLoad) before(a, b loaded) bool { return fuller(b, a) < 0 }
func (byLoad) moved(loaded, int)       {}

// fuller compares hosts, most entries first.
func fuller(a, b loaded) int {
	if a.n != b.n {
		return b.n - a.n
	}
	if x, y := a.h.done+a.h.failed, b.h.done+b.h.failed; x != y {
		return y - x
	}
	return strings.Compare(a.h.name, b.h.name)
}

func (hs *hosts) fullest(n int, now int64) []hostStat {
	if n == 0 {
		return nil
	}
	var keep []loaded
	for _, h := range hs.all {
		waiting, _ := h.waiting()
		x := loaded{h, waiting + int(h.busy)}
		if len(keep) < n {
			heapPush(&keep, x, byLoad{})
		} else if fuller(x, keep[0]) < 0 {
			keep[0] = x
			siftDown(keep, 0, byLoad{})
		}
	}
	slices.SortFunc(keep, fuller)
	stats := make([]hostStat, len(keep))
	for i, x := range keep {
		h := x.h
		s := hostStat{Host: h.name, Busy: int(h.busy), Done: h.done, Failed: h.failed,
			Next: hs.nextTime(h, now), Delay: h.delay}
		s.Waiting, s.OnDisk = h.waiting()
		if !s.Next.IsZero() {
			s.Why = h.reason()
		}
		stats[i] = s
	}
	return stats
}
