package crawl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/reader"
	"angler/crawl/webtest"
	"angler/store/config"
	"angler/topic"
)

// What a finished crawl leaves is a function of the web and the decisions. So a change that
// only makes the program faster leaves every field of it as it was, and so do more workers.
const (
	// crawlFileVar names a file with the crawl of another binary. A test that finds none
	// there writes its own; the next one must leave the same:
	//
	//	ANGLER_SAME_CRAWL=/tmp/crawl.json go test ./crawl -run SameCrawl
	crawlFileVar = "ANGLER_SAME_CRAWL"
	// crawlPagesVar is how many pages its web has.
	crawlPagesVar  = "ANGLER_SAME_PAGES"
	sameCrawlPages = 1500
	sameScore      = 1e-7 // by which scores may differ: sums over pages are taken in the order of their ids
)

// leftCrawl is what a crawl left, by kind and URL.
type leftCrawl map[string]leftRow

type leftRow struct {
	Says  string
	Score float64
}

func (r leftRow) same(o leftRow) bool {
	return r.Says == o.Says && math.Abs(r.Score-o.Score) <= sameScore
}

func TestSameCrawl(t *testing.T) {
	t.Parallel()
	alone(t)
	pages := sameCrawlPages
	if v := os.Getenv(crawlPagesVar); v != "" {
		must(t, errOf(fmt.Sscan(v, &pages)))
	}
	web, err := webtest.Demo(webtest.Options{Pages: pages, Hosts: 5})
	must(t, err)
	server, err := webtest.ServeSwift(web)
	must(t, err)
	t.Cleanup(func() { server.Close() })
	many := crawlLeft(t, web, server.Addr(), 8)
	if pages == sameCrawlPages {
		compareCrawls(t, "eight workers", many, "one", crawlLeft(t, web, server.Addr(), 1))
	}
	name := os.Getenv(crawlFileVar)
	if name == "" {
		return
	}
	if b, err := os.ReadFile(name); err == nil {
		var other leftCrawl
		must(t, json.Unmarshal(b, &other))
		compareCrawls(t, "this binary", many, name, other)
		return
	}
	b, err := json.MarshalIndent(many, "", " ")
	must(t, err)
	must(t, os.WriteFile(name, b, 0o600))
}

func compareCrawls(t *testing.T, one string, got leftCrawl, other string, want leftCrawl) {
	t.Helper()
	keys := maps.Clone(got)
	maps.Copy(keys, want)
	bad := 0
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		a, here := got[key]
		b, there := want[key]
		if here && there && a.same(b) {
			continue
		}
		if bad++; bad <= 5 {
			t.Errorf("%s\n%s: %v\n%s: %v", key, one, a, other, b)
		}
	}
	t.Logf("%s and %s: %d rows, %d other", one, other, len(keys), bad)
}

// crawlLeft crawls a web until nothing waits and reads all that was stored.
func crawlLeft(t *testing.T, web *webtest.Web, addr string, workers int) leftCrawl {
	t.Helper()
	dir := created(t, func(set *config.Settings) {
		set.Seeds = web.Seeds()
		set.Crawl.Delay, set.Crawl.Workers, set.Crawl.Depth = 0, workers, 50
	})
	ctx := t.Context()
	e := opened(t, dir, crawl.Options{Dial: webtest.DialTo(addr)})
	for _, u := range demo.TenderLists(web, 3) {
		addSample(t, e.Topic, u)
	}
	must(t, e.Words(ctx))
	if s := discover(t, e.Runs); s.Aggregations == 0 || s.Notices == 0 {
		t.Fatalf("%+v", s)
	}
	must(t, e.Words(ctx))
	return readLeft(ctx, t, e)
}

// readLeft leaves out what depends on who came first: ids, times, from where a URL was
// known, and the score of the moment, in whose place stands that of the end.
func readLeft(ctx context.Context, t *testing.T, e *crawl.Engine) leftCrawl {
	t.Helper()
	left, ws := leftCrawl{}, e.Workspace()
	urlOf := map[uint64]string{}
	for u := range each(t, ws.URLs()) {
		urlOf[u.ID] = u.URL
		left["url "+u.URL] = leftRow{Says: fmt.Sprintf("%v, depth %d, fails %d, %q", u.State, u.Depth, u.Fails, u.Failure)}
	}
	words, err := ws.Words()
	must(t, err)
	named := func(v topic.Vector) string {
		out := make([]string, len(v))
		for i, x := range v {
			out[i] = fmt.Sprintf("%s %d", words[x.ID], x.N)
		}
		slices.Sort(out)
		return strings.Join(out, ", ")
	}
	scores := e.Topic.Scores()
	for p := range each(t, ws.Pages()) {
		score, _ := scores.Of(p.ID)
		row := *p
		id := row.ID
		row.ID, row.Score, row.ModelRev, row.History, row.Limits = 0, 0, 0, nil, ""
		row.Fetched, row.Changed = row.Date, row.Date
		left["page "+p.URL] = leftRow{fmt.Sprintf("%+v", row), score}
		ids, err := ws.OutLinks(id)
		must(t, err)
		targets := make([]string, len(ids))
		for i, id := range ids {
			targets[i] = urlOf[id]
		}
		left["links "+p.URL] = leftRow{Says: strings.Join(targets, " ")}
		if b := ws.TermsOf(id); len(b) > 1 {
			d, _, err := reader.DecodeDoc(b, len(words))
			if err != nil {
				t.Fatal(p.URL, err)
			}
			left["terms "+p.URL] = leftRow{Says: named(d.Full) + "; " + named(d.List)}
		}
	}
	for _, id := range e.Topic.Aggregations() {
		left["list "+urlOf[id]] = leftRow{}
	}
	for n := range each(t, ws.Notices()) {
		left["notice "+n.URL] = leftRow{Says: fmt.Sprintf("%q %v %d %q %s %v", n.Title, n.Date, n.Precision, n.Text, n.Method, n.Attachments)}
	}
	return left
}
