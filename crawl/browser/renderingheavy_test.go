//go:build heavy

package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl/browser"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/store/config"
)

func (s *scripted) requests(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// A list that only scripts fill is read through the browser, from sample to notices.
func TestRenderedLists(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	s, e := renderedSite(t, func(set *config.Settings) { set.Render.Pages = []string{"a.test/l/"} })
	for i := range 2 {
		if _, err := e.Topic.AddSample(t.Context(), fmt.Sprintf("http://a.test/l/%d", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Workspace().Counts().Notices; n != 24 {
		t.Errorf("%d notices, want 24; %+v", n, e.Snapshot().Rendering)
	}
	body := string(demotest.BodyOf(t, e.Workspace(), "http://a.test/l/2"))
	if !strings.Contains(body, `href="/n/16"`) || !strings.HasPrefix(body, "<!DOCTYPE html>") {
		t.Errorf("stored of a list: %.300s", body)
	}
	got := e.Snapshot().Rendering
	if got.Failed != 0 || got.Pages == 0 || len(got.Hosts) != 1 || got.Hosts[0].Host != "a.test" || got.Hosts[0].Exchanges != got.Pages {
		t.Errorf("%+v", got)
	}
	if n := s.requests("/api/2"); n == 0 || s.requests("/l/2") != n {
		t.Errorf("a list was fetched %d times, its rows %d times", s.requests("/l/2"), n)
	}
}

// Pages that were stored as they came are rendered at the next visit, though their
// documents are as they were.
func TestRenderedFromNowOn(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	_, e := renderedSite(t, func(*config.Settings) {})
	for i := range 2 {
		if _, err := e.Topic.AddSample(t.Context(), fmt.Sprintf("http://a.test/l/%d", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Workspace().Counts().Notices; n != 0 {
		t.Fatalf("%d notices without the browser", n)
	}
	if _, err := e.Runs.RenderBranches([]string{"a.test/l/"}, true); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Workspace().Counts().Notices; n < 16 {
		t.Errorf("%d notices; %+v", n, e.Snapshot().Rendering)
	}
}

// A discovery looks again at a list that it could not read, once its host is read through
// the browser: the analyst does not wait until the page is due.
func TestUnreadListsAreRenderedByTheNextDiscovery(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	s, e := renderedSite(t, func(*config.Settings) {})
	if _, err := e.Topic.AddSample(t.Context(), "http://a.test/n/1", ""); err != nil { // a topic, and no list
		t.Fatal(err)
	}
	discover := func(rendered int) {
		t.Helper()
		was := s.requests("/l/2")
		if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
			t.Fatal(err)
		}
		if n := s.requests("/l/2") - was; n != rendered {
			t.Errorf("the list was asked for %d times, want %d", n, rendered)
		}
	}
	discover(1)
	discover(0) // it is not due
	if _, err := e.Runs.RenderBranches([]string{"a.test/l/"}, true); err != nil {
		t.Fatal(err)
	}
	discover(1)
	discover(0)
}

// visits is what a server was asked, one after the other.
type visits struct {
	mu     sync.Mutex
	inside int
	list   []visitAt
}

// visitAt is a request: from when until when, and how many were under way with it.
type visitAt struct {
	path     string
	from, to time.Time
	underWay int
}

// Everything that a rendered page asks its host for keeps the host's delay, one at a time,
// as pages of the run do that are asked for meanwhile; and robots.txt holds for it.
func TestRenderedPagesAreAskedPolitely(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	const delay = 150 * time.Millisecond
	var log visits
	answer := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var n int
		switch {
		case r.URL.Path == "/":
			demotest.Page(`<a href="/l/0">采购公告</a> <a href="/l/1">招标公告</a> <a href="/plain/0">通知</a> <a href="/plain/1">公示</a> <a href="/plain/2">简介</a>`)(w, r)
		case demotest.Scan(r.URL.Path, "/l/%d", &n):
			demotest.Page(fmt.Sprintf(`<h1>采购公告</h1><p id="a">…</p><p id="b">…</p><script src="/js/one.js"></script><script src="/js/two.js"></script><script>
fetch('/closed/%[1]d').catch(() => document.getElementById('a').dataset.closed = 'yes');
for (const id of ['a', 'b']) fetch('/api/%[1]d/' + id).then(r => r.json()).then(d => document.getElementById(id).textContent = d.text)</script>`, n))(w, r)
		case strings.HasPrefix(r.URL.Path, "/js/"):
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "var x = 1")
		case strings.HasPrefix(r.URL.Path, "/api/"):
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"text":"here"}`)
		default:
			demotest.Page("<p>一页</p>")(w, r)
		}
	})
	e, _ := demotest.Site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			fmt.Fprint(w, "User-agent: *\nDisallow: /closed/\n")
			return
		}
		log.mu.Lock()
		log.inside++
		v := visitAt{path: r.URL.Path, from: time.Now(), underWay: log.inside}
		log.mu.Unlock()
		answer(w, r)
		log.mu.Lock()
		log.inside--
		v.to = time.Now()
		log.list = append(log.list, v)
		log.mu.Unlock()
	}), func(set *config.Settings) {
		set.Crawl.Delay, set.Render.Pages = config.Duration(delay), []string{"a.test/l/"}
	})
	defer demotest.Close(t, e)
	if s, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil || s.Pages != 6 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i := range 2 {
		if body := string(demotest.BodyOf(t, e.Workspace(), fmt.Sprintf("http://a.test/l/%d", i))); strings.Count(body, ">here<") != 2 || !strings.Contains(body, `data-closed="yes"`) {
			t.Errorf("a list was taken before it was filled: %s", body)
		}
	}
	log.mu.Lock()
	defer log.mu.Unlock()
	asked := map[string]int{}
	for i, v := range log.list {
		asked[v.path]++
		if v.underWay != 1 {
			t.Errorf("%s was asked for beside %d others", v.path, v.underWay-1)
		}
		if i > 0 && v.from.Sub(log.list[i-1].to) < delay {
			t.Errorf("%s was asked for %v after %s, the delay is %v", v.path, v.from.Sub(log.list[i-1].to), log.list[i-1].path, delay)
		}
	}
	for _, path := range []string{"/js/one.js", "/js/two.js", "/api/0/a", "/api/0/b", "/api/1/a", "/api/1/b"} {
		if asked[path] != 1 {
			t.Errorf("%s was asked for %d times", path, asked[path])
		}
	}
	if asked["/closed/0"]+asked["/closed/1"] != 0 {
		t.Error("robots.txt was not respected")
	}
}
