package fetch

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bounds of a host's pause.
const (
	maxWait  = time.Hour        // for Outcome.Wait
	maxPause = 10 * time.Minute // after failures and while a host throttles
	maxDelay = time.Minute      // for a throttling host, unless its Pace is longer
)

// failuresForgiven is how many consecutive failures cost only the delay: a single lost connection
// is common.
const failuresForgiven = 1

// shareOfDelay divides a host's delay to get its address's delay, unless Pace sets one.
const shareOfDelay = 4

// grace is how long a host is reserved for the claim whose turn it is.
const grace = 250 * time.Millisecond

// Outcome is the result of a request, for politeness.
type Outcome struct {
	Address    netip.Addr    // address that responded; invalid = unknown, as behind a proxy
	Wait       time.Duration // Retry-After: minimum pause of the host; at most an hour
	CrawlDelay time.Duration // of its robots.txt; at most an hour
	// Slow means that the host throttles (429, 503). Its delay doubles, and shrinks as requests
	// succeed. The pause of a host that keeps throttling grows.
	Slow bool
	// Failed means no usable response. The pause of a host that keeps failing grows.
	Failed bool
}

// WaitReason is the reason for a host's pause.
type WaitReason uint8

// Reasons for a pause.
const (
	noPause        WaitReason = iota
	WaitPolite                // the normal delay
	WaitCrawlDelay            // the Crawl-delay of its robots.txt
	WaitThrottled             // it answered 429 or 503
	WaitRetryAfter            // it sent Retry-After
	WaitFailures              // it keeps failing
	WaitRefused               // it refuses all requests
)

// String returns the reason in a few words.
func (r WaitReason) String() string {
	names := [...]string{"", "politeness", "Crawl-delay", "asked to slow down", "Retry-After", "failures",
		"it refuses us"}
	return names[min(r, WaitRefused)]
}

// Recovers reports whether the pause ends by itself. Otherwise the host may never respond again.
func (r WaitReason) Recovers() bool { return r < WaitThrottled }

// AfterFunc calls fn once after d, in its own goroutine, unless stop is called first.
type AfterFunc func(d time.Duration, fn func()) (stop func() bool)

// HostLimiter keeps the pauses of hosts in one table for all senders: the frontiers of runs and
// documents, rendered pages, the search for seeds. Every request starts with Begin or Enter, so no
// two senders disturb a host's pause.
//
// Rejected requests get the host in their order, so none starves. The limiter is safe for
// concurrent use. It calls the clock, pace and the wake functions of claims under its lock.
type HostLimiter struct {
	Clock     *Clock
	AfterFunc AfterFunc
	pace      func(host string) Pace

	mu        sync.Mutex // guards the fields below and all hosts
	hosts     map[string]*Host
	addresses map[netip.Addr]*sharedAddress
	sweepAt   int // number of hosts at which unused ones are deleted
}

// minSweep is the lower bound of HostLimiter.sweepAt.
const minSweep = 1000

// NewHostLimiter returns a limiter that calls pace for every request; nil = one request at a time
// without a pause. now and after may be nil for those of package time.
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
		hosts: map[string]*Host{}, addresses: map[netip.Addr]*sharedAddress{}, sweepAt: minSweep}
}

// Host is the unit of politeness: a host with its port, if it has one.
type Host struct {
	Name    string
	limiter *HostLimiter

	// The limiter's lock guards the fields below.

	users      int // calls of Host minus calls of Forget
	busy       int // requests in progress
	answered   bool
	streak     int            // consecutive failures
	throttled  int            // consecutive throttling responses at the largest delay
	slowDelay  time.Duration  // delay while the host throttles; 0 = Pace.Delay
	crawlDelay time.Duration  // last Crawl-delay
	next       int64          // end of the pause, clock time
	why        WaitReason     // reason for next
	addr       *sharedAddress // its address; nil = unknown
	claims     []*Claim       // waiting requests in their order
}

// Claim is a waiting sender of requests to a host. It keeps its turn between two calls of Begin.
type Claim struct {
	wake func() // signals its turn; must not block
	due  int64  // time it was told to come, after which its turn expires; 0 = it waits for wake
}

// NewClaim returns a claim. wake is called at its turn and must neither block nor call the limiter.
func NewClaim(wake func()) *Claim { return &Claim{wake: wake} }

// sharedAddress is one address that serves several hosts. A delay per host would multiply its load. A
// shared address has a delay of its own, between the starts of two requests. It is known after a
// host's first response.
type sharedAddress struct {
	at    netip.Addr
	hosts int
	next  int64         // end of its delay, clock time
	under time.Duration // value of Pace.Address that set next
}

// HostStatus is the status of a host.
type HostStatus struct {
	Next  int64         // end of the pause, by the limiter's clock
	Why   WaitReason    // reason for Next
	Held  int64         // later time because of its address or other requests; 0 = none
	Full  bool          // the maximum number of requests is in progress
	Fails int           // consecutive failures
	Delay time.Duration // present delay between two requests
	Most  int           // maximum of parallel requests while it responds
}

// Permit is one started request.
type Permit struct {
	next, set               int64 // end of the host's pause before the request, and after it
	addressNext, addressSet int64 // the same for its address
}

// Host returns a host, valid until Forget.
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

// sweep deletes unused hosts when there are many.
func (l *HostLimiter) sweep() {
	if len(l.hosts) < l.sweepAt {
		return
	}
	now := l.Clock.Now()
	for name, h := range l.hosts {
		if h.users == 0 && h.busy == 0 && h.next <= now {
			h.leaveAddress()
			delete(l.hosts, name)
		}
	}
	l.sweepAt = max(minSweep, 2*len(l.hosts))
}

// Forget ends the caller's use of the host.
func (h *Host) Forget() {
	h.limiter.mu.Lock()
	defer h.limiter.mu.Unlock()
	h.users--
}

// Begin starts a request if the host's pause is over. Otherwise ok is false, the claim keeps its
// turn, and the status says when to come again.
func (h *Host) Begin(c *Claim) (p Permit, s HostStatus, ok bool) {
	l := h.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	pace := l.pace(h.Name)
	h.wakeFirst(&pace, now)
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
	if pace.maxParallel() > 1 {
		if next := now + int64(max(h.delay(&pace), h.crawlDelay)); next > h.next {
			h.next, h.why = next, WaitPolite
			if h.crawlDelay > h.delay(&pace) {
				h.why = WaitCrawlDelay
			}
		}
	}
	if p.set = h.next; h.addr != nil {
		p.addressNext = h.addr.next
		if pace.Address != 0 {
			h.addr.next, h.addr.under = max(h.addr.next, now+int64(h.addressDelay(&pace))), pace.Address
		}
		p.addressSet = h.addr.next
	}
	h.wakeFirst(&pace, now)
	return p, h.status(&pace, now), true
}

// addressDelay returns the delay of a host's address.
func (h *Host) addressDelay(pace *Pace) time.Duration {
	if pace.Address >= 0 {
		return pace.Address
	}
	return max(h.delay(pace), h.crawlDelay) / shareOfDelay
}

// End ends a request.
func (h *Host) End(o Outcome) HostStatus {
	return h.change(func(pace *Pace, now int64) {
		h.busy--
		h.setAddress(o.Address)
		h.settle(o, pace, now)
	})
}

// Cancel ends a request that was not sent, and restores the pauses from before it.
func (h *Host) Cancel(p Permit) HostStatus {
	return h.change(func(*Pace, int64) {
		h.busy--
		if h.next == p.set { // no other request started or ended meanwhile
			h.next = p.next
		}
		if h.addr != nil && h.addr.next == p.addressSet {
			h.addr.next = p.addressNext
		}
	})
}

// Withdraw gives up the turn of a claim.
func (h *Host) Withdraw(c *Claim) {
	h.change(func(*Pace, int64) {
		if i := slices.Index(h.claims, c); i >= 0 {
			h.claims = slices.Delete(h.claims, i, i+1)
		}
	})
}

// Rest pauses the host until a time because it refuses requests. A longer pause stays.
func (h *Host) Rest(until time.Time) HostStatus { return h.pauseUntil(until, WaitRefused) }

func (h *Host) pauseUntil(until time.Time, why WaitReason) HostStatus {
	return h.change(func(*Pace, int64) {
		if at := h.limiter.Clock.Due(until); at > h.next {
			h.next, h.why = at, why
		}
	})
}

// Status returns the status of the host.
func (h *Host) Status() HostStatus { return h.change(func(*Pace, int64) {}) }

// change changes a host and wakes the claim whose turn it is.
func (h *Host) change(f func(pace *Pace, now int64)) HostStatus {
	l := h.limiter
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.Clock.Now()
	pace := l.pace(h.Name)
	f(&pace, now)
	h.wakeFirst(&pace, now)
	return h.status(&pace, now)
}

// wakeFirst wakes the first claim if its turn comes earlier than it was told.
func (h *Host) wakeFirst(pace *Pace, now int64) {
	if len(h.claims) == 0 {
		return
	}
	c, s := h.claims[0], h.status(pace, now)
	if at := max(s.Next, s.Held, now); !s.Full && (c.due == 0 || c.due > at) {
		c.due = at
		c.wake()
	}
}

// Forgive clears the failures of the hosts that match. A pause because of them or of Rest ends now;
// normal delays and the host's own wishes stay.
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
			h.next, h.why = min(h.next, now+int64(max(h.delay(&pace), h.crawlDelay))), WaitPolite
			h.wakeFirst(&pace, now)
		}
	}
}

// Enter waits until the host's pause is over, starts a request, and returns the time waited. leave
// ends the request; crawlDelay is the host's known Crawl-delay.
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
			h.crawlDelay = max(h.crawlDelay, min(crawlDelay, maxWait))
			rest := max(h.slowDelay, h.crawlDelay)
			if h.maxParallel(pace) == 1 {
				rest = max(rest, pace.Delay)
			}
			if at := now + int64(rest); at > h.next {
				h.next, h.why = at, WaitPolite
			}
		})
		h.Forget()
	}, time.Duration(l.Clock.Now() - begun), nil
}

// Space pauses a host until a time, out of politeness.
func (l *HostLimiter) Space(name string, until time.Time) {
	h := l.Host(strings.ToLower(name))
	h.pauseUntil(until, WaitPolite)
	h.Forget()
}

// Pause waits for the pause of a host between two requests under one permit. crawlDelay is the
// host's known Crawl-delay.
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

// status returns the status. A full host is held for its delay at least.
func (h *Host) status(pace *Pace, now int64) HostStatus {
	s := HostStatus{Next: h.next, Why: h.why, Full: h.busy >= h.maxParallel(pace), Fails: h.streak,
		Delay: max(h.delay(pace), h.crawlDelay), Most: pace.maxParallel()}
	if s.Full {
		s.Held = now + int64(max(s.Delay, grace))
	}
	if a := h.addr; a != nil && a.hosts > 1 && pace.Address != 0 && a.under == pace.Address && a.next > now {
		s.Held = max(s.Held, a.next)
	}
	return s
}

// leaveAddress removes a host from its address.
func (h *Host) leaveAddress() {
	if h.addr == nil {
		return
	}
	if h.addr.hosts--; h.addr.hosts == 0 {
		delete(h.limiter.addresses, h.addr.at)
	}
	h.addr = nil
}

// setAddress sets the address of a host; an invalid one changes nothing.
func (h *Host) setAddress(at netip.Addr) {
	l := h.limiter
	a := l.addresses[at]
	if !at.IsValid() || a != nil && a == h.addr {
		return
	}
	if a == nil {
		a = &sharedAddress{at: at}
		l.addresses[at] = a
	}
	h.leaveAddress()
	a.hosts++
	h.addr = a
}

// settle sets the pause after a request that ended now.
func (h *Host) settle(o Outcome, pace *Pace, now int64) {
	was := h.why
	h.why = noPause
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
		// The delay doubles. If the host still throttles at the largest delay, the pause goes on
		// doubling up to maxPause.
		if h.slowDelay >= most {
			h.throttled++
		}
		h.slowDelay = min(max(2*h.delay(pace), time.Second), most)
	case !o.Failed:
		h.throttled = 0
		// A quarter at a time: one good response does not yet prove that a throttling host
		// recovered.
		if h.slowDelay -= h.slowDelay / 4; h.slowDelay <= pace.Delay || h.slowDelay < 100*time.Millisecond {
			h.slowDelay = 0
		}
	}
	if h.maxParallel(pace) == 1 {
		atLeast(pace.Delay, WaitPolite)
	}
	h.crawlDelay = min(o.CrawlDelay, maxWait)
	atLeast(h.crawlDelay, WaitCrawlDelay)
	if atLeast(h.slowDelay, WaitPolite); o.Slow {
		atLeast(min(h.slowDelay<<min(h.throttled, 20), max(maxPause, h.slowDelay)), WaitThrottled)
		if h.why == WaitPolite {
			h.why = WaitThrottled
		}
	}
	atLeast(min(o.Wait, maxWait), WaitRetryAfter)
	if n := h.streak - failuresForgiven; n > 0 {
		atLeast(min(time.Second<<min(n-1, 20), maxPause), WaitFailures)
	}
	if at := now + int64(rest); at >= h.next {
		h.next = at
	} else {
		h.why = was // another request or Rest asked for more
	}
}

// maxParallel returns the maximum of parallel requests to a host. It is Pace.PerHost for a host that
// responds. It is 1 for a new host, whose robots.txt may set a Crawl-delay, and for one that fails
// or throttles.
func (h *Host) maxParallel(pace *Pace) int {
	if !h.answered || h.streak > 0 || h.slowDelay > 0 {
		return 1
	}
	return pace.maxParallel()
}

// delay returns the minimum time between two requests, without the Crawl-delay.
func (h *Host) delay(pace *Pace) time.Duration { return max(h.slowDelay, pace.Delay) }
