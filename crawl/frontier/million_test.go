//go:build unix

package frontier

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Ten million entries wait in bounded memory. ANGLER_MILLION=10 sets how many
// millions; without it, a fifth of one.
func TestTenMillion(t *testing.T) {
	n := million / 5
	if v := os.Getenv("ANGLER_MILLION"); v != "" {
		if _, err := fmt.Sscan(v, &n); err != nil {
			t.Fatal(err)
		}
		n *= million
	} else if testing.Short() {
		t.Skip("a frontier on disk takes seconds: not in -short")
	}
	budget := min(defaultBudget, n/10)
	for _, hosts := range []int{thousand, 1} {
		t.Run(fmt.Sprintf("%d hosts", hosts), func(t *testing.T) {
			b := newBacklog(t)
			f := New(Config{Backlog: b, Budget: budget})
			defer f.Close()
			rnd := rand.New(rand.NewPCG(1, 2))
			start, cpu := time.Now(), cpuTime()
			batch := make([]Entry, 50)
			worst := time.Duration(0)
			for i := 0; i < n; i += len(batch) {
				for j := range batch {
					batch[j] = Entry{ID: uint64(i + j + 1), Host: benchHosts[rnd.IntN(hosts)], Priority: rnd.Float64(), Depth: rnd.IntN(6)}
				}
				at := time.Now()
				f.Push(batch...)
				worst = max(worst, time.Since(at))
			}
			settle(f)
			push, cpu := time.Since(start)/time.Duration(n), (cpuTime()-cpu)/time.Duration(n)
			if f.Len() != n {
				t.Fatalf("%d entries wait, want %d", f.Len(), n)
			}
			v := f.View(0, 1)
			t.Logf("%d pushes: %v each, %v of CPU, the slowest batch of 50 %v; %d on disk, file %d MB", n, push, cpu, worst.Round(time.Millisecond), v.OnDisk, b.Size()>>20)
			t.Log(memory())
			heap := heapMB()
			start, cpu, worst = time.Now(), cpuTime(), 0
			pops := min(n/5, million/2)
			late, last := 0, map[string]float64{}
			for i := range pops {
				at := time.Now()
				e, err := f.Next(t.Context())
				must(t, err)
				worst = max(worst, time.Since(at))
				if p, ok := last[e.Host]; ok && e.Priority > p {
					late++
				}
				last[e.Host] = e.Priority
				f.Push(Entry{ID: uint64(n + i + 1), Host: e.Host, Priority: e.Priority * rnd.Float64()})
				f.Done(e, Outcome{})
			}
			t.Logf("%d times Next, Push, Done: %v each, %v of CPU, the slowest Next %v", pops, time.Since(start)/time.Duration(pops), (cpuTime()-cpu)/time.Duration(pops), worst.Round(time.Microsecond))
			t.Log(memory())
			if late > 0 {
				t.Errorf("%d entries came after worse ones of their host", late)
			}
			if f.Len() != n {
				t.Errorf("%d entries wait, want %d", f.Len(), n)
			}
			if limit := 60 + 4*float64(n)/million + 400*float64(budget)/million; heap > limit {
				t.Errorf("%.0f MB of heap for %d entries, want at most %.0f", heap, n, limit)
			}
		})
	}
}

// cpuTime is what the process used, which a busy machine changes less than the
// clock.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func heapMB() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

// memory describes what the process holds after a collection.
func memory() string {
	debug.FreeOSMemory()
	out := fmt.Sprintf("heap %.0f MB", heapMB())
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return out
	}
	for line := range strings.Lines(string(b)) {
		if k, v, _ := strings.Cut(line, ":"); k == "VmRSS" || k == "RssAnon" || k == "RssFile" {
			out += ", " + k + " " + strings.TrimSpace(v)
		}
	}
	return out
}
