//go:build heavy

package schedule_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

// pipes is a network in memory: its connections are made in the bubble of a test,
// so that the bubble's clock goes on while everybody waits for one.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.closed); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 1), Port: 80} }

func (p *pipes) dial(ctx context.Context) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case p.conns <- there:
		return here, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// world is a simulated world: a web, its network, a clock, and a workspace that the
// schedule keeps fresh. It lives in a bubble of synctest.
type world struct {
	t       *testing.T
	web     *webtest.Web
	network *pipes
	dir     string
	begun   time.Time
	wrong   atomic.Int64           // ns that the clock of the program is off
	fails   atomic.Pointer[string] // how the network fails: "", "nxdomain", "refuse"
	banned  atomic.Pointer[string] // a host that answers everything with 403

	mu     sync.Mutex
	engine *crawl.Engine
	cancel context.CancelFunc
	over   chan struct{} // the schedule has ended
	runs   []string
	kills  int
}

// base is the day on which simulated time begins; a bubble's clock begins with 2000.
var base = time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)

func (w *world) now() time.Time {
	return base.Add(time.Since(w.begun)).Add(time.Duration(w.wrong.Load()))
}

func (w *world) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, _ := net.SplitHostPort(addr)
	switch *w.fails.Load() {
	case "nxdomain":
		return nil, &net.OpError{Op: "dial", Net: network, Err: &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}}
	case "refused":
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
	}
	c, err := w.network.dial(ctx)
	if err != nil {
		return nil, err
	}
	return &cable{c, w}, nil
}

// cable breaks with the network.
type cable struct {
	net.Conn
	w *world
}

func (c *cable) Write(b []byte) (int, error) {
	if *c.w.fails.Load() != "" {
		c.Conn.Close()
		return 0, &net.OpError{Op: "write", Net: "tcp", Err: errors.New("connection reset by peer")}
	}
	return c.Conn.Write(b)
}

func (w *world) ServeHTTP(rw http.ResponseWriter, req *http.Request) {
	if *w.banned.Load() == req.Host {
		rw.WriteHeader(http.StatusForbidden)
		return
	}
	w.web.ServeHTTP(rw, req)
}

// open opens the workspace and begins its schedule.
func (w *world) open() {
	w.t.Helper()
	e, err := crawl.Open(context.Background(), w.dir, crawl.Options{By: "day", Dial: w.dial, Now: w.now})
	must(w.t, err)
	for _, u := range demo.TenderLists(w.web, 3) {
		if len(e.Topic.Samples()) == 3 {
			break
		}
		if _, err := e.Topic.AddSample(context.Background(), u, ""); err != nil {
			w.t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.engine, w.cancel, w.over = e, cancel, make(chan struct{})
	go func() {
		defer close(w.over)
		e.Schedule.Rounds(ctx, 6*time.Hour, func(s run.Summary, err error) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.runs = append(w.runs, fmt.Sprintf("%v %s: %d fetched, %d failed, %d aggregation pages, %d notices, later %d, %v", time.Since(w.begun), s.Task, s.Fetched, s.Failed, s.Aggregations, s.Notices, s.Later, err))
		}, nil)
	}()
}

func (w *world) close() {
	w.t.Helper()
	w.cancel()
	<-w.over
	if err := w.engine.Close(); err != nil {
		w.t.Error(err)
	}
}

// kill ends the program as a power cut does: what goes on is what the file held
// after the last commit.
func (w *world) kill() {
	w.t.Helper()
	synctest.Wait() // no commit is under way: that would be no waiting
	w.kills++
	dir := fmt.Sprintf("%s-%d", w.dir, w.kills)
	must(w.t, os.CopyFS(dir, os.DirFS(w.dir)))
	w.close()
	w.dir = dir
	w.open()
}

// at lets time pass until so long after the beginning.
func (w *world) at(since time.Duration) { time.Sleep(time.Until(w.begun.Add(since))) }

// homecoming is what a world has brought.
type homecoming struct {
	lists   map[string]string
	scores  map[string]float64 // of all pages
	notices map[string]string
	runs    []string
}

func (w *world) outcome() (h homecoming) {
	w.t.Helper()
	e := w.engine
	must(w.t, e.Words(context.Background()))
	h = homecoming{lists: map[string]string{}, scores: map[string]float64{}, notices: map[string]string{}, runs: w.runs}
	scores := e.Topic.Scores()
	lists := map[uint64]bool{}
	for _, id := range e.Topic.Aggregations() {
		lists[id] = true
	}
	for p, err := range e.Workspace().Pages() {
		must(w.t, err)
		h.scores[p.URL], _ = scores.Of(p.ID)
		if lists[p.ID] {
			h.lists[p.URL] = fmt.Sprintf("%s, %d records", p.Title, p.Records)
		}
	}
	for n, err := range e.Workspace().Notices() {
		must(w.t, err)
		h.notices[n.URL] = n.Title + "\n" + n.Text
	}
	return h
}

// simulate lets days pass in a bubble and returns what came home.
func simulate(t *testing.T, length time.Duration, script func(*world)) (h homecoming) {
	t.Helper()
	material, err := webtest.FindMaterial()
	must(t, err)
	m, err := webtest.Load(material)
	must(t, err)
	dir := filepath.Join(t.TempDir(), "ws")
	synctest.Test(t, func(t *testing.T) {
		web, err := webtest.New(m, webtest.Options{Pages: 1200, Hosts: 8})
		must(t, err)
		w := &world{t: t, web: web, network: newPipes(), dir: dir, begun: time.Now()}
		w.fails.Store(&none)
		w.banned.Store(&none)
		server := &http.Server{Handler: w, ErrorLog: log.New(io.Discard, "", 0)}
		go server.Serve(w.network)
		set := config.Default()
		set.Seeds = web.Seeds()
		set.Crawl.Delay = config.Duration(time.Second)
		set.Revisit.AggregationMax = config.Duration(3 * time.Hour)
		set.Revisit.OtherMin, set.Revisit.OtherMax = config.Duration(3*time.Hour), config.Duration(12*time.Hour)
		set.Store.ExpectedURLs = 10_000
		must(t, store.Create(dir, set))
		w.open()
		script(w)
		w.at(length)
		h = w.outcome()
		w.close()
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// publishing is what the web does in both worlds.
func publishing(w *world) {
	for _, at := range []time.Duration{10 * time.Hour, 33 * time.Hour, 58 * time.Hour} {
		time.AfterFunc(time.Until(w.begun.Add(at)), func() { w.web.Publish(1) })
	}
}

// TestSimulatedDays lets the schedule of serve keep a workspace fresh for four days
// of simulated time while names are not resolved, the network is away, a host bans,
// the clock is wrong and the machine loses its power. In the end there is what four
// undisturbed days bring.
func TestSimulatedDays(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates eight days in some twenty seconds of two cores; -short leaves it out")
	}
	<-dict.Shared().Ready() // its channels are older than any bubble
	const length = 96 * time.Hour
	var calm, got homecoming
	t.Run("worlds", func(t *testing.T) {
		t.Run("undisturbed", func(t *testing.T) {
			t.Parallel()
			calm = simulate(t, length, publishing)
		})
		t.Run("disturbed", func(t *testing.T) {
			t.Parallel()
			got = simulate(t, length, func(w *world) {
				publishing(w)
				troublesOf(w)
			})
		})
	})
	if len(calm.lists) < 5 || len(calm.notices) < 50 {
		t.Fatalf("%d aggregation pages and %d notices are too few to lose any", len(calm.lists), len(calm.notices))
	}
	for _, r := range calm.runs {
		t.Log("undisturbed ", r)
	}
	for _, r := range got.runs {
		t.Log("disturbed ", r)
	}
	t.Logf("%d aggregation pages and %d notices, undisturbed %d and %d", len(got.lists), len(got.notices), len(calm.lists), len(calm.notices))
	differ(t, "aggregation page", got.lists, calm.lists)
	differ(t, "notice", got.notices, calm.notices)
	for url, score := range calm.scores {
		if other, ok := got.scores[url]; !ok || math.Abs(other-score) > 1e-6 {
			t.Errorf("%s: score %.7f, undisturbed %.7f; stored: %v", url, other, score, ok)
		}
	}
}

// troubles are what happens in the disturbed world.
func troublesOf(w *world) {
	w.at(20 * time.Second) // the first discovery, names are not resolved
	w.fails.Store(&nxdomain)
	w.at(6 * time.Minute)
	w.fails.Store(&none)
	w.at(2*time.Hour + time.Second)
	w.kill()
	w.at(11*time.Hour + 50*time.Minute) // an hour without a network
	w.fails.Store(&refused)
	w.at(12*time.Hour + 50*time.Minute)
	w.fails.Store(&none)
	w.at(24*time.Hour - time.Minute) // a host bans for three hours
	w.banned.Store(&w.web.Hosts()[1])
	w.at(27 * time.Hour)
	w.banned.Store(&none)
	w.at(36*time.Hour + 10*time.Second) // ten years ahead for a quarter of an hour
	w.wrong.Store(int64(10 * 365 * 24 * time.Hour))
	w.at(36*time.Hour + 15*time.Minute)
	w.wrong.Store(0)
	w.at(48*time.Hour + 8*time.Second)
	w.kill()
	w.at(59 * time.Hour) // ten years behind
	w.wrong.Store(-int64(10 * 365 * 24 * time.Hour))
	w.at(60*time.Hour + time.Minute)
	w.wrong.Store(0)
	w.at(66*time.Hour + 20*time.Second)
	w.kill()
}

// How the network fails.
var none, nxdomain, refused = "", "nxdomain", "refused"

// differ reports what one of two crawls has, or has otherwise.
func differ(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for url, x := range want {
		if y, ok := got[url]; !ok {
			t.Errorf("%s %s is missing", what, url)
		} else if x != y {
			t.Errorf("%s %s: %.200q, undisturbed %.200q", what, url, y, x)
		}
	}
	for url := range got {
		if _, ok := want[url]; !ok {
			t.Errorf("%s %s is there, undisturbed it is not", what, url)
		}
	}
}
