package frontier

import (
	"context"
	"strings"
	"testing"
	"time"

	"angler/crawl/fetch"
)

// handOut takes n entries, each released and done before the next.
func handOut(t *testing.T, f *Frontier, n int) (ids []uint64) {
	t.Helper()
	for range n {
		e, err := f.Next(context.Background())
		must(t, err)
		ids = append(ids, e.ID)
		f.Release(e, Outcome{})
		f.Done(e, Outcome{})
	}
	return ids
}

// countErrands counts the ids from 1000 on.
func countErrands(ids []uint64) (n int) {
	for _, id := range ids {
		if id >= 1000 {
			n++
		}
	}
	return n
}

func TestErrandsTakeTurns(t *testing.T) {
	for _, c := range []struct {
		share, poor float64
		want        int // of 40 hand-outs
	}{
		{0, 0, 0}, {.25, 0, 10}, {.5, 0, 20}, {.75, 0, 30},
		{.5, .9, 33}, // links of .5 give two turns in a row away
		{.5, .4, 20},
	} {
		for _, hosts := range []string{"a", "ab"} { // errands on the host of the links, and on another
			f := New(Config{Share: c.share, Poor: c.poor})
			for i := range uint64(100) {
				f.Push(Entry{ID: 1 + i, Host: "a", Priority: .5})
				f.Push(Entry{ID: 1000 + i, Host: hosts[len(hosts)-1:], Priority: .1, Queue: Errands})
			}
			if n := countErrands(handOut(t, f, 40)); n < c.want-1 || n > c.want+1 {
				t.Errorf("share %v, poor %v, hosts %s: %d of 40 are errands, want %d", c.share, c.poor, hosts, n, c.want)
			}
			if n := len(handOut(t, f, 160)); n != 160 || f.Len() != 0 {
				t.Errorf("%d handed out, %d are left", n, f.Len())
			}
		}
	}
}

// A link to what is an errand already changes nothing, a waiting link becomes one
// only by Remove and Push, and depth does not matter.
func TestAnErrandStaysOne(t *testing.T) {
	f := New(Config{Share: .5})
	f.SetDepth(1)
	f.Push(Entry{ID: 1, Host: "a", Priority: .3, Queue: Errands})
	f.Push(Entry{ID: 1, Host: "a", Priority: 9, Depth: 5}, Entry{ID: 2, Host: "a", Priority: .5, Depth: 5})
	if v := f.View(9, 9); v.Waiting != 1 || v.Beyond != 1 || len(v.Top) != 1 || v.Top[0].Queue != Errands || v.Top[0].Priority != .3 || v.Hosts[0].Waiting != 1 {
		t.Errorf("%+v", v)
	}
	e := Entry{ID: 2, Host: "a", Priority: .5}
	if !f.Remove(e) {
		t.Error("what lies beyond the depth was not there")
	}
	e.Queue = Errands
	f.Push(e)
	if v := f.View(9, 9); v.Waiting != 2 || v.Beyond != 0 {
		t.Errorf("%+v", v)
	}
	f.Rescore(func(id uint64, old Entry) (int8, float64, bool) { return old.Class, old.Priority, id != 1 })
	if ids := handOut(t, f, 1); ids[0] != 2 || f.Len() != 0 {
		t.Errorf("%v was handed out, %d are left", ids, f.Len())
	}
}

// An errand that costs no request leaves its host as it was, though others begin and
// end meanwhile.
func TestSpare(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	f := New(Config{Share: .5, Ahead: 8, Limiter: fetch.NewHostLimiter(func(string) fetch.Pace { return fetch.Pace{Delay: time.Hour} },
		func() time.Time { return now }, func(time.Duration, func()) func() bool { return func() bool { return true } })})
	for i := range uint64(5) {
		f.Push(Entry{ID: 1000 + i, Host: "a", Queue: Errands})
	}
	f.Push(Entry{ID: 1, Host: "a"})
	for range 5 {
		e, err := f.Next(context.Background())
		if err != nil || e.ID < 1000 {
			f.Release(e, Outcome{})
			f.Done(e, Outcome{})
			now = now.Add(time.Hour)
			if e, err = f.Next(context.Background()); err != nil || e.ID < 1000 {
				t.Fatal(e, err)
			}
		}
		f.Spare(e)
		f.Spare(e) // does nothing
		f.Done(e, Outcome{})
	}
	if v := f.View(0, 1); v.Hosts[0].Done > 1 || v.Busy != 0 {
		t.Errorf("%+v", v.Hosts)
	}
}

// A host waits for the links of its pages while it has fetched few.
func TestAhead(t *testing.T) {
	f := New(Config{Ahead: 4})
	for i := range uint64(40) {
		f.Push(Entry{ID: 1 + i, Host: "a"})
	}
	handOut(t, f, 3)
	first, err := f.Next(context.Background())
	must(t, err)
	f.Release(first, Outcome{})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if v := f.View(0, 0); !strings.HasSuffix(v.Idle, " in flight") {
		t.Errorf("a host whose page is under way to its links: %s", v.Idle)
	}
	if e, err := f.Next(ended); err == nil {
		t.Errorf("%d was handed out before the links of %d were known", e.ID, first.ID)
	}
	f.Done(first, Outcome{})
	handOut(t, f, 8)
	for range 3 { // a quarter of 12
		e, err := f.Next(context.Background())
		must(t, err)
		f.Release(e, Outcome{})
	}
	if v := f.View(0, 0); !strings.HasSuffix(v.Idle, " in flight") {
		t.Errorf("with three pages under way: %s", v.Idle)
	}
}
