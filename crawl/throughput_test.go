package crawl_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// The throughput benchmark crawls a generated web of 20 university hosts:
// pages of 11 KB with 46 links, half of the hosts in GBK. The site server is a
// process of its own on the same machine, so that it shares the processor but
// not the memory that is measured.
const (
	benchHosts   = 20
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
	if n, err := strconv.Atoi(os.Getenv(serveVar)); err == nil {
		if err := serveWeb(n); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func benchWeb(pages int) (*webtest.Web, error) {
	return webtest.Demo(webtest.Options{Pages: pages, Hosts: benchHosts})
}

// serveWeb prints its address and serves until standard input ends.
func serveWeb(pages int) error {
	web, err := benchWeb(pages)
	if err != nil {
		return err
	}
	s, err := webtest.ServeSwift(web)
	if err != nil {
		return err
	}
	fmt.Println(s.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
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
	var addr string
	if _, err := fmt.Fscanln(out, &addr); err != nil {
		b.Fatal(err)
	}
	return addr
}

// BenchmarkThroughput crawls a generated web whole and stores everything, and
// beside it runs the plainest crawler there is over the same web: net/http,
// html.Parse, a map of what was seen, nothing judged and nothing stored. It
// reports pages/s of both and their ratio, the processor time of a page (the
// figure to compare on a busy machine), the highest resident memory and the
// bytes of database a page. An iteration is one crawl, so run it with
//
//	ANGLER_BENCH_PAGES=50000 go test ./crawl -run '^$' -bench Throughput -benchtime 1x
//
// There is no delay, and one connection a host as ever.
func BenchmarkThroughput(b *testing.B) {
	pages := benchPages
	if n, err := strconv.Atoi(os.Getenv(pagesVar)); err == nil {
		pages = n
	}
	web, err := benchWeb(pages)
	if err != nil {
		b.Fatal(err)
	}
	addr := startWeb(b, pages)
	for b.Loop() {
		resetPeak()
		cpu := processorTime(b)
		rate := crawlWhole(b, web, addr, pages)
		used := processorTime(b)
		b.ReportMetric(residentMB(b, "VmHWM"), "MB-peak")
		plain := plainCrawl(b, web, addr, pages)
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
	b.ReportMetric(residentMB(b, "RssFile"), "MB-of-files")
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
	set := config.Default()
	set.Seeds = web.Seeds()
	set.Crawl.Delay, set.Crawl.Workers, set.Crawl.Depth = 0, benchWorkers, 50
	set.Store.ExpectedURLs = max(1000, 2*pages)
	if err := store.Create(dir, set); err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	e, err := crawl.Open(ctx, dir, crawl.Options{Dial: webtest.DialTo(addr)})
	if err != nil {
		b.Fatal(err)
	}
	for _, u := range tenderLists(web, 3) {
		if _, err := e.Topic.AddSample(ctx, u, ""); err != nil {
			b.Fatal(err)
		}
	}
	if err := e.Words(ctx); err != nil {
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

// tenderLists names n tender lists of different hosts.
func tenderLists(web *webtest.Web, n int) []string {
	var out []string
	hosts := map[string]bool{}
	for t := range web.Truths() {
		if host := urls.HostOf(t.URL); t.Tender && t.Type == "list" && !hosts[host] && len(t.Records) >= 10 {
			hosts[host] = true
			if out = append(out, t.URL); len(out) == n {
				break
			}
		}
	}
	return out
}

// plainCrawl is the yardstick. It stays on .test hosts and fetches up to pages.
func plainCrawl(b *testing.B, web *webtest.Web, addr string, pages int) float64 {
	tr := &http.Transport{DialContext: webtest.DialTo(addr), MaxIdleConnsPerHost: benchWorkers, MaxIdleConns: 400, DisableCompression: true}
	defer tr.CloseIdleConnections()
	q := &plainQueue{seen: map[string]struct{}{}, left: pages}
	q.wake.L = &q.mu
	for _, s := range web.Seeds() {
		u, err := url.Parse(s)
		if err != nil {
			b.Fatal(err)
		}
		q.add([]*url.URL{u})
	}
	start := time.Now()
	var wg sync.WaitGroup
	for range benchWorkers {
		wg.Go(func() {
			var body bytes.Buffer
			for u := q.next(); u != nil; u = q.next() {
				if res, err := tr.RoundTrip(&http.Request{Method: "GET", URL: u, Header: http.Header{"User-Agent": {"plain"}}}); err == nil {
					body.Reset()
					_, err = body.ReadFrom(res.Body)
					res.Body.Close()
					if err == nil {
						q.add(plainLinks(u, &body))
					}
				}
				q.done()
			}
		})
	}
	wg.Wait()
	return float64(pages-q.left) / time.Since(start).Seconds()
}

func plainLinks(base *url.URL, body io.Reader) (out []*url.URL) {
	root, err := html.Parse(body)
	if err != nil {
		return nil
	}
	for n := range root.Descendants() {
		if n.DataAtom != atom.A {
			continue
		}
		for _, a := range n.Attr {
			if a.Key != "href" {
				continue
			}
			if u, err := base.Parse(strings.TrimSpace(a.Val)); err == nil && u.Scheme == "http" && strings.HasSuffix(u.Host, ".test") {
				u.Fragment = ""
				out = append(out, u)
			}
		}
	}
	return out
}

// plainQueue is a first-in first-out frontier without politeness.
type plainQueue struct {
	mu   sync.Mutex
	wake sync.Cond
	q    []*url.URL
	seen map[string]struct{}
	busy int
	left int // pages that may still be fetched
}

func (p *plainQueue) add(list []*url.URL) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range list {
		s := u.String()
		if _, ok := p.seen[s]; !ok {
			p.seen[s] = struct{}{}
			p.q = append(p.q, u)
		}
	}
	p.wake.Broadcast()
}

func (p *plainQueue) next() *url.URL {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.q) == 0 && p.busy > 0 && p.left > 0 {
		p.wake.Wait()
	}
	if len(p.q) == 0 || p.left == 0 {
		return nil
	}
	u := p.q[0]
	p.q = p.q[1:]
	p.busy++
	p.left--
	return u
}

func (p *plainQueue) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	p.wake.Broadcast()
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

// residentMB reads one figure of resident memory: VmHWM is the highest since
// resetPeak, RssFile the part of it that is the mapped database and program,
// which the system takes back when others need it. 0 where it does not tell.
func residentMB(b *testing.B, field string) float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Logf("resident memory is unknown: %v", err)
		return 0
	}
	_, rest, _ := strings.Cut(string(status), field+":")
	var kB float64
	if _, err := fmt.Sscan(rest, &kB); err != nil {
		b.Logf("resident memory is unknown: %v", err)
	}
	return kB / 1024
}
