package worker_test

import (
	"context"
	"encoding/binary"
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
	"github.com/nats-io/nats.go/jetstream"

	"angler/crawl"
	"angler/crawl/fetch"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/crawl/work/broker"
	"angler/crawl/work/queue"
	"angler/crawl/work/wire"
	"angler/crawl/work/worker"
	"angler/store"
	"angler/store/config"
)

// crewVar turns the test program into the workers of a benchmark until its standard input
// ends; its value is a crew as JSON. It begins to work when it is told where.
const crewVar = "ANGLER_TEST_CREW"

// crew is workers that ask the sites at an address, or that have the results of such
// workers in a file and ask nobody.
type crew struct {
	Sites, Recorded string // one of them
	Workers, Slots  int
}

// figuresHosts is how many hosts the generated web has; each is asked for one page at a
// time.
const figuresHosts = 100

func workAsCrew(v string) error {
	var c crew
	if err := json.Unmarshal([]byte(v), &c); err != nil {
		return err
	}
	work := func(ctx context.Context, conn *nats.Conn, name string) error {
		return worker.Run(ctx, worker.Config{Conn: conn, Name: name, Slots: c.Slots, Dial: webtest.DialTo(c.Sites), Note: worker.Tell(io.Discard, name)})
	}
	if c.Recorded != "" {
		recorded, err := readRecorded(c.Recorded)
		if err != nil {
			return err
		}
		work = func(ctx context.Context, conn *nats.Conn, name string) error {
			return replay(ctx, conn, queue.Hello{Name: name, Protocol: wire.Protocol, Slots: c.Slots}, recorded)
		}
	}
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
			if err := work(ctx, conn, name); err != nil {
				fmt.Fprintln(os.Stderr, name, err)
			}
		})
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	cancel()
	all.Wait()
	return nil
}

// readRecorded reads results, by address.
func readRecorded(file string) (map[string][]byte, error) {
	b, err := os.ReadFile(file)
	out := map[string][]byte{}
	for len(b) > 0 {
		size, n := binary.Uvarint(b)
		one := b[n:][:size]
		b = b[n:][size:]
		r, err := wire.DecodeResult(one, longestBody)
		if err != nil {
			return nil, err
		}
		if r.Response != nil {
			out[r.Response.URL] = one
		}
	}
	return out, err
}

// longestBody bounds the bodies of the generated web, in bytes.
const longestBody = 10 << 20

// replay is a worker that answers with recorded results, as if it had read the pages by
// what the owner knows of their hosts now.
func replay(ctx context.Context, conn *nats.Conn, hello queue.Hello, recorded map[string][]byte) error {
	js, err := jetstream.New(conn)
	if err != nil {
		return err
	}
	said, err := js.KeyValue(ctx, queue.Said)
	if err != nil {
		return err
	}
	e, err := said.Get(ctx, queue.SettingsKey)
	if err != nil {
		return err
	}
	var set queue.Settings
	if err := json.Unmarshal(e.Value(), &set); err != nil {
		return err
	}
	hello.Epoch = set.Epoch
	present, err := js.KeyValue(ctx, queue.Present)
	if err != nil {
		return err
	}
	jobs, err := js.CreateOrUpdateConsumer(ctx, queue.Jobs, queue.Consumer(hello.Name, hello.Slots))
	if err != nil {
		return err
	}
	taking, err := jobs.Consume(func(m jetstream.Msg) {
		j, err := wire.DecodeJob(m.Data())
		r := &wire.Result{Failed: fetch.Report{Kind: fetch.Connect, Cause: "it was not recorded"}}
		if err == nil && recorded[j.Request.URL] != nil {
			r, err = wire.DecodeResult(recorded[j.Request.URL], longestBody)
		}
		if err == nil {
			r.Lease, r.Receipt = j.Lease, m.Reply()
			if r.Draft != nil {
				r.Draft.Began, r.Draft.Ended = j.Frame.Began, j.Frame.Ended
			}
			err = conn.Publish(queue.ResultSubject(hello.Name), r.Encode())
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, hello.Name, err)
		}
	}, jetstream.PullMaxMessages(hello.Slots))
	if err != nil {
		return err
	}
	defer taking.Stop()
	beat := time.NewTicker(queue.Beat)
	defer beat.Stop()
	for {
		if err := queue.Put(ctx, present, hello.Name, hello); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
		}
	}
}

// BenchmarkOwner crawls a generated web with 64 workers in a second program, and reports
// what a page costs the process of the owner: frontier, broker, taking up pages, scores,
// commits. The workers answer with the results of a first crawl, in which they had asked
// the sites.
//
//	ANGLER_BENCH_PAGES=10000 go test ./crawl/work/worker -run '^$' -bench Owner -benchtime 1x
func BenchmarkOwner(b *testing.B) {
	f := figures{pages: 2000}
	if n, err := strconv.Atoi(os.Getenv("ANGLER_BENCH_PAGES")); err == nil {
		f.pages = n
	}
	var err error
	if f.web, err = webtest.Demo(webtest.Options{Pages: f.pages, Hosts: figuresHosts}); err != nil {
		b.Fatal(err)
	}
	s, err := webtest.ServeSwift(f.web)
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	f.addr = s.Addr()
	file := f.record(b)
	for b.Loop() {
		f.crawl(b, crew{Recorded: file, Workers: 64, Slots: 16}, func(*broker.Broker) {})
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
	if err != nil {
		b.Fatal(err)
	}
	f.crawl(b, crew{Sites: f.addr, Workers: 64, Slots: 16}, func(br *broker.Broker) {
		conn, err := br.Connect()
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(conn.Close)
		results, err := conn.Subscribe(queue.AllResults, func(m *nats.Msg) {
			if _, err := out.Write(append(binary.AppendUvarint(nil, uint64(len(m.Data))), m.Data...)); err != nil {
				b.Error(err)
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		if err := results.SetPendingLimits(-1, -1); err != nil {
			b.Fatal(err)
		}
	})
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Name()
}

// crawl crawls with a crew, and reports what it cost; begun is told the broker before.
func (f *figures) crawl(b *testing.B, w crew, begun func(*broker.Broker)) {
	v, err := json.Marshal(w)
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env, c.Stderr = append(os.Environ(), crewVar+"="+string(v)), os.Stderr
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	e := openFigures(b, f.web, f.addr, f.pages)
	br, o := employ(b, e)
	begun(br)
	fmt.Fprintln(in, "nats://"+br.Addr(), br.Invitation())
	staffed(b, e, o, w.Workers)
	before := processor(b)
	s, err := e.Runs.Discover(context.Background(), run.Options{MaxPages: f.pages})
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
	b.ReportMetric(float64(s.Failed)/float64(s.Fetched), "failed")
	b.ReportMetric(float64(s.Notices)/float64(s.Fetched), "notices")
	b.ReportMetric(peak(b), "MB-peak")
	if err := e.Close(); err != nil {
		b.Fatal(err)
	}
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
