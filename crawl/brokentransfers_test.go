package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"angler/store"
)

// A page whose transfer breaks is asked for once more. What came then is kept and marked, and
// its host is asked on as before.
func TestPagesThatComeInPart(t *testing.T) {
	body := func(n int) string {
		return fmt.Sprintf("<html><head><title>公开文件 %d</title></head><body><h1>公开文件 %d</h1>%s</body></html>", n, n, strings.Repeat("<p>这是一份公开的文件。</p>", 20+n))
	}
	var once atomic.Bool
	asked := map[string]*atomic.Int64{"/d/0.htm": {}, "/d/1.htm": {}, "/d/2.htm": {}}
	e := siteOn(t, newCalendar(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if n := asked[r.URL.Path]; n != nil {
			n.Add(1)
		}
		var n int
		switch {
		case r.URL.Path == "/":
			for i := range 12 {
				fmt.Fprintf(w, `<a href="/d/%d.htm">公开文件 %d</a>`, i, i)
			}
		case scan(r.URL.Path, "/d/%d.htm", &n):
			if n == 0 || n == 1 && once.CompareAndSwap(false, true) {
				w.Header().Set("Content-Length", fmt.Sprint(len(body(n))+500))
			}
			fmt.Fprint(w, body(n))
		default:
			http.NotFound(w, r)
		}
	}))
	s := discover(t, e.Runs)
	if s.Pages != 13 || s.Failed > 0 {
		t.Fatalf("%+v", s)
	}
	for path, want := range map[string]int64{"/d/0.htm": 2, "/d/1.htm": 2, "/d/2.htm": 1} {
		if n := asked[path].Load(); n != want {
			t.Errorf("%s was asked %d times, want %d", path, n, want)
		}
		id, _ := e.Workspace().Lookup("http://a.test" + path)
		row, err := e.Workspace().Page(id)
		if err != nil || row == nil {
			t.Fatalf("%s: %v", path, err)
		}
		if marked := strings.Contains(row.Limits, "partial: it ended early"); marked != (path == "/d/0.htm") {
			t.Errorf("%s has the limits %q", path, row.Limits)
		}
		if u, err := e.Workspace().URL(id); err != nil || u.State != store.Complete || !strings.HasPrefix(row.Head, "公开文件") {
			t.Errorf("%s: %+v, %q, %v", path, u, row.Head, err)
		}
	}
	if saying(e, "http://a.test/d/0.htm came in part: it ended early") == 0 {
		t.Error("no event names the page")
	}
	if saying(e, "waiting for host") > 0 {
		t.Error("the host rests for one bad page")
	}
}

// A page that came in part is asked for again by the next discovery, because its missing part may
// hold links. Once it is whole, it waits like any other page.
func TestThePartThatIsMissing(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	var asked atomic.Int64
	e := siteOn(t, newCalendar(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		var n int
		switch {
		case r.URL.Path == "/":
			asked.Add(1)
			page := "<title>公开文件</title>"
			for i := range 20 {
				page += fmt.Sprintf(`<p><a href="/d/%d.htm">公开文件第 %d 号</a></p>`, i, i)
			}
			w.Header().Set("Content-Length", fmt.Sprint(len(page)))
			if broken.Load() {
				page = page[:strings.Index(page, `<p><a href="/d/5.htm`)]
			}
			fmt.Fprint(w, page)
		case scan(r.URL.Path, "/d/%d.htm", &n):
			fmt.Fprintf(w, "<title>公开文件 %d</title><p>这是第 %d 份公开的文件。</p>", n, n)
		default:
			http.NotFound(w, r)
		}
	}))
	discover := func(pages, requests int) {
		t.Helper()
		discover(t, e.Runs)
		if n := e.Workspace().Counts().Pages; n != pages {
			t.Errorf("%d pages, want %d", n, pages)
		}
		if n := asked.Swap(0); n != int64(requests) {
			t.Errorf("the list was asked for %d times, want %d", n, requests)
		}
	}
	discover(6, 2)
	discover(6, 1) // still broken
	broken.Store(false)
	discover(21, 1)
	discover(21, 0)
	id, _ := e.Workspace().Lookup("http://a.test/")
	row, err := e.Workspace().Page(id)
	must(t, err)
	if row.Partial() {
		t.Errorf("the limits are still %q", row.Limits)
	}
}
