//go:build unix

package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// The site server of the throughput benchmark is a process of its own on the same
// machine: it shares the processor but not the measured memory.
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
		if err := serveWeb(n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if where := os.Getenv(askVar); where != "" {
		if err := askAll(where); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// serveWeb prints the address of a site with n pages and serves it until standard
// input ends.
func serveWeb(n string) error {
	pages, err := strconv.Atoi(n)
	if err != nil {
		return err
	}
	web, err := generatedWeb(pages)
	if err != nil {
		return err
	}
	s, err := webtest.ServeSwift(web)
	if err != nil {
		return err
	}
	defer s.Close()
	fmt.Println(s.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// generatedWeb returns a web of about n pages, of 11 KB and 46 links each. It has 20
// hosts: half of them speak GBK, and with one connection a host all workers are busy.
func generatedWeb(n int) (*webtest.Web, error) {
	material, err := webtest.FindMaterial()
	if err != nil {
		return nil, err
	}
	m, err := webtest.Load(material)
	if err != nil {
		return nil, err
	}
	return webtest.New(m, webtest.Options{Pages: n, Hosts: 20, Plain: true})
}

// startWeb starts the site server and returns its address.
func startWeb(b *testing.B, pages int) string {
	b.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", serveVar, pages))
	c.Stderr = os.Stderr
	in, err := c.StdinPipe()
	must(b, err)
	out, err := c.StdoutPipe()
	must(b, err)
	must(b, c.Start())
	b.Cleanup(func() {
		in.Close()
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
	})
	var addr string
	must(b, errOf(fmt.Fscanln(out, &addr)))
	return addr
}

// benchWeb is the web of a benchmark, of as many pages as the environment says.
func benchWeb(b *testing.B) (web *webtest.Web, pages int) {
	pages = benchPages
	if n, err := strconv.Atoi(os.Getenv(pagesVar)); err == nil {
		pages = n
	}
	web, err := generatedWeb(pages)
	must(b, err)
	return web, pages
}

// newWorkspace makes a workspace for a discovery of the whole web, without delay.
func newWorkspace(b *testing.B, dir string, web *webtest.Web, pages int) {
	set := config.Default()
	set.Seeds = web.Seeds()
	set.Crawl.Delay, set.Crawl.Workers, set.Crawl.Depth = 0, benchWorkers, 50
	set.Store.ExpectedURLs = max(1000, 2*pages)
	must(b, store.Create(dir, set))
}

// openPrepared opens the workspace, adds three samples of the web and loads the
// words: all that comes before a discovery. The caller closes the engine.
func openPrepared(b *testing.B, dir, addr string, web *webtest.Web) *crawl.Engine {
	ctx := context.Background()
	e, err := crawl.Open(ctx, dir, crawl.Options{Dial: webtest.DialTo(addr)})
	must(b, err)
	samples := demo.TenderLists(web, 3)
	if len(samples) == 0 {
		b.Fatalf("no list of this web has ten entries; raise %s", pagesVar)
	}
	for _, u := range samples {
		addSample(b, e.Topic, u)
	}
	must(b, e.Words(ctx))
	return e
}

// resident reads one figure of the resident memory of this process, in MB: VmHWM is
// the peak, RssFile the mapped files, RssAnon the rest. It is 0 where the system does
// not tell.
func resident(field string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), field+":")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		return 0
	}
	return kB / 1024
}

// BenchmarkThroughput crawls a generated web whole and stores everything, and
// beside it runs the bare crawler over the same web. Both share a process. It
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
		b.ReportMetric(resident("VmHWM"), "MB-peak")
		start := time.Now()
		plain := float64(bare(web, addr, benchWorkers, pages)) / time.Since(start).Seconds()
		b.ReportMetric(float64((used-cpu).Microseconds())/float64(pages), "cpu-µs/page")
		b.ReportMetric(float64((processorTime(b)-used).Microseconds())/float64(pages), "plain-cpu-µs/page")
		b.ReportMetric(rate, "pages/s")
		b.ReportMetric(plain, "plain-pages/s")
		b.ReportMetric(rate/plain, "ratio")
	}
}

// crawlWhole runs a discovery in a new workspace and returns pages a second.
func crawlWhole(b *testing.B, web *webtest.Web, addr string, pages int) float64 {
	dir := b.TempDir()
	e, s := crawlInto(b, dir, web, addr, pages)
	stored := e.Workspace().Counts().Pages
	b.ReportMetric(resident("RssFile"), "MB-of-files")
	must(b, e.Close())
	info, err := os.Stat(filepath.Join(dir, "crawl.db"))
	must(b, err)
	b.ReportMetric(float64(info.Size())/float64(stored), "db-B/page")
	return float64(s.Fetched) / s.Took.Seconds()
}

// crawlInto runs a discovery in a new workspace, which stays open.
func crawlInto(b *testing.B, dir string, web *webtest.Web, addr string, pages int) (*crawl.Engine, run.Summary) {
	newWorkspace(b, dir, web, pages)
	e := openPrepared(b, dir, addr, web)
	s := discover(b, e.Runs, run.Options{MaxPages: pages})
	if s.Pages < pages*9/10 || s.Aggregations == 0 {
		b.Fatalf("the crawl brought home %d of %d pages, %d aggregation pages", s.Pages, pages, s.Aggregations)
	}
	return e, s
}

// processorTime is what the process has used of all cores, kernel included. On
// a busy machine it says more than the time on the clock.
func processorTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
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
	dir := b.TempDir()
	newWorkspace(b, dir, web, pages)
	w, err := store.Open(dir)
	must(b, err)
	must(b, errors.Join(w.ChangeSettings(func(s *config.Settings) {
		if !fields {
			s.Harvest.Fields, s.Harvest.Check = "none", false
		}
	}), w.Close()))
	e := openPrepared(b, dir, addr, web)
	runtime.GC()
	before := processorTime(b)
	s, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
	took := processorTime(b) - before
	if err := errors.Join(err, e.Close()); err != nil || s.Pages < pages*9/10 || s.Notices == 0 {
		b.Fatalf("%+v, %v", s, err)
	}
	return took
}
