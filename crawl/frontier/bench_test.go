package frontier

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"angler/crawl/fetch"
)

const million, thousand = 1_000_000, 1_000

var benchHosts = func() (names []string) {
	for i := range thousand {
		names = append(names, fmt.Sprintf("www.dept%03d.example.test", i))
	}
	return names
}()

// full is a frontier of a million entries over a thousand hosts.
func full() *Frontier {
	f := New(Config{})
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(million) {
		f.Push(Entry{ID: i, Host: benchHosts[rnd.IntN(thousand)], Priority: rnd.Float64(), Depth: int(i % 7)})
	}
	return f
}

func BenchmarkPush(b *testing.B) {
	b.ReportAllocs()
	f := New(Config{})
	rnd := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(b.N) {
		f.Push(Entry{ID: i, Host: benchHosts[rnd.IntN(thousand)], Priority: rnd.Float64()})
	}
}

// BenchmarkNextDone hands out, pushes one back and releases, at a million.
func BenchmarkNextDone(b *testing.B) {
	f := full()
	rnd := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range uint64(b.N) {
		e, err := f.Next(ctx)
		must(b, err)
		f.Push(Entry{ID: million + i, Host: benchHosts[rnd.IntN(thousand)], Priority: rnd.Float64()})
		f.Done(e, Outcome{})
	}
}

// BenchmarkNextDoneAddresses is BenchmarkNextDone with fifty hosts on each address.
func BenchmarkNextDoneAddresses(b *testing.B) {
	f := polite(fetch.Pace{Address: 1}, nil, Config{})
	for i := range uint64(million) {
		f.Push(Entry{ID: i, Host: benchHosts[i%thousand], Priority: float64(i % 7919)})
	}
	ctx := context.Background()
	b.ReportAllocs()
	b.ResetTimer()
	for i := range uint64(b.N) {
		e, err := f.Next(ctx)
		must(b, err)
		f.Push(Entry{ID: million + i, Host: e.Host, Priority: float64(i % 7919)})
		f.Done(e, Outcome{Address: addr(int(e.Host[8]-'0')*2 + int(e.Host[10]-'0')%2)})
	}
}

func BenchmarkView(b *testing.B) {
	f := full()
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		if v := f.View(100, 200); len(v.Top) != 100 || len(v.Hosts) != 200 {
			b.Fatal("short view")
		}
	}
}

func BenchmarkRescore(b *testing.B) {
	f := full()
	b.ResetTimer()
	for range b.N {
		f.Rescore(func(id uint64, old Entry) (int8, float64, bool) { return old.Class, 1 - old.Priority, true })
	}
}

// A million entries fit into 100 MB.
func TestMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("a million entries take a second: not in -short")
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	f := full()
	runtime.GC()
	runtime.ReadMemStats(&after)
	perEntry := float64(after.HeapAlloc-before.HeapAlloc) / float64(f.Len())
	t.Logf("%.1f bytes an entry", perEntry)
	if perEntry > 100 {
		t.Errorf("%.1f bytes an entry, want at most 100", perEntry)
	}
}
