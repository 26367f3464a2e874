package frontier

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

// With a delay the best host cannot have everything: others fill its pauses.
func TestHostsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{})
		f.Push(Entry{1, "a", 9, 0, 0, 0}, Entry{2, "a", 8, 0, 0, 0}, Entry{3, "b", 1, 0, 0, 0}, Entry{4, "b", .5, 0, 0, 0})
		start := time.Now()
		if got, want := drain(t, f), []uint64{1, 3, 2, 4}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if took := time.Since(start); took != time.Second {
			t.Errorf("took %v, want one delay", took)
		}
	})
}

func TestPoliteness(t *testing.T) {
	ok, failed, slow := Outcome{}, Outcome{Failed: true}, Outcome{Slow: true}
	times := func(n int, o Outcome) (out []Outcome) {
		for range n {
			out = append(out, o)
		}
		return out
	}
	cases := map[string]struct {
		before []Outcome
		want   time.Duration // until the host's next fetch after the last outcome
	}{
		"delay":                          {[]Outcome{ok}, 2 * time.Second},
		"retry-after":                    {[]Outcome{{Wait: time.Minute}}, time.Minute},
		"a shorter wish changes nothing": {[]Outcome{{Wait: time.Second}}, 2 * time.Second},
		"an endless wish is capped":      {[]Outcome{{Wait: 1000 * time.Hour}}, time.Hour},
		"one failure is forgiven":        {[]Outcome{failed}, 2 * time.Second},
		"the fourth failure in a row":    {times(4, failed), 4 * time.Second},
		"the eighth":                     {times(8, failed), 64 * time.Second},
		"failing for ever":               {times(60, failed), 10 * time.Minute},
		"a success ends the streak":      {append(times(8, failed), ok), 2 * time.Second},
		"asked to slow down":             {[]Outcome{slow}, 4 * time.Second},
		"asked for some time":            {times(5, slow), time.Minute},
		"asked again and again":          {times(20, slow), 10 * time.Minute},
		"slow, then good":                {append(times(2, slow), ok), 6 * time.Second},
		"slow, then good for long":       {append(times(2, slow), times(10, ok)...), 2 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := polite(fetch.Pace{Delay: 2 * time.Second}, nil, Config{})
				for i := range len(c.before) + 1 {
					f.Push(Entry{ID: uint64(i), Host: "a"})
				}
				for _, o := range c.before {
					e, _ := mustNext(t, f)
					f.Done(e, o)
				}
				if _, took := mustNext(t, f); took != c.want {
					t.Errorf("the host rested %v, want %v", took, c.want)
				}
			})
		})
	}
}

func TestPerHost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second, PerHost: 2}, nil, Config{})
		for i := range uint64(4) {
			f.Push(Entry{ID: i, Host: "a"})
		}
		began := time.Now()
		known, took := mustNext(t, f)
		if took != 0 {
			t.Errorf("first after %v", took)
		}
		time.AfterFunc(3*time.Second, func() { f.Done(known, Outcome{}) })
		first, took := mustNext(t, f)
		if took != 3*time.Second {
			t.Errorf("second after %v, want when the host has answered once", took)
		}
		if _, took = mustNext(t, f); took != time.Second {
			t.Errorf("third after %v, want the delay between starts", took)
		}
		time.AfterFunc(5*time.Second, func() { f.Done(first, Outcome{}) })
		if _, took = mustNext(t, f); took != 5*time.Second {
			t.Errorf("fourth after %v, want when one of the two is done", took)
		}
		if all := time.Since(began); all != 9*time.Second {
			t.Errorf("all began within %v", all)
		}
		check(t, f)
	})
}

// With several in flight on a host the starts keep its Crawl-delay, and a host that fails,
// throttles or refuses is asked by one at a time, or not at all.
func TestPerHostIsPolite(t *testing.T) {
	cases := map[string]struct {
		first  Outcome // of the host's first answer
		starts []time.Duration
		inUse  int // in flight at the end, of three that may be
	}{
		"answers":     {Outcome{}, []time.Duration{0, time.Second, 2 * time.Second}, 3},
		"Crawl-delay": {Outcome{CrawlDelay: 5 * time.Second}, []time.Duration{4 * time.Second, 9 * time.Second, 14 * time.Second}, 3},
		"fails":       {Outcome{Failed: true}, []time.Duration{time.Second}, 1},
		"slows down":  {Outcome{Slow: true}, []time.Duration{2 * time.Second}, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := polite(fetch.Pace{Delay: time.Second, PerHost: 3}, nil, Config{})
				for i := range uint64(9) {
					f.Push(Entry{ID: i, Host: "a"})
				}
				e, _ := mustNext(t, f)
				time.Sleep(time.Second)
				f.Done(e, c.first)
				base := time.Now()
				if name == "Crawl-delay" {
					base = base.Add(time.Second)
				}
				for i, want := range c.starts {
					if _, _ = mustNext(t, f); time.Since(base) != want {
						t.Errorf("start %d after %v, want %v", i, time.Since(base), want)
					}
				}
				time.Sleep(time.Hour)
				if h := f.View(0, 1).Hosts[0]; h.Busy != c.inUse {
					t.Errorf("%d in flight, want %d", h.Busy, c.inUse)
				}
				check(t, f)
			})
		})
	}
}

// A host that rests because it refuses us gets nothing new, whatever is in flight.
func TestPerHostRespectsABan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{PerHost: 4}, nil, Config{})
		for i := range uint64(9) {
			f.Push(Entry{ID: i, Host: "a"})
		}
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{})
		one, _ := mustNext(t, f)
		two, _ := mustNext(t, f)
		f.Rest("a", time.Now().Add(time.Minute))
		f.Done(one, Outcome{})
		f.Done(two, Outcome{})
		if h := f.View(0, 1).Hosts[0]; h.Why != fetch.WaitRefused {
			t.Errorf("it rests for %q", h.Why)
		}
		if _, took := mustNext(t, f); took != time.Minute {
			t.Errorf("asked after %v, want when the rest is over", took)
		}
	})
}

// PerHost changes while entries are in flight.
func TestRepace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pace := fetch.Pace{}
		f := New(Config{Limiter: fetch.NewHostLimiter(func(string) fetch.Pace { return pace }, nil, nil)})
		for i := range uint64(9) {
			f.Push(Entry{ID: i, Host: "a"})
		}
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{})
		mustNext(t, f)
		got := make(chan Entry, 9)
		go func() {
			for range 2 {
				if e, err := f.Next(t.Context()); err == nil {
					got <- e
				}
			}
		}()
		synctest.Wait()
		if len(got) != 0 {
			t.Fatalf("%d more in flight with one allowed", len(got))
		}
		pace.PerHost = 3
		f.Repace()
		synctest.Wait()
		if len(got) != 2 {
			t.Fatalf("%d more in flight with three allowed", len(got))
		}
		pace.PerHost = 0
		f.Repace()
		f.Done(<-got, Outcome{})
		f.Done(<-got, Outcome{})
		if h := f.View(0, 1).Hosts[0]; h.Busy != 1 {
			t.Errorf("%d in flight", h.Busy)
		}
		check(t, f)
	})
}

// A host's queues take turns; priority decides inside each of them and, by the
// queue whose turn it is, among hosts.
func TestQueuesTakeTurns(t *testing.T) {
	f := New(Config{})
	f.Push(Entry{1, "a", .9, 0, 0, 0}, Entry{2, "a", .8, 0, 0, 0}, Entry{3, "a", .7, 0, 0, 0}, Entry{4, "a", .2, 0, 5, 0}, Entry{5, "a", .3, 0, 5, 0}, Entry{6, "a", .1, 0, 2, 0}, Entry{7, "b", .25, 0, 0, 0})
	if h := f.View(0, 1).Hosts[0]; len(f.hosts.queues) != 4 || h.Waiting != 6 {
		t.Errorf("%+v in %d queues, want 6 entries, and 4 queues with that of b", h, len(f.hosts.queues))
	}
	if got, want := drain(t, f), []uint64{1, 7, 6, 5, 2, 4, 3}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// However many queues a host has, it is asked no more often.
func TestQueuesShareAHostsDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{})
		for i := range uint64(8) {
			f.Push(Entry{ID: i, Host: "a", Queue: uint16(i)})
		}
		start := time.Now()
		if n := len(drain(t, f)); n != 8 || time.Since(start) != 7*time.Second {
			t.Errorf("%d entries after %v, want 8 after seven delays", n, time.Since(start))
		}
	})
}

// The view says why a host rests and how long between two fetches.
func TestWhyAHostRests(t *testing.T) {
	cases := map[string]struct {
		outcome Outcome
		why     fetch.WaitReason
		delay   time.Duration
	}{
		"delay":                 {Outcome{}, fetch.WaitPolite, time.Second},
		"crawl-delay":           {Outcome{CrawlDelay: 5 * time.Second}, fetch.WaitCrawlDelay, 5 * time.Second},
		"a shorter one":         {Outcome{CrawlDelay: time.Millisecond}, fetch.WaitPolite, time.Second},
		"retry-after":           {Outcome{Wait: time.Minute, CrawlDelay: 5 * time.Second}, fetch.WaitRetryAfter, 5 * time.Second},
		"throttled":             {Outcome{Slow: true}, fetch.WaitThrottled, 2 * time.Second},
		"throttled with a time": {Outcome{Slow: true, Wait: time.Hour}, fetch.WaitRetryAfter, 2 * time.Second},
		"one failure is delay":  {Outcome{Failed: true}, fetch.WaitPolite, time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := polite(fetch.Pace{Delay: time.Second}, nil, Config{})
				f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
				e, _ := mustNext(t, f)
				f.Done(e, c.outcome)
				v := f.View(0, 1)
				if h := v.Hosts[0]; h.Why != c.why || h.Delay != c.delay || h.Why.String() == "" {
					t.Errorf("rests for %q, delay %v; want %q, %v", h.Why, h.Delay, c.why, c.delay)
				}
				if !strings.HasPrefix(v.Idle, "waiting for host a until ") || !v.Until.Equal(v.Hosts[0].Next) {
					t.Errorf("%s, want a until %v", v.Idle, v.Hosts[0].Next)
				}
			})
		})
	}
}

// A host that answers 429 for ever rests for longer and longer, and a run with
// patience ends instead of waiting for it; one that is only slow is waited for.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{Patience: 10 * time.Second})
		for i := range uint64(100) {
			f.Push(Entry{ID: i, Host: "never", Priority: 1})
		}
		f.Push(Entry{ID: 1000, Host: "slow"}, Entry{ID: 1001, Host: "slow"})
		start, asked := time.Now(), 0
		for {
			e, err := f.Next(t.Context())
			if errors.Is(err, errResting) {
				break
			}
			must(t, err)
			o := Outcome{CrawlDelay: 30 * time.Second}
			if e.Host == "never" {
				asked++
				o = Outcome{Slow: true}
			}
			f.Done(e, o)
			check(t, f)
		}
		if asked > 8 || time.Since(start) < 30*time.Second || time.Since(start) > 2*time.Minute {
			t.Errorf("asked %d times in %v", asked, time.Since(start))
		}
		v := f.View(0, 0)
		if v.Waiting != 100-asked || !strings.HasSuffix(v.Idle, ", as it asks") {
			t.Errorf("%d left, %s", v.Waiting, v.Idle)
		}
		f.Push(Entry{ID: 2000, Host: "new"})
		if e, took := mustNext(t, f); e.ID != 2000 || took != 0 {
			t.Errorf("got %d after %v, want the new host's", e.ID, took)
		}
	})
}
