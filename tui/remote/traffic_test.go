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

	gossh "golang.org/x/crypto/ssh"

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

// BenchmarkTenSessions measures what ten workbenches that watch a crawl cost, their
// clients included: the processor time of twenty snapshots, each of a page that was
// stepped to, so that every frame differs, with them and without. At most half a core is
// asked for.
func BenchmarkTenSessions(b *testing.B) {
	x := newSite(b, Limits{})
	if err := x.b.Words(context.Background()); err != nil {
		b.Fatal(err)
	}
	if err := x.b.Settings.SetWorkers(1); err != nil {
		b.Fatal(err)
	}
	if err := x.b.Runs.StartDiscovery(); err != nil {
		b.Fatal(err)
	}
	x.b.Runs.Pause()
	waitFor(b, "it is paused", func() bool { return x.b.Snapshot().State == view.Paused })
	share := func() float64 {
		begun, cpu := time.Now(), cpuTime()
		for range 20 {
			x.b.Runs.Step()
			x.snapshots(2)
		}
		return (cpuTime() - cpu).Seconds() / time.Since(begun).Seconds()
	}
	for b.Loop() {
		alone := share()
		var watching []*gossh.Client
		for range 10 {
			c := x.attach("li")
			w := x.workbench(c, 120, 40)
			w.press("4")
			w.sees("[4 Crawl]")
			watching = append(watching, c)
		}
		x.snapshots(2)
		b.ReportMetric(share()-alone, "cores")
		for _, c := range watching {
			_ = c.Close()
		}
	}
}

// BenchmarkTenSessionsAtFullSpeed measures the same of crawls that run as fast as they
// can: what a page of the demo web costs while ten workbenches watch, their clients
// included, and what it costs alone. The share of a core that the sessions take is the
// difference by the pages of a second.
//
//	go test ./tui/remote -run '^$' -bench TenSessions -benchtime 1x -count 2
func BenchmarkTenSessionsAtFullSpeed(b *testing.B) {
	const pages = 2000
	for _, sessions := range []int{0, 10} {
		b.Run(strconv.Itoa(sessions), func(b *testing.B) {
			for b.Loop() {
				x := newSite(b, Limits{})
				for _, u := range x.b.TenderLists(3) {
					if _, err := x.b.Topic.AddSample(context.Background(), u, ""); err != nil {
						b.Fatal(err)
					}
				}
				if err := x.b.Words(context.Background()); err != nil {
					b.Fatal(err)
				}
				for i := range sessions {
					w := x.workbench(x.attach("li"), 120, 40)
					w.press(strconv.Itoa(4 + i%2))
					w.sees([]string{"[4 Crawl]", "[5 Harvest]"}[i%2])
				}
				x.snapshots(2)
				runtime.GC() // what came before is not this crawl's
				begun, cpu := time.Now(), cpuTime()
				sum, err := x.b.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
				if err != nil {
					b.Fatal(err)
				}
				if sum.Fetched < pages {
					b.Fatalf("%d pages were fetched, %d are measured", sum.Fetched, pages)
				}
				n := float64(sum.Fetched)
				b.ReportMetric((cpuTime()-cpu).Seconds()/n*1e6, "CPU-µs/page")
				b.ReportMetric(n/time.Since(begun).Seconds(), "pages/s")
			}
		})
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
