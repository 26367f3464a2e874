package workers_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/webtest"
	"angler/crawl/workers"
	"angler/store/config"
)

// child is a worker and whom it works for.
type child struct {
	Server, Invitation, Proxy, Name string
	Slots                           int
}

// roles turn the test program into something else: by the name of a variable of the
// environment, a function of its value.
var roles = map[string]func(string) error{}

// leftovers are removed after all tests.
var leftovers []string

func TestMain(m *testing.M) {
	for name, run := range roles {
		if v := os.Getenv(name); v != "" {
			if err := run(v); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	status := m.Run()
	for _, path := range leftovers {
		_ = os.Remove(path)
	}
	os.Exit(status)
}

// work works until the context ends.
func work(ctx context.Context, c child, note func(format string, args ...any)) error {
	var options []nats.Option
	if c.Invitation != "" {
		access, err := workers.ParseWorkerAccess(c.Invitation)
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
	return workers.RunWorker(ctx, workers.WorkerConfig{Conn: conn, Name: c.Name, Slots: c.Slots, Proxy: c.Proxy, Note: note})
}

// beside starts a worker in the process of the test.
func beside(t *testing.T, c child) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error)
	go func() { over <- work(ctx, c, t.Logf) }()
	t.Cleanup(func() {
		cancel()
		if err := <-over; err != nil {
			t.Errorf("the worker %s ended with %v", c.Name, err)
		}
	})
}

// What the comparison with one process crawls; the build tag heavy makes it the demo's web
// and each worker a process.
var (
	plan                                = "small"
	join                                = beside
	leastPages, leastLists, leastNotice = 150, 5, 30
)

func open(t *testing.T) *demo.Engine {
	t.Helper()
	fsys, err := webtest.FindMaterial()
	must(t, err)
	e, err := demo.OpenPlan(t.Context(), fsys, plan, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 20 }})
	must(t, err)
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
func employ(t testing.TB, e *crawl.Engine) (*workers.Broker, *workers.Owner) {
	t.Helper()
	b, err := workers.StartBroker(t.TempDir(), "127.0.0.1:0")
	must(t, err)
	t.Cleanup(b.Close)
	b.Bar(e.Machines.Banned)
	conn, err := b.Connect()
	must(t, err)
	t.Cleanup(conn.Close)
	o, err := e.Machines.Employ(t.Context(), conn, 0)
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil { // before the broker
			t.Error(err)
		}
	})
	return b, o
}

// staffed waits until so many workers are there.
func staffed(t testing.TB, e *crawl.Engine, o *workers.Owner, n int) {
	t.Helper()
	news, end := e.Subscribe()
	defer end()
	for working(o) != n {
		select {
		case <-news:
		case <-t.Context().Done():
			t.Fatal("the test ends")
		}
	}
}

func working(o *workers.Owner) int { return o.Crew().Workers }

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
		must(t, err)
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
		must(t, err)
		h.notices[n.URL] = fmt.Sprint(n.Title, n.Date.Unix(), n.Precision, n.Text, n.Method, n.Attachments)
	}
	return h
}

func same(t *testing.T, got, want home) {
	t.Helper()
	if len(want.pages) < leastPages || len(want.lists) < leastLists || len(want.notices) < leastNotice {
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
	must(b, e.Words(context.Background()))
}

// An owner and two workers bring home what one process does.
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
		join(t, child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: e.Server().ProxyURL().String(), Name: name, Slots: 8})
	}
	staffed(t, e.Engine, o, 2)
	s, err := e.Runs.Discover(t.Context(), run.Options{})
	must(t, err)
	t.Logf("%+v", s)
	done := 0
	for _, w := range o.Workers() {
		t.Logf("%+v", w)
		if done += w.Done; w.Bad > 0 || w.Hosts == 0 && plan == "" { // one worker may read all of a small web
			t.Errorf("worker %s has %d hosts and sent %d results that are none", w.Name, w.Hosts, w.Bad)
		}
	}
	if done == 0 {
		t.Error("the workers did nothing")
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

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
