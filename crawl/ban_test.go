package crawl_test

import (
	"context"
	"errors"
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
	"angler/crawl/decisions"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store/config"
)

// A host that refuses everything rests, its URLs wait without a mark, and the
// analyst is told what may help.
func TestABannedHostRests(t *testing.T) {
	front := "<html><body><h1>大学</h1>"
	for i := range 40 {
		front += fmt.Sprintf(`<a href="/d%d/%d.htm">公开文件 %d</a>`, i, i, i)
	}
	c := newCalendar()
	var asked, refused atomic.Int64
	var lifted atomic.Bool
	e := siteOn(t, c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, front)
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		case asked.Add(1) > 10 && !lifted.Load():
			refused.Add(1)
			w.WriteHeader(403)
		default:
			fmt.Fprintf(w, "<html><body><p>公开的文件 %s</p></body></html>", r.URL.Path)
		}
	}))
	s := discover(t, e.Runs)
	if n := refused.Load(); n != 6 {
		t.Errorf("the host was asked %d times while it refused, want 6", n)
	}
	if s.Pages != 11 || s.Later != 30 || s.Next.Before(c.Now()) {
		t.Errorf("%d pages; %d URLs wait, the first until %v at %v; want 11, 30", s.Pages, s.Later, s.Next, c.Now())
	}
	if saying(e, "host a.test refuses us (HTTP status 403, 6 times in a row): it rests until ", "crawl.delay") == 0 {
		t.Errorf("no event: %+v", e.Snapshot().Events)
	}
	if n := metric(t, e, "angler_hosts_banned"); n != "1" {
		t.Errorf("angler_hosts_banned %s", n)
	}
	for u := range each(t, e.Workspace().URLs()) {
		if u.Troubled() {
			t.Errorf("%s pays for a ban: %s, %d failures, %s", u.URL, u.State, u.Fails, u.Failure)
		}
	}
	// The next run leaves the host alone until its rest is over.
	discover(t, e.Runs)
	if n := refused.Load(); n != 6 {
		t.Errorf("the next run asked it %d times", n-6)
	}
	lifted.Store(true)
	c.jump(time.Hour)
	if s = discover(t, e.Runs); s.Pages != 30 || s.Later != 0 {
		t.Errorf("afterwards: %+v; want the 30 pages that were left", s)
	}
	if n := metric(t, e, "angler_hosts_banned"); n != "0" {
		t.Errorf("angler_hosts_banned %s afterwards", n)
	}
}

// A row of refusals within one folder is that folder's: the others are fetched.
func TestAClosedFolderIsNoBan(t *testing.T) {
	home := "<html><body><h1>大学</h1>"
	for i := range 30 {
		home += fmt.Sprintf(`<a href="/closed/%d.htm">内部文件 %d</a><a href="/open/%d.htm">公开文件 %d</a>`, i, i, i, i)
	}
	c := newCalendar()
	e := siteOn(t, c, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/":
			fmt.Fprint(w, home)
		case strings.HasPrefix(r.URL.Path, "/closed/"):
			w.WriteHeader(403)
		case strings.HasPrefix(r.URL.Path, "/open/"):
			fmt.Fprintf(w, "<html><body><p>公开的文件 %s</p></body></html>", r.URL.Path)
		default:
			http.NotFound(w, r)
		}
	}))
	must(t, e.Runs.Steer("/closed/", decisions.Boost))
	s := discover(t, e.Runs)
	if s.Pages != 31 {
		t.Errorf("%d pages, want the front page and 30 open ones", s.Pages)
	}
	if took := c.Now().Sub(c.start); took > 5*time.Minute {
		t.Errorf("a closed folder held the crawl up for %v", took)
	}
}

// siteOn is site under a calendar.
func siteOn(t *testing.T, c *calendar, h http.Handler) *crawl.Engine {
	t.Helper()
	server, err := webtest.Serve(h)
	must(t, err)
	t.Cleanup(func() { server.Close() })
	c.most = mostWait
	dir := created(t, func(set *config.Settings) {
		set.Crawl.Delay, set.Crawl.Sitemaps, set.Crawl.Depth = 0, false, 3
	})
	return opened(t, dir, crawl.Options{By: "wang", Now: c.Now, AfterFunc: c.afterFunc, Dial: server.Dial})
}

// What a firewall, a ban or a lost page answers in the place of a page that is
// stored leaves the page as it is, whatever its status.
func TestAnswersOfAFirewallReplaceNothing(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		answer func(http.ResponseWriter)
		away   time.Duration // until the page is asked again once it is back
	}{
		"a captcha with status 200": {func(w http.ResponseWriter) {
			fmt.Fprint(w, "<html><head><title>安全验证</title></head><body>请拖动滑块完成验证</body></html>")
		}, 10 * 24 * time.Hour},
		"403": {func(w http.ResponseWriter) { w.WriteHeader(403) }, 10 * 24 * time.Hour},
		"404": {func(w http.ResponseWriter) { w.WriteHeader(404) }, 20 * 24 * time.Hour},
		"410": {func(w http.ResponseWriter) { w.WriteHeader(410) }, 20 * 24 * time.Hour},
		"502": {func(w http.ResponseWriter) { w.WriteHeader(502) }, 10 * 24 * time.Hour},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			clock := newCalendar()
			var down atomic.Bool
			asked := map[string]int{}
			var mu sync.Mutex
			e := siteOn(t, clock, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				asked[r.URL.Path]++
				mu.Unlock()
				if down.Load() && r.URL.Path != "/robots.txt" {
					c.answer(w)
					return
				}
				if r.URL.Path == "/" {
					fmt.Fprint(w, listPage(8))
					return
				}
				fmt.Fprintf(w, "<html><head><title>招标公告 %s</title></head><body><p>实验室设备采购项目,预算二十万元。%s</p></body></html>", r.URL.Path, r.URL.Path)
			}))
			crawlOnce := func() run.Summary {
				t.Helper()
				s := discover(t, e.Runs)
				return s
			}
			crawlOnce()
			before := stored(t, e)
			if len(before) != 9 {
				t.Fatalf("%d pages", len(before))
			}
			down.Store(true)
			clock.jump(48 * time.Hour)
			if s := crawlOnce(); s.Pages > 0 {
				t.Errorf("%+v: pages came from nowhere", s)
			}
			if after := stored(t, e); !slices.Equal(before, after) {
				t.Errorf("stored were\n%q, are\n%q", before, after)
			}
			down.Store(false)
			clock.jump(c.away)
			s := crawlOnce()
			if n := e.Workspace().Counts(); n.Exception != 0 || n.Complete != 9 {
				t.Errorf("once they are back: %+v, counts %+v", s, n)
			}
			for p := range each(t, e.Workspace().Pages()) {
				if h, _ := revisit.Of(p); h.Visits < 2 {
					t.Errorf("%s: %d visits, its history was lost", p.URL, h.Visits)
				}
			}
		})
	}
}

// stored lists the pages with their bodies.
func stored(t *testing.T, e *crawl.Engine) (list []string) {
	t.Helper()
	for p := range each(t, e.Workspace().Pages()) {
		body, err := e.Workspace().Body(p.ID, 1<<20)
		must(t, err)
		list = append(list, fmt.Sprintf("%s %x %s %d", p.URL, p.Hash, p.Title, len(body)))
	}
	return list
}

// timers are timers that go off when the test says so.
type timers struct {
	mu   sync.Mutex
	list []func()
}

func (x *timers) after(_ time.Duration, fn func()) func() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.list = append(x.list, fn)
	return func() bool { return false } // going off once more does no harm
}

func (x *timers) fire() {
	x.mu.Lock()
	list := x.list
	x.list = nil
	x.mu.Unlock()
	for _, fn := range list {
		fn()
	}
}

// While the network is away everybody can see it; nothing is asked but one URL at
// a time; and it goes on by itself.
func TestEverybodySeesThatTheNetworkIsAway(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	var dials atomic.Int64
	web, server := demoWeb(t)
	var asked atomic.Int64
	server.Fail(func(*http.Request, int) webtest.Fault {
		if asked.Add(1) == 100 {
			down.Store(true)
		}
		return webtest.Fault{}
	})
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Depth = web.Seeds(), 0, 1
	})
	clock, bell := newCalendar(), &timers{}
	e := opened(t, dir, crawl.Options{Now: clock.Now, AfterFunc: bell.after,
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if down.Load() {
				dials.Add(1)
				return nil, syscall.ENETUNREACH
			}
			c, err := server.Dial(ctx, network, addr)
			return breaking{c, &down}, err
		}})
	must(t, e.Runs.StartDiscovery())
	away := func() bool { return !e.Snapshot().AwaySince.IsZero() }
	waitFor(t, "the network is away", func() bool { bell.fireUnless(away()); return away() })
	s := e.Snapshot()
	if !strings.HasPrefix(s.Why, "the network is away since ") || !strings.Contains(s.Why, "tried again at") || s.State != view.Running {
		t.Errorf("%s: %q", s.State, s.Why)
	}
	if since := metric(t, e, "angler_network_away_since_seconds"); since == "0" || since == "" {
		t.Errorf("angler_network_away_since_seconds %q", since)
	}
	waitFor(t, "nothing is in flight", func() bool { return e.Snapshot().Busy == 0 })
	failed := e.Workspace().Counts().Exception
	before := dials.Load()
	clock.jump(time.Minute)
	bell.fire()
	if n := dials.Load() - before; n > 3 {
		t.Errorf("%d connections were tried at once while the network is away", n)
	}
	// Pages that were read before are still being stored, so fewer URLs may wait.
	if got := e.Workspace().Counts().Exception; got > failed {
		t.Errorf("%d URLs failed while the network is away", got-failed)
	}
	down.Store(false)
	clock.jump(time.Minute)
	waitFor(t, "the run ends", func() bool { bell.fire(); return e.Snapshot().State == view.Idle })
	for u := range each(t, e.Workspace().URLs()) {
		if strings.Contains(u.Failure.Error(), "unreachable") {
			t.Errorf("%s still bears a mark: %s", u.URL, u.Failure)
		}
	}
	if since := metric(t, e, "angler_network_away_since_seconds"); since != "0" {
		t.Errorf("angler_network_away_since_seconds %q afterwards", since)
	}
}

// fireUnless lets the timers go off unless what they were to bring about is there.
func (x *timers) fireUnless(there bool) {
	if !there {
		x.fire()
	}
}

// breaking is a connection that breaks while down holds.
type breaking struct {
	net.Conn
	down *atomic.Bool
}

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if b.down.Load() {
		return 0, syscall.ECONNRESET
	}
	return n, err
}

// A command does not wait for ever: it ends with an error that says what to do,
// and what waits goes on waiting.
func TestTheNetworkStaysAway(t *testing.T) {
	t.Parallel()
	x := &trouble{from: 60, lasts: 1000 * time.Hour, dial: syscall.ENETUNREACH}
	e := smallOutages.troubled(t, x)
	_, err := e.Runs.Discover(t.Context(), run.Options{AwayFor: 10 * time.Minute})
	if err == nil || !strings.Contains(err.Error(), "the network is away since") || !strings.Contains(err.Error(), "--proxy") {
		t.Fatalf("%v, want that the network is away", err)
	}
	if took := x.c.Now().Sub(x.begun); took < 10*time.Minute || took > 20*time.Minute {
		t.Errorf("it waited %v, want ten minutes", took)
	}
	if n := e.Workspace().Counts(); n.Waiting < 20 || n.Processing != 0 {
		t.Errorf("%+v", n)
	}
	// A workspace with pages knows that there was a network: it says the same again.
	_, err = e.Runs.Discover(t.Context(), run.Options{AwayFor: time.Minute})
	if err == nil || !strings.Contains(err.Error(), "the network is away since") {
		t.Errorf("the next one: %v", err)
	}
}

// A first run whose seeds cannot be resolved ends at once: it is not known that there
// is a network to wait for.
func TestSeedsThatDoNotExist(t *testing.T) {
	var dials atomic.Int64
	dir := created(t, func(set *config.Settings) {
		set.Seeds = []string{"http://nowhere.test/"}
		set.Crawl.Delay = 0 // the pause of the host holds between two runs, too
	})
	e := opened(t, dir, crawl.Options{
		Dial: func(_ context.Context, _, addr string) (net.Conn, error) {
			dials.Add(1)
			return nil, &net.DNSError{Err: "no such host", Name: addr, IsNotFound: true}
		},
		AfterFunc: func(d time.Duration, fn func()) func() bool {
			t.Errorf("the run waits for %v", d)
			return time.AfterFunc(0, fn).Stop
		}})
	for range 2 { // a second run tries the seed again
		before := dials.Load()
		_, err := e.Runs.Discover(t.Context(), run.Options{})
		if err == nil || !strings.Contains(err.Error(), "no seed could be fetched") {
			t.Errorf("%v, want that no seed could be fetched", err)
		}
		if n := dials.Load() - before; n == 0 || n > 2 {
			t.Errorf("%d connections", n)
		}
		if errors.Is(err, run.ErrNoSeeds) {
			t.Error(err)
		}
	}
}
