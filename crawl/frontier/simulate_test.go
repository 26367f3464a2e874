package frontier

import "time"

// Simulator plays in simulated time how a crawl's URLs come into the queues of their hosts
// and are fetched from them (P2 3.1, figures 2 and 3). A URL becomes known when the page
// that it was found on has been fetched, as in the stored crawl. It takes some 60 bytes a
// URL, and is for one goroutine.
type Simulator struct {
	queues int
	assign []func(url string) uint16 // by place in Assignments
	urls   []simulatedURL
	byID   map[uint64]int32
	hosts  map[string]int32
}

// simulatedURL is one URL and its queue under each assignment.
type simulatedURL struct {
	source uint64
	host   int32
	queue  [3]uint16
}

// NewSimulator returns a simulator without URLs, with n queues a host.
func NewSimulator(n int) (*Simulator, error) {
	s := &Simulator{queues: n, byID: map[uint64]int32{}, hosts: map[string]int32{}}
	for _, name := range Assignments {
		assign, err := Assignment(name, n)
		if err != nil {
			return nil, err
		}
		s.assign = append(s.assign, assign)
	}
	return s, nil
}

// Add enters a URL: source is the ID of the page it was found on, 0 for a seed. IDs are in
// the order of discovery, each once. A URL whose source is not added is a seed.
func (s *Simulator) Add(id, source uint64, host, url string) {
	h, known := s.hosts[host]
	if !known {
		h = int32(len(s.hosts))
		s.hosts[host] = h
	}
	u := simulatedURL{source: source, host: h}
	for i, assign := range s.assign {
		u.queue[i] = assign(url)
	}
	s.byID[id] = int32(len(s.urls))
	s.urls = append(s.urls, u)
}

// Simulation is what is played.
type Simulation struct {
	For     time.Duration // of simulated time
	Latency time.Duration // of every fetch
	Delay   time.Duration // see Simulated.Polite
	Workers int           // fetches at once over all hosts
}

// SimulatedPoints is how many points a curve has, evenly over the time.
const SimulatedPoints = 12

// Who keeps the delay between two fetches.
const (
	PoliteHost  = "host"  // a host, between two starts: crawl.per_host is the number of queues
	PoliteQueue = "queue" // each queue, after its fetch: a host is asked by all of them, as in P2
)

// Simulated is the play of one assignment. In each queue one fetch is under way at a time.
type Simulated struct {
	Assignment string
	Polite     string // PoliteHost or PoliteQueue
	Queues     int    // a host
	Points     []SimulatedPoint
	Done       float64 // when the last URL was fetched; 0 = not within the time
}

// SimulatedPoint is one moment of a play.
type SimulatedPoint struct {
	Seconds   float64
	Assigned  int     // URLs in queues so far
	Fetched   int     // of them
	Filled    int     // queues that got a URL so far
	Variation float64 // of the URLs assigned to a host's queues: Balance.InHost
}

// Run plays every assignment: first host, which has one queue a host, then the others under
// either politeness. It takes some microsecond a fetch.
func (s *Simulator) Run(o Simulation) []Simulated {
	found := s.found()
	var out []Simulated
	for i, name := range Assignments {
		for _, polite := range []string{PoliteHost, PoliteQueue} {
			if name == "host" && polite == PoliteQueue {
				continue // the same
			}
			n := s.queues
			if name == "host" {
				n = 1
			}
			p := newPlay(s, o, i, n, polite == PoliteQueue || n == 1)
			points, done := p.run(found)
			out = append(out, Simulated{name, polite, n, points, done.Seconds()})
		}
	}
	return out
}

// foundOn lists the URLs by the page they were found on.
type foundOn struct {
	seeds []int32
	first []int32 // of a page's URLs, -1 = none
	next  []int32 // by URL: the next one of the same page, -1 = none
}

func (s *Simulator) found() *foundOn {
	f := &foundOn{first: make([]int32, len(s.urls)), next: make([]int32, len(s.urls))}
	for i := range f.first {
		f.first[i] = -1
	}
	for i := len(s.urls) - 1; i >= 0; i-- { // so that the lists are in the order of discovery
		at, ok := s.byID[s.urls[i].source]
		if !ok || at >= int32(i) { // no page leads to one that was known before it
			f.seeds = append(f.seeds, int32(i))
			continue
		}
		f.next[i] = f.first[at]
		f.first[at] = int32(i)
	}
	return f
}

// play is one assignment in simulated time.
type play struct {
	s        *Simulator
	o        Simulation
	which    int  // of Assignments
	queues   int  // a host
	own      bool // each queue keeps the delay for itself
	hosts    []simulatedHost
	counts   map[string][]int // URLs assigned, by host and queue
	byHost   [][]int          // the same by number
	ready    []simulatedTurn  // heap: queues or hosts that can begin
	ends     []simulatedEnd   // heap: fetches under way
	busy     int
	turn     uint64
	assigned int
	fetched  int
	filled   int
	last     time.Duration
}

// simulatedHost are the queues of a host.
type simulatedHost struct {
	queues []simulatedQueue
	next   time.Duration // not begun before
	at     int           // the queue whose turn it is
	listed bool          // in ready
}

// simulatedQueue waits first in, first out.
type simulatedQueue struct {
	waiting []int32
	busy    bool
	next    time.Duration
	listed  bool
}

func newPlay(s *Simulator, o Simulation, which, queues int, own bool) *play {
	p := &play{s: s, o: o, which: which, queues: queues, own: own, hosts: make([]simulatedHost, len(s.hosts)),
		counts: make(map[string][]int, len(s.hosts)), byHost: make([][]int, len(s.hosts))}
	for name, h := range s.hosts {
		p.hosts[h].queues = make([]simulatedQueue, queues)
		p.byHost[h] = make([]int, queues)
		p.counts[name] = p.byHost[h]
	}
	return p
}

// run plays to the end of the time and takes the points.
func (p *play) run(found *foundOn) (points []SimulatedPoint, done time.Duration) {
	for i := len(found.seeds) - 1; i >= 0; i-- {
		p.assign(found.seeds[i], 0)
	}
	step := p.o.For / SimulatedPoints
	for at := step; len(points) < SimulatedPoints; at += step {
		if len(points) == SimulatedPoints-1 {
			at = p.o.For
		}
		p.until(at, found)
		points = append(points, p.point(at))
	}
	if p.fetched == len(p.s.urls) {
		done = p.last
	}
	return points, done
}

func (p *play) point(at time.Duration) SimulatedPoint {
	assigned := make(map[string][]int, len(p.counts))
	for name, queues := range p.counts {
		for _, n := range queues {
			if n > 0 {
				assigned[name] = queues
				break
			}
		}
	}
	x := SimulatedPoint{Seconds: at.Seconds(), Assigned: p.assigned, Fetched: p.fetched, Filled: p.filled}
	if p.assigned > 0 {
		x.Variation = balanceOf(Assignments[p.which], p.queues, assigned).InHost
	}
	return x
}

// until plays to a moment.
func (p *play) until(end time.Duration, found *foundOn) {
	for {
		var now time.Duration
		begin := p.busy < p.o.Workers && len(p.ready) > 0
		switch {
		case len(p.ends) > 0 && (!begin || p.ends[0].at <= p.ready[0].at):
			if now = p.ends[0].at; now > end {
				return
			}
			p.end(heapRemove(&p.ends, 0, byEnd{}), found)
		case begin:
			if now = p.ready[0].at; now > end {
				return
			}
			p.begin(heapRemove(&p.ready, 0, byTurn{}))
		default:
			return
		}
	}
}

// assign puts a URL into its queue.
func (p *play) assign(url int32, now time.Duration) {
	u := &p.s.urls[url]
	q := u.queue[p.which]
	h := &p.hosts[u.host]
	h.queues[q].waiting = append(h.queues[q].waiting, url)
	if p.byHost[u.host][q]++; p.byHost[u.host][q] == 1 {
		p.filled++
	}
	p.assigned++
	p.list(u.host, q, now)
}

// list enters a queue, or its host, among those that can begin a fetch. What a worker
// finds when none was free counts from then on: the time never goes back.
func (p *play) list(host int32, q uint16, now time.Duration) {
	h := &p.hosts[host]
	x := &h.queues[q]
	if x.busy || len(x.waiting) == 0 {
		return
	}
	p.turn++
	switch {
	case p.own && !x.listed:
		x.listed = true
		heapPush(&p.ready, simulatedTurn{max(now, x.next), p.turn, host, q}, byTurn{})
	case !p.own && !h.listed:
		h.listed = true
		heapPush(&p.ready, simulatedTurn{max(now, h.next), p.turn, host, q}, byTurn{})
	}
}

// begin starts a fetch.
func (p *play) begin(t simulatedTurn) {
	h, q := &p.hosts[t.host], int(t.queue)
	now := max(t.at, p.last)
	if !p.own {
		h.listed = false
		if q = h.pick(); q < 0 {
			return
		}
		h.next = now + p.o.Delay
	}
	x := &h.queues[q]
	x.listed, x.busy = false, true
	url := x.waiting[0]
	x.waiting = x.waiting[1:]
	p.busy++
	p.last = now
	heapPush(&p.ends, simulatedEnd{now + p.o.Latency, url}, byEnd{})
	if !p.own {
		for i := 0; i < len(h.queues) && !h.listed; i++ { // another queue may begin after the delay
			p.list(t.host, uint16(i), now)
		}
	}
}

// pick is the next queue that can begin, -1 when none can.
func (h *simulatedHost) pick() int {
	for range h.queues {
		i := h.at
		h.at = (h.at + 1) % len(h.queues)
		if x := &h.queues[i]; !x.busy && len(x.waiting) > 0 {
			return i
		}
	}
	return -1
}

// end finishes a fetch: what stands on the page becomes known.
func (p *play) end(e simulatedEnd, found *foundOn) {
	u := &p.s.urls[e.url]
	x := &p.hosts[u.host].queues[u.queue[p.which]]
	x.busy, x.next = false, e.at+p.o.Delay
	p.busy--
	p.fetched++
	p.last = e.at
	for i := found.first[e.url]; i >= 0; i = found.next[i] {
		p.assign(i, e.at)
	}
	p.list(u.host, u.queue[p.which], e.at)
}

// simulatedTurn is a queue, or a host, that can begin a fetch from a moment on.
type simulatedTurn struct {
	at    time.Duration
	turn  uint64
	host  int32
	queue uint16
}

// simulatedEnd is the end of a fetch.
type simulatedEnd struct {
	at  time.Duration
	url int32
}

// byTurn orders what can begin by when, then by whose turn it is.
type byTurn struct{}

func (byTurn) before(a, b simulatedTurn) bool {
	return a.at < b.at || a.at == b.at && a.turn < b.turn
}
func (byTurn) moved(simulatedTurn, int) {}

// byEnd orders fetches by their end.
type byEnd struct{}

func (byEnd) before(a, b simulatedEnd) bool { return a.at < b.at || a.at == b.at && a.url < b.url }
func (byEnd) moved(simulatedEnd, int)       {}
