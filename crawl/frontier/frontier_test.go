package frontier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// The tests run in synctest bubbles: time stands still until everything is
// blocked and then jumps to the next timer, so waiting is exact and free.

// mustNext takes the next entry and says how long that took.
func mustNext(t *testing.T, f *Frontier) (Entry, time.Duration) {
	t.Helper()
	start := time.Now()
	e, err := f.Next(t.Context())
	if err != nil {
		t.Fatalf("Next: %v", err)
	}
	return e, time.Since(start)
}

// drain takes everything, one at a time.
func drain(t *testing.T, f *Frontier) (got []uint64) {
	t.Helper()
	for {
		e, err := f.Next(t.Context())
		if errors.Is(err, ErrDrained) {
			return got
		}
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e.ID)
		f.Done(e, Outcome{})
		check(t, f)
	}
}

// check verifies what must always hold.
func check(t *testing.T, f *Frontier) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	count := map[place]int{}
	for s := range f.items {
		it := &f.items[s]
		count[it.where]++
		if it.where != isFree && f.byID[it.id] != slot(s) {
			t.Fatalf("entry %d is not found by its ID", it.id)
		}
		if it.where == inQueue && f.hosts[it.host].queue[it.pos] != slot(s) || it.where == isLater && f.later[it.pos].s != slot(s) {
			t.Fatalf("entry %d does not stand where it thinks", it.id)
		}
		if (it.where == isBeyond) != (f.limit >= 0 && int(it.depth) > f.limit && it.where != isLater && it.where != inFlight && it.where != isFree) {
			t.Fatalf("entry %d of depth %d is in place %d under limit %d", it.id, it.depth, it.where, f.limit)
		}
	}
	if f.waiting != count[inQueue]+count[isLater] || f.beyond != count[isBeyond] || len(f.leases) != count[inFlight] || len(f.free) != count[isFree] {
		t.Fatalf("counts: waiting %d beyond %d leases %d free %d, items %v", f.waiting, f.beyond, len(f.leases), len(f.free), count)
	}
	busy := 0
	for _, h := range f.hosts {
		busy += h.busy
		for i := 1; i < len(h.queue); i++ {
			if f.better(h.queue[i], h.queue[(i-1)/2]) {
				t.Fatalf("host %s: queue is no heap at %d", h.name, i)
			}
		}
		able := len(h.queue) > 0 && h.busy < f.cfg.PerHost
		if able != (h.spot != nowhere) {
			t.Fatalf("host %s: %d queued, %d busy, spot %d", h.name, len(h.queue), h.busy, h.spot)
		}
		if h.spot == atReady && f.ready[h.pos] != h || h.spot == atResting && f.resting[h.pos] != h {
			t.Fatalf("host %s does not stand where it thinks", h.name)
		}
	}
	if busy != len(f.leases) {
		t.Fatalf("%d busy, %d leases", busy, len(f.leases))
	}
	for i := 1; i < len(f.ready); i++ {
		if (byBest{f}).before(f.ready[i], f.ready[(i-1)/2]) {
			t.Fatalf("ready hosts are no heap at %d", i)
		}
	}
}

func TestOrder(t *testing.T) {
	cases := map[string]struct {
		push []Entry
		want []uint64
	}{
		"priority inside a host":        {[]Entry{{1, "a", .1, 0}, {2, "a", .9, 0}, {3, "a", .5, 0}}, []uint64{2, 3, 1}},
		"priority across hosts":         {[]Entry{{1, "a", .1, 0}, {2, "b", .9, 0}, {3, "c", .5, 0}}, []uint64{2, 3, 1}},
		"first come among equals":       {[]Entry{{9, "a", 1, 0}, {3, "a", 1, 0}, {5, "a", 1, 0}}, []uint64{9, 3, 5}},
		"NaN goes last, infinity first": {[]Entry{{1, "a", math.NaN(), 0}, {2, "a", -5, 0}, {3, "a", math.Inf(1), 0}, {4, "a", math.Inf(-1), 0}}, []uint64{3, 2, 1, 4}},
		"a second push re-ranks":        {[]Entry{{1, "a", .1, 0}, {2, "a", .5, 0}, {1, "a", .9, 0}}, []uint64{1, 2}},
		"a second push can lower":       {[]Entry{{1, "a", .9, 0}, {2, "a", .5, 0}, {1, "a", .1, 0}}, []uint64{2, 1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f := New(Config{})
			f.Push(c.push...)
			if got := drain(t, f); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// With a delay the best host cannot have everything: others fill its pauses.
func TestHostsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Second})
		f.Push(Entry{1, "a", 9, 0}, Entry{2, "a", 8, 0}, Entry{3, "b", 1, 0}, Entry{4, "b", .5, 0})
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
		"an endless wish is capped":      {[]Outcome{{Wait: 1000 * time.Hour}}, MaxWait},
		"one failure is forgiven":        {[]Outcome{failed}, 2 * time.Second},
		"the fourth failure in a row":    {times(4, failed), 4 * time.Second},
		"the eighth":                     {times(8, failed), 64 * time.Second},
		"failing for ever":               {times(60, failed), MaxRest},
		"a success ends the streak":      {append(times(8, failed), ok), 2 * time.Second},
		"asked to slow down":             {[]Outcome{slow}, 4 * time.Second},
		"asked again and again":          {times(20, slow), 30 * time.Second},
		"slow, then well":                {append(times(2, slow), ok), 6 * time.Second},
		"slow, then well for long":       {append(times(2, slow), times(10, ok)...), 2 * time.Second},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := New(Config{Delay: 2 * time.Second, MaxDelay: 30 * time.Second})
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
		f := New(Config{Delay: time.Second, PerHost: 2})
		for i := range uint64(3) {
			f.Push(Entry{ID: i, Host: "a"})
		}
		first, took := mustNext(t, f)
		if took != 0 {
			t.Errorf("first after %v", took)
		}
		if _, took = mustNext(t, f); took != time.Second {
			t.Errorf("second after %v, want the delay between starts", took)
		}
		go func() {
			time.AfterFunc(5*time.Second, func() { f.Done(first, Outcome{}) })
		}()
		if _, took = mustNext(t, f); took != 5*time.Second {
			t.Errorf("third after %v, want when the first is done", took)
		}
		check(t, f)
	})
}

// The end of a run: nobody is sent home while a page in flight may add entries.
func TestDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		if _, err := f.Next(t.Context()); !errors.Is(err, ErrDrained) {
			t.Fatalf("empty: %v", err)
		}
		f.Push(Entry{ID: 1, Host: "a"})
		e, _ := mustNext(t, f)
		var mu sync.Mutex
		var got []uint64
		drained := 0
		for range 3 {
			go func() {
				for {
					e, err := f.Next(t.Context())
					mu.Lock()
					if err != nil {
						drained++
						mu.Unlock()
						return
					}
					got = append(got, e.ID)
					mu.Unlock()
					f.Done(e, Outcome{})
				}
			}()
		}
		synctest.Wait()
		if drained != 0 || len(got) != 0 {
			t.Fatalf("with a page in flight: %d drained, got %v", drained, got)
		}
		f.Push(Entry{ID: 2, Host: "a"}, Entry{ID: 3, Host: "b"})
		f.Done(e, Outcome{})
		synctest.Wait()
		slices.Sort(got)
		if drained != 3 || !slices.Equal(got, []uint64{2, 3}) {
			t.Errorf("%d workers drained, got %v", drained, got)
		}
		f.Done(e, Outcome{}) // a second Done must not free another's lease
		check(t, f)
		f.Push(Entry{ID: 4, Host: "a"})
		if e, _ := mustNext(t, f); e.ID != 4 {
			t.Errorf("after the end: got %d", e.ID)
		}
	})
}

func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		f.Push(Entry{1, "a", 1, 2})
		e, _ := mustNext(t, f)
		f.Retry(e, time.Now().Add(time.Minute))
		f.Done(e, Outcome{})
		check(t, f)
		if v := f.View(5, 5); v.Waiting != 1 || !strings.HasPrefix(v.Idle, "waiting for host a until ") || !strings.HasSuffix(v.Idle, "for a retry") {
			t.Errorf("view %+v", v)
		}
		f.Push(Entry{1, "a", 3, 1}) // found again meanwhile: re-ranked, not hurried
		again, took := mustNext(t, f)
		if took != time.Minute || again != (Entry{1, "a", 3, 1}) {
			t.Errorf("got %+v after %v, want the entry after a minute", again, took)
		}
		f.Push(Entry{2, "b", 1, 0})
		f.Retry(Entry{ID: 2}, time.Now().Add(time.Hour)) // a waiting one is moved
		f.Retry(Entry{ID: 3, Host: "c"}, time.Now().Add(2*time.Hour))
		f.Done(again, Outcome{})
		for _, want := range []struct {
			id   uint64
			took time.Duration
		}{{2, time.Hour}, {3, time.Hour}} {
			e, took := mustNext(t, f)
			if e.ID != want.id || took != want.took {
				t.Errorf("got %d after %v, want %d after %v", e.ID, took, want.id, want.took)
			}
			f.Done(e, Outcome{})
		}
		check(t, f)
	})
}

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		for i := range uint64(6) {
			f.Push(Entry{ID: i, Host: fmt.Sprint(i)})
		}
		got := make(chan Entry, 6)
		go func() {
			for range 6 {
				if e, err := f.Next(t.Context()); err == nil {
					got <- e
				}
			}
		}()
		synctest.Wait()
		for range 6 {
			f.Done(<-got, Outcome{})
		}
		for i := range uint64(6) {
			f.Push(Entry{ID: 10 + i, Host: fmt.Sprint(i)})
		}
		f.Pause()
		if idle := f.View(0, 0).Idle; idle != "paused" {
			t.Errorf("idle %q, want paused", idle)
		}
		go func() {
			for range 6 {
				if e, err := f.Next(t.Context()); err == nil {
					got <- e
				}
			}
		}()
		for _, step := range []struct {
			name string
			do   func()
			want int
		}{
			{"paused", func() {}, 0},
			{"one step", func() { f.Step(1) }, 1},
			{"two steps", func() { f.Step(2) }, 3},
			{"paused again", f.Pause, 3},
			{"resumed", f.Resume, 6},
		} {
			step.do()
			synctest.Wait()
			if len(got) != step.want {
				t.Fatalf("%s: %d handed out, want %d", step.name, len(got), step.want)
			}
		}
		check(t, f)
	})
}

func TestDepthLimit(t *testing.T) {
	f := New(Config{})
	f.Push(Entry{1, "a", 1, 0}, Entry{2, "a", 2, 1}, Entry{3, "b", 3, 2}, Entry{4, "b", 4, 1 << 30})
	f.SetDepth(1)
	check(t, f)
	f.Push(Entry{5, "c", 9, 5})
	if v := f.View(10, 10); v.Waiting != 2 || v.Beyond != 3 {
		t.Errorf("waiting %d beyond %d, want 2 and 3", v.Waiting, v.Beyond)
	}
	if got := drain(t, f); !slices.Equal(got, []uint64{2, 1}) {
		t.Errorf("within depth 1: %v", got)
	}
	if v := f.View(0, 0); v.Idle != "nothing left within depth 1, 3 beyond it" {
		t.Errorf("idle %q", v.Idle)
	}
	f.Push(Entry{3, "b", 3, 1}) // found on a shorter way
	f.SetDepth(5)
	check(t, f)
	if got := drain(t, f); !slices.Equal(got, []uint64{5, 3}) {
		t.Errorf("within depth 5: %v", got)
	}
	f.SetDepth(-1)
	if got := drain(t, f); !slices.Equal(got, []uint64{4}) {
		t.Errorf("without limit: %v", got)
	}
}

func TestRescore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		f.Push(Entry{1, "a", 1, 0}, Entry{2, "a", 2, 0}, Entry{3, "b", 3, 0}, Entry{4, "b", 0, 9})
		f.SetDepth(5)
		f.Retry(Entry{ID: 1}, time.Now().Add(time.Second))
		f.Rescore(func(id uint64, old Entry) float64 {
			if old.ID != id || old.Host == "" {
				t.Errorf("score sees %+v for %d", old, id)
			}
			return -old.Priority
		})
		check(t, f)
		if top := f.View(9, 0).Top; len(top) != 2 || top[0].ID != 2 || top[0].Priority != -2 {
			t.Errorf("top %+v", top)
		}
		if got := drain(t, f); !slices.Equal(got, []uint64{2, 3, 1}) {
			t.Errorf("got %v", got)
		}
		f.SetDepth(-1)
		if e, _ := mustNext(t, f); e.Priority != 0 || e.ID != 4 {
			t.Errorf("beyond: %+v", e)
		}
	})
}

func TestRemoveAndDrop(t *testing.T) {
	f := New(Config{})
	f.Push(Entry{1, "a", 1, 0}, Entry{2, "a", 2, 0}, Entry{3, "a", 3, 9}, Entry{4, "b", 4, 0}, Entry{5, "b", 5, 0})
	f.SetDepth(3)
	if !f.Remove(5) || f.Remove(5) || f.Remove(99) {
		t.Error("Remove does not say whether there was an entry")
	}
	if n := f.DropHost("a"); n != 3 {
		t.Errorf("dropped %d, want 3 (one beyond the limit)", n)
	}
	check(t, f)
	e, err := f.Next(t.Context())
	if err != nil || e.ID != 4 {
		t.Fatalf("got %+v, %v", e, err)
	}
	if f.Remove(4) || f.DropHost("b") != 0 || f.DropHost("nowhere") != 0 {
		t.Error("took out an entry in flight or of an unknown host")
	}
	f.Done(e, Outcome{})
	if got := drain(t, f); got != nil {
		t.Errorf("left over: %v", got)
	}
}

// A cancelled worker leaves with nothing: what it was about to get goes to
// another.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Minute})
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want the context's error", err)
		}
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v on an ended context", err)
		}
		check(t, f)
		f.mu.Lock()
		if f.alarm != nil || len(f.waiters) != 0 {
			t.Error("an alarm is set for nobody")
		}
		f.mu.Unlock()
		if e, took := mustNext(t, f); e.ID != 2 || took != 59*time.Second {
			t.Errorf("got %d after %v", e.ID, took)
		}
	})
}

// Cancelling at the very moment of the hand-out loses no entry.
func TestCancelRace(t *testing.T) {
	f := New(Config{})
	for round := range 300 {
		f.Push(Entry{ID: uint64(round), Host: "a"})
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan error, 1)
		hold, err := f.Next(t.Context()) // makes the host busy
		if err != nil {
			t.Fatal(err)
		}
		f.Push(Entry{ID: uint64(round) + 1e6, Host: "a"})
		var e Entry
		go func() {
			var err error
			e, err = f.Next(ctx)
			got <- err
		}()
		go cancel()
		f.Done(hold, Outcome{})
		if err := <-got; err == nil {
			f.Done(e, Outcome{})
		} else if rest := drain(t, f); !slices.Equal(rest, []uint64{uint64(round) + 1e6}) {
			t.Fatalf("round %d: left %v", round, rest)
		}
		check(t, f)
	}
}

func TestView(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Minute})
		rnd := rand.New(rand.NewPCG(1, 2))
		var all []Entry
		for i := range uint64(2000) {
			e := Entry{ID: i, Host: fmt.Sprintf("h%d", rnd.IntN(1+int(i)%40)), Priority: rnd.Float64(), Depth: rnd.IntN(4)}
			all = append(all, e)
		}
		f.Push(all...)
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{})
		failed, _ := mustNext(t, f)
		f.Done(failed, Outcome{Failed: true})
		busy, _ := mustNext(t, f)
		all = slices.DeleteFunc(all, func(x Entry) bool { return x.ID == e.ID || x.ID == failed.ID || x.ID == busy.ID })
		slices.SortFunc(all, func(a, b Entry) int { return map[bool]int{true: -1, false: 1}[a.Priority > b.Priority] })

		v := f.View(100, 10)
		if v.Waiting != 1997 || v.Busy != 1 || v.Beyond != 0 || v.NumHosts != 40 || v.Idle != "" {
			t.Errorf("waiting %d busy %d beyond %d hosts %d idle %q", v.Waiting, v.Busy, v.Beyond, v.NumHosts, v.Idle)
		}
		if len(v.Top) != 100 {
			t.Fatalf("%d top entries", len(v.Top))
		}
		for i, row := range v.Top {
			if row.Entry != all[i] {
				t.Fatalf("top %d is %+v, want %+v", i, row.Entry, all[i])
			}
			rests := row.Host == e.Host || row.Host == failed.Host
			if want := time.Now().Add(time.Minute); rests != row.Next.Equal(want) || !rests && !row.Next.IsZero() {
				t.Errorf("host %s may be fetched at %v", row.Host, row.Next)
			}
		}
		total := 0
		for i, h := range v.Hosts {
			total += h.Waiting
			if i > 0 && h.Waiting+h.Busy > v.Hosts[i-1].Waiting+v.Hosts[i-1].Busy {
				t.Errorf("host %d is fuller than the one before", i)
			}
		}
		if len(v.Hosts) != 10 || total < 1997*10/40 {
			t.Errorf("%d hosts with %d entries", len(v.Hosts), total)
		}
		var done, broken int
		for _, h := range f.View(0, 100).Hosts {
			done, broken = done+h.Done, broken+h.Failed
		}
		if done != 1 || broken != 1 {
			t.Errorf("%d done, %d failed; want one of each", done, broken)
		}
	})
}

func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Delay: time.Minute})
		idle := func(want string) {
			t.Helper()
			if got := f.View(0, 0).Idle; got != want {
				t.Errorf("idle %q, want %q", got, want)
			}
		}
		idle("nothing left")
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"}, Entry{ID: 3, Host: "a"}, Entry{ID: 4, Host: "a"})
		idle("")
		e, _ := mustNext(t, f)
		idle("waiting for the page in flight")
		at := func(d time.Duration) string { return time.Now().Add(d).Format("15:04:05") }
		f.Done(e, Outcome{})
		idle("waiting for host a until " + at(time.Minute))
		e, _ = mustNext(t, f)
		f.Done(e, Outcome{Wait: time.Hour})
		idle("waiting for host a until " + at(time.Hour) + ", as it asks")
		for range 2 {
			f.Push(Entry{ID: 100 + e.ID, Host: "a"})
			e, _ = mustNext(t, f)
			f.Done(e, Outcome{Failed: true})
		}
		idle("waiting for host a until " + at(time.Minute) + ", it failed 2 times")
	})
}

// The lab replays at its own speed: with a clock of its own the frontier asks no
// other.
func TestInjectedClock(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	armed := make(chan func(), 1)
	f := New(Config{
		Delay: time.Hour,
		Now: func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			return now
		},
		AfterFunc: func(d time.Duration, fn func()) func() bool {
			if d != time.Hour {
				t.Errorf("alarm in %v, want the delay", d)
			}
			armed <- fn
			return func() bool { return true }
		},
	})
	f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
	e, err := f.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f.Done(e, Outcome{})
	got := make(chan Entry)
	go func() {
		e, _ := f.Next(t.Context())
		got <- e
	}()
	ring := <-armed
	mu.Lock()
	now = now.Add(time.Hour)
	mu.Unlock()
	ring()
	if e := <-got; e.ID != 2 {
		t.Errorf("got %d, want 2", e.ID)
	}
}

// Sixteen workers crawl a web whose pages are found on the way: every page is
// fetched once, no host twice at a time or too early.
func TestCrawl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pages, hosts = 3000, 25
		f := New(Config{Delay: 100 * time.Millisecond})
		f.Push(Entry{ID: 0, Host: "h0"})
		var mu sync.Mutex
		fetched := map[uint64]int{}
		last := map[string]time.Time{}
		busy := map[string]bool{}
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for {
					e, err := f.Next(t.Context())
					if err != nil {
						if !errors.Is(err, ErrDrained) {
							t.Error(err)
						}
						return
					}
					mu.Lock()
					fetched[e.ID]++
					if busy[e.Host] {
						t.Errorf("host %s twice at a time", e.Host)
					}
					if l, ok := last[e.Host]; ok && time.Since(l) < 100*time.Millisecond {
						t.Errorf("host %s again after %v", e.Host, time.Since(l))
					}
					busy[e.Host] = true
					mu.Unlock()
					<-time.After(time.Duration(e.ID%7) * time.Millisecond) // the fetch, in the bubble's time
					for _, child := range []uint64{2*e.ID + 1, 2*e.ID + 2, e.ID / 3} {
						mu.Lock()
						known := fetched[child] > 0
						mu.Unlock()
						if child < pages && !known {
							f.Push(Entry{ID: child, Host: fmt.Sprintf("h%d", child%hosts), Priority: float64(child % 11), Depth: e.Depth + 1})
						}
					}
					mu.Lock()
					busy[e.Host], last[e.Host] = false, time.Now()
					mu.Unlock()
					f.Done(e, Outcome{})
				}
			})
		}
		wg.Wait()
		if len(fetched) != pages {
			t.Errorf("%d pages fetched, want %d", len(fetched), pages)
		}
		for id, n := range fetched {
			if n != 1 {
				t.Errorf("page %d fetched %d times", id, n)
			}
		}
		check(t, f)
	})
}

// Whatever is done in whatever order, the structure holds.
func TestInvariants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(3, 4))
		f := New(Config{Delay: time.Millisecond, PerHost: 2})
		var leased []Entry
		entry := func() Entry {
			id := uint64(rnd.IntN(300))
			return Entry{id, fmt.Sprint(id % 9), rnd.Float64(), rnd.IntN(6)}
		}
		for range 6000 {
			switch rnd.IntN(12) {
			case 0, 1, 2, 3:
				f.Push(entry(), entry())
			case 4, 5:
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				if e, err := f.Next(ctx); err == nil {
					leased = append(leased, e)
				}
				cancel()
			case 6, 7:
				if len(leased) > 0 {
					f.Done(leased[0], Outcome{Failed: rnd.IntN(9) == 0, Slow: rnd.IntN(20) == 0})
					leased = leased[1:]
				}
			case 8:
				f.Retry(entry(), time.Now().Add(time.Duration(rnd.IntN(50))*time.Millisecond))
			case 9:
				f.Remove(uint64(rnd.IntN(300)))
			case 10:
				f.SetDepth(rnd.IntN(7) - 1)
			case 11:
				switch rnd.IntN(10) {
				case 0:
					f.DropHost(fmt.Sprint(rnd.IntN(9)))
				case 1:
					f.Rescore(func(id uint64, old Entry) float64 { return float64(id) })
				default:
					f.View(5, 5)
				}
			}
			check(t, f)
		}
		for _, e := range leased {
			f.Done(e, Outcome{})
		}
		f.SetDepth(-1)
		if n := f.Len(); n == 0 || len(drain(t, f)) != n {
			t.Errorf("the %d entries left were not all handed out", n)
		}
	})
}
