package crawl_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"angler/crawl/demo/demotest"
	"angler/store/config"
)

// The first look ends once it has thirty pages and lists that are wanted, else after a
// hundred pages. Dead links do not count, and the snapshot keeps its pages apart from those
// of later runs.
func TestTheFirstLookEndsWhenListsAreFound(t *testing.T) {
	const list = `<title>招标公告</title><ul><li><a href="/n/1.htm">仪器采购招标公告一</a> 2026-06-01</li><li><a href="/n/2.htm">仪器采购招标公告二</a> 2026-06-02</li><li><a href="/n/3.htm">仪器采购招标公告三</a> 2026-06-03</li><li><a href="/n/4.htm">仪器采购招标公告四</a> 2026-06-04</li></ul>`
	for lists, want := range map[int]int{0: 100, 3: 30} {
		e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n := 0
			switch {
			case r.URL.Path == "/":
				var links strings.Builder
				for i := range 180 {
					fmt.Fprintf(&links, `<a href="/%d.htm">page %d</a> `, i, i)
				}
				demotest.Page(links.String())(w, r)
			case scan(r.URL.Path, "/%d.htm", &n) && n%4 == 0:
				http.NotFound(w, r)
			case n%2 == 1 && n/2 < lists:
				io.WriteString(w, list)
			default:
				demotest.Page("<p>"+r.URL.Path+"</p>")(w, r)
			}
		}), func(set *config.Settings) { set.Crawl.Workers = 1 })
		must(t, e.Runs.StartProbe())
		runEnds(t, e)
		s := e.Snapshot()
		got := s.Counts.Pages
		if got < want || got > want+5 || s.Run.Missed == 0 {
			t.Errorf("with %d lists the look brought %d pages and %d misses, and ended %q; want %d pages", lists, got, s.Run.Missed, s.Run.End, want)
		}
		discover(t, e.Runs)
		if s = e.Snapshot(); s.Look == nil || s.Look.Pages != got || s.Counts.Pages <= got {
			t.Errorf("after a discovery of %d pages the look is told as %+v; want %d pages", s.Counts.Pages, s.Look, got)
		}
	}
}

// A dead link is asked once in a run, however many there are in a row on its host.
func TestDeadLinksAreAskedOnce(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			var links strings.Builder
			for i := range 40 {
				fmt.Fprintf(&links, `<a href="/gone/%d.htm">gone %d</a> `, i, i)
			}
			demotest.Page(links.String())(w, r)
			return
		}
		mu.Lock()
		asked[r.URL.Path]++
		mu.Unlock()
		w.WriteHeader([]int{http.StatusNotFound, http.StatusGone}[len(r.URL.Path)%2])
	}), func(set *config.Settings) { set.Crawl.Workers = 1 })
	s := discover(t, e.Runs)
	if s.Failed != 40 {
		t.Errorf("%d URLs failed, want 40", s.Failed)
	}
	mu.Lock()
	defer mu.Unlock()
	for url, n := range asked {
		if strings.HasPrefix(url, "/gone/") && n != 1 {
			t.Errorf("%s was asked %d times", url, n)
		}
	}
}
