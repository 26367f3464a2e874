package fetch

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// robotsSite answers /robots.txt as told and counts how often it was asked for.
type robotsSite struct {
	mu     sync.Mutex
	status int
	header map[string]string
	body   string
	asked  int
	pages  atomic.Int32
}

func (s *robotsSite) set(status int, body string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.body = status, body
}

func (s *robotsSite) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *robotsSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/robots.txt" {
		s.pages.Add(1)
		io.WriteString(w, "page")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	for k, v := range s.header {
		w.Header().Set(k, v)
	}
	w.WriteHeader(s.status)
	io.WriteString(w, s.body)
}

// clock is a time that only the test moves.
type clock struct{ ns atomic.Int64 }

func newClock() *clock {
	c := &clock{}
	c.ns.Store(time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC).UnixNano())
	return c
}
func (c *clock) now() time.Time          { return time.Unix(0, c.ns.Load()) }
func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

func TestRobotsIsHonoured(t *testing.T) {
	const closed = "User-agent: *\nDisallow: /"
	html := "<!DOCTYPE html><html><body>User-agent: *\nDisallow: /</body></html>"
	cases := map[string]struct {
		status int
		header map[string]string
		body   string
		path   string
		kind   Kind
	}{
		"forbidden":                   {200, nil, closed, "/a", Robots},
		"allowed":                     {200, nil, "User-agent: *\nDisallow: /private", "/a", ""},
		"query is matched as written": {200, nil, "User-agent: *\nDisallow: /*?z=1&a=2", "/a?z=1&a=2", Robots},
		"not found is open":           {404, nil, closed, "/a", ""},
		"forbidden file is open":      {403, nil, closed, "/a", ""},
		"server error is closed":      {503, nil, "", "/a", RobotsUnavailable},
		"too many requests is closed": {429, nil, "", "/a", RobotsUnavailable},
		"an HTML page is no file":     {200, nil, html, "/a", ""},
		"HTML type, real rules":       {200, map[string]string{"Content-Type": "text/html"}, closed, "/a", Robots},
		"said gzip of a bad kind":     {200, map[string]string{"Content-Encoding": "br"}, closed, "/a", RobotsUnavailable},
		"rules past 512 KiB":          {200, nil, "User-agent: *\nAllow: /\n#" + strings.Repeat("x", maxRobotsBody) + "\nDisallow: /a", "/a", ""},
		"not found, broken body":      {404, map[string]string{"Content-Encoding": "gzip"}, "\x1f\x8b\x08", "/a", ""},
		"broken after some lines":     {200, map[string]string{"Content-Length": "999"}, closed + "\nAllow: /a", "/a", Robots},
		"redirect to itself":          {302, map[string]string{"Location": "/robots.txt"}, "", "/a", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			site := &robotsSite{status: c.status, header: c.header, body: c.body}
			base := serve(t, site.ServeHTTP)
			f := open(t, Config{AllowPrivate: true})
			res, err := f.Fetch(t.Context(), Request{URL: base + c.path})
			if kindOf(err) != c.kind {
				t.Fatalf("got %+v, %v; want kind %q", res, err, c.kind)
			}
			if got := site.pages.Load(); (got > 0) != (c.kind == "") {
				t.Errorf("the page was asked for %d times", got)
			}
			allowed, _, err := f.Robots(t.Context(), base+c.path)
			if allowed != (c.kind == "") || (kindOf(err) == RobotsUnavailable) != (c.kind == RobotsUnavailable) {
				t.Errorf("Robots says %v, %v", allowed, err)
			}
		})
	}
	t.Run("ignored when told so", func(t *testing.T) {
		site := &robotsSite{status: 200, body: closed}
		base := serve(t, site.ServeHTTP)
		f := open(t, Config{AllowPrivate: true, IgnoreRobots: true})
		if res, err := f.Fetch(t.Context(), Request{URL: base}); err != nil || string(res.Body) != "page" {
			t.Errorf("got %+v, %v", res, err)
		}
		if n := site.count(); n != 0 {
			t.Errorf("robots.txt was asked for %d times", n)
		}
	})
}

// A file elsewhere counts for the host that redirects to it.
func TestRobotsRedirect(t *testing.T) {
	other := &robotsSite{status: 200, body: "User-agent: *\nDisallow: /a"}
	otherURL := serve(t, other.ServeHTTP)
	site := &robotsSite{status: 301, header: map[string]string{"Location": otherURL + "/robots.txt"}}
	base := serve(t, site.ServeHTTP)
	f := open(t, Config{AllowPrivate: true})
	if _, err := f.Fetch(t.Context(), Request{URL: base + "/a"}); kindOf(err) != Robots {
		t.Errorf("got %v, want the redirected rules to forbid it", err)
	}
}

// A day's file is a day old at most, and a host that was closed by an error
// opens again.
func TestRobotsAge(t *testing.T) {
	clock := newClock()
	site := &robotsSite{status: 503}
	base := serve(t, site.ServeHTTP)
	f := open(t, Config{AllowPrivate: true, Now: clock.now})
	steps := []struct {
		name    string
		advance time.Duration
		status  int
		body    string
		kind    Kind
		asked   int
	}{
		{"down", 0, 503, "", RobotsUnavailable, 1},
		{"down is remembered for a moment", robotsRetry - 1, 200, "", RobotsUnavailable, 1},
		{"up again", 1, 200, "User-agent: *\nDisallow: /x", "", 2},
		{"kept for a day", robotsLife - 1, 200, "User-agent: *\nDisallow: /a", "", 2},
		{"read again after a day", 1, 200, "User-agent: *\nDisallow: /a", Robots, 3},
	}
	for _, s := range steps {
		clock.advance(s.advance)
		site.set(s.status, s.body)
		_, err := f.Fetch(t.Context(), Request{URL: base + "/a"})
		if kindOf(err) != s.kind || site.count() != s.asked {
			t.Fatalf("%s: got %v after asking %d times, want kind %q and %d", s.name, err, site.count(), s.kind, s.asked)
		}
	}
}

// Workers that meet a new host at the same moment ask for its file once, and
// one that gives up does not spoil it for the others.
func TestRobotsLoadIsShared(t *testing.T) {
	gate := make(chan struct{})
	var asked atomic.Int32
	base := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			asked.Add(1)
			<-gate
		}
		io.WriteString(w, "User-agent: *\nDisallow: /no")
	})
	f := open(t, Config{AllowPrivate: true})
	quitter, quit := context.WithCancel(t.Context())
	quit()
	if _, err := f.Fetch(quitter, Request{URL: base + "/first"}); kindOf(err) != Canceled {
		t.Fatalf("got %v, want canceled", err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if _, err := f.Fetch(t.Context(), Request{URL: fmt.Sprintf("%s/%d", base, i)}); err != nil {
				t.Error(err)
			}
		})
	}
	close(gate)
	wg.Wait()
	if n := asked.Load(); n != 1 {
		t.Errorf("robots.txt was asked for %d times, want once", n)
	}
}

func TestRobotsUnreachable(t *testing.T) {
	base := serve(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	f := open(t, Config{AllowPrivate: true})
	_, err := f.Fetch(t.Context(), Request{URL: base + "/a"})
	if kindOf(err) != RobotsUnavailable {
		t.Errorf("got %v, want the host closed for now", err)
	}
}

func TestCrawlDelayAndSitemaps(t *testing.T) {
	site := &robotsSite{status: 200, body: "Sitemap: /sitemap.xml\nUser-agent: *\nCrawl-delay: 2.5\nSitemap: http://other.test/s.xml.gz\nSitemap: javascript:x"}
	base := serve(t, site.ServeHTTP)
	host := strings.TrimPrefix(base, "http://")
	f := open(t, Config{AllowPrivate: true})
	if d, s := f.CrawlDelay(host), f.Sitemaps(host); d != 0 || s != nil {
		t.Errorf("before the first fetch: %v %v", d, s)
	}
	if _, err := f.Fetch(t.Context(), Request{URL: base + "/"}); err != nil {
		t.Fatal(err)
	}
	if d := f.CrawlDelay(host); d != 2500*time.Millisecond {
		t.Errorf("crawl delay %v, want 2.5s", d)
	}
	if got, want := f.Sitemaps(host), []string{base + "/sitemap.xml", "http://other.test/s.xml.gz"}; !slices.Equal(got, want) {
		t.Errorf("sitemaps %v, want %v", got, want)
	}
}
