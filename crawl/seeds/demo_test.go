package seeds_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/seeds"
	"angler/crawl/webtest"
	"angler/store/config"
)

// tenWords start a topic instead of addresses.
var tenWords = []string{"招标公告", "采购公告", "中标公示", "询价", "竞争性磋商", "成交公告", "比选", "谈判", "单一来源", "政府采购"}

// tenWordsPlan is the web for ten words; heavy_test.go uses the demo's.
var tenWordsPlan = "small"

// onWeb opens an engine on the web of a plan with changed settings; "" is the demo's.
func onWeb(t *testing.T, plan string, change func(*config.Settings)) *demo.Engine {
	t.Helper()
	material, err := webtest.FindMaterial()
	must(t, err)
	dir := demotest.Workspace(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Suggest.Delay, set.Suggest.SearXNG = nil, 0, 0, "http://"+webtest.SearchHost
		change(set)
	})
	e, err := demo.OpenPlan(context.Background(), material, plan, dir, crawl.Options{By: "wang"})
	must(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// discover crawls with two samples and returns the numbers of found and existing tender lists.
func discover(t *testing.T, e *demo.Engine) (found, all, fetched int) {
	t.Helper()
	ctx := context.Background()
	must(t, e.Words(ctx))
	for _, u := range e.TenderLists(2) {
		if _, err := e.Topic.AddSample(ctx, u, ""); err != nil {
			t.Fatal(err)
		}
	}
	sum, err := e.Runs.Discover(ctx, run.Options{})
	must(t, err)
	lists := map[string]bool{}
	for tr := range e.Web().Truths() {
		if tr.Type == "list" && tr.Tender && len(tr.Records) > 0 {
			lists[tr.URL] = true
			all++
		}
	}
	ids := e.Topic.Aggregations()
	pages, err := e.Pages.Pages(ctx, ids)
	must(t, err)
	for _, p := range pages {
		if lists[p.URL] {
			found++
		}
	}
	return found, all, sum.Fetched
}

// Ten words and a search server find the same lists as typed seeds (P3 2.2.1).
func TestTenWords(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls a web twice")
	}
	typed := onWeb(t, tenWordsPlan, func(s *config.Settings) {
		m, err := webtest.Plan(tenWordsPlan, webtest.Options{})
		must(t, err)
		s.Seeds = m.Seeds()
	})
	want, all, fetched := discover(t, typed)
	t.Logf("typed: %d seeds, %d of %d tender lists, %d fetched", len(typed.Set().Seeds), want, all, fetched)

	e := onWeb(t, tenWordsPlan, func(s *config.Settings) { s.Suggest.Words = tenWords })
	if _, err := e.Runs.Discover(context.Background(), run.Options{}); err == nil {
		t.Error("a discovery began without seeds")
	}
	o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{})
	must(t, err)
	rows, err := e.Seeds.SeedProposals(seeds.ProposalOpen)
	must(t, err)
	var hosts []string
	for _, p := range rows {
		hosts = append(hosts, p.Host)
	}
	if _, err := e.Seeds.AcceptSeeds(hosts); err != nil {
		t.Fatal(err)
	}
	got, _, fetched := discover(t, e)
	t.Logf("ten words: %d pages of results, %d hosts, all accepted; %d of %d tender lists, %d fetched", o.Asked, o.Hosts, got, all, fetched)
	if got*10 < want*9 && got < want-1 || want == 0 {
		t.Errorf("%d lists by ten words, %d by typed seeds", got, want)
	}
}

// Linked hosts are counted by linking sites, without the search server.
func TestLinkedHosts(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls a university of the demo web")
	}
	e := onWeb(t, "", func(s *config.Settings) { s.Seeds = []string{"http://www.donghu.test/"} })
	discover(t, e)
	o, err := e.Seeds.LinkedSeeds(context.Background())
	if err != nil || o.Asked == 0 || o.Covered == 0 {
		t.Fatalf("%+v, %v", o, err)
	}
	rows, _ := e.Seeds.SeedProposals(seeds.ProposalOpen)
	var hosts []string
	for _, p := range rows {
		hosts = append(hosts, p.Host)
		if p.Links == nil || p.Links.Pages < 1 || p.Links.Sites != 1 || len(p.Links.Anchors) == 0 || !strings.Contains(p.Links.Example, "donghu.test") {
			t.Errorf("%s: %+v", p.Host, p.Links)
		}
	}
	if len(hosts) < 5 || slices.ContainsFunc(hosts, func(h string) bool { return strings.HasSuffix(h, "donghu.test") }) {
		t.Errorf("hosts %q", hosts)
	}
	// An accepted host enters a discovery like a typed one. A second count has the same result and does not propose
	// it again.
	before := e.Workspace().Counts().URLs
	if _, err := e.Seeds.AcceptSeeds(hosts[:1]); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Discover(context.Background(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if after := e.Workspace().Counts().URLs; after <= before {
		t.Errorf("%d URLs are known, %d before the seed was accepted", after, before)
	}
	if g, err := e.Seeds.LookAt(context.Background(), rows[1].URL); err != nil || g.Status != 200 || g.Title == "" || !g.Scored || len(g.Links) == 0 {
		t.Errorf("the first page: %+v, %v", g, err)
	}
}

// A process killed during a search loses no answer: its database file opens, and the search continues.
func TestKilledInTheMiddle(t *testing.T) {
	x := &searx{per: sites(3)}
	image := filepath.Join(t.TempDir(), "image")
	server := serve(t, x)
	e := open(t, server, nil)
	x.fail = func(n int, _ http.ResponseWriter) bool {
		if n == 6 { // between two commits
			if err := os.CopyFS(image, os.DirFS(e.Workspace().Dir())); err != nil {
				t.Error(err)
			}
		}
		return false
	}
	words := []string{"招标", "采购", "询价"}
	if _, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: words}); err != nil {
		t.Fatal(err)
	}
	x.fail, x.asked = nil, nil
	killed := again(t, image)
	o, err := killed.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: words})
	if err != nil || o.Skipped != 1 || x.asked[0] != "采购 2" {
		t.Fatalf("%+v, %v; asked %q", o, err, x.asked)
	}
	rows, _ := killed.Seeds.SeedProposals("")
	for _, p := range rows {
		if p.Search.Questions != 3 || p.Search.Results != 3 {
			t.Errorf("%s: %+v", p.Host, p.Search)
		}
	}
	if len(rows) != 30 {
		t.Errorf("%d hosts", len(rows))
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
