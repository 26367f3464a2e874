package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/store/config"
)

// failedURLs are the numbers of failed URLs that an engine tells of, by who reads them.
func failedURLs(t *testing.T, e *crawl.Engine) map[string]int {
	t.Helper()
	s := e.Snapshot()
	land, err := e.Survey.Land(t.Context())
	must(t, err)
	failures, hosts := 0, 0
	for _, f := range land.Failures {
		failures += f.N - f.Waits
	}
	for _, b := range land.Hosts {
		hosts += b.Dead
	}
	return map[string]int{"Home": s.Counts.Exception, "the status line": s.Run.Failed(), "the history": s.Last.Failures, "the exceptions pane": failures, "the hosts": hosts}
}

// A URL that failed counts once, however often it was fetched, and not at all when a later
// fetch brought its page: on Home, in the status line, the panes, the events and the
// history, and after the workspace was opened again.
func TestFailedURLsAreOneNumber(t *testing.T) {
	const gone, bad = 20, 1
	if testing.Short() {
		t.Skip("waits for a retry; -short leaves it out")
	}
	flaky := map[string]bool{}
	e, server := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := 0
		switch {
		case r.URL.Path == "/":
			var links strings.Builder
			for i := range gone {
				fmt.Fprintf(&links, `<a href="/ok/%d.htm">ok %d</a> <a href="/gone/%d.htm">gone %d</a> `, i, i, i, i)
			}
			for i := range bad {
				fmt.Fprintf(&links, `<a href="/bad/%d.htm">bad %d</a> <a href="/flaky/%d.htm">flaky %d</a> `, i, i, i, i)
			}
			demotest.Page(links.String())(w, r)
		case scan(r.URL.Path, "/bad/%d.htm", &n), scan(r.URL.Path, "/flaky/%d.htm", &n) && !flaky[r.URL.Path]:
			flaky[r.URL.Path] = true
			w.WriteHeader(http.StatusInternalServerError)
		case scan(r.URL.Path, "/gone/%d.htm", &n):
			http.NotFound(w, r)
		default:
			demotest.Page("<p>"+r.URL.Path+"</p>")(w, r)
		}
	}), func(set *config.Settings) { set.Crawl.Retries, set.Crawl.Workers = 1, 1 })
	s := discover(t, e.Runs)
	const want = gone + bad
	if s.Failed != want || s.Tally.Missed <= want {
		t.Errorf("the discovery tells of %d failed URLs and %d fetches without a page, want %d and more", s.Failed, s.Tally.Missed, want)
	}
	check := func(when string, e *crawl.Engine) {
		t.Helper()
		for who, n := range failedURLs(t, e) {
			if n != want {
				t.Errorf("%s: %s: %d failed URLs, want %d", when, who, n, want)
			}
		}
	}
	check("after the discovery", e)
	events := 0
	for _, k := range e.Snapshot().Kinds {
		if strings.Contains(k.Newest.Text.String(), "asked again in") {
			events += k.N
		}
	}
	if events != want {
		t.Errorf("events tell of %d failed URLs, want %d", events, want)
	}
	kinds, dir := e.Snapshot().Run.Errors, e.Workspace().Dir()
	must(t, e.Close())
	e = opened(t, dir, crawl.Options{By: "wang", Dial: dialling(server)})
	check("opened again", e)
	if again := e.Snapshot().Run.Errors; !slices.Equal(again, kinds) {
		t.Errorf("opened again: failed URLs by kind are %v, were %v", again, kinds)
	}
}
