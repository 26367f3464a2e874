package frontier

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
)

// While held nothing is handed out, not even the end: more may be handed back.
func TestHold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{Patience: time.Second})
		f.Push(Entry{ID: 1, Host: "a"})
		e, _ := mustNext(t, f)
		f.Hold()
		f.Done(e, Outcome{Failed: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		if e, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("got %v, %v while held; want nothing for an hour", e, err)
		}
		f.Pause()
		f.Resume()
		f.Step(3)
		if v := f.View(0, 0); v.Idle != "held" {
			t.Errorf("idle because of %s", v.Idle)
		}
		time.AfterFunc(time.Minute, func() { f.Push(Entry{ID: 2, Host: "b"}); f.Unhold() })
		if e, took := mustNext(t, f); e.ID != 2 || took != time.Minute {
			t.Errorf("got %d after %v", e.ID, took)
		} else {
			f.Done(e, Outcome{})
		}
		if _, err := f.Next(t.Context()); !errors.Is(err, errDrained) {
			t.Errorf("at the end: %v", err)
		}
		check(t, f)
	})
}

// A host that refuses rests until the time it was given, and a run with patience
// does not wait for it; who wants to try may.
func TestRestAndForgive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{Patience: 10 * time.Second})
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"}, Entry{ID: 3, Host: "a"})
		f.Rest("a", time.Now().Add(time.Hour))
		f.Rest("a", time.Now().Add(time.Minute)) // a shorter one changes nothing
		if _, err := f.Next(t.Context()); !errors.Is(err, errResting) {
			t.Fatalf("%v, want that all rest", err)
		}
		if v := f.View(0, 1); !strings.HasSuffix(v.Idle, ", it refuses us") || v.Hosts[0].Why != fetch.WaitRefused || time.Until(v.Until) != time.Hour {
			t.Errorf("%s, %+v", v.Idle, v.Hosts)
		}
		check(t, f)
		f.Forgive(func(host string) bool { return host == "b" })
		if _, err := f.Next(t.Context()); !errors.Is(err, errResting) {
			t.Errorf("%v after another host was forgiven", err)
		}
		f.Forgive(func(host string) bool { return host == "a" })
		e, took := mustNext(t, f)
		if took > time.Second {
			t.Errorf("handed out after %v, want at most the delay", took)
		}
		check(t, f)
		f.Done(e, Outcome{Failed: true})
		for range 1 {
			e, _ = mustNext(t, f)
			f.Done(e, Outcome{Failed: true})
		}
		f.Forgive(func(string) bool { return true })
		if e, took := mustNext(t, f); e.ID != 3 || took > time.Second {
			t.Errorf("entry %d after %v: the rest of failures did not end", e.ID, took)
		}
		check(t, f)
	})
}

// What a host asks for holds, also when a person wants to try.
func TestForgiveKeepsWishes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := polite(fetch.Pace{Delay: time.Second}, nil, Config{})
		f.Push(Entry{ID: 1, Host: "a"}, Entry{ID: 2, Host: "a"})
		e, _ := mustNext(t, f)
		f.Done(e, Outcome{Slow: true, Wait: time.Minute})
		f.Forgive(func(string) bool { return true })
		if _, took := mustNext(t, f); took != time.Minute {
			t.Errorf("asked again after %v, want the minute it named", took)
		}
	})
}
