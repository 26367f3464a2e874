//go:build unix

package sshd

import (
	"context"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/run"
	"angler/crawl/view"
)

// snapshots waits for n of the engine's snapshots.
func (x *site) snapshots(n int) {
	snaps, end := x.b.Subscribe()
	defer end()
	for range n {
		<-snaps
	}
}

// A workbench sends nothing while nothing changes.
func TestNothingIsSentWhileNothingChanges(t *testing.T) {
	t.Parallel() // it waits for snapshots, which are rare while nothing changes
	x := newCrawledSite(t, Limits{}, nil)
	w := x.workbench(x.attach("li"), 120, 40)
	w.press("4")
	w.sees("[4 Crawl]")
	waitFor(t, "two snapshots without a byte", func() bool { // the answers to the keys have come
		before := x.wire.Load()
		x.snapshots(2)
		return x.wire.Load() == before
	})
}

// BenchmarkTenSessions measures the cost of ten workbenches that watch a crawl, including their
// clients: the processor time of twenty snapshots, each after a step by one page, so that every
// frame differs, with and without them. The limit is half a core.
func BenchmarkTenSessions(b *testing.B) {
	x := newSite(b, Limits{})
	must(b, x.b.Words(context.Background()))
	must(b, x.b.Settings.SetWorkers(1))
	must(b, x.b.Runs.StartDiscovery())
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

// BenchmarkTenSessionsAtFullSpeed measures the same at full speed: the cost of a page of the demo
// web while ten workbenches watch, including their clients, and without them. The sessions' share
// of a core is the difference times the pages of a second.
//
//	go test ./tui/sshd -run '^$' -bench TenSessions -benchtime 1x -count 2
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
				must(b, x.b.Words(context.Background()))
				for i := range sessions {
					w := x.workbench(x.attach("li"), 120, 40)
					w.press(strconv.Itoa(4 + i%2))
					w.sees([]string{"[4 Crawl]", "[5 Harvest]"}[i%2])
				}
				x.snapshots(2)
				runtime.GC() // excludes earlier work
				begun, cpu := time.Now(), cpuTime()
				sum, err := x.b.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
				must(b, err)
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
