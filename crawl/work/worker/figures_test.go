package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/crawl/work/queue"
	"angler/crawl/work/worker"
	"angler/store"
	"angler/store/config"
)

// crewVar turns the test program into a site server and its workers until its standard
// input ends; its value is a crew as JSON. It prints the address of the sites first, and
// begins to work when it is told where.
const crewVar = "ANGLER_TEST_CREW"

type crew struct{ Pages, Workers, Slots int }

// figuresHosts is how many hosts the generated web has; each is asked for one page at a
// time.
const figuresHosts = 200

func figuresWeb(pages int) (*webtest.Web, error) {
	return webtest.Demo(webtest.Options{Pages: pages, Hosts: figuresHosts})
}

func workAsCrew(v string) error {
	var c crew
	if err := json.Unmarshal([]byte(v), &c); err != nil {
		return err
	}
	web, err := figuresWeb(c.Pages)
	if err != nil {
		return err
	}
	s, err := webtest.ServeSwift(web)
	if err != nil {
		return err
	}
	fmt.Println(s.Addr())
	var server, invitation string
	if _, err := fmt.Scanln(&server, &invitation); err != nil {
		return err
	}
	access, err := queue.ParseAccess(invitation)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range c.Workers {
		conn, err := nats.Connect(server, append(access.Options(), nats.MaxReconnects(-1))...)
		if err != nil {
			cancel()
			return err
		}
		all.Go(func() {
			defer conn.Close()
			name := fmt.Sprintf("w%02d", i)
			if err := worker.Run(ctx, worker.Config{Conn: conn, Name: name, Slots: c.Slots, Dial: webtest.DialTo(s.Addr()), Note: worker.Tell(io.Discard, name)}); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
			}
		})
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	cancel()
	all.Wait()
	return nil
}

// BenchmarkOwner crawls a generated web with 64 workers in a second program, and reports
// what a page costs the process of the owner: frontier, broker, taking up pages, scores,
// commits.
//
//	ANGLER_BENCH_PAGES=5000 go test ./crawl/work/worker -run '^$' -bench Owner -benchtime 1x
func BenchmarkOwner(b *testing.B) {
	pages := 2000
	if n, err := strconv.Atoi(os.Getenv("ANGLER_BENCH_PAGES")); err == nil {
		pages = n
	}
	web, err := figuresWeb(pages)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		v, err := json.Marshal(crew{Pages: pages, Workers: 64, Slots: 16})
		if err != nil {
			b.Fatal(err)
		}
		c := exec.Command(os.Args[0])
		c.Env, c.Stderr = append(os.Environ(), crewVar+"="+string(v)), os.Stderr
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
		var addr string
		if _, err := fmt.Fscanln(out, &addr); err != nil {
			b.Fatal(err)
		}
		e := openFigures(b, web, addr, pages)
		br, o := employ(b, e)
		fmt.Fprintln(in, "nats://"+br.Addr(), br.Invitation())
		staffed(b, e, o, 64)
		before := processor(b)
		s, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: pages})
		if err != nil {
			b.Fatal(err)
		}
		used := processor(b) - before
		done := 0
		for _, w := range o.Workers() {
			done += w.Done
		}
		b.ReportMetric(float64(used.Microseconds())/float64(s.Fetched), "owner-cpu-µs/page")
		b.ReportMetric(float64(s.Fetched)/s.Took.Seconds(), "pages/s")
		b.ReportMetric(float64(done)/float64(s.Fetched), "by-workers")
		b.ReportMetric(peak(b), "MB-peak")
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
		in.Close()
		if err := c.Wait(); err != nil {
			b.Error(err)
		}
	}
}

func openFigures(b *testing.B, web *webtest.Web, addr string, pages int) *crawl.Engine {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "ws")
	set := config.Default()
	set.Seeds = web.Seeds()
	set.Crawl.Delay, set.Crawl.Depth = 0, 50
	set.Store.ExpectedURLs = max(1000, 2*pages)
	if err := store.Create(dir, set); err != nil {
		b.Fatal(err)
	}
	e, err := crawl.Open(context.Background(), dir, crawl.Options{Dial: webtest.DialTo(addr)})
	if err != nil {
		b.Fatal(err)
	}
	sampleLists(b, e, web)
	return e
}

// sampleLists makes samples of lists of tenders of three hosts.
func sampleLists(b testing.TB, e *crawl.Engine, web *webtest.Web) {
	b.Helper()
	hosts := map[string]bool{}
	for t := range web.Truths() {
		if host := urls.HostOf(t.URL); t.Tender && t.Type == "list" && !hosts[host] && len(t.Records) >= 10 && len(hosts) < 3 {
			hosts[host] = true
			if _, err := e.Topic.AddSample(context.Background(), t.URL, ""); err != nil {
				b.Fatal(err)
			}
		}
	}
	if len(hosts) == 0 {
		b.Fatal("the web has no lists of tenders")
	}
	if err := e.Words(context.Background()); err != nil {
		b.Fatal(err)
	}
}

func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
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
