package crawl_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/message"
	"angler/store/config"
)

// While a run goes on, a lower threshold lets in what the higher one had left out.
func TestLowerThresholdDuringARun(t *testing.T) {
	b := openDemo(t, "", crawl.Options{})
	sampled(t, b, 3)
	change := func(constant string, delay time.Duration) {
		t.Helper()
		must(t, b.Settings.Change(message.Text(constant), func(s *config.Settings) {
			s.Crawl.Strategy, s.Crawl.Constants, s.Crawl.Delay = "linear", []string{constant}, config.Duration(delay)
		}))
	}
	change("linear.min = 0.1", 0)
	discover(t, b.Runs)
	waiting, pages := b.Workspace().Counts().Waiting, b.Workspace().Counts().Pages
	change("linear.min = 0.1", time.Hour) // the second of two new seeds keeps the run going
	seed := strings.TrimSuffix(b.Set().Seeds[0], "/")
	must(t, errOf(b.Settings.AddSeeds([]string{seed + "/nowhere/a", seed + "/nowhere/b"})))
	snapshots, end := b.Subscribe()
	defer end()
	must(t, b.Runs.StartDiscovery())
	lowered, came := false, false
	for patience := time.After(10 * time.Minute); !came; {
		select {
		case s := <-snapshots:
			told := slices.ContainsFunc(s.Events, func(e view.Event) bool { return strings.Contains(e.Text.String(), "below relevance") })
			if told && !lowered {
				if s.State != view.Running {
					t.Fatalf("the run is %v before the threshold falls", s.State)
				}
				lowered = true
				change("linear.min = 0", 0)
			}
			came = s.Counts.Pages-pages > waiting/4
		case <-patience:
			t.Fatalf("%d of %d addresses that waited below the threshold were fetched; it fell: %v", b.Workspace().Counts().Pages-pages, waiting, lowered)
		}
	}
	if !lowered {
		t.Error("they came in before the threshold fell")
	}
}

// Important domains are a setting; hosts under them are told to viewers.
func TestImportantDomainsAreASetting(t *testing.T) {
	ctx := context.Background()
	b := openDemo(t, "", crawl.Options{})
	sampled(t, b, 3)
	seed := b.Set().Seeds[0]
	host := urls.HostOf(seed)
	name, _, _ := strings.Cut(host, ":")
	for _, bad := range []string{`["http://edu.cn/"]`, `["edu.cn = 2"]`, `["edu.cn = x"]`, `[" = 0.5"]`} {
		if err := b.Settings.CheckSetting("crawl.important", bad); err == nil || !strings.Contains(err.Error(), "edu.cn = 0.5") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	must(t, b.Settings.Change("important", func(s *config.Settings) {
		s.Crawl.Strategy, s.Crawl.Important = "linear", []string{strings.ToUpper(name) + " = 0.5"}
	}))
	discover(t, b.Runs, run.Options{MaxPages: 30})
	inside, outside := 0, 0
	for _, row := range exported[linkorder.URLRow](t, b.Engine, "frontier") {
		if row.State != "waiting" {
			continue
		}
		told := strings.Contains(row.Why, "important domain .50")
		if told != (row.Host == host) {
			t.Errorf("%s: %s", row.URL, row.Why)
		}
		if told {
			inside++
		} else {
			outside++
		}
	}
	if inside+outside == 0 {
		t.Error("nothing waits")
	}
	x, err := b.Pages.Explain(ctx, seed)
	if err != nil || x.Strategy != "linear" {
		t.Errorf("%+v, %v", x, err)
	}
	if _, err := linkorder.New("linear", linkorder.Params{linkorder.ImportantDomain + name: .5}); err != nil {
		t.Error(err)
	}
}
