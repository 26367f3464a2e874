package fetch

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Limits of a host's rest.
const (
	maxWait  = time.Hour        // of Outcome.Wait
	maxRest  = 10 * time.Minute // after failures and while a host throttles
	maxDelay = time.Minute      // of a throttled host, unless its Pace asks for more
)

// failuresForgiven is how many failures in a row cost no more than the delay: a single
// lost connection is common.
const failuresForgiven = 1

// shareOfDelay is how much shorter the delay of an address is than that of a host, unless
// Pace says otherwise.
const shareOfDelay = 4

// grace is how long a host is kept free for the claim whose turn it is.
const grace = 250 * time.Millisecond

// Outcome says how a request went, as far as politeness is concerned.
type Outcome struct {
	Address    netip.Addr    // that answered; not valid = unknown, as behind a proxy
	Wait       time.Duration // Retry-After: rest the host at least this long; at most an hour
	CrawlDelay time.Duration // what its robots.txt asks for; at most an hour
	// Slow means that the host throttles (429, 503): its delay doubles, and shrinks again
	// as requests succeed. One that goes on throttling rests for longer and longer.
	Slow bool
	// Failed means no usable answer: a host that keeps failing rests for longer and longer.
	Failed bool
}

// WaitReason says why a host is not asked now.
type WaitReason uint8

// The reasons of a rest.
const (
	noRest         WaitReason = iota
	WaitPolite                // the plain delay
	WaitCrawlDelay            // its robots.txt asks for a longer one
	WaitThrottled             // it answered 429 or 503
	WaitRetryAfter            // it named a time
	WaitFailures              // it keeps failing
	WaitRefused               // it refuses whatever is asked
)

// String is the reason in a few words.
func (r WaitReason) String() string {
	names := [...]string{"", "politeness", "Crawl-delay", "asked to slow down", "Retry-After", "failures", "it refuses us"}
	return names[min(r, WaitRefused)]
}

// Recovers reports whether the rest ends by itself; otherwise nothing tells that the host
// will ever answer again.
func (r WaitReason) Recovers() bool { return r < WaitThrottled }

// AfterFunc calls fn once after d, in its own goroutine, unless stop is called first.
type AfterFunc func(d time.Duration, fn func()) (stop func() bool)

// HostLimiter keeps the pauses of hosts, in one table for everything that sends requests:
// the frontiers of a run and of documents, rendered pages, the search for seeds. Every
// request begins with Begin or Enter, so no two of them ask a host within its pause.
//
// Requests that were turned away get the host in the order in which they came, so none
// starves. The limiter is safe for concurrent use. Under its lock it calls the clock, the
// paces and the wake functions of claims.
type HostLimiter struct {
	Clock     *Clock
	AfterFunc AfterFunc
	pace      func(host string) Pace

	mu        sync.Mutex // guards what follows, and all hosts
	hosts     map[string]*Host
	addresses map[netip.Addr]*machine
	sweepAt   int // hosts at which those that are not used are forgotten
}

// minSweep is the least HostLimiter.sweepAt.
const minSweep = 1000

// NewHostLimiter returns a limiter that asks pace at every request; nil means requests one
// by one without a pause. nil clocks mean those of package time.
func NewHostLimiter(pace func(host string) Pace, now func() time.Time, after AfterFunc) *HostLimiter {
	if pace == nil {
		pace = func(string) Pace { return Pace{} }
	}
	if now == nil {
		now = time.Now
	}
	if after == nil {
		after = func(d time.Duration, fn func()) func() bool { return time.AfterFunc(d, fn).Stop }
	}
	return &HostLimiter{Clock: &Clock{read: now, base: now()}, AfterFunc: after, pace: pace,
		hosts: map[string]*Host{}, addresses: map[netip.Addr]*machine{}, sweepAt: minSweep}
}

// Host is the unit of politeness: a host with its port, if it has one.
type Host struct {
	Name    string
	limiter *HostLimiter

	// The limiter's lock guards what follows.

	users     int // of Host, less those of Forget
	busy      int // requests under way
	answered  bool
	streak    int           // failures in a row
	throttled int           // times in a row that it throttled at the largest delay
	slow      time.Duration // delay of a host that throttles; 0 = Pace.Delay
	crawl     time.Duration // the Crawl-delay it last named
	next      int64         // not asked before
	why       WaitReason    // what next was set by
	addr      *machine      // where it answers from; nil = unknown
	claims    []*Claim      // turned away, the first one first
}

// Claim is one that asks for requests to a host. It keeps its turn between two calls of
// Begin.
type Claim struct {
	wake func() // tells that its turn has come; it must not block
	due  int64  // it was told to come then, and loses its turn soon after; 0 = when it is woken
}

// NewClaim returns a claim. When its turn has come wake is called, which must not block or
// call the limiter.
func NewClaim(wake func()) *Claim { return &Claim{wake: wake} }

// machine answers for some hosts from one address. Politeness to each of them alone would
// ask that machine as many times as fast. So an address that several hosts share has a
// delay of its own, from the start of one request to the start of the next. It becomes
// known with a host's first answer.
type machine struct {
	at    netip.Addr
	hosts int
	next  int64         // not asked before
	under time.Duration // the Pace.Address that next was set by
}

// HostStatus is how things stand with a host.
type HostStatus struct {
	Next  int64         // it is not asked before, by the limiter's clock
	Why   WaitReason    // what Next was set by
	Held  int64         // nor before then, for the sake of its address or of other requests; 0 = it is not held
	Full  bool          // as many requests as may be are under way
	Fails int           // failures in a row
	Delay time.Duration // between two requests, as things stand
	Most  int           // requests that may be under way while it answers
}

// Permit is one request that was begun.
type Permit struct {
	next, set       int64 // the host's before it, and after it
	asked, askedSet int64 // the same of its address
}

// Host returns a host, to be kept until Forget.
func (l *HostLimiter) Host(name string) *Host {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.named(name)
	h.users++
	return h
}

func (l *HostLimiter) named(name string) *Host {
	h := l.hosts[name]
	if h == nil {
		l.sweep()
		h = &Host{limiter: l, Name: strings.Clone(name)}
		l.hosts[h.Name] = h
	}
	return h
}

// sweep forgets hosts that are not used when there are many.
func (l *HostLimiter) sweep() {
	if len(l.hosts) < l.sweepAt {
		return
	}
	now := l.Clock.Now()
	for name, h := range l.hosts {
		if h.users == 0 && h.busy == 0 && h.next <= now {
			h.depart()
			delete(l.hosts, name)
		}
	}
	l.sweepAt = max(minSweep, 2*len(l.hosts))
}

// Forget says that the caller asks the host no more.
func (h *Host) Forget() {
	h.limiter.mu.Lock()
	defer h.limiter.mu.Unlock()
	h.users--
}

// Begin begins a request if the host may be asked now. Otherwise the claim keeps its turn,
// and the status says when to come again.
func (h *Host) Begin(c *Claim) (p Permit, s HostStatus, ok bool) {
	l := h.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	pace := l.pace(h.Name)
	h.call(&pace, now)
	for len(h.claims) > 0 && h.claims[0] != c && h.claims[0].due != 0 && h.claims[0].due+int64(grace) < now {
		h.claims = h.claims[1:]
	}
	s = h.status(&pace, now)
	first := len(h.claims) == 0 || h.claims[0] == c
	if s.Next > now || s.Held > now || !first {
		if !slices.Contains(h.claims, c) {
			c.due = 0
			h.claims = append(h.claims, c)
		}
		if !first {
			s.Held = max(s.Held, max(h.claims[0].due, now)+int64(grace)+1)
		} else if c.due = max(s.Next, s.Held); s.Full {
			c.due = 0 // the end of a request wakes it
		}
		return Permit{}, s, false
	}
	if len(h.claims) > 0 {
		h.claims = h.claims[1:]
	}
	p.next = h.next
	h.busy++
	if pace.most() > 1 {
		if next := now + int64(max(h.delay(&pace), h.crawl)); next > h.next {
			h.next, h.why = next, WaitPolite
			if h.crawl > h.delay(&pace) {
				h.why = WaitCrawlDelay
			}
		}
	}
	if p.set = h.next; h.addr != nil {
		p.asked = h.addr.next
		if pace.Address != 0 {
			h.addr.next, h.addr.under = max(h.addr.next, now+int64(h.ofAddress(&pace))), pace.Address
		}
		p.askedSet = h.addr.next
	}
	h.call(&pace, now)
	return p, h.status(&pace, now), true
}

// ofAddress is the delay of a host's address.
func (h *Host) ofAddress(pace *Pace) time.Duration {
	if pace.Address >= 0 {
		return pace.Address
	}
	return max(h.delay(pace), h.crawl) / shareOfDelay
}

// End ends a request.
func (h *Host) End(o Outcome) HostStatus {
	return h.change(func(pace *Pace, now int64) {
		h.busy--
		h.meet(o.Address)
		h.settle(o, pace, now)
	})
}

// Cancel ends a request that was not sent: the host's pauses are as if it had not begun.
func (h *Host) Cancel(p Permit) HostStatus {
	return h.change(func(*Pace, int64) {
		h.busy--
		if h.next == p.set { // no other request began or ended meanwhile
			h.next = p.next
		}
		if h.addr != nil && h.addr.next == p.askedSet {
			h.addr.next = p.asked
		}
	})
}

// Withdraw gives the turn of a claim away.
func (h *Host) Withdraw(c *Claim) {
	h.change(func(*Pace, int64) {
		if i := slices.Index(h.claims, c); i >= 0 {
			h.claims = slices.Delete(h.claims, i, i+1)
		}
	})
}

// Rest lets the host rest until a time because it refuses us; it does nothing to a host
// that rests for longer.
func (h *Host) Rest(until time.Time) HostStatus { return h.leave(until, WaitRefused) }

func (h *Host) leave(until time.Time, why WaitReason) HostStatus {
	return h.change(func(*Pace, int64) {
		if at := h.limiter.Clock.Due(until); at > h.next {
			h.next, h.why = at, why
		}
	})
}

// Status is how things stand with the host.
func (h *Host) Status() HostStatus { return h.change(func(*Pace, int64) {}) }

// change changes a host and wakes the claim whose turn it is.
func (h *Host) change(f func(pace *Pace, now int64)) HostStatus {
	l := h.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	pace := l.pace(h.Name)
	f(&pace, now)
	h.call(&pace, now)
	return h.status(&pace, now)
}

// call wakes the first claim if its turn comes earlier than it was told.
func (h *Host) call(pace *Pace, now int64) {
	if len(h.claims) == 0 {
		return
	}
	c, s := h.claims[0], h.status(pace, now)
	if at := max(s.Next, s.Held, now); !s.Full && (c.due == 0 || c.due > at) {
		c.due = at
		c.wake()
	}
}

// Forgive forgets the failures of the hosts that match: a rest that was due to them, or
// that Rest asked for, ends now. Plain politeness and what a host asks for hold.
func (l *HostLimiter) Forgive(match func(host string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	for _, h := range l.hosts {
		if h.streak == 0 && h.why != WaitRefused || !match(h.Name) {
			continue
		}
		h.streak = 0
		if h.why == WaitFailures || h.why == WaitRefused {
			pace := l.pace(h.Name)
			h.next, h.why = min(h.next, now+int64(max(h.delay(&pace), h.crawl))), WaitPolite
			h.call(&pace, now)
		}
	}
}

// Enter begins a request as soon as the host may be asked, and tells how long that took.
// leave ends it, with the Crawl-delay that the host is known to ask for.
func (l *HostLimiter) Enter(ctx context.Context, name string) (
	leave func(crawlDelay time.Duration), waited time.Duration, err error) {
	h := l.Host(strings.ToLower(name))
	woken := make(chan struct{}, 1)
	c := NewClaim(func() {
		select {
		case woken <- struct{}{}:
		default:
		}
	})
	begun := l.Clock.Now()
	for {
		_, s, ok := h.Begin(c)
		if ok {
			break
		}
		stop := l.AfterFunc(time.Duration(max(s.Next, s.Held)-l.Clock.Now()), c.wake)
		select {
		case <-woken:
			stop()
		case <-ctx.Done():
			stop()
			h.Withdraw(c)
			h.Forget()
			return nil, time.Duration(l.Clock.Now() - begun), context.Cause(ctx)
		}
	}
	return func(crawlDelay time.Duration) {
		h.change(func(pace *Pace, now int64) {
			h.busy--
			h.answered = true
			h.crawl = max(h.crawl, min(crawlDelay, maxWait))
			rest := max(h.slow, h.crawl)
			if h.room(pace) == 1 {
				rest = max(rest, pace.Delay)
			}
			if at := now + int64(rest); at > h.next {
				h.next, h.why = at, WaitPolite
			}
		})
		h.Forget()
	}, time.Duration(l.Clock.Now() - begun), nil
}

// Space lets a host rest until a time, out of politeness.
func (l *HostLimiter) Space(name string, until time.Time) {
	h := l.Host(strings.ToLower(name))
	h.leave(until, WaitPolite)
	h.Forget()
}

// Pause waits for the pause of a host, between two requests under one permit; crawlDelay
// is what the host is known to ask for.
func (l *HostLimiter) Pause(ctx context.Context, name string, crawlDelay time.Duration) error {
	h := l.Host(strings.ToLower(name))
	defer h.Forget()
	over := make(chan struct{})
	stop := l.AfterFunc(max(h.Status().Delay, crawlDelay), func() { close(over) })
	defer stop()
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// status is how things stand. A host that is full is held for its delay at least.
func (h *Host) status(pace *Pace, now int64) HostStatus {
	s := HostStatus{Next: h.next, Why: h.why, Full: h.busy >= h.room(pace), Fails: h.streak,
		Delay: max(h.delay(pace), h.crawl), Most: pace.most()}
	if s.Full {
		s.Held = now + int64(max(s.Delay, grace))
	}
	if a := h.addr; a != nil && a.hosts > 1 && pace.Address != 0 && a.under == pace.Address && a.next > now {
		s.Held = max(s.Held, a.next)
	}
	return s
}

// depart takes a host off its address.
func (h *Host) depart() {
	if h.addr == nil {
		return
	}
	if h.addr.hosts--; h.addr.hosts == 0 {
		delete(h.limiter.addresses, h.addr.at)
	}
	h.addr = nil
}

// meet notes the address from which a host has answered; one that is not valid says
// nothing.
func (h *Host) meet(at netip.Addr) {
	l := h.limiter
	a := l.addresses[at]
	if !at.IsValid() || a != nil && a == h.addr {
		return
	}
	if a == nil {
		a = &machine{at: at}
		l.addresses[at] = a
	}
	h.depart()
	a.hosts++
	h.addr = a
}

// settle moves next by the outcome of a request that ended now.
func (h *Host) settle(o Outcome, pace *Pace, now int64) {
	was := h.why
	h.why = noRest
	rest := time.Duration(0)
	atLeast := func(d time.Duration, why WaitReason) {
		if d > rest {
			rest, h.why = d, why
		}
	}
	if o.Failed {
		h.streak++
	} else {
		h.answered = true
		h.streak = 0
	}
	switch most := max(maxDelay, pace.Delay); {
	case o.Slow:
		// The delay doubles; when the host throttles at the largest delay too, the rest
		// goes on doubling, up to maxRest.
		if h.slow >= most {
			h.throttled++
		}
		h.slow = min(max(2*h.delay(pace), time.Second), most)
	case !o.Failed:
		h.throttled = 0
		// A quarter at a time: a host that throttled is not put to the test by its first
		// good answer.
		if h.slow -= h.slow / 4; h.slow <= pace.Delay || h.slow < 100*time.Millisecond {
			h.slow = 0
		}
	}
	if h.room(pace) == 1 {
		atLeast(pace.Delay, WaitPolite)
	}
	h.crawl = min(o.CrawlDelay, maxWait)
	atLeast(h.crawl, WaitCrawlDelay)
	if atLeast(h.slow, WaitPolite); o.Slow {
		atLeast(min(h.slow<<min(h.throttled, 20), max(maxRest, h.slow)), WaitThrottled)
		if h.why == WaitPolite {
			h.why = WaitThrottled
		}
	}
	atLeast(min(o.Wait, maxWait), WaitRetryAfter)
	if n := h.streak - failuresForgiven; n > 0 {
		atLeast(min(time.Second<<min(n-1, 20), maxRest), WaitFailures)
	}
	if at := now + int64(rest); at >= h.next {
		h.next = at
	} else {
		h.why = was // another request, or Rest, has asked for more
	}
}

// room is how many requests to a host may be under way: Pace.PerHost of one that answers,
// and one at a time of a host of which nothing is known yet (its robots.txt may ask for a
// Crawl-delay), that fails, or that was asked to slow down.
func (h *Host) room(pace *Pace) int {
	if !h.answered || h.streak > 0 || h.slow > 0 {
		return 1
	}
	return pace.most()
}

// delay is the least time between two requests, the Crawl-delay apart.
func (h *Host) delay(pace *Pace) time.Duration { return max(h.slow, pace.Delay) }
