//go:build unix

package workers_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/crawl/workers"
	"angler/store"
	"angler/store/config"
)

// figuresHosts is how many hosts the generated web has; each is asked for one page at a
// time.
const figuresHosts = 100

// BenchmarkOwner crawls a generated web with 64 workers in a second program, and reports
// what a page costs the process of the owner: frontier, broker, taking up pages, scores,
// commits. The workers answer with the results of a first crawl, in which they had asked
// the sites. ANGLER_BENCH_PAGES sets another number of pages; a web of 2,000 has no list of tenders.
//
//	go test ./crawl/workers -run '^$' -bench Owner -benchtime 1x
func BenchmarkOwner(b *testing.B) {
	f := figures{pages: 10000}
	if n, err := strconv.Atoi(os.Getenv("ANGLER_BENCH_PAGES")); err == nil {
		f.pages = n
	}
	var err error
	if f.web, err = webtest.Demo(webtest.Options{Pages: f.pages, Hosts: figuresHosts}); err != nil {
		b.Fatal(err)
	}
	s, err := webtest.ServeSwift(f.web)
	must(b, err)
	defer s.Close()
	f.addr = s.Addr()
	file := f.record(b)
	for b.Loop() {
		f.crawl(b, crew{Recorded: file, Workers: 64, Slots: 16}, func(*workers.Broker) {})
	}
}

// figures is what the benchmark crawls.
type figures struct {
	web   *webtest.Web
	addr  string
	pages int
}

// record has workers ask the sites, and writes their results to a file.
func (f *figures) record(b *testing.B) (file string) {
	out, err := os.Create(filepath.Join(b.TempDir(), "recorded"))
	must(b, err)
	f.crawl(b, crew{Sites: f.addr, Workers: 64, Slots: 16}, func(br *workers.Broker) {
		conn, err := br.Connect()
		must(b, err)
		b.Cleanup(conn.Close)
		results, err := conn.Subscribe(workers.AllResults, func(m *nats.Msg) {
			if _, err := out.Write(append(binary.AppendUvarint(nil, uint64(len(m.Data))), m.Data...)); err != nil {
				b.Error(err)
			}
		})
		must(b, err)
		must(b, results.SetPendingLimits(-1, -1))
	})
	must(b, out.Close())
	return out.Name()
}

// crawl crawls with a crew, and reports what it cost; begun is told the broker before.
func (f *figures) crawl(b *testing.B, w crew, begun func(*workers.Broker)) {
	v, err := json.Marshal(w)
	must(b, err)
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), crewVar+"="+string(v)), os.Stderr
	in, err := c.StdinPipe()
	must(b, err)
	must(b, c.Start())
	e := openFigures(b, f.web, f.addr, f.pages)
	br, o := employ(b, e)
	begun(br)
	fmt.Fprintln(in, "nats://"+br.Addr(), br.Invitation())
	staffed(b, e, o, w.Workers)
	before := processor(b)
	s, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: f.pages})
	must(b, err)
	used := processor(b) - before
	done := 0
	for _, w := range o.Workers() {
		done += w.Done
	}
	b.ReportMetric(float64(used.Microseconds())/float64(s.Fetched), "owner-cpu-µs/page")
	b.ReportMetric(float64(s.Fetched)/s.Took.Seconds(), "pages/s")
	b.ReportMetric(float64(done)/float64(s.Fetched), "by-workers")
	b.ReportMetric(float64(s.Failed)/float64(s.Fetched), "failed")
	b.ReportMetric(float64(s.Notices)/float64(s.Fetched), "notices")
	b.ReportMetric(peak(b), "MB-peak")
	must(b, e.Close())
	in.Close()
	if err := c.Wait(); err != nil {
		b.Error(err)
	}
}

func openFigures(b *testing.B, web *webtest.Web, addr string, pages int) *crawl.Engine {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "ws")
	set := config.Default()
	set.Seeds = web.Seeds()
	set.Crawl.Delay, set.Crawl.Depth = 0, 50
	set.Store.ExpectedURLs = max(1000, 2*pages)
	must(b, store.Create(dir, set))
	e, err := crawl.Open(context.Background(), dir, crawl.Options{Dial: webtest.DialTo(addr)})
	must(b, err)
	sampleLists(b, e, web)
	return e
}

func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that the process has held, in MB; 0 where that is not told.
func peak(b *testing.B) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Logf("memory is unknown: %v", err)
	}
	return kB / 1024
}
