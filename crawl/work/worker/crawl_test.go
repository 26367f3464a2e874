package worker_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/crawl/work/broker"
	"angler/crawl/work/owner"
	"angler/crawl/work/queue"
	"angler/crawl/work/worker"
	"angler/store/config"
)

// workVar turns the test program into a worker until its standard input ends; its value is
// a child as JSON.
const workVar = "ANGLER_TEST_WORKER"

type child struct {
	Server, Invitation, Proxy, Name string
	Slots                           int
}

func TestMain(m *testing.M) {
	if v := os.Getenv(workVar); v != "" {
		if err := work(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if v := os.Getenv(leadVar); v != "" {
		if err := leadTheCrawl(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if v := os.Getenv(crewVar); v != "" {
		if err := workAsCrew(v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	status := m.Run()
	if begun {
		if program, err := natsProgram(); err == nil {
			_ = os.Remove(program)
		}
	}
	os.Exit(status)
}

func work(v string) error {
	var c child
	if err := json.Unmarshal([]byte(v), &c); err != nil {
		return err
	}
	var options []nats.Option
	if c.Invitation != "" {
		access, err := queue.ParseAccess(c.Invitation)
		if err != nil {
			return err
		}
		options = access.Options()
	}
	conn, err := nats.Connect(c.Server, append(options, nats.RetryOnFailedConnect(true), nats.MaxReconnects(-1), nats.ReconnectWait(100*time.Millisecond))...)
	if err != nil {
		return err
	}
	defer conn.Close()
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	return worker.Run(ctx, worker.Config{Conn: conn, Name: c.Name, Slots: c.Slots, Proxy: c.Proxy, Note: worker.Tell(os.Stderr, c.Name)})
}

// begin starts a worker as a process of its own.
func begin(t *testing.T, c child) *exec.Cmd {
	t.Helper()
	v, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env, cmd.Stderr = append(os.Environ(), workVar+"="+string(v)), os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // some tests kill it
		if cmd.ProcessState.ExitCode() == 2 {
			t.Errorf("the worker %s has panicked", c.Name)
		}
	})
	return cmd
}

func open(t *testing.T) *demo.Engine {
	t.Helper()
	fsys, err := webtest.FindMaterial()
	if err != nil {
		t.Fatal(err)
	}
	e, err := demo.Open(t.Context(), fsys, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 20 }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, u := range e.TenderLists(3) {
		if _, err := e.Topic.AddSample(t.Context(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// employ has an engine's runs done by a broker's workers.
func employ(t testing.TB, e *crawl.Engine) (*broker.Broker, *owner.Owner) {
	t.Helper()
	b, err := broker.Start(t.TempDir(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	b.Bar(e.Machines.Banned)
	conn, err := b.Connect()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	o, err := e.Machines.Employ(t.Context(), conn, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil { // before the broker
			t.Error(err)
		}
	})
	return b, o
}

// staffed waits until so many workers are there.
func staffed(t testing.TB, e *crawl.Engine, o *owner.Owner, n int) {
	t.Helper()
	news, end := e.Subscribe()
	defer end()
	for working(o) != n {
		select {
		case <-news:
		case <-t.Context().Done():
			t.Fatal("the test ends")
		case <-time.After(10 * time.Minute):
			t.Fatalf("%d workers are there, not %d", working(o), n)
		}
	}
}

func working(o *owner.Owner) int { return o.Crew().Workers }

// home is what a crawl has brought home.
type home struct {
	pages   map[string]string
	lists   map[string]float64
	notices map[string]string
}

func homeOf(t *testing.T, e *crawl.Engine) home {
	t.Helper()
	h := home{map[string]string{}, map[string]float64{}, map[string]string{}}
	ids := map[uint64]string{}
	for p, err := range e.Workspace().Pages() {
		if err != nil {
			t.Fatal(err)
		}
		if _, twice := h.pages[p.URL]; twice {
			t.Errorf("%s is stored twice", p.URL)
		}
		ids[p.ID] = p.URL
		h.pages[p.URL] = fmt.Sprint(p.Status, p.Type, p.Charset, p.Head, p.Title, p.Date.Unix(), p.Precision, p.Beta, p.Records, p.Dated, p.Hash, p.Location)
	}
	scores := e.Topic.Scores()
	for _, id := range e.Topic.Aggregations() {
		h.lists[ids[id]], _ = scores.Of(id)
	}
	for n, err := range e.Workspace().Notices() {
		if err != nil {
			t.Fatal(err)
		}
		h.notices[n.URL] = fmt.Sprint(n.Title, n.Date.Unix(), n.Precision, n.Text, n.Method, n.Attachments)
	}
	return h
}

func same(t *testing.T, got, want home) {
	t.Helper()
	if len(want.pages) < 500 || len(want.lists) < 10 || len(want.notices) < 100 {
		t.Fatalf("only %d pages, %d lists, %d notices to compare with", len(want.pages), len(want.lists), len(want.notices))
	}
	differ := func(what string, got, want map[string]string) {
		n := 0
		for _, u := range slices.Sorted(maps.Keys(want)) {
			if got[u] != want[u] {
				if n++; n <= 3 {
					t.Errorf("%s %s:\n%.600s\nalone:\n%.600s", what, u, got[u], want[u])
				}
			}
		}
		if len(got) != len(want) || n > 0 {
			t.Errorf("%d of %s, alone %d; %d differ", len(got), what, len(want), n)
		}
	}
	differ("pages", got.pages, want.pages)
	differ("notices", got.notices, want.notices)
	for u, score := range want.lists {
		if s, ok := got.lists[u]; !ok || math.Abs(s-score) > 1e-6 {
			t.Errorf("list %s: score %v, alone %v", u, s, score)
		}
	}
	if len(got.lists) != len(want.lists) {
		t.Errorf("%d lists, alone %d", len(got.lists), len(want.lists))
	}
}

var alone = sync.OnceValue(func() func(t *testing.T) home {
	var h home
	return func(t *testing.T) home {
		if h.pages == nil {
			e := open(t)
			if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
				t.Fatal(err)
			}
			h = homeOf(t, e.Engine)
		}
		return h
	}
})

// An owner and two workers, each a process, bring home what one process does.
func TestTwoWorkersBringHomeWhatOneProcessDoes(t *testing.T) {
	want := alone()(t)
	e := open(t)
	b, o := employ(t, e.Engine)
	var mu sync.Mutex
	asked := map[string]int{}
	e.Server().Fail(func(r *http.Request, n int) webtest.Fault {
		mu.Lock()
		defer mu.Unlock()
		asked[r.Host+r.URL.RequestURI()]++
		return webtest.Fault{}
	})
	for _, name := range []string{"one", "two"} {
		begin(t, child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: name, Slots: 8})
	}
	staffed(t, e.Engine, o, 2)
	s, err := e.Runs.Discover(t.Context(), run.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", s)
	for _, w := range o.Workers() {
		t.Logf("%+v", w)
		if w.Bad > 0 || w.Hosts == 0 {
			t.Errorf("worker %s has %d hosts and sent %d results that are none", w.Name, w.Hosts, w.Bad)
		}
	}
	same(t, homeOf(t, e.Engine), want)
	mu.Lock()
	defer mu.Unlock()
	for address, n := range asked {
		u, err := url.Parse("http://" + address)
		if err == nil && u.Path != "/robots.txt" && n > 3 {
			t.Errorf("%s was asked for %d times", address, n)
		}
	}
}
