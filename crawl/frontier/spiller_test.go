package frontier

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl/fetch"
	"angler/store"
)

// settle waits until nothing is on its way from disk.
func settle(f *Frontier) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.spiller.working {
		f.spiller.turned.Wait()
	}
}

// pass lets time of the bubble go by, and what is due by then happen to the end:
// retries and resting hosts come back.
func pass(d time.Duration) {
	<-time.After(d)
	synctest.Wait()
}

// A frontier with room for almost nothing hands out what one with room for
// everything does, in the same order, whatever is done in whatever order.
func TestBacklogChangesNothing(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			b := newBacklog(t)
			synctest.Test(t, func(t *testing.T) { sameAsInMemory(t, b, seed) })
		})
	}
}

func sameAsInMemory(t *testing.T, b backlogFile, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 4))
	want, got := polite(fetch.Pace{PerHost: 2}, nil, Config{}), polite(fetch.Pace{PerHost: 2}, nil, Config{Backlog: b, Budget: 40 + int(seed)*30})
	defer got.Close()
	both := func(do func(f *Frontier)) { do(want); do(got); settle(got) }
	var leased []Entry
	ids := uint64(0)
	known := func() Entry {
		id := uint64(rnd.Int64N(int64(ids)+1)) + 1
		return Entry{id, fmt.Sprint(id % 5), rnd.Float64(), rnd.IntN(6), uint16(id % 3), int8(rnd.IntN(4)) - 2}
	}
	next := func() bool {
		a, errA := want.Next(t.Context())
		b, errB := got.Next(t.Context())
		settle(got)
		if a != b || !errors.Is(errB, errA) {
			t.Fatalf("got %+v %v, want %+v %v", b, errB, a, errA)
		}
		leased = append(leased, a)
		return errA == nil
	}
	onDisk := 0
	for step := range 1500 {
		switch rnd.IntN(16) {
		case 0, 1, 2, 3, 4:
			var es []Entry
			for range 4 {
				ids++
				es = append(es, Entry{ids, fmt.Sprint(ids % 5), rnd.Float64(), rnd.IntN(6), uint16(ids % 3), int8(rnd.IntN(4)) - 2})
			}
			both(func(f *Frontier) { f.Push(es...) })
		case 5:
			e := known()
			both(func(f *Frontier) { f.Push(e) })
		case 6, 7, 8:
			if len(want.hosts.ready) > 0 {
				next()
			}
		case 9, 10, 11:
			if len(leased) > 0 {
				e, o := leased[0], Outcome{Failed: rnd.IntN(9) == 0}
				leased = leased[1:]
				if rnd.IntN(9) == 0 {
					at := time.Now().Add(time.Duration(rnd.IntN(3)) * time.Second)
					both(func(f *Frontier) { f.Retry(e, at) })
				}
				both(func(f *Frontier) { f.Done(e, o) })
			}
		case 12:
			e := known()
			a, b := want.Remove(e), got.Remove(e)
			if a != b {
				t.Fatalf("Remove: %v, want %v", b, a)
			}
		case 13:
			d := rnd.IntN(8) - 1
			both(func(f *Frontier) { f.SetDepth(d) })
		case 14:
			if len(leased) > 0 {
				e, c, p := leased[len(leased)-1], int8(rnd.IntN(4))-2, rnd.Float64()
				a, b := want.Defer(e, c, p), got.Defer(e, c, p)
				if settle(got); a != b {
					t.Fatalf("Defer: %v, want %v", b, a)
				} else if a {
					leased = leased[:len(leased)-1]
				}
			}
		case 15:
			switch rnd.IntN(12) {
			case 0, 1, 2:
				pass(time.Second)
				both(func(f *Frontier) { f.View(0, 0) })
			}
		}
		settle(got)
		check(t, want)
		check(t, got)
		a, b := want.View(3, 9), got.View(3, 9)
		onDisk = max(onDisk, b.OnDisk)
		if a.Waiting != b.Waiting || a.Beyond != b.Beyond || a.Busy != b.Busy || want.Len() != got.Len() || len(a.Top) > 0 && a.Top[0] != b.Top[0] {
			t.Fatalf("step %d: view %+v, want %+v", step, b, a)
		}
		for _, h := range b.Hosts {
			i := slices.IndexFunc(a.Hosts, func(x hostStat) bool { return x.Host == h.Host })
			h.OnDisk = 0
			if i < 0 || a.Hosts[i] != h {
				t.Fatalf("step %d: host %+v, want %+v", step, h, a.Hosts)
			}
		}
	}
	if onDisk < 100 {
		t.Fatalf("no more than %d entries were on disk: the test tests nothing", onDisk)
	}
	both(func(f *Frontier) { f.SetDepth(-1) })
	for _, e := range leased {
		both(func(f *Frontier) { f.Done(e, Outcome{}) })
	}
	for leased = nil; next(); {
		e := leased[0]
		leased = nil
		both(func(f *Frontier) { f.Done(e, Outcome{}) })
	}
}

// Workers that hurry neither lose nor double an entry, whatever the spiller is
// about to bring; equal priorities keep the order of their first push.
func TestBacklogUnderWorkers(t *testing.T) {
	const n = 4000
	f := polite(fetch.Pace{PerHost: 4}, nil, Config{Backlog: newBacklog(t), Budget: 50})
	defer f.Close()
	var mu sync.Mutex
	seen := map[uint64]int{}
	f.Push(Entry{ID: 1, Host: "1"})
	var wg sync.WaitGroup
	for range 8 {
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
				seen[e.ID]++
				mu.Unlock()
				for child := 4*e.ID - 2; child <= 4*e.ID+1 && child <= n; child++ {
					f.Push(Entry{ID: child, Host: fmt.Sprint(child % 3), Priority: float64(child * 7 % 5), Depth: int(child % 4), Queue: uint16(child % 2)})
				}
				f.Done(e, Outcome{})
			}
		})
	}
	wg.Wait()
	settle(f)
	check(t, f)
	for id := uint64(1); id <= n; id++ {
		if seen[id] != 1 {
			t.Errorf("entry %d was handed out %d times", id, seen[id])
		}
	}
	if len(seen) != n {
		t.Errorf("%d entries, want %d", len(seen), n)
	}
}

func TestBacklogKeepsTurns(t *testing.T) {
	f := New(Config{Backlog: newBacklog(t), Budget: 20})
	defer f.Close()
	var want []uint64
	for id := uint64(1); id <= 2000; id++ {
		f.Push(Entry{ID: id * 3, Host: "a", Priority: 1})
		want = append(want, id*3)
	}
	if f.View(0, 0).OnDisk < 1900 {
		t.Fatal("too little is on disk")
	}
	if got := drain(t, f); !slices.Equal(got, want) {
		t.Errorf("equal priorities came in another order than they were pushed")
	}
}

// What comes back from disk is ranked by the score of now; what it does not keep
// is gone.
func TestBacklogAsksForScores(t *testing.T) {
	flip := false
	f := New(Config{Backlog: newBacklog(t), Budget: 20, Score: func(id uint64, old Entry) (int8, float64, bool) {
		if old.ID != id || old.Host != "a" || old.Depth != int(id%4) || old.Queue != 1 || old.Class != Revisit {
			t.Errorf("score sees %+v for %d", old, id)
		}
		if flip {
			return old.Class, -float64(id), id%10 != 0
		}
		return old.Class, old.Priority, true
	}})
	defer f.Close()
	for id := uint64(1); id <= 1000; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: float64(id), Depth: int(id % 4), Queue: 1, Class: Revisit})
	}
	settle(f)
	flip = true
	dropped := f.Rescore(f.cfg.Score)
	settle(f)
	if dropped == 0 || dropped > 10 {
		t.Errorf("%d dropped in memory", dropped)
	}
	seen := map[uint64]bool{}
	for _, id := range drain(t, f) {
		if seen[id] || id%10 == 0 {
			t.Fatalf("%d came out twice or was to be dropped", id)
		}
		seen[id] = true
	}
	if len(seen) != 900 {
		t.Errorf("%d came out, want 900", len(seen))
	}
}

// failing is a disk that is full for a while.
type failing struct {
	backlogFile
	mu   sync.Mutex
	full bool
}

var errFull = errors.New("no space left on device")

func (d *failing) Exchange(put []store.BacklogRow, take []store.TakeBacklog) ([]store.BacklogTaken, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.full {
		return nil, errFull
	}
	return d.backlogFile.Exchange(put, take)
}

func (d *failing) set(full bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = full
}

// A full disk stops the frontier with its reason, and Resume goes on without a
// loss once there is room.
func TestBacklogOnAFullDisk(t *testing.T) {
	d := &failing{backlogFile: newBacklog(t)}
	f := New(Config{Backlog: d, Budget: 20})
	defer f.Close()
	for id := uint64(1); id <= 300; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: float64(id * 31 % 300)})
	}
	settle(f)
	d.set(true)
	var got []uint64
	for {
		e, err := f.Next(t.Context())
		if err != nil {
			if !errors.Is(err, ErrBacklog) || !errors.Is(err, errFull) {
				t.Fatalf("got %v", err)
			}
			break
		}
		got = append(got, e.ID)
		f.Done(e, Outcome{})
	}
	for id := uint64(301); id <= 600; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: -float64(id)}) // must not block
	}
	check(t, f)
	if v := f.View(0, 0); !strings.HasPrefix(v.Idle, ErrBacklog.Error()) || v.Waiting != 600-len(got) {
		t.Errorf("%d waiting, %s", v.Waiting, v.Idle)
	}
	d.set(false)
	f.Resume()
	if got = append(got, drain(t, f)...); len(got) != 600 {
		t.Errorf("%d came out, want 600", len(got))
	}
	slices.Sort(got)
	if len(slices.Compact(got)) != 600 {
		t.Error("some came out twice")
	}
}

// Rows that the disk has lost are an error, not an endless wait.
func TestBacklogThatForgets(t *testing.T) {
	f := New(Config{Backlog: forgetful{}, Budget: 20})
	defer f.Close()
	for id := uint64(1); id <= 300; id++ {
		f.Push(Entry{ID: id, Host: "a", Priority: float64(id)})
	}
	for {
		e, err := f.Next(t.Context())
		if errors.Is(err, ErrBacklog) {
			return
		}
		must(t, err)
		f.Done(e, Outcome{})
	}
}

type forgetful struct{}

func (forgetful) Exchange(put []store.BacklogRow, take []store.TakeBacklog) ([]store.BacklogTaken, error) {
	out := make([]store.BacklogTaken, len(take))
	for i := range take {
		out[i].Heads = make([]store.BacklogHead, len(take[i].Lanes))
	}
	return out, nil
}
