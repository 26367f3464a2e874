package browser_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// scripted is a site whose lists only scripts fill.
type scripted struct {
	mu    sync.Mutex
	asked map[string]int
	more  int    // rows that every list has gained
	late  bool   // every fifth notice has its text by a script
	pager string // stands below the lists
	dial  func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	s.mu.Unlock()
	var list, n int
	switch {
	case r.URL.Path == "/":
		demotest.Page(`<a href="/l/0">采购公告</a> <a href="/l/1">招标公告</a> <a href="/l/2">中标公告</a>`)(w, r)
	case demotest.Scan(r.URL.Path, "/l/%d", &list):
		w.Header().Set("ETag", `"shell"`) // the document itself never changes
		if r.Header.Get("If-None-Match") == `"shell"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		demotest.Page(fmt.Sprintf(`<h1>采购公告</h1><ul id="rows"></ul><script>
fetch('/api/%d').then(r => r.json()).then(d => { for (const row of d.rows) {
  const li = document.createElement('li'), a = document.createElement('a'), s = document.createElement('span');
  a.href = row.url; a.textContent = row.title; s.textContent = row.date; li.append(a, s); document.getElementById('rows').append(li) } })</script>`, list)+s.pager)(w, r)
	case demotest.Scan(r.URL.Path, "/api/%d", &list):
		var rows []map[string]string
		s.mu.Lock()
		more := s.more
		s.mu.Unlock()
		for i := range 8 + more {
			n := 8*list + i
			if i >= 8 {
				n = 24 + 3*(i-8) + list
			}
			rows = append(rows, map[string]string{"url": fmt.Sprintf("/n/%d", n), "title": demotest.Thing(n) + "采购项目招标公告", "date": fmt.Sprintf("2026-06-%02d", 1+n)})
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"total": 8, "rows": rows})
	case demotest.Scan(r.URL.Path, "/n/%d", &n):
		text := fmt.Sprintf(`<p>项目编号：DHU-2026-%05d</p><p>采购人：东湖大学。预算金额：%d万元。东湖大学拟采购%s，欢迎符合条件的供应商参加投标。</p>`, n, 10+n, demotest.Thing(n))
		if s.late && n%5 == 1 {
			text = fmt.Sprintf(`<div id="text"></div><script>document.getElementById('text').innerHTML = atob('%s'.split('-').join('')).replace(/.+/s, s => new TextDecoder().decode(Uint8Array.from(s, c => c.charCodeAt(0))))</script>`, base64.StdEncoding.EncodeToString([]byte(text)))
		}
		demotest.Page(fmt.Sprintf(`<h1>%s采购项目招标公告</h1>%s`, demotest.Thing(n), text))(w, r)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

func renderedSite(t *testing.T, change func(*config.Settings)) (*scripted, *crawl.Engine) {
	t.Helper()
	s := &scripted{asked: map[string]int{}}
	server, err := webtest.Serve(s)
	must(t, err)
	s.dial = server.Dial
	t.Cleanup(func() { server.Close() })
	set := config.Default()
	set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps, set.Crawl.Depth = []string{"http://a.test/"}, 0, false, 3
	change(&set)
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	e, err := crawl.Open(t.Context(), dir, crawl.Options{By: "wang", Dial: server.Dial})
	must(t, err)
	t.Cleanup(func() { demotest.Close(t, e) })
	return s, e
}

// Without a browser such pages are read as they come, everything else goes on, and that
// is said.
func TestNoBrowserIsSaid(t *testing.T) {
	_, e := renderedSite(t, func(set *config.Settings) {
		set.Render.Pages, set.Render.Browser = []string{"a.test"}, ""
	})
	t.Setenv("PATH", t.TempDir())
	if _, err := e.Topic.AddSample(t.Context(), "http://a.test/n/1", ""); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Workspace().Counts().Pages; n != 4 {
		t.Errorf("%d pages", n)
	}
	if n := demotest.Saying(e, "read without their scripts", "install the package chromium"); n != 1 {
		t.Errorf("said %d times", n)
	}
	if got := e.Snapshot().Rendering; !strings.Contains(got.Err, "no Chromium") {
		t.Errorf("%+v", got)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
