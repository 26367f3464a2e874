package frontier

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
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
		if errors.Is(err, errDrained) {
			return got
		}
		must(t, err)
		got = append(got, e.ID)
		f.Done(e, Outcome{})
		check(t, f)
	}
}

// checkDisk verifies the counts of what is on disk and returns them: within the
// depth limit and beyond.
func checkDisk(t *testing.T, f *Frontier) (within, beyond int) {
	t.Helper()
	pending, tails, spilled := 0, 0, 0
	for _, q := range f.hosts.queues {
		if q.tail == nil {
			continue
		}
		tails++
		pending += len(q.tail.pending)
		in := 0
		for _, l := range q.tail.lanes {
			switch {
			case l.n < 0:
				t.Fatalf("host %s: %d entries of depth %d", q.host.name, l.n, l.depth)
			case f.tally.tooDeep(l.depth):
				beyond += l.n
			default:
				in += l.n
				if l.n > 0 && l.best.before(q.tail.bound) {
					t.Fatalf("host %s: the bound is worse than what is on disk", q.host.name)
				}
			}
		}
		if in != q.tail.within {
			t.Fatalf("host %s: %d entries on disk, counted %d", q.host.name, in, q.tail.within)
		}
		within += in
	}
	for _, p := range f.disk.spilled {
		for _, d := range p.depth {
			if d > 0 {
				spilled++
			}
		}
	}
	if pending != f.disk.pending || tails != f.disk.tails || spilled != within+beyond {
		t.Fatalf("pending %d of %d, tails %d of %d, spilled %d of %d", f.disk.pending, pending, f.disk.tails, tails, spilled, within+beyond)
	}
	return within, beyond
}

// check verifies what must always hold.
func check(t *testing.T, f *Frontier) {
	t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	count := map[place]int{}
	for s := range f.arena.items {
		it := &f.arena.items[s]
		count[it.where]++
		if it.where != isFree && f.arena.byID[it.id] != slot(s) {
			t.Fatalf("entry %d is not found by its ID", it.id)
		}
		if it.where == inQueue && f.hosts.queues[it.queue].heap[it.pos] != slot(s) || it.where == isLater && f.pool.later[it.pos].s != slot(s) {
			t.Fatalf("entry %d does not stand where it thinks", it.id)
		}
		if (it.where == isBeyond) != (f.tally.limit >= 0 && int(it.depth) > f.tally.limit && it.where != isLater && it.where != inFlight && it.where != isFree) {
			t.Fatalf("entry %d of depth %d is in place %d under limit %d", it.id, it.depth, it.where, f.tally.limit)
		}
	}
	disk, deep := checkDisk(t, f)
	if f.tally.waiting != count[inQueue]+count[isLater]+disk || f.tally.beyond != count[isBeyond]+deep || len(f.leases.open) != count[inFlight] || len(f.arena.free) != count[isFree] || f.tally.queued != count[inQueue] || f.tally.onDisk != disk {
		t.Fatalf("counts: waiting %d beyond %d leases %d free %d, queued %d, parked %d; items %v, disk %d and %d", f.tally.waiting, f.tally.beyond, len(f.leases.open), len(f.arena.free), f.tally.queued, f.tally.onDisk, count, disk, deep)
	}
	busy, recovering := 0, 0
	for _, h := range f.hosts.all {
		busy += int(h.busy)
		able := false
		for _, q := range h.queues {
			if q == nil {
				continue
			}
			for i := 1; i < len(q.heap); i++ {
				if f.arena.better(q.heap[i], q.heap[(i-1)/2]) {
					t.Fatalf("host %s: queue %d is no heap at %d", h.name, q.number, i)
				}
			}
			able = able || len(q.heap) > 0 && !f.disk.behind(q)
		}
		able = able && (h.busy == 0 || !h.full)
		if able != (h.spot != nowhere) {
			t.Fatalf("host %s: %d busy, able %v, spot %d", h.name, h.busy, able, h.spot)
		}
		if able && h.head != h.queues[h.at].heap[0] {
			t.Fatalf("host %s offers what is not its best", h.name)
		}
		if h.spot == atResting && h.reason().Recovers() {
			recovering++
		}
		if h.spot == atReady && f.hosts.ready[h.pos] != h || h.spot == atResting && f.hosts.resting[h.pos] != h {
			t.Fatalf("host %s does not stand where it thinks", h.name)
		}
	}
	for _, l := range f.leases.open {
		if l.released {
			busy++ // its host is free again, its lease is open
		}
	}
	if recovering != f.hosts.recovering {
		t.Fatalf("%d resting hosts recover, counted %d", recovering, f.hosts.recovering)
	}
	if busy != len(f.leases.open) {
		t.Fatalf("%d busy or released, %d leases", busy, len(f.leases.open))
	}
	for i := 1; i < len(f.hosts.ready); i++ {
		if (byEntry{arena: &f.arena}).before(f.hosts.ready[i], f.hosts.ready[(i-1)/2]) {
			t.Fatalf("ready hosts are no heap at %d", i)
		}
	}
}

func TestOrder(t *testing.T) {
	cases := map[string]struct {
		push []Entry
		want []uint64
	}{
		"priority inside a host":             {[]Entry{{1, "a", .1, 0, 0, 0}, {2, "a", .9, 0, 0, 0}, {3, "a", .5, 0, 0, 0}}, []uint64{2, 3, 1}},
		"priority across hosts":              {[]Entry{{1, "a", .1, 0, 0, 0}, {2, "b", .9, 0, 0, 0}, {3, "c", .5, 0, 0, 0}}, []uint64{2, 3, 1}},
		"first come among equals":            {[]Entry{{9, "a", 1, 0, 0, 0}, {3, "a", 1, 0, 0, 0}, {5, "a", 1, 0, 0, 0}}, []uint64{9, 3, 5}},
		"NaN goes last, infinity first":      {[]Entry{{1, "a", math.NaN(), 0, 0, 0}, {2, "a", -5, 0, 0, 0}, {3, "a", math.Inf(1), 0, 0, 0}, {4, "a", math.Inf(-1), 0, 0, 0}}, []uint64{3, 2, 1, 4}},
		"a second push re-ranks":             {[]Entry{{1, "a", .1, 0, 0, 0}, {2, "a", .5, 0, 0, 0}, {1, "a", .9, 0, 0, 0}}, []uint64{1, 2}},
		"a class goes before all priorities": {[]Entry{{1, "a", 1e12, 0, 0, Ordinary}, {2, "a", -1e12, 0, 0, Boosted}, {3, "a", math.Inf(1), 0, 0, Buried}, {4, "a", 1e9, 0, 0, Revisit}}, []uint64{2, 1, 4, 3}},
		"classes across hosts":               {[]Entry{{1, "a", 9, 0, 0, Buried}, {2, "b", 5, 0, 0, Revisit}, {3, "c", -7, 0, 0, Ordinary}, {4, "d", math.NaN(), 0, 0, Boosted}}, []uint64{4, 3, 2, 1}},
		"priority inside a class":            {[]Entry{{1, "a", 1, 0, 0, Buried}, {2, "a", 2, 0, 0, Buried}, {3, "a", 1, 0, 0, Boosted}, {4, "a", 2, 0, 0, Boosted}}, []uint64{4, 3, 2, 1}},
		"a second push changes the class":    {[]Entry{{1, "a", .1, 0, 0, 0}, {2, "a", .5, 0, 0, 0}, {1, "a", .1, 0, 0, Boosted}}, []uint64{1, 2}},
		"any number is a class":              {[]Entry{{1, "a", 1, 0, 0, math.MinInt8}, {2, "a", 1, 0, 0, math.MaxInt8}, {3, "a", 1, 0, 0, Boosted}, {4, "a", 1, 0, 0, Buried}}, []uint64{2, 3, 4, 1}},
		"a second push can lower":            {[]Entry{{1, "a", .9, 0, 0, 0}, {2, "a", .5, 0, 0, 0}, {1, "a", .1, 0, 0, 0}}, []uint64{2, 1}},
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

func TestRetry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		f.Push(Entry{1, "a", 1, 2, 0, 0})
		e, _ := mustNext(t, f)
		f.Retry(e, time.Now().Add(time.Minute))
		f.Done(e, Outcome{})
		check(t, f)
		if v := f.View(5, 5); v.Waiting != 1 || !strings.HasPrefix(v.Idle, "waiting for host a until ") || !strings.HasSuffix(v.Idle, "for a retry") {
			t.Errorf("view %+v", v)
		}
		f.Push(Entry{1, "a", 3, 1, 0, 0}) // found again meanwhile: re-ranked, not hurried
		again, took := mustNext(t, f)
		if took != time.Minute || again != (Entry{1, "a", 3, 1, 0, 0}) {
			t.Errorf("got %+v after %v, want the entry after a minute", again, took)
		}
		f.Push(Entry{2, "b", 1, 0, 0, 0})
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

func TestDepthLimit(t *testing.T) {
	f := New(Config{})
	f.Push(Entry{1, "a", 1, 0, 0, 0}, Entry{2, "a", 2, 1, 0, 0}, Entry{3, "b", 3, 2, 0, 0}, Entry{4, "b", 4, 1 << 30, 0, 0})
	f.SetDepth(1)
	check(t, f)
	f.Push(Entry{5, "c", 9, 5, 0, 0})
	if v := f.View(10, 10); v.Waiting != 2 || v.Beyond != 3 {
		t.Errorf("waiting %d beyond %d, want 2 and 3", v.Waiting, v.Beyond)
	}
	if got := drain(t, f); !slices.Equal(got, []uint64{2, 1}) {
		t.Errorf("within depth 1: %v", got)
	}
	if v := f.View(0, 0); v.Idle != "nothing left within depth 1, 3 beyond it" {
		t.Errorf("idle %q", v.Idle)
	}
	f.Push(Entry{3, "b", 3, 1, 0, 0}) // found by a shorter path
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
		f.Push(Entry{1, "a", 1, 0, 0, 0}, Entry{2, "a", 2, 0, 0, 0}, Entry{3, "b", 3, 0, 0, 0}, Entry{4, "b", 0, 9, 0, 0})
		f.SetDepth(5)
		f.Retry(Entry{ID: 1}, time.Now().Add(time.Second))
		f.Rescore(func(id uint64, old Entry) (int8, float64, bool) {
			if old.ID != id || old.Host == "" {
				t.Errorf("score sees %+v for %d", old, id)
			}
			return old.Class, -old.Priority, true
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

// Rescore moves entries between the classes, and those that wait for a retry or
// beyond the depth limit keep the class for when they come back.
func TestRescoreChangesClasses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := New(Config{})
		f.SetDepth(5)
		f.Push(Entry{1, "a", 1, 0, 0, 0}, Entry{2, "a", 2, 0, 0, 0}, Entry{3, "b", 3, 0, 0, Boosted}, Entry{4, "b", 4, 9, 0, 0}, Entry{5, "c", 5, 0, 0, 0})
		f.Retry(Entry{ID: 5}, time.Now().Add(time.Second))
		want := map[uint64]int8{1: Boosted, 2: Buried, 3: Ordinary, 4: Boosted, 5: Revisit}
		f.Rescore(func(id uint64, old Entry) (int8, float64, bool) { return want[id], old.Priority, true })
		check(t, f)
		for _, row := range f.View(9, 0).Top {
			if row.Class != want[row.ID] || row.Priority != float64(row.ID) {
				t.Errorf("row %+v, want class %d", row, want[row.ID])
			}
		}
		pass(2 * time.Second)
		f.SetDepth(-1)
		if got := drain(t, f); !slices.Equal(got, []uint64{4, 1, 3, 5, 2}) {
			t.Errorf("got %v", got)
		}
	})
}

func TestRemove(t *testing.T) {
	f := New(Config{})
	f.Push(Entry{1, "a", 1, 0, 0, 0}, Entry{2, "a", 2, 0, 0, 0}, Entry{3, "a", 3, 9, 0, 0}, Entry{4, "b", 4, 0, 0, 0}, Entry{5, "b", 5, 0, 0, 0})
	f.SetDepth(3)
	if !f.Remove(Entry{ID: 5}) || f.Remove(Entry{ID: 5}) || f.Remove(Entry{ID: 99}) {
		t.Error("Remove does not say whether there was an entry")
	}
	if !f.Remove(Entry{ID: 1}) || !f.Remove(Entry{ID: 2}) || !f.Remove(Entry{ID: 3}) {
		t.Error("cannot remove all of a host, one beyond the limit among them")
	}
	check(t, f)
	e, err := f.Next(t.Context())
	if err != nil || e.ID != 4 {
		t.Fatalf("got %+v, %v", e, err)
	}
	if f.Remove(Entry{ID: 4}) {
		t.Error("took out an entry in flight")
	}
	f.Done(e, Outcome{})
	if got := drain(t, f); got != nil {
		t.Errorf("left over: %v", got)
	}
}

// Whatever is done in whatever order, the structure holds.
func TestInvariants(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(3, 4))
		f := polite(fetch.Pace{Delay: time.Millisecond, PerHost: 2}, nil, Config{})
		var leased []Entry
		entry := func() Entry {
			id := uint64(rnd.IntN(300))
			return Entry{id, fmt.Sprint(id % 9), rnd.Float64(), rnd.IntN(6), uint16(id % 7 % 3), int8(rnd.IntN(4)) - 2}
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
				if len(leased) > 0 && rnd.IntN(3) == 0 {
					f.Release(leased[rnd.IntN(len(leased))], Outcome{})
				} else if len(leased) > 0 {
					f.Done(leased[0], Outcome{Failed: rnd.IntN(9) == 0, Slow: rnd.IntN(20) == 0})
					leased = leased[1:]
				}
			case 8:
				f.Retry(entry(), time.Now().Add(time.Duration(rnd.IntN(50))*time.Millisecond))
			case 9:
				f.Remove(entry())
			case 10:
				f.SetDepth(rnd.IntN(7) - 1)
			case 11:
				switch rnd.IntN(10) {
				case 0, 1:
					f.Rescore(func(id uint64, old Entry) (int8, float64, bool) { return int8(id % 3), float64(id), id%50 != 0 })
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

// polite returns a frontier that asks every host with a pace, by a clock (nil = time.Now).
func polite(p fetch.Pace, now func() time.Time, c Config) *Frontier {
	c.Limiter = fetch.NewHostLimiter(func(string) fetch.Pace { return p }, now, nil)
	return New(c)
}
