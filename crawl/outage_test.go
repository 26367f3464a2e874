package crawl_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// mostWait is for calendar.most: a run waits for nothing longer. A timer for more, the
// end of a ban, is set only while the last requests are under way, and on a busy machine
// it would go off before they have ended.
const mostWait = time.Minute

// afterFunc is a timer of the calendar: soon it goes off, and the time it was set
// for has come.
func (c *calendar) afterFunc(d time.Duration, fn func()) func() bool {
	if c.most != 0 && d > c.most {
		return func() bool { return true }
	}
	return time.AfterFunc(min(d/100, 20*time.Millisecond), func() {
		c.jump(max(d, 0))
		fn()
	}).Stop
}

// trouble is something that goes wrong with a web for a while: it begins with a
// request and ends with the clock.
type trouble struct {
	c     *calendar
	from  int64         // the request with which it begins, 1 …
	lasts time.Duration // since then
	dial  error         // what dialling meets; connections that stand break
	fault webtest.Fault // what is answered
	hosts func(host string) bool
	apart bool // discoveries leave notices to the harvest

	asked atomic.Int64
	mu    sync.Mutex
	begun time.Time
	spent atomic.Int64 // requests and dials that met it
}

// now reports whether it goes on.
func (x *trouble) now() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.begun.IsZero() {
		if x.asked.Load() < x.from {
			return false
		}
		x.begun = x.c.Now()
	}
	return x.c.Now().Sub(x.begun) < x.lasts
}

// flaky is a connection that breaks when the trouble begins.
type flaky struct {
	net.Conn
	x *trouble
}

func (f flaky) Read(b []byte) (int, error) {
	n, err := f.Conn.Read(b)
	if f.x.now() {
		return 0, syscall.ECONNRESET
	}
	return n, err
}

// outageWeb is a web for trouble, and the result of an undisturbed crawl of it.
type outageWeb struct {
	open  func(testing.TB, string, crawl.Options) *demo.Engine
	depth int

	calm     sync.Once
	home     home
	requests int64 // of the undisturbed crawl
}

var smallOutages = &outageWeb{open: openDemo, depth: 20}

// troubled opens the web in trouble, with three samples.
func (w *outageWeb) troubled(t *testing.T, x *trouble) *demo.Engine {
	t.Helper()
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	x.c = newCalendar()
	x.c.most = mostWait
	opt := crawl.Options{Now: x.c.Now, AfterFunc: x.c.afterFunc, Override: func(s *config.Settings) {
		if s.Crawl.Depth = w.depth; x.apart {
			s.Harvest.Share = 0
		}
	}}
	var server atomic.Pointer[webtest.Server]
	if x.dial != nil {
		opt.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			if x.now() {
				x.spent.Add(1)
				return nil, x.dial
			}
			s := server.Load()
			if s == nil {
				return nil, nil
			}
			conn, err := s.Dial(ctx, network, addr)
			return flaky{conn, x}, err
		}
	}
	e := w.open(t, t.TempDir(), opt)
	server.Store(e.Server())
	sampled(t, e, 3)
	e.Server().Fail(func(req *http.Request, _ int) webtest.Fault {
		x.asked.Add(1)
		if x.dial == nil && (x.hosts == nil || x.hosts(req.Host)) && req.URL.Path != "/robots.txt" && x.now() {
			x.spent.Add(1)
			return x.fault
		}
		return webtest.Fault{}
	})
	return e
}

// home is what a crawl brought home.
type home struct {
	pages, lists, notices []string
	sources               map[string]string // of the notices
}

func broughtHome(t *testing.T, e *crawl.Engine) (h home) {
	t.Helper()
	for _, p := range exported[view.PageRow](t, e, "pages") {
		if strings.Contains(p.URL, "/a/a/") {
			continue // how far a trap is followed depends on which of its pages came first
		}
		h.pages = append(h.pages, p.URL)
	}
	for _, p := range exported[view.PageRow](t, e, "aggregations") {
		h.lists = append(h.lists, p.URL)
	}
	h.sources = map[string]string{}
	for _, n := range exported[query.NoticeJSON](t, e, "notices") {
		h.notices = append(h.notices, n.URL)
		h.sources[n.URL] = n.Source
	}
	slices.Sort(h.pages)
	slices.Sort(h.lists)
	slices.Sort(h.notices)
	return h
}

// known says what is known of a notice that did not come home, and of its list.
func known(t *testing.T, e *crawl.Engine, c *calendar, url, list string) (said string) {
	t.Helper()
	for _, u := range []string{url, list} {
		id, ok := e.Workspace().Lookup(u)
		if !ok {
			said += fmt.Sprintf("%s is not known; ", u)
			continue
		}
		row, err := e.Workspace().URL(id)
		must(t, err)
		said += fmt.Sprintf("%s: %v, depth %d, failed %d times (%s), again in %v", u, row.State, row.Depth, row.Fails, row.Failure, row.Retry.Sub(c.Now()))
		p, err := e.Workspace().Page(id)
		must(t, err)
		if p != nil {
			_, read := revisit.Of(p)
			said += fmt.Sprintf(", fetched %v ago, read: %v, unfinished: %v, sending: %v", c.Now().Sub(p.Fetched), read, revisit.Unfinished(p), revisit.Sending(p))
		}
		said += "; "
	}
	return said
}

// rounds lets the schedule run until a round is finished, and the next ones if a
// URL failed for a reason that passes: at most three days.
func rounds(t *testing.T, e *demo.Engine, c *calendar) (runs []run.Summary) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	e.Schedule.Rounds(ctx, 24*time.Hour, func(s run.Summary, err error) {
		if err != nil {
			t.Errorf("%s: %v", s.Task, err)
		}
		runs = append(runs, s)
	}, func(d time.Duration) <-chan time.Time {
		if e.Schedule.Unfinished() == nil && !passing(t, e) || c.Now().Sub(c.start) > 72*time.Hour {
			cancel()
		}
		return c.after(d)
	})
	return runs
}

// passing reports whether a URL is given up for a reason that passes. The demo web
// has a page that always answers 500.
func passing(t *testing.T, e *demo.Engine) bool {
	t.Helper()
	for u := range each(t, e.Workspace().URLs()) {
		if u.State == store.Exception && !strings.HasSuffix(u.URL, "/ys/6.htm") &&
			!slices.Contains([]store.FailureKind{store.StatusFailure(404), store.FailedRobots, store.FailedNoPage, store.FailedSoft404}, u.Failure.Kind) {
			return true
		}
	}
	return false
}

// untroubled returns the pages, lists and notices of an undisturbed run.
func (w *outageWeb) untroubled(t *testing.T) home {
	t.Helper()
	w.calm.Do(func() {
		x := &trouble{from: 1 << 40}
		e := w.troubled(t, x)
		rounds(t, e, x.c)
		w.home, w.requests = broughtHome(t, e.Engine), x.asked.Load()
	})
	if len(w.home.pages) < 150 || len(w.home.notices) < 20 {
		t.Fatalf("undisturbed: %d pages, %d notices", len(w.home.pages), len(w.home.notices))
	}
	return w.home
}

// differences lists what one of two sorted lists lacks.
func differences(got, want []string) (lacks, more []string) {
	for _, u := range want {
		if _, ok := slices.BinarySearch(got, u); !ok {
			lacks = append(lacks, u)
		}
	}
	for _, u := range got {
		if _, ok := slices.BinarySearch(want, u); !ok {
			more = append(more, u)
		}
	}
	return lacks, more
}

// outage is trouble that begins after a share of an undisturbed crawl's requests.
type outage struct {
	after float64 // 0 … 1
	trouble
	event string // its words in an event or in the reason why the run waits
}

// outages are kinds of trouble with everything: new values for each test.
func outages() map[string]*outage {
	noSuchHost := &net.DNSError{Err: "no such host", Name: "x.test", IsNotFound: true}
	const away = "the network is away"
	return map[string]*outage{
		"the resolver says that no host exists": {.17, trouble{lasts: 100 * time.Second, dial: noSuchHost}, away},
		"connections are refused":               {.17, trouble{lasts: 100 * time.Second, dial: syscall.ECONNREFUSED}, away},
		"away for three hours":                  {.33, trouble{lasts: 3 * time.Hour, dial: syscall.ENETUNREACH}, away},
		"away during the harvest":               {.97, trouble{lasts: 100 * time.Second, dial: syscall.ENETUNREACH, apart: true}, away},
		"away while the last notices come":      {.87, trouble{lasts: 100 * time.Second, dial: syscall.ENETUNREACH}, away},
		"403 on everything":                     {.17, trouble{lasts: 100 * time.Second, fault: webtest.Fault{Status: 403}}, "HTTP status 403"},
		"403 on everything for two hours":       {.17, trouble{lasts: 2 * time.Hour, fault: webtest.Fault{Status: 403}}, "refuses us"},
		"500 on everything":                     {.17, trouble{lasts: 100 * time.Second, fault: webtest.Fault{Status: 500}}, "HTTP status 500"},
	}
}

// An outage of everything costs nothing: afterwards the same pages, lists and notices
// are stored, no URL was given up, and an event named the outage.
func TestNothingIsLostForEver(t *testing.T) {
	t.Parallel()
	smallOutages.nothingIsLost(t)
}

func (w *outageWeb) nothingIsLost(t *testing.T) {
	want := w.untroubled(t)
	for name, c := range outages() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x := &c.trouble
			x.from = max(1, int64(c.after*float64(w.requests)))
			e := w.troubled(t, x)
			told := false
			snapshots, end := e.Subscribe()
			watched := make(chan struct{})
			go func() {
				defer close(watched)
				for s := range snapshots {
					told = told || strings.Contains(s.Why, c.event)
					for _, ev := range s.Events {
						told = told || strings.Contains(ev.Text.String(), c.event)
					}
				}
			}()
			runs := rounds(t, e, x.c)
			end()
			<-watched
			got := broughtHome(t, e.Engine)
			n := e.Workspace().Counts()
			t.Logf("%d runs, %d requests met it; %d pages, %d lists, %d notices; %d exceptions", len(runs), x.spent.Load(), len(got.pages), len(got.lists), len(got.notices), n.Exception)
			if x.spent.Load() == 0 {
				t.Fatal("nothing went wrong")
			}
			if !told {
				t.Errorf("no event says %q", c.event)
			}
			if lacks, more := differences(got.pages, want.pages); len(lacks)+len(more) > 0 {
				t.Errorf("pages: %d missing, %d more: %q %q", len(lacks), len(more), lacks, more)
			}
			if lacks, more := differences(got.lists, want.lists); len(lacks)+len(more) > 0 {
				t.Errorf("aggregation pages: missing %q, more %q", lacks, more)
			}
			lacks, more := differences(got.notices, want.notices)
			// A round that was left unfinished may harvest a list that is none once
			// the crawl is whole.
			more = slices.DeleteFunc(more, func(u string) bool { return !slices.Contains(want.lists, got.sources[u]) })
			if len(lacks)+len(more) > 0 {
				t.Errorf("notices: missing %q, more %q", lacks, more)
				for _, u := range lacks {
					t.Log(known(t, e.Engine, x.c, u, want.sources[u]))
				}
				for i, s := range runs {
					t.Logf("run %d: %s, %s: %d fetched, %d failed, %d notices, %d later until %v, lists left %v", i, s.Task, s.End, s.Fetched, s.Failed, s.Notices, s.Later, s.Next.Sub(x.c.start), s.Lists)
				}
			}
			consistent(t, e.Engine)
		})
	}
}
