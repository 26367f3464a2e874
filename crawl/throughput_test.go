//go:build unix

package crawl_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/bench"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// The throughput benchmark crawls the web of `angler bench`. The site server is a
// process of its own on the same machine, so that it shares the processor but
// not the memory that is measured.
const (
	benchWorkers = 16
	// benchPages is what a run without the environment variable crawls.
	benchPages = 5_000
	// pagesVar sets the size of the web; 50000 is what must be reached.
	pagesVar = "ANGLER_BENCH_PAGES"
	// serveVar turns the test program into the site server; its value is the
	// number of pages.
	serveVar = "ANGLER_BENCH_SERVE"
)

func TestMain(m *testing.M) {
	if n := os.Getenv(serveVar); n != "" {
		material, err := webtest.FindMaterial()
		if err == nil {
			err = bench.Child(context.Background(), material, []string{"site", "-pages", n}, os.Stdin, os.Stdout)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// startWeb starts the site server and returns its address.
func startWeb(b *testing.B, pages int) string {
	b.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", serveVar, pages))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
	})
	var first struct{ Addr string }
	if err := json.NewDecoder(out).Decode(&first); err != nil {
		b.Fatal(err)
	}
	return first.Addr
}

// benchWeb is the web of a benchmark, of as many pages as the environment says.
func benchWeb(b *testing.B) (web *webtest.Web, pages int) {
	pages = benchPages
	if n, err := strconv.Atoi(os.Getenv(pagesVar)); err == nil {
		pages = n
	}
	material, err := webtest.FindMaterial()
	if err != nil {
		b.Fatal(err)
	}
	if web, err = bench.Web(material, pages); err != nil {
		b.Fatal(err)
	}
	return web, pages
}

// BenchmarkThroughput crawls a generated web whole and stores everything, and
// beside it runs the plainest crawler there is over the same web. Crawlers here
// share a process, for profiles; for figures to compare run angler bench. It
// reports pages/s of both and their ratio, the processor time of a page (the
// figure to compare on a busy machine), the highest resident memory and the
// bytes of database a page. An iteration is one crawl, so run it with
//
//	ANGLER_BENCH_PAGES=50000 go test ./crawl -run '^$' -bench Throughput -benchtime 1x
//
// There is no delay, and one connection a host as ever.
func BenchmarkThroughput(b *testing.B) {
	web, pages := benchWeb(b)
	addr := startWeb(b, pages)
	for b.Loop() {
		resetPeak()
		cpu := processorTime(b)
		rate := crawlWhole(b, web, addr, pages)
		used := processorTime(b)
		b.ReportMetric(bench.Resident(os.Getpid(), "VmHWM"), "MB-peak")
		start := time.Now()
		plain := float64(bench.Bare(context.Background(), web, addr, benchWorkers, pages)) / time.Since(start).Seconds()
		b.ReportMetric(float64((used-cpu).Microseconds())/float64(pages), "cpu-µs/page")
		b.ReportMetric(float64((processorTime(b)-used).Microseconds())/float64(pages), "plain-cpu-µs/page")
		b.ReportMetric(rate, "pages/s")
		b.ReportMetric(plain, "plain-pages/s")
		b.ReportMetric(rate/plain, "ratio")
	}
}

// crawlWhole runs a discovery in a new workspace and returns pages a second.
func crawlWhole(b *testing.B, web *webtest.Web, addr string, pages int) float64 {
	dir := filepath.Join(b.TempDir(), "ws")
	e, s := crawlInto(b, dir, web, addr, pages)
	stored := e.Workspace().Counts().Pages
	b.ReportMetric(bench.Resident(os.Getpid(), "RssFile"), "MB-of-files")
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "crawl.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(info.Size())/float64(stored), "db-B/page")
	return float64(s.Fetched) / s.Took.Seconds()
}

// crawlInto runs a discovery in a new workspace, which stays open.
func crawlInto(b *testing.B, dir string, web *webtest.Web, addr string, pages int) (*crawl.Engine, run.Summary) {
	if err := bench.Workspace(dir, web, pages, benchWorkers); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	e, err := bench.Prepare(ctx, dir, addr, web)
	if err != nil {
		b.Fatal(err)
	}
	s, err := e.Runs.Discover(ctx, run.Options{MaxPages: pages})
	if err != nil {
		b.Fatal(err)
	}
	if s.Pages < pages*9/10 || s.Aggregations == 0 {
		b.Fatalf("the crawl brought home %d of %d pages, %d aggregation pages", s.Pages, pages, s.Aggregations)
	}
	return e, s
}

// processorTime is what the process has used of all cores, kernel included. On
// a busy machine it says more than the time on the clock.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resetPeak makes the kernel count the highest resident memory anew; where it
// cannot, the peak is that of the whole process.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// BenchmarkFields crawls the web of BenchmarkThroughput with the values of notices and the
// check of what they are, and without, by turns in changing order. It reports the
// processor time of a page with both, from the beginning of the discovery to its end, and
// by how much the first is more. An iteration is two crawls:
//
//	ANGLER_BENCH_PAGES=3000 go test ./crawl -run '^$' -bench Fields -benchtime 6x
func BenchmarkFields(b *testing.B) {
	web, pages := benchWeb(b)
	addr := startWeb(b, pages)
	used := map[bool]time.Duration{}
	crawls := 0
	for b.Loop() {
		for _, with := range []bool{crawls%2 == 0, crawls%2 != 0} {
			used[with] += discoveryTime(b, web, addr, pages, with)
		}
		crawls++
	}
	for with, name := range map[bool]string{true: "cpu-µs/page", false: "cpu-µs/page-without"} {
		b.ReportMetric(float64(used[with].Microseconds())/float64(crawls*pages), name)
	}
	b.ReportMetric(100*(float64(used[true])/float64(used[false])-1), "%-more")
}

// discoveryTime is the processor time of a discovery in a new workspace, whose notices have
// values and are checked, or not.
func discoveryTime(b *testing.B, web *webtest.Web, addr string, pages int, fields bool) time.Duration {
	dir := filepath.Join(b.TempDir(), "ws")
	if err := bench.Workspace(dir, web, pages, benchWorkers); err != nil {
		b.Fatal(err)
	}
	w, err := store.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(w.ChangeSettings(func(s *config.Settings) {
		if !fields {
			s.Harvest.Fields, s.Harvest.Check = "none", false
		}
	}), w.Close()); err != nil {
		b.Fatal(err)
	}
	e, err := bench.Prepare(context.Background(), dir, addr, web)
	if err != nil {
		b.Fatal(err)
	}
	runtime.GC()
	before := processorTime(b)
	s, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
	took := processorTime(b) - before
	if err := errors.Join(err, e.Close()); err != nil || s.Pages < pages*9/10 || s.Notices == 0 {
		b.Fatalf("%+v, %v", s, err)
	}
	return took
}
