//go:build unix

package remote

import (
	"context"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// snapshots waits for n of the engine's snapshots.
func (x *site) snapshots(n int) {
	snaps, end := x.b.Subscribe()
	defer end()
	for range n {
		<-snaps
	}
}

// TestTraffic measures what a 120×40 workbench costs the line, SSH's own bytes
// included.
func TestTraffic(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time; -short leaves it out")
	}
	x := newSite(t, Limits{})
	for _, u := range x.b.TenderLists(3) {
		if _, err := x.b.Topic.AddSample(context.Background(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
	if err := x.b.Words(context.Background()); err != nil {
		t.Fatal(err)
	}
	// Terms that are found after a run would be something to show.
	if err := x.b.Settings.Change("no proposals", func(s *config.Settings) { s.Terms.Propose = false }); err != nil {
		t.Fatal(err)
	}
	w := x.workbench(x.attach("li"), 120, 40)
	w.press("4")
	w.sees("[4 Crawl]")
	x.snapshots(2) // until the answers to the keys have come

	before, begun := x.wire.Load(), time.Now()
	if err := x.b.As("li").Runs.StartDiscovery(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "it runs", func() bool { return x.b.Snapshot().State == view.Running })
	waitFor(t, "it has ended", func() bool { return x.b.Snapshot().State == view.Idle })
	took := time.Since(begun).Seconds()
	rate := float64(x.wire.Load()-before) / took
	fetched := x.b.Snapshot().Counts.Complete
	t.Logf("watching a crawl of %.0f pages/s for %.1f s: %.1f KB/s", float64(fetched)/took, took, rate/1e3)
	if rate > 40e3 {
		t.Errorf("%.1f KB/s, must be at most 40", rate/1e3)
	}

	sent := func() int64 {
		before := x.wire.Load()
		x.snapshots(2)
		return x.wire.Load() - before
	}
	for tries := 10; ; tries-- { // what the screens read after a run may be late
		if n := sent(); n == 0 {
			break
		} else if tries == 0 {
			t.Fatalf("%d bytes were sent while nothing changed", n)
		}
	}

	// The status line counts the seconds since what wang did: it alone changes.
	w.press("2")
	w.sees("[2 Features]")
	if err := x.b.As("wang").Labels.SetJudge("rule"); err != nil {
		t.Fatal(err)
	}
	w.sees("by wang, ")
	// Now and then something else comes with it: the middle of five counts.
	var each []int64
	for len(each) < 5 {
		before := x.wire.Load()
		waitFor(t, "the next second", func() bool { return x.wire.Load() > before })
		each = append(each, x.wire.Load()-before)
	}
	slices.Sort(each)
	t.Logf("only the status line changes: %d B", each)
	if rate := 4.5 * float64(each[2]); rate > 1e3 {
		t.Errorf("at 4.5 Hz these are %.0f B/s, must be at most 1000", rate)
	}
}

// TestTenSessions measures the processor time of ten workbenches that watch a
// crawl, their clients included.
func TestTenSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time; -short leaves it out")
	}
	x := newSite(t, Limits{})
	if err := x.b.Words(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := x.b.Settings.SetWorkers(1); err != nil {
		t.Fatal(err)
	}
	if err := x.b.Runs.StartDiscovery(); err != nil {
		t.Fatal(err)
	}
	x.b.Runs.Pause()
	waitFor(t, "it is paused", func() bool { return x.b.Snapshot().State == view.Paused })
	// measure steps the crawl, one page a snapshot, so that every frame differs.
	measure := func() float64 {
		begun, cpu := time.Now(), cpuTime()
		for range 20 {
			x.b.Runs.Step()
			x.snapshots(2)
		}
		return (cpuTime() - cpu).Seconds() / time.Since(begun).Seconds()
	}
	alone := measure()
	for range 10 {
		w := x.workbench(x.attach("li"), 120, 40)
		w.press("4")
		w.sees("[4 Crawl]")
	}
	x.snapshots(2)
	with := measure()
	t.Logf("ten sessions cost %.1f %% of one core (%.1f %% with them, %.1f %% without)", 100*(with-alone), 100*with, 100*alone)
	if with-alone > .5 {
		t.Errorf("ten sessions cost %.0f %% of one core, must be at most 50", 100*(with-alone))
	}
}

// TestTenSessionsAtFullSpeed measures the same of a crawl that runs as fast as
// it can: what a page of the demo web costs with ten workbenches that watch,
// their clients included, less what it costs alone, over two thousand pages each
// time. The sessions' share is of the time that the watched crawl took.
func TestTenSessionsAtFullSpeed(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time; -short leaves it out")
	}
	// Each crawl has a test of its own, so that nothing is left of the one before.
	var alone, with, rate float64
	const runs, pages, warmUp = 2, 2000, 300
	for turn := range 2*runs + 1 {
		t.Run(strconv.Itoa(turn), func(t *testing.T) {
			sessions := 10 * (1 - turn%2)
			x := newSite(t, Limits{})
			for _, u := range x.b.TenderLists(3) {
				if _, err := x.b.Topic.AddSample(context.Background(), u, ""); err != nil {
					t.Fatal(err)
				}
			}
			if err := x.b.Words(context.Background()); err != nil {
				t.Fatal(err)
			}
			for i := range sessions {
				w := x.workbench(x.attach("li"), 120, 40)
				w.press(strconv.Itoa(4 + i%2))
				w.sees([]string{"[4 Crawl]", "[5 Harvest]"}[i%2])
			}
			x.snapshots(2)
			runtime.GC() // what came before is not this crawl's
			most := pages
			if turn == 0 {
				most = warmUp
			}
			begun, cpu := time.Now(), cpuTime()
			sum, err := x.b.Runs.Discover(context.Background(), run.Options{MaxPages: most})
			if err != nil {
				t.Fatal(err)
			}
			if sum.Fetched < most {
				t.Fatalf("%d pages were fetched, %d are measured", sum.Fetched, most)
			}
			n := float64(sum.Fetched)
			page, speed := (cpuTime()-cpu).Seconds()/n, n/time.Since(begun).Seconds()
			t.Logf("%d sessions: %.2f ms of processor a page at %.0f pages/s", sessions, 1e3*page, speed)
			switch {
			case turn == 0: // has warmed up what is used by all
			case sessions == 0:
				alone += page / runs
			default:
				with, rate = with+page/runs, rate+speed/runs
			}
		})
	}
	share := (with - alone) * rate
	t.Logf("ten sessions cost %.1f %% of one core while %.0f pages/s are fetched", 100*share, rate)
	if share > .5 {
		t.Errorf("ten sessions cost %.0f %% of one core, must be at most 50", 100*share)
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
