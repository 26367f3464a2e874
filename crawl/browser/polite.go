package browser

import (
	"context"
	"strings"
	"sync"
	"time"
)

// This file has hosts asked politely: what pages ask for keeps the pause of its host, and
// so do the pages of a run, which tell of themselves by Turn.

// Pace is how a host is asked.
type Pace struct {
	// Delay is the least time between the end of a request and the start of the next;
	// where several may be under way, between two starts.
	Delay   time.Duration
	PerHost int // requests at once, at least 1
}

// turn waits until a host may be asked beside what rendered pages ask of it; pages keep
// their pause to its request, and it to theirs. leave ends the request.
func (b *Browser) turn(ctx context.Context, host string) (leave func(), err error) {
	leave, _, err = b.hosts.enter(ctx, host, b.Pace(host))
	return leave, err
}

// mostHosts is the number of hosts from which those that nobody asks are forgotten.
const mostHosts = 1000

// hosts are those that are asked, or were until now.
type hosts struct {
	mu    sync.Mutex
	known map[string]*asked // guarded by mu, and what it holds but turn
}

// asked is a host.
type asked struct {
	turn chan struct{} // full while as many requests as may be are under way
	used int           // requests under way, and those that wait for their turn
	next time.Time     // not asked before
}

// enter waits until a host may be asked: for its turn, and for its pause to be over, which
// took so long.
func (h *hosts) enter(ctx context.Context, host string, p Pace) (leave func(), waited time.Duration, err error) {
	x := h.of(strings.ToLower(host), max(1, p.PerHost))
	select {
	case x.turn <- struct{}{}:
	case <-ctx.Done():
		h.over(x)
		return nil, 0, context.Cause(ctx)
	}
	for {
		rest := h.takes(x, p.Delay)
		if rest <= 0 {
			break
		}
		pause := time.NewTimer(rest)
		select {
		case <-pause.C:
			waited += rest
		case <-ctx.Done():
			pause.Stop()
			h.over(x)
			<-x.turn
			return nil, waited, context.Cause(ctx)
		}
	}
	return func() {
		if cap(x.turn) == 1 {
			h.spaced(x, p.Delay)
		}
		h.over(x)
		<-x.turn
	}, waited, nil
}

// of is the host of a name, for one request more.
func (h *hosts) of(name string, most int) *asked {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.known) >= mostHosts {
		now := time.Now()
		for name, x := range h.known {
			if x.used == 0 && now.After(x.next) {
				delete(h.known, name)
			}
		}
	}
	if h.known == nil {
		h.known = map[string]*asked{}
	}
	x := h.known[name]
	if x == nil || x.used == 0 && cap(x.turn) != most { // the settings have changed
		was := x
		x = &asked{turn: make(chan struct{}, most)}
		if was != nil {
			x.next = was.next
		}
		h.known[name] = x
	}
	x.used++
	return x
}

// over ends a request.
func (h *hosts) over(x *asked) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x.used--
}

// spaced notes that a host was asked just now.
func (h *hosts) spaced(x *asked, delay time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if at := time.Now().Add(delay); at.After(x.next) {
		x.next = at
	}
}

// takes lets a request begin now, or says how long it has to wait.
func (h *hosts) takes(x *asked, delay time.Duration) time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	if rest := x.next.Sub(now); rest > 0 {
		return rest
	}
	x.next = now.Add(delay)
	return 0
}
