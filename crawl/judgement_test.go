package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// judged is what an engine says of its pages: aggregation pages in order, with
// titles and scores.
func judged(t testing.TB, e *crawl.Engine) string {
	t.Helper()
	must(t, e.Words(context.Background()))
	var b strings.Builder
	for _, p := range exported[view.PageRow](t, e, "pages") {
		fmt.Fprintf(&b, "%s %s %d %.6f %v\n", p.URL, p.Title, p.Records, p.Score, p.Aggregation)
	}
	return b.String()
}

// firstDifference is the first line in which two texts differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\ninstead of\n" + b[i]
		}
	}
	return fmt.Sprintf("%d lines instead of %d", len(a), len(b))
}

// After a run that did not come to its end, what was learned of hosts is learned
// again from the stored pages, whatever is stored of it, and pages are judged as if
// the run had ended.
func TestAnUncleanEndIsMadeUpFor(t *testing.T) {
	alone(t)
	const tenYears = 10 * 365 * 24 * time.Hour
	for name, lie := range map[string]time.Duration{"": 0, "ten years behind": -tenYears, "ten years ahead": tenYears} {
		t.Run(name, func(t *testing.T) { uncleanEnd(t, lie) })
	}
}

// uncleanEnd crawls under a clock that lies by so much; when the crawl is made up
// for, the clock is right.
func uncleanEnd(t *testing.T, lie time.Duration) {
	dir := t.TempDir()
	b := crawledDemo(t, dir, crawl.Options{Now: func() time.Time { return time.Now().Add(lie) }}, 3, run.Options{MaxPages: 400})
	want := judged(t, b.Engine)
	must(t, b.Close())
	ws, err := store.Open(dir)
	must(t, err)
	var pages []store.Reread
	hosts := map[string][]byte{}
	for row := range each(t, ws.Counted()) {
		if len(row.Terms) == 0 || row.Title == "" {
			continue // an empty page says nothing again
		}
		p := *row.Page
		p.Title, p.Records = "something else", 0
		pages = append(pages, store.Reread{Page: &p, Terms: row.Terms})
		hosts[strings.Split(p.URL, "/")[2]] = []byte("nothing that decodes")
	}
	must(t, errOf(ws.PutReread(pages)))
	must(t, ws.PutHosts(hosts))
	must(t, ws.PutState("run/2", []byte(`{"number":1,"task":"discovery","open":true}`)))
	must(t, ws.Close())
	b = openDemo(t, dir, crawl.Options{})
	said := saying(b.Engine, "was interrupted: its learned values")
	if got := judged(t, b.Engine); got != want || said == 0 {
		t.Errorf("after an unclean end (said %d times):\n%s", said, firstDifference(got, want))
	}
	if v := b.Workspace().State("run/2"); strings.Contains(string(v), `"open":true`) {
		t.Errorf("the run is still open: %s", v)
	}
}

// listOfTwoPages is a site whose list announces twelve notices on each of two pages.
func listOfTwoPages() map[string]string {
	list := func(from int, next string) string {
		var b strings.Builder
		b.WriteString("<html><head><title>采购公告</title></head><body><ul>")
		for i := from; i < from+12; i++ {
			fmt.Fprintf(&b, `<li><a href="/n/%d.htm">实验室设备采购项目招标公告第%d号</a><span>2026-03-%02d</span></li>`, i, i, i%28+1)
		}
		return b.String() + "</ul>" + next + "</body></html>"
	}
	pages := map[string]string{
		"/":          `<html><head><title>首页</title></head><body><a href="/list.htm">采购公告</a></body></html>`,
		"/list.htm":  list(0, `<div class="page"><a href="/list2.htm">下一页</a></div>`),
		"/list2.htm": list(12, ""),
	}
	for i := range 24 {
		pages[fmt.Sprintf("/n/%d.htm", i)] = fmt.Sprintf("<html><head><title>招标公告第%d号</title></head><body><h1>实验室设备采购项目招标公告第%d号</h1><p>%s</p></body></html>",
			i, i, strings.Repeat("采购内容，供应商须提供资质。", 20))
	}
	return pages
}

// A harvest that cannot read the second page of a list goes on there the next time,
// though nothing on the first page is new then.
func TestAHarvestGoesOnBehindAList(t *testing.T) {
	pages := listOfTwoPages()
	var broken atomic.Bool
	web := served(pages)
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/list2.htm" && broken.Load() {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		web.ServeHTTP(w, r)
	}), func(set *config.Settings) { set.Crawl.Retries, set.Crawl.Depth, set.Harvest.Share = 0, 1, 0 })
	addSample(t, e.Topic, "http://a.test/list.htm")
	discover(t, e.Runs)
	broken.Store(true)
	harvest := func(want int) {
		t.Helper()
		harvest(t, e.Runs)
		if n := e.Workspace().Counts().Notices; n != want {
			t.Errorf("%d notices, want %d", n, want)
		}
	}
	harvest(12)
	broken.Store(false)
	harvest(24)
}

// A harvest that is stopped when the pages of a list have been visited, and its
// notices have not, brings those of the later pages home the next time, though
// nothing on the first page is new then; so does one whose fetches fail.
func TestAHarvestGoesOnAmongTheNoticesOfAList(t *testing.T) {
	pages := listOfTwoPages()
	for name, stops := range map[string]bool{"stopped": true, "failed": false} {
		t.Run(name, func(t *testing.T) {
			web := served(pages)
			var broken atomic.Bool
			var engine atomic.Pointer[crawl.Engine]
			e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if broken.Load() && r.URL.Path == "/n/20.htm" { // which only the second page announces
					if stops {
						engine.Load().Runs.Stop()
					}
					w.WriteHeader(http.StatusInternalServerError)
					return
				}
				web.ServeHTTP(w, r)
			}), func(set *config.Settings) {
				set.Crawl.Retries, set.Crawl.Depth, set.Crawl.Workers, set.Harvest.Share = 0, 1, 1, 0
			})
			engine.Store(e)
			addSample(t, e.Topic, "http://a.test/list.htm")
			discover(t, e.Runs)
			// The second page is no aggregation page itself: only the first leads to it.
			if _, unknown, err := e.Labels.LabelURLs([]topic.LabelRow{{URL: "http://a.test/list2.htm", Label: topic.No}}, "labels"); err != nil || len(unknown) > 0 {
				t.Fatal(err, unknown)
			}
			if n := len(e.Topic.Aggregations()); n != 1 {
				t.Fatalf("%d aggregation pages, want the first alone", n)
			}
			broken.Store(true)
			harvest(t, e.Runs)
			n := e.Workspace().Counts().Notices
			if n == 24 {
				t.Fatal("nothing was left to a later harvest")
			}
			broken.Store(false)
			must(t, errOf(e.Runs.Retry(run.AllFailures)))
			for range 2 { // what the first page still has, and what is behind it
				harvest(t, e.Runs)
			}
			if got := e.Workspace().Counts().Notices; got != 24 {
				t.Errorf("%d notices after %d, want 24", got, n)
			}
		})
	}
}
