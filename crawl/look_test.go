package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// The first look ends after thirty pages. Dead links do not count, and the snapshot keeps
// its pages apart from those of later runs.
func TestTheFirstLookIsThirtyPages(t *testing.T) {
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 0
		switch {
		case r.URL.Path == "/":
			var links strings.Builder
			for i := range 100 {
				fmt.Fprintf(&links, `<a href="/%d.htm">page %d</a> `, i, i)
			}
			demotest.Page(links.String())(w, r)
		case scan(r.URL.Path, "/%d.htm", &n) && n%4 == 0:
			http.NotFound(w, r)
		default:
			demotest.Page("<p>"+r.URL.Path+"</p>")(w, r)
		}
	}), func(set *config.Settings) { set.Crawl.Workers = 1 })
	if err := e.Runs.StartProbe(); err != nil {
		t.Fatal(err)
	}
	runEnds(t, e)
	s := e.Snapshot()
	if s.Counts.Pages != 30 || s.Run.End != view.Spent || s.Run.Missed == 0 {
		t.Errorf("the look brought %d pages and %d misses, and ended %q; want 30 pages", s.Counts.Pages, s.Run.Missed, s.Run.End)
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if s = e.Snapshot(); s.Look == nil || s.Look.Pages != 30 || s.Counts.Pages <= 30 {
		t.Errorf("after a discovery of %d pages the look is told as %+v; want 30 pages", s.Counts.Pages, s.Look)
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
	s, err := e.Runs.Discover(t.Context(), run.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
