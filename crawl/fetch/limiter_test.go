package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"angler/store/config"
)

// paced returns a limiter that asks every host with a pace.
func paced(p Pace) *HostLimiter {
	return NewHostLimiter(func(string) Pace { return p }, nil, nil)
}

// Requests leave a host alone between them, in any order: one that waited while
// another was under way waits for the pause after it too.
func TestHostRestsBetweenRequests(t *testing.T) {
	for _, c := range []struct {
		most int
		want time.Duration // from the start of one request to the next
	}{{1, 3 * time.Second}, {2, time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			const delay, takes = time.Second, 2 * time.Second
			var (
				l      = paced(Pace{Delay: delay, PerHost: c.most})
				mu     sync.Mutex
				starts []time.Time
				all    sync.WaitGroup
			)
			for range 6 {
				all.Go(func() {
					leave, _, err := l.Enter(t.Context(), "A.test")
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					starts = append(starts, time.Now())
					mu.Unlock()
					time.Sleep(takes) // simulated: the answer is on its way
					leave(0)
				})
			}
			all.Wait()
			for i, at := range starts[1:] {
				if got := at.Sub(starts[i]); got < c.want {
					t.Errorf("%d at once: %v between two requests, want %v", c.most, got, c.want)
				}
			}
			if c.most == 1 && starts[5].Sub(starts[0]) != 5*c.want {
				t.Errorf("six requests began within %v, want no more than their pauses", starts[5].Sub(starts[0]))
			}
		})
	}
}

// Those who ask a host take turns, also where its answers take longer than its pause.
func TestClaimsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := paced(Pace{Delay: time.Second})
		var (
			mu    sync.Mutex
			order []int
			all   sync.WaitGroup
		)
		for who := range 3 {
			all.Go(func() {
				for range 10 {
					leave, _, err := l.Enter(t.Context(), "a.test")
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					order = append(order, who)
					mu.Unlock()
					time.Sleep(5 * time.Second)
					leave(0)
				}
			})
		}
		all.Wait()
		for i := 3; i < len(order); i++ {
			if order[i] == order[i-1] || order[i] != order[i-3] {
				t.Fatalf("the turns were %v", order)
			}
		}
	})
}

// A claim that does not come when its turn is there loses it.
func TestAClaimIsNotWaitedForLong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := paced(Pace{Delay: time.Minute})
		leave, _, err := l.Enter(t.Context(), "a.test")
		must(t, err)
		h := l.Host("a.test")
		woken := 0
		if _, _, ok := h.Begin(NewClaim(func() { woken++ })); ok {
			t.Fatal("begun beside another request")
		}
		leave(0)
		if woken != 1 {
			t.Errorf("woken %d times, want once", woken)
		}
		begun := time.Now()
		if _, _, err = l.Enter(t.Context(), "a.test"); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begun); took < time.Minute || took > time.Minute+time.Second {
			t.Errorf("begun after %v, want soon after the pause", took)
		}
	})
}

// A request that was given up gives its turn away, and one that was not sent costs nothing.
func TestGivenUpRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := paced(Pace{Delay: time.Hour})
		h := l.Host("a.test")
		c := NewClaim(func() {})
		p, _, ok := h.Begin(c)
		if !ok {
			t.Fatal("a new host is not free")
		}
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Minute, errors.New("enough"))
		defer cancel()
		if _, waited, err := l.Enter(ctx, "a.test"); err == nil || err.Error() != "enough" || waited != time.Minute {
			t.Errorf("%v after %v", err, waited)
		}
		if s := h.Cancel(p); s.Full || s.Next > l.Clock.Now() {
			t.Errorf("after what was not sent: %+v", s)
		}
		if _, _, ok = h.Begin(c); !ok {
			t.Error("the turn of what was given up is kept")
		}
	})
}

// What one has learned of a host holds for all: Retry-After, a ban and its end, the
// Crawl-delay that a rendered page has met.
func TestAllKeepAHostsWishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := paced(Pace{Delay: time.Second})
		h := l.Host("a.test")
		enter := func(want time.Duration) func(time.Duration) {
			t.Helper()
			leave, waited, err := l.Enter(t.Context(), "a.test")
			if err != nil || waited != want {
				t.Errorf("begun after %v, %v; want %v", waited, err, want)
			}
			return leave
		}
		enter(0)
		h.End(Outcome{Slow: true, Wait: time.Minute})
		enter(time.Minute)(5 * time.Second)
		enter(5 * time.Second)
		h.End(Outcome{})
		h.Rest(time.Now().Add(time.Hour))
		time.AfterFunc(10*time.Minute, func() { l.Forgive(func(string) bool { return true }) })
		begun := time.Now()
		if enter(10*time.Minute + h.Status().Delay); time.Since(begun) > 11*time.Minute {
			t.Errorf("a ban that was forgiven lasted %v", time.Since(begun))
		}
		h.End(Outcome{})
		l.Space("a.test", time.Now().Add(time.Hour))
		enter(time.Hour)
		if s := h.Status(); !s.Full || s.Why.Recovers() != true {
			t.Errorf("%+v", s)
		}
	})
}

// A host that moves from one address to another is counted where it is, and hosts that are
// not used any more are forgotten.
func TestHostsOfAnAddress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
		l := paced(Pace{Address: time.Minute})
		ask := func(name string, from netip.Addr) {
			t.Helper()
			h := l.Host(name)
			defer h.Forget()
			if _, s, ok := h.Begin(NewClaim(func() {})); !ok {
				t.Errorf("%s is not free: %+v", name, s)
			}
			h.End(Outcome{Address: from})
		}
		ask("a.test", one)
		ask("b.test", one)
		ask("a.test", one)
		if _, waited, err := l.Enter(t.Context(), "b.test"); err != nil || waited != time.Minute {
			t.Errorf("b.test after %v, %v; want the delay of the address", waited, err)
		}
		time.Sleep(time.Hour)
		ask("a.test", two)
		if s := l.Host("a.test").Status(); s.Held != 0 {
			t.Errorf("the host that moved: %+v", s)
		}
		for i := range 5000 {
			ask(fmt.Sprintf("h%d.test", i), netip.Addr{})
		}
		if n := len(l.hosts); n > 2000 {
			t.Errorf("%d hosts are remembered", n)
		}
	})
}

func TestPaceOf(t *testing.T) {
	set := config.Default()
	delay := config.Duration(7 * time.Second)
	set.Crawl.Delay, set.Crawl.PerHost, set.Crawl.IPDelay = config.Duration(time.Second), 2, "3s"
	set.Host = map[string]config.Host{"own.test": {Delay: &delay, PerHost: 5}}
	set.Suggest.SearXNG, set.Suggest.Delay = "http://127.0.0.1:8888/", config.Duration(4*time.Second)
	for host, want := range map[string]Pace{
		"a.test":         {Delay: time.Second, PerHost: 2, Address: 3 * time.Second},
		"own.test":       {Delay: 7 * time.Second, PerHost: 5, Address: 3 * time.Second},
		"127.0.0.1:8888": {Delay: 4 * time.Second, PerHost: 2, Address: 3 * time.Second},
	} {
		if got := PaceOf(&set, host); got != want {
			t.Errorf("%s: %+v, want %+v", host, got, want)
		}
	}
	set.Crawl.IPDelay = ""
	if got := PaceOf(&set, "a.test"); got.Address >= 0 {
		t.Errorf("without crawl.ip_delay: %+v", got)
	}
}
