package frontier

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

// The end of a run: no worker ends while a page in flight may add entries.
func TestDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		if _, err := f.Next(t.Context()); !errors.Is(err, errDrained) {
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

// A released host is fetched again while the page of its last fetch is still on
// its way into the store, and the run does not end before that page is done.
func TestRelease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{})
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
		first, _ := mustNext(t, f)
		f.Release(first, Outcome{Wait: time.Minute})
		f.Release(first, Outcome{Wait: time.Hour}) // once is enough
		check(t, f)
		second, took := mustNext(t, f)
		if second.ID != 2 || took != time.Minute {
			t.Errorf("got %d after %v, want 2 after a minute", second.ID, took)
		}
		f.Done(second, Outcome{})
		end := make(chan error, 1)
		go func() {
			_, err := f.Next(t.Context())
			end <- err
		}()
		synctest.Wait()
		select {
		case err := <-end:
			t.Fatalf("ended with %v while a page was under way", err)
		default:
		}
		f.Done(first, Outcome{Failed: true}) // released before: the outcome no longer counts
		if err := <-end; !errors.Is(err, errDrained) {
			t.Errorf("got %v, want drained", err)
		}
		if h := f.View(0, 1).Hosts[0]; h.Done != 2 || h.Failed != 0 {
			t.Errorf("%d done, %d failed; want each fetch counted once", h.Done, h.Failed)
		}
		check(t, f)
	})
}

// A cancelled worker leaves with nothing: what it was about to get goes to
// another.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Minute}, nil, Config{})
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
		if f.alarm.stop != nil || len(f.gate.waiters) != 0 {
			t.Error("an alarm is set without a waiter")
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
		must(t, err)
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

// The lab replays at its own speed: with a clock of its own the frontier asks no
// other.
func TestInjectedClock(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	var mu sync.Mutex
	armed := make(chan func(), 1)
	f := New(Config{Limiter: fetch.NewHostLimiter(func(string) fetch.Pace { return fetch.Pace{Delay: time.Hour} }, func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return now
	}, func(d time.Duration, fn func()) func() bool {
		if d != time.Hour {
			t.Errorf("alarm in %v, want the delay", d)
		}
		armed <- fn
		return func() bool { return true }
	})})
	f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
	e, err := f.Next(t.Context())
	must(t, err)
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
		f := polite(fetch.Pace{Delay: 100 * time.Millisecond}, nil, Config{})
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
						if !errors.Is(err, errDrained) {
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
