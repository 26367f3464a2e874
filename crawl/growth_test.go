//go:build unix

package crawl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"angler/crawl/frontier"
	"angler/crawl/linkorder"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// storedVar sets how many pages BenchmarkGrowth stores; 1000000 is what must
// be reached.
const storedVar = "ANGLER_BENCH_STORED"

// BenchmarkGrowth stores synthetic captures as a discovery does (the URL read,
// a commit for 256 of them, the index, the frontier) and compares what 2 000 of
// them cost at 10 000 stored pages and at the end. Every page has 45 links, of
// which two are new, so that the frontier is as large as what is stored. Pages
// are not fetched, parsed or segmented: that does not grow. It reports µs a page
// on the clock and of the processor at both sizes, their ratios, what is written
// to files, and the memory of the heap a stored page.
//
//	ANGLER_BENCH_STORED=1000000 go test ./crawl -run '^$' -bench Growth -benchtime 1x -timeout 1h
func BenchmarkGrowth(b *testing.B) {
	const small, measured = 10_000, 2_000
	large := 3 * small
	if n, err := strconv.Atoi(os.Getenv(storedVar)); err == nil {
		large = n
	}
	for b.Loop() {
		g := newGrowth(b, large)
		first := heapBytes()
		g.grow(b, small)
		atSmall := writtenKB(b)
		clock1, cpu1 := g.grow(b, measured)
		atSmall = writtenKB(b) - atSmall
		g.grow(b, large-small-measured)
		atEnd := writtenKB(b)
		clock2, cpu2 := g.grow(b, measured)
		atEnd = writtenKB(b) - atEnd
		for _, m := range []struct {
			value float64
			unit  string
		}{
			{clock1, "µs/page-at-10k"}, {clock2, "µs/page-at-end"}, {clock2 / clock1, "clock-ratio"},
			{cpu1, "cpu-µs/page-at-10k"}, {cpu2, "cpu-µs/page-at-end"}, {cpu2 / cpu1, "cpu-ratio"},
			{float64(heapBytes()-first) / float64(large), "heap-B/page"},
			{atSmall / measured, "KB-written/page-at-10k"}, {atEnd / measured, "KB-written/page-at-end"},
		} {
			b.ReportMetric(m.value, m.unit)
		}
		must(b, g.ws.Close())
	}
}

// writtenKB is what the process has written to files; 0 where the system does
// not tell.
func writtenKB(b *testing.B) float64 {
	io, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Logf("what is written is unknown: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(io), "wchar:")
	var n float64
	if _, err := fmt.Sscan(rest, &n); err != nil {
		b.Logf("what is written is unknown: %v", err)
	}
	return n / 1024
}

func heapBytes() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// growth is a discovery without its web.
type growth struct {
	ws       *store.Workspace
	front    *frontier.Frontier
	index    *topic.Index
	strategy linkorder.Strategy
	rand     *rand.Rand
}

const growthHosts = 400

func newGrowth(b *testing.B, pages int) *growth {
	dir := created(b, func(set *config.Settings) { set.Store.ExpectedURLs = 4 * pages })
	g := &growth{front: frontier.New(frontier.Config{}), index: topic.NewIndex(), rand: rand.New(rand.NewPCG(1, 2))}
	var err error
	if g.ws, err = store.Open(dir); err != nil {
		b.Fatal(err)
	}
	if g.strategy, err = linkorder.New(linkorder.Default, nil); err != nil {
		b.Fatal(err)
	}
	seeds := make([]string, growthHosts)
	for i := range seeds {
		seeds[i] = fmt.Sprintf("http://www.u%03d.test/info/1000/1.htm", i)
	}
	found, err := g.ws.Seed(seeds)
	must(b, err)
	g.admit(found)
	return g
}

func (g *growth) admit(found []store.Admission) {
	entries := make([]frontier.Entry, 0, len(found))
	for i := range found {
		u := &found[i].Row
		if u.State != store.Waiting {
			continue
		}
		t := linkorder.Target{ID: u.ID, URL: u.URL, Depth: u.Depth}
		for w := range u.Inlinks {
			t.Inlinks = append(t.Inlinks, linkorder.Inlink{Source: w.Source, Anchor: w.Anchor, Block: w.Block, AnchorScore: w.AnchorScore, Inherited: w.Inherited})
		}
		entries = append(entries, frontier.Entry{ID: u.ID, Host: urls.HostOf(u.URL), Priority: g.strategy.Value(&t), Depth: u.Depth})
	}
	g.front.Push(entries...)
}

// grow stores n more pages and returns µs a page on the clock and of the
// processor, the making of the pages left out.
func (g *growth) grow(b *testing.B, n int) (clock, cpu float64) {
	var onClock, ofCPU time.Duration
	timed := func(f func()) {
		start, used := time.Now(), processorTime(b)
		f()
		onClock += time.Since(start)
		ofCPU += processorTime(b) - used
	}
	for left := n; left > 0; {
		size := min(256, left)
		left -= size
		var taken []frontier.Entry
		var known []*store.URL
		timed(func() { taken, known = g.take(b, size) })
		batch, docs := make([]*store.Capture, len(taken)), make([]topic.Doc, len(taken))
		for i, u := range known {
			batch[i], docs[i] = g.page(u)
		}
		timed(func() {
			found, err := g.ws.Commit(nil, batch)
			must(b, err)
			g.admit(found)
			for i, e := range taken {
				g.index.Add(e.ID, docs[i])
				g.front.Done(e, frontier.Outcome{})
			}
		})
	}
	return float64(onClock.Microseconds()) / float64(n), float64(ofCPU.Microseconds()) / float64(n)
}

func (g *growth) take(b *testing.B, n int) (taken []frontier.Entry, known []*store.URL) {
	for range n {
		e, err := g.front.Next(context.Background())
		must(b, err)
		g.front.Release(e, frontier.Outcome{})
		u, err := g.ws.URL(e.ID)
		must(b, err)
		taken, known = append(taken, e), append(known, u)
	}
	return taken, known
}

// page makes the k-th page of a host: it links to the host's first 25 pages, to
// 18 near its own number, and to two without links to them.
func (g *growth) page(u *store.URL) (*store.Capture, topic.Doc) {
	host := u.URL[:strings.Index(u.URL, "/info/")]
	k, _ := strconv.Atoi(strings.TrimSuffix(u.URL[strings.LastIndexByte(u.URL, '/')+1:], ".htm"))
	c := &store.Capture{ID: u.ID, State: store.Complete, Page: &store.Page{URL: u.URL, Status: 200, Charset: "utf-8",
		Head: "某某大学采购项目公开招标公告-某某大学", Title: "某某大学采购项目公开招标公告", Fetched: time.Now(), Score: g.rand.Float64()}}
	link := func(n int) {
		c.Links = append(c.Links, store.Link{URL: fmt.Sprintf("%s/info/%d/%d.htm", host, 1000+n%50, n),
			Hints: store.Hints{Anchor: "某某大学采购项目公开招标公告", Block: "div.list>ul", AnchorScore: g.rand.Float64(), Inherited: .5}})
	}
	for i := 1; i <= 25; i++ {
		link(min(i, k))
	}
	for i := range 18 {
		link(max(1, k-i))
	}
	link(2 * k)
	link(2*k + 1)
	c.Body, c.Terms = make([]byte, 3000), make([]byte, 450)
	for _, b := range [][]byte{c.Body, c.Terms} {
		for i := range b {
			b[i] = byte(g.rand.Uint32())
		}
	}
	counts := map[uint32]uint32{}
	for range 150 {
		counts[uint32(math.Pow(200_000, g.rand.Float64()))]++
	}
	d := topic.Doc{URL: u.URL, Records: 10, Dated: k % 11}
	for id, n := range counts {
		d.Full = append(d.Full, topic.Term{ID: id, N: n})
	}
	slices.SortFunc(d.Full, func(a, b topic.Term) int { return int(a.ID) - int(b.ID) })
	d.List = d.Full[:min(20, len(d.Full))]
	return c, d
}
