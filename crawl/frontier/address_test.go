package frontier

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

func addr(n int) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, byte(n)}) }

// asked is one hand-out: when, and of which host.
type asked struct {
	at   time.Duration
	host string
}

// visitAll takes everything by as many workers as it needs; a fetch takes took, and
// its answer comes from the address that of names.
func visitAll(t *testing.T, f *Frontier, workers int, took time.Duration, of func(host string) Outcome) (log []asked) {
	t.Helper()
	start := time.Now()
	out := make(chan asked, 10_000)
	done := make(chan error, workers)
	for range workers {
		go func() {
			for {
				e, err := f.Next(t.Context())
				if err != nil {
					done <- err
					return
				}
				out <- asked{time.Since(start), e.Host}
				time.Sleep(took)
				f.Done(e, of(e.Host))
			}
		}()
	}
	for range workers {
		if err := <-done; !errors.Is(err, errDrained) {
			t.Errorf("Next: %v", err)
		}
	}
	close(out)
	for a := range out {
		log = append(log, a)
	}
	slices.SortStableFunc(log, func(a, b asked) int { return int(a.at - b.at) })
	return log
}

// fullest is the largest number of hand-outs within a second, after the time when
// the addresses have become known.
func fullest(log []asked, after time.Duration) (most int) {
	for i := range log {
		if log[i].at < after {
			continue
		}
		n := 0
		for _, a := range log[i:] {
			if a.at < log[i].at+time.Second {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestAddressDelay(t *testing.T) {
	const each = 10
	shared := func(string) Outcome { return Outcome{Address: addr(1)} }
	cases := map[string]struct {
		hosts   int
		delay   time.Duration
		address time.Duration
		of      func(host string) Outcome
		most    int           // hand-outs a second
		least   time.Duration // of the whole
		longest time.Duration
	}{
		"twenty hosts on one address":             {20, time.Second, -1, shared, 4, 44 * time.Second, 50 * time.Second},
		"an explicit delay":                       {20, time.Second, 500 * time.Millisecond, shared, 2, 89 * time.Second, 95 * time.Second},
		"switched off":                            {20, time.Second, 0, shared, 20, 9 * time.Second, 11 * time.Second},
		"addresses unknown":                       {20, time.Second, -1, func(string) Outcome { return Outcome{} }, 20, 9 * time.Second, 11 * time.Second},
		"two hosts on one address: own delay":     {2, time.Second, -1, shared, 2, 9 * time.Second, 11 * time.Second},
		"one host, address delay longer than own": {1, time.Second, 5 * time.Second, shared, 1, 9 * time.Second, 11 * time.Second},
		"no delay":                                {20, 0, -1, shared, 200, 0, time.Second},
		"each its own address": {20, time.Second, -1, func(h string) Outcome {
			n := 0
			fmt.Sscanf(h, "h%d.test", &n)
			return Outcome{Address: addr(n)}
		}, 20, 9 * time.Second, 11 * time.Second},
		"a Crawl-delay counts as the host's delay": {20, time.Second, -1, func(string) Outcome {
			return Outcome{Address: addr(1), CrawlDelay: 8 * time.Second}
		}, 1, 2 * 179 * time.Second, 2 * 190 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := polite(fetch.Pace{Delay: c.delay, Address: c.address}, nil, Config{})
				for i := range c.hosts * each {
					f.Push(Entry{ID: uint64(i + 1), Host: fmt.Sprintf("h%d.test", i%c.hosts)})
				}
				log := visitAll(t, f, 32, 10*time.Millisecond, c.of)
				check(t, f)
				if len(log) != c.hosts*each {
					t.Fatalf("%d hand-outs, want %d", len(log), c.hosts*each)
				}
				if n := fullest(log, time.Second/2); n > c.most {
					t.Errorf("%d fetches begin within a second, want at most %d", n, c.most)
				}
				if took := log[len(log)-1].at; took < c.least || took > c.longest {
					t.Errorf("the last begins after %v, want %v … %v", took, c.least, c.longest)
				}
			})
		})
	}
}

// Equal hosts of an address take turns: none is asked twice before all others were
// asked once more.
func TestAddressTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const hosts, each = 12, 8
		f := polite(fetch.Pace{Delay: time.Second, Address: -1}, nil, Config{})
		for i := range hosts * each {
			// All of the first host come in first: their marks are the best.
			f.Push(Entry{ID: uint64(i + 1), Host: fmt.Sprintf("h%d.test", i/each)})
		}
		log := visitAll(t, f, 16, time.Millisecond, func(string) Outcome { return Outcome{Address: addr(1)} })
		n := map[string]int{}
		for _, a := range log {
			n[a.host]++
			least, most := each, 0
			for i := range hosts {
				k := n[fmt.Sprintf("h%d.test", i)]
				least, most = min(least, k), max(most, k)
			}
			if most > least+2 {
				t.Fatalf("after %v one host was asked %d times and another %d times", a.at, most, least)
			}
		}
	})
}

// What rests for its own reasons, waits for a retry or moves to another machine
// neither holds up its neighbours nor is held up by them for good.
func TestAddressAndRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second, Address: -1}, nil, Config{Patience: 30 * time.Second})
		start := time.Now()
		for i := range 4 {
			for k := range 3 {
				f.Push(Entry{ID: uint64(10*i + k + 1), Host: fmt.Sprintf("h%d.test", i)})
			}
		}
		f.Retry(Entry{ID: 99, Host: "h3.test"}, start.Add(20*time.Second))
		moved := false
		log := visitAll(t, f, 8, time.Millisecond, func(h string) Outcome {
			switch {
			case h == "h1.test": // fails, and rests for longer and longer
				return Outcome{Address: addr(1), Failed: true}
			case h == "h2.test" && !moved:
				moved = true
				return Outcome{Address: addr(1)}
			case h == "h2.test":
				return Outcome{Address: addr(2)}
			}
			return Outcome{Address: addr(1)}
		})
		check(t, f)
		if len(log) != 13 {
			t.Fatalf("%d hand-outs, want 13: %v", len(log), log)
		}
		if last := log[len(log)-1]; last.host != "h3.test" || last.at < 20*time.Second || last.at > 22*time.Second {
			t.Errorf("the retry came at %v", last)
		}
	})
}

// A lease that is given back frees the address, too, and a change of the delay
// frees the hosts that it held.
func TestAddressGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := fetch.Pace{Delay: time.Hour, Address: 10 * time.Minute, PerHost: 1}
		f := New(Config{Limiter: fetch.NewHostLimiter(func(string) fetch.Pace { return pace }, nil, nil)})
		for i := range 3 {
			f.Push(Entry{ID: uint64(i + 1), Host: fmt.Sprintf("h%d.test", i), Priority: 1}, Entry{ID: uint64(i + 11), Host: fmt.Sprintf("h%d.test", i)})
		}
		for range 3 {
			e, _ := mustNext(t, f)
			f.Done(e, Outcome{Address: addr(1)})
		}
		e, waited := mustNext(t, f) // own delay over after an hour
		if waited != time.Hour {
			t.Fatalf("%s after %v", e.Host, waited)
		}
		v := f.View(3, 3)
		for _, h := range v.Hosts {
			if h.Busy == 0 && time.Until(h.Next) > 10*time.Minute {
				t.Errorf("%s is held until %v", h.Host, time.Until(h.Next))
			}
		}
		if !f.Defer(e, Ordinary, -1) {
			t.Error("the address was not given back: its other hosts are better, and may be asked")
		}
		if e, waited = mustNext(t, f); waited != 0 || e.Priority != 0 {
			t.Errorf("after that %s came after %v", e.Host, waited)
		}
		if f.Defer(e, Ordinary, -2) && f.hosts.byName["h0.test"].limit.Status().Held > int64(time.Hour) {
			t.Error("given back twice, the address still rests")
		}
		if e, waited = mustNext(t, f); waited != 0 {
			t.Errorf("%s came after %v", e.Host, waited)
		}
		if e, waited = mustNext(t, f); waited != 10*time.Minute {
			t.Errorf("its neighbour %s came after %v", e.Host, waited)
		}
		pace.Address = 0
		f.Repace()
		if _, waited = mustNext(t, f); waited != 0 {
			t.Errorf("the third came after %v without an address delay", waited)
		}
		check(t, f)
	})
}

// A clock that is set back or ahead while the frontier works keeps no host and no
// retry waiting for as long as it was wrong.
func TestClockJumps(t *testing.T) {
	for name, jump := range map[string]time.Duration{"back": -87_600 * time.Hour, "ahead": 87_600 * time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var off time.Duration
				f := polite(fetch.Pace{Delay: time.Second}, func() time.Time { return time.Now().Round(0).Add(off) }, Config{})
				for i := range 8 {
					f.Push(Entry{ID: uint64(i + 1), Host: fmt.Sprintf("h%d.test", i%2)})
				}
				begun := time.Now()
				for i := range 8 {
					e, waited := mustNext(t, f)
					if waited > 2*time.Second {
						t.Errorf("entry %d came after %v", i, waited)
					}
					if i == 3 {
						off = jump
						f.Retry(Entry{ID: 100, Host: "h0.test", Priority: -1}, time.Now().Add(off+5*time.Second))
					}
					f.Done(e, Outcome{})
				}
				e, _ := mustNext(t, f)
				if took := time.Since(begun); e.ID != 100 || took > 20*time.Second {
					t.Errorf("the retry: %d after %v", e.ID, took)
				}
				if v := f.View(1, 2); !v.Hosts[0].Next.IsZero() && v.Hosts[0].Next.Sub(time.Now().Add(off)).Abs() > time.Minute {
					t.Errorf("a host is shown to rest until %v", v.Hosts[0].Next)
				}
				f.Done(e, Outcome{})
				check(t, f)
			})
		})
	}
}
