package frontier

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

func TestDefer(t *testing.T) {
	cases := map[string]struct {
		others []Entry // besides entry 1 of host a with priority .9, which is in hand
		class  int8
		prio   float64
		want   bool
		next   uint64 // what is handed out then
	}{
		"a better one of its host":      {[]Entry{{2, "a", .5, 0, 0, 0}}, Ordinary, .4, true, 2},
		"a better one of another host":  {[]Entry{{2, "b", .5, 0, 0, 0}}, Ordinary, .4, true, 2},
		"nothing is better":             {[]Entry{{2, "a", .5, 0, 0, 0}, {3, "b", .3, 0, 0, 0}}, Ordinary, .6, false, 3},
		"as good is not better":         {[]Entry{{2, "b", .5, 0, 0, 0}}, Ordinary, .5, false, 2},
		"nothing else":                  {nil, Ordinary, 0, false, 0},
		"it has not become worse":       {[]Entry{{2, "b", .89, 0, 0, 0}}, Ordinary, .9, false, 2},
		"the better one is too deep":    {[]Entry{{2, "b", .8, 9, 0, 0}}, Ordinary, .1, false, 0},
		"buried by now":                 {[]Entry{{2, "b", .5, 0, 0, 0}}, Buried, .9, true, 2},
		"all others are buried":         {[]Entry{{2, "b", 9, 0, 0, Buried}}, Ordinary, .1, false, 2},
		"one of a better class":         {[]Entry{{2, "b", 9, 0, 0, Revisit}}, Buried, 10, true, 2},
		"boosted by now":                {[]Entry{{2, "b", .8, 0, 0, 0}}, Boosted, .1, false, 2},
		"another queue of its host has": {[]Entry{{2, "a", .8, 0, 1, 0}}, Ordinary, .1, true, 2},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := polite(fetch.Pace{Delay: time.Minute}, nil, Config{})
				f.SetDepth(5)
				f.Push(Entry{ID: 1, Host: "a", Priority: .9})
				f.Push(c.others...)
				e, _ := mustNext(t, f)
				if e.ID != 1 {
					t.Fatalf("got %+v first", e)
				}
				if got := f.Defer(e, c.class, c.prio); got != c.want {
					t.Errorf("Defer: %v, want %v", got, c.want)
				}
				check(t, f)
				if v := f.View(0, 1).Hosts[0]; v.Done+v.Failed != 0 {
					t.Errorf("a fetch was counted: %+v", v)
				}
				if c.next == 0 {
					return
				}
				if e, took := mustNext(t, f); e.ID != c.next || took != 0 {
					t.Errorf("got %d after %v, want %d at once", e.ID, took, c.next)
				}
				check(t, f)
			})
		})
	}
}

// Giving back costs the host nothing, also where the delay counts from the start.
func TestDeferIsFree(t *testing.T) {
	for perHost := 1; perHost <= 2; perHost++ {
		synctest.Test(t, func(t *testing.T) {
			f := polite(fetch.Pace{Delay: time.Minute, PerHost: perHost}, nil, Config{})
			f.Push(Entry{ID: 1, Host: "a", Priority: 9}, Entry{ID: 2, Host: "b", Priority: 5})
			f.Pause()
			f.Step(2)
			e, _ := mustNext(t, f)
			if !f.Defer(e, Ordinary, 1) {
				t.Fatal("not given back")
			}
			for _, want := range []uint64{2, 1} {
				e, took := mustNext(t, f)
				if e.ID != want || took != 0 {
					t.Errorf("%d per host: got %d after %v, want %d at once", perHost, e.ID, took, want)
				}
			}
			check(t, f)
		})
	}
}

func TestDeferRefuses(t *testing.T) {
	f := polite(fetch.Pace{PerHost: 9}, nil, Config{})
	f.Push(Entry{ID: 1, Host: "a", Priority: 9}, Entry{ID: 2, Host: "a", Priority: 8}, Entry{ID: 3, Host: "a", Priority: 7})
	if f.Defer(Entry{ID: 3}, Ordinary, 0) {
		t.Error("gave back what was not handed out")
	}
	e, _ := mustNext(t, f)
	f.Release(e, Outcome{})
	if f.Defer(e, Ordinary, 0) {
		t.Error("gave back what was fetched")
	}
	e, _ = mustNext(t, f)
	f.Pause()
	if f.Defer(e, Ordinary, 0) {
		t.Error("gave back while nothing else may be handed out")
	}
	f.Resume()
	f.Retry(e, time.Now().Add(time.Hour))
	if f.Defer(e, Ordinary, 0) {
		t.Error("gave back what is to be tried later")
	}
	check(t, f)
}

// Scores that fall at every look keep no worker from fetching.
func TestDeferEnds(t *testing.T) {
	f := New(Config{})
	for i := range uint64(50) {
		f.Push(Entry{ID: i, Host: fmt.Sprint(i % 10), Priority: 1})
	}
	var mu sync.Mutex
	fetched, prio := 0, 1.0
	var wg sync.WaitGroup
	for range 4 {
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
				prio -= .001
				p := prio
				mu.Unlock()
				if f.Defer(e, Ordinary, p) {
					continue
				}
				mu.Lock()
				fetched++
				mu.Unlock()
				f.Done(e, Outcome{})
			}
		})
	}
	wg.Wait()
	check(t, f)
	if fetched != 50 {
		t.Errorf("%d fetched, want 50", fetched)
	}
}
