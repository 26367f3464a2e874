//go:build unix

package faults

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"angler/crawl/demo"
	"angler/crawl/webtest"
	"angler/tui/e2e/program"
)

// aggregation is an exported aggregation page.
type aggregation struct {
	URL     string  `json:"url"`
	Score   float64 `json:"score"`
	Title   string  `json:"title"`
	Records int     `json:"records"`
}

// harvested is an exported notice.
type harvested struct {
	URL   string  `json:"url"`
	Title string  `json:"title"`
	Text  string  `json:"text"`
	Score float64 `json:"score"`
}

// outcome is what a crawl has brought home, by URL.
type outcome struct {
	pages   []string
	lists   map[string]aggregation
	notices map[string]harvested
}

func outcomeOf(t *testing.T, dir string) outcome {
	t.Helper()
	o := outcome{pages: program.Addresses(t, dir, "pages"), lists: map[string]aggregation{}, notices: map[string]harvested{}}
	for _, a := range program.Lines[aggregation](t, program.Must(t, "export", dir, "aggregations").Out) {
		o.lists[a.URL] = a
	}
	for _, n := range program.Lines[harvested](t, program.Must(t, "export", dir, "notices").Out) {
		o.notices[n.URL] = n
	}
	return o
}

// equals reports every difference between what came home and what would have
// without a disturbance.
func (o outcome) equals(t *testing.T, calm outcome) {
	t.Helper()
	if missing, extra := program.Missing(calm.pages, o.pages), program.Missing(o.pages, calm.pages); len(missing)+len(extra) > 0 {
		t.Errorf("%d pages, %d undisturbed; missing %.3q, extra %.3q", len(o.pages), len(calm.pages), missing, extra)
	}
	for url, want := range calm.lists {
		got, ok := o.lists[url]
		if !ok || math.Abs(got.Score-want.Score) > 1e-6 || got.Title != want.Title || got.Records != want.Records {
			t.Errorf("aggregation page %+v, undisturbed %+v", got, want)
		}
	}
	for url, want := range calm.notices {
		if got, ok := o.notices[url]; !ok || got.Title != want.Title || got.Text != want.Text {
			t.Errorf("notice %s: %q, undisturbed %q; found %v", url, got.Title, want.Title, ok)
		}
	}
	if len(o.lists) != len(calm.lists) || len(o.notices) != len(calm.notices) {
		t.Errorf("%d aggregation pages and %d notices, undisturbed %d and %d", len(o.lists), len(o.notices), len(calm.lists), len(calm.notices))
	}
}

// TestKillsLoseNoJudgement kills discoveries and harvests at random moments. Their
// pages, aggregation pages and notices, titles and scores must be those of an
// undisturbed crawl: what was learned on the way must not be lost with the process.
func TestKillsLoseNoJudgement(t *testing.T) {
	crawls, harvests := 15, 5
	if testing.Short() {
		crawls, harvests = 4, 2
	}
	t.Run("a discovery that brings notices home", func(t *testing.T) { judgedAfterKills(t, "crawl", crawls) })
	t.Run("a harvest", func(t *testing.T) { judgedAfterKills(t, "harvest", harvests) })
}

func judgedAfterKills(t *testing.T, task string, kills int) {
	web, server := program.Serve(t, webtest.Options{})
	proxy := server.ProxyURL().String()
	flags := []string{"--proxy", proxy, "--delay", "0", "--json"}
	begun := func() string {
		dir := program.Workspace(t, web)
		program.Must(t, append([]string{"sample", dir, "add", "--proxy", proxy}, demo.TenderLists(web, 3)...)...)
		if task == "harvest" {
			program.Apart(t, dir)
			program.Must(t, append([]string{"crawl", dir}, flags...)...)
		}
		return dir
	}
	calm, killed := begun(), begun()
	program.Must(t, append([]string{task, calm}, flags...)...)
	want := outcomeOf(t, calm)
	if len(want.lists) < 20 || len(want.notices) < 200 {
		t.Fatalf("%d aggregation pages and %d notices are too few to lose any", len(want.lists), len(want.notices))
	}
	seed := uint64(time.Now().UnixNano())
	rnd := rand.New(rand.NewPCG(seed, 0))
	most := 2 * len(want.pages) / kills
	if task == "harvest" {
		most = 2 * len(want.notices) / kills
	}
	for range kills {
		_ = killAfter(t, task, killed, flags, rnd.IntN(most)) // it may have come to its end
	}
	program.Must(t, append([]string{task, killed}, flags...)...)
	got := outcomeOf(t, killed)
	got.equals(t, want)
	if t.Failed() {
		fmt.Println("seed", seed)
	}
	t.Logf("%d pages, %d aggregation pages, %d notices after %d kills; undisturbed %d, %d, %d", len(got.pages), len(got.lists), len(got.notices), kills,
		len(want.pages), len(want.lists), len(want.notices))
}
