package frontier

import (
	"fmt"
	"slices"
	"time"
)

// View is a picture of the frontier for people. It shares nothing with it.
type View struct {
	Waiting  int // within the depth limit, now or later
	Busy     int // in flight
	Beyond   int // deeper than the limit
	NumHosts int // hosts ever seen
	Top      []Row
	Hosts    []HostStat // most waiting first
	Idle     string     // why nothing is handed out; "" when something is or could be
}

// Row is a waiting entry and when its host may be fetched; zero = now.
type Row struct {
	Entry
	Next time.Time
}

// HostStat is one host's queue. Next is zero when it may be fetched now.
type HostStat struct {
	Host                        string
	Waiting, Busy, Done, Failed int
	Next                        time.Time
}

// View returns the counts, the best top entries of all queues by priority
// (retries that still wait for their time are not among them), the fullest
// hosts and why nothing moves. It looks at every host once and at no more than
// some 2·top entries, so it costs the same for a thousand and for a million
// entries.
func (f *Frontier) View(top, hosts int) View {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wake()
	now := f.now()
	return View{
		Waiting:  f.waiting,
		Busy:     f.fetching(),
		Beyond:   f.beyond,
		NumHosts: len(f.hosts),
		Top:      f.top(max(top, 0), now),
		Hosts:    f.fullest(max(hosts, 0), now),
		Idle:     f.idle(),
	}
}

// fetching counts the leases whose fetch has not ended.
func (f *Frontier) fetching() int {
	n := 0
	for _, l := range f.leases {
		if !l.released {
			n++
		}
	}
	return n
}

// node is a place in some host's queue; what stands below it there is no better.
type node struct {
	s slot
	h *host
}

// bestFirst and worstFirst order nodes that need not know their index.
type bestFirst struct{ f *Frontier }

func (o bestFirst) before(a, b node) bool { return o.f.better(a.s, b.s) }
func (bestFirst) moved(node, int)         {}

type worstFirst struct{ f *Frontier }

func (o worstFirst) before(a, b node) bool { return o.f.better(b.s, a.s) }
func (worstFirst) moved(node, int)         {}

// top finds the n best queued entries: first the n hosts with the best heads,
// then best-first down their heaps.
func (f *Frontier) top(n int, now int64) []Row {
	if n == 0 {
		return nil
	}
	var heads []node
	for _, h := range f.hosts {
		if len(h.queue) == 0 {
			continue
		}
		x := node{h.queue[0], h}
		if len(heads) < n {
			heapPush(&heads, x, worstFirst{f})
		} else if f.better(x.s, heads[0].s) {
			heads[0] = x
			siftDown(heads, 0, worstFirst{f})
		}
	}
	heapInit(heads, bestFirst{f})
	rows := make([]Row, 0, min(n, f.waiting))
	for len(rows) < n && len(heads) > 0 {
		x := heapRemove(&heads, 0, bestFirst{f})
		rows = append(rows, Row{Entry: f.entry(x.s), Next: f.nextTime(x.h, now)})
		for c := 2*int(f.items[x.s].pos) + 1; c <= 2*int(f.items[x.s].pos)+2; c++ {
			if c < len(x.h.queue) {
				heapPush(&heads, node{x.h.queue[c], x.h}, bestFirst{f})
			}
		}
	}
	return rows
}

func (f *Frontier) nextTime(h *host, now int64) time.Time {
	if h.next <= now {
		return time.Time{}
	}
	return f.moment(h.next)
}

func (h *host) waiting() int { return len(h.queue) + h.later }

// byLoad keeps the fullest hosts: the least full of them on top.
type byLoad struct{}

func (byLoad) before(a, b *host) bool { return fuller(b, a) < 0 }
func (byLoad) moved(*host, int)       {}

// fuller orders hosts, most entries waiting or in flight first.
func fuller(a, b *host) int {
	if x, y := a.waiting()+a.busy, b.waiting()+b.busy; x != y {
		return y - x
	}
	if x, y := a.done+a.failed, b.done+b.failed; x != y {
		return y - x
	}
	switch {
	case a.name < b.name:
		return -1
	case a.name > b.name:
		return 1
	}
	return 0
}

func (f *Frontier) fullest(n int, now int64) []HostStat {
	if n == 0 {
		return nil
	}
	var keep []*host
	for _, h := range f.hosts {
		if len(keep) < n {
			heapPush(&keep, h, byLoad{})
		} else if fuller(h, keep[0]) < 0 {
			keep[0] = h
			siftDown(keep, 0, byLoad{})
		}
	}
	slices.SortFunc(keep, fuller)
	stats := make([]HostStat, len(keep))
	for i, h := range keep {
		stats[i] = HostStat{h.name, h.waiting(), h.busy, h.done, h.failed, f.nextTime(h, now)}
	}
	return stats
}

// idle says why nothing is handed out, most telling reason first.
func (f *Frontier) idle() string {
	inFlight := fmt.Sprintf("waiting for %d pages in flight", len(f.leases))
	if len(f.leases) == 1 {
		inFlight = "waiting for the page in flight"
	}
	switch {
	case f.waiting == 0 && len(f.leases) > 0:
		return inFlight
	case f.waiting == 0 && f.beyond > 0:
		return fmt.Sprintf("nothing left within depth %d, %d beyond it", f.limit, f.beyond)
	case f.waiting == 0:
		return "nothing left"
	case f.paused && f.tokens == 0:
		return "paused"
	case len(f.ready) > 0:
		return ""
	}
	at := f.nextChange()
	if at == 0 { // every host with entries has all it may have in flight
		return inFlight
	}
	clock := f.moment(at).Format("15:04:05")
	if len(f.resting) > 0 && f.resting[0].next == at {
		h := f.resting[0]
		why := ""
		switch {
		case h.streak > failuresForgiven:
			why = fmt.Sprintf(", it failed %d times", h.streak)
		case h.resting:
			why = ", as it asks"
		}
		return fmt.Sprintf("waiting for host %s until %s%s", h.name, clock, why)
	}
	return fmt.Sprintf("waiting for host %s until %s, for a retry", f.hosts[f.items[f.later[0].s].host].name, clock)
}
