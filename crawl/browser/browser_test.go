package browser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl/fetch"
)

// installed skips a test where there is no browser.
func installed(t *testing.T) {
	t.Helper()
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
}

// limits are those of the tests; a busy machine has time enough.
func limits() bounds {
	return bounds{Tabs: 2, Memory: 4 << 30, Timeout: time.Minute, Pages: 100, MaxBody: 4 << 20}
}

// guarded is a Fetcher with a test's own rule for private addresses.
type guarded struct {
	requester
	private func(ctx context.Context, address string) error
}

func (g guarded) Private(ctx context.Context, address string) error { return g.private(ctx, address) }

// rig is a browser before a web of its own.
type rig struct {
	*browser
	own  *fetch.Fetcher
	base string

	mu    sync.Mutex
	asked []string // paths, in order
}

func (r *rig) paths() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.asked, " ")
}

func newRig(t *testing.T, lim func() bounds, web http.Handler, change ...func(*browserConfig)) *rig {
	t.Helper()
	installed(t)
	r := &rig{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path != "/robots.txt" {
			r.mu.Lock()
			r.asked = append(r.asked, q.URL.Path)
			r.mu.Unlock()
		}
		web.ServeHTTP(w, q)
	}))
	t.Cleanup(s.Close)
	r.base = s.URL
	r.own = fetcher(t, strings.TrimPrefix(s.URL, "http://"))
	c := browserConfig{Limits: lim, Own: r.own, Others: fetcher(t), Folder: t.TempDir()}
	for _, f := range change {
		f(&c)
	}
	r.browser = newBrowser(c)
	t.Cleanup(r.close)
	return r
}

func fetcher(t *testing.T, seeds ...string) *fetch.Fetcher {
	t.Helper()
	f, err := fetch.New(fetch.Config{SeedHosts: seeds, MaxBody: 4 << 20})
	must(t, err)
	t.Cleanup(f.Close)
	return f
}

// page fetches and renders a page.
func (r *rig) page(t *testing.T, path string) (*Rendered, error) {
	t.Helper()
	resp, err := r.own.Fetch(t.Context(), fetch.Request{URL: r.base + path})
	must(t, err)
	return r.render(t.Context(), resp)
}

func (r *rig) rendered(t *testing.T, path string) *Rendered {
	t.Helper()
	out, err := r.page(t, path)
	must(t, err)
	return out
}

func htmlOf(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, "<!DOCTYPE html><html><head><title>t</title></head><body>"+body+"</body></html>")
}

// list is a list that a script fills.
func list() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/robots.txt", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "User-agent: *\nDisallow: /closed/\n")
	})
	mux.HandleFunc("/list", func(w http.ResponseWriter, _ *http.Request) {
		htmlOf(w, `<link rel="stylesheet" href="/style.css"><img src="/picture.png"><ul id="rows"></ul>
<iframe src="/frame"></iframe><script src="/app.js"></script>`)
	})
	mux.HandleFunc("/app.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, `
fetch('/closed/rows').catch(() => document.title = 'closed');
fetch('/api/rows', {method: 'POST', headers: {'Content-Type': 'application/json', 'X-Token': 'abc'}, body: '{"page":1}'})
  .then(r => r.json()).then(d => { for (const r of d.rows) {
    const li = document.createElement('li'), a = document.createElement('a');
    a.href = '/notice?id=' + r.id; a.textContent = r.title; li.append(a, ' ' + r.date); document.getElementById('rows').append(li) } });`)
	})
	mux.HandleFunc("/api/rows", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.Method != http.MethodPost || string(body) != `{"page":1}` || r.Header.Get("X-Token") != "abc" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"rows":[{"id":7,"title":"道路工程招标公告","date":"2026-11-20"},{"id":8,"title":"桥梁工程招标公告","date":"2026-11-21"}]}`)
	})
	return mux
}

func TestListFilledByScript(t *testing.T) {
	r := newRig(t, limits, list())
	out := r.rendered(t, "/list")
	for _, want := range []string{"<!DOCTYPE html>", `<a href="/notice?id=7">道路工程招标公告</a> 2026-11-20`, "桥梁工程招标公告", "<title>closed</title>"} {
		if !strings.Contains(string(out.HTML), want) {
			t.Errorf("the page lacks %s:\n%s", want, out.HTML)
		}
	}
	if got := r.paths(); got != "/list /app.js /api/rows" {
		t.Errorf("asked for %s", got)
	}
	if len(out.Exchanges) != 1 || out.Exchanges[0].Request.URL != r.base+"/api/rows" || string(out.Exchanges[0].Request.Body) != `{"page":1}` ||
		out.Exchanges[0].Request.Header["x-token"] != "abc" || !strings.Contains(string(out.Exchanges[0].Reply.Body), "道路") {
		t.Errorf("exchanges: %+v", out.Exchanges)
	}
	if out.Unquiet || out.Truncated || out.Location != "" {
		t.Errorf("%+v", out)
	}
	// The script is known now; what it asks for is not.
	r.rendered(t, "/list")
	if got := r.paths(); got != "/list /app.js /api/rows /list /api/rows" {
		t.Errorf("asked for %s", got)
	}
	s := r.state()
	if s.Pages != 2 || s.Begun != 1 || s.Failed != 0 {
		t.Errorf("%+v", s)
	}
}

func TestNoBrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Find(""); !errors.Is(err, errNone) {
		t.Errorf("%v", err)
	}
	if _, err := Find("no-such-browser"); err == nil || !strings.Contains(err.Error(), "render.browser") {
		t.Errorf("%v", err)
	}
	b := newBrowser(browserConfig{Limits: limits})
	defer b.close()
	if _, err := b.render(context.Background(), &fetch.Response{URL: "http://x.test/"}); !errors.Is(err, errNone) {
		t.Errorf("%v", err)
	}
	if s := b.state(); s.Failed != 1 || !strings.Contains(s.Err, "install the package chromium") {
		t.Errorf("%+v", s)
	}
}

// BenchmarkPage says what a rendered page costs: a list with one script and one request
// for its rows.
func BenchmarkPage(b *testing.B) {
	if _, err := Find(""); err != nil {
		b.Skip(err)
	}
	web := httptest.NewServer(list())
	defer web.Close()
	own, err := fetch.New(fetch.Config{SeedHosts: []string{strings.TrimPrefix(web.URL, "http://")}})
	must(b, err)
	defer own.Close()
	r := newBrowser(browserConfig{Limits: limits, Own: own, Others: own, Folder: b.TempDir()})
	defer r.close()
	page := func() {
		resp, err := own.Fetch(b.Context(), fetch.Request{URL: web.URL + "/list"})
		if err == nil {
			_, err = r.render(b.Context(), resp)
		}
		must(b, err)
	}
	page()
	before := cpuOf(r.current.cmd.Process.Pid)
	for b.Loop() {
		page()
	}
	b.ReportMetric((cpuOf(r.current.cmd.Process.Pid)-before)/float64(b.N), "cpu-s/op")
	b.ReportMetric(float64(r.state().Memory>>20), "MB")
}

// cpuOf is the time that the living processes of a group have used, in seconds; on other
// systems than Linux 0.
func cpuOf(group int) (seconds float64) {
	names, _ := os.ReadDir("/proc")
	for _, n := range names {
		stat, err := os.ReadFile("/proc/" + n.Name() + "/stat")
		if err != nil {
			continue
		}
		f := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		var pgrp, user, system int
		if len(f) > 15 {
			if _, err := fmt.Sscan(f[2]+" "+f[11]+" "+f[12], &pgrp, &user, &system); err == nil && pgrp == group {
				seconds += float64(user+system) / 100
			}
		}
	}
	return seconds
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
