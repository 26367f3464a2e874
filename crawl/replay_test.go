package crawl_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/lab"
	"angler/crawl/run"
	"angler/store"
	"angler/topic"
)

// crawled is a demo web with three samples and so many pages fetched; 0 = all.
func crawled(t *testing.T, pages int) *demo.Engine {
	t.Helper()
	b := crawledDemo(t, "", crawl.Options{}, 3, run.Options{MaxPages: pages})
	must(t, b.Words(context.Background()))
	return b
}

func replay(t *testing.T, e *crawl.Engine, rule string, opt lab.ReplayOptions) (*lab.Replay, *lab.Graph) {
	t.Helper()
	var err error
	if opt.Targets, err = lab.ParseTargetRule(rule); err != nil {
		t.Fatal(err)
	}
	r, err := e.Lab.Replay(context.Background(), opt)
	must(t, err)
	return r, draw(t, r, 0)
}

func draw(t *testing.T, r *lab.Replay, n int) *lab.Graph {
	t.Helper()
	g, err := r.Graph(context.Background(), n)
	must(t, err)
	must(t, g.Check())
	return g
}

// targetURLs lists the targets of a graph.
func targetURLs(g *lab.Graph) []string {
	var out []string
	for i := range g.Pages {
		if g.Pages[i].Target {
			out = append(out, g.Pages[i].URL)
		}
	}
	slices.Sort(out)
	return out
}

// One crawl serves every test that only reads it, and one that labels comes
// last.
func TestReplay(t *testing.T) {
	alone(t)
	b := crawled(t, 400)
	for _, c := range []struct {
		name string
		test func(*testing.T, *demo.Engine)
	}{
		{"is the stored crawl", replayIsTheStoredCrawl},
		{"verdicts", replayVerdicts},
		{"samples", replaySamples},
		{"targets", replayTargets},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, b) })
	}
}

// The replay must see what the live crawl saw: the same links in the same
// order, the scores in force.
func replayIsTheStoredCrawl(t *testing.T, b *demo.Engine) {
	var reading []int
	_, g := replay(t, b.Engine, "aggregations", lab.ReplayOptions{Progress: func(done, total int) { reading = append(reading, done, total) }})
	ws := b.Workspace()
	fetched := map[string]bool{}
	all := 0
	for p := range each(t, ws.Pages()) {
		all++
		if !strings.HasSuffix(p.URL, "/sitemap.xml") { // no page, and its body is not kept
			fetched[p.URL] = true
		}
	}
	if len(g.Pages) != all || len(reading) < 2 || reading[len(reading)-1] != all || reading[len(reading)-2] != all {
		t.Fatalf("%d pages replayed of %d, progress %v", len(g.Pages), all, reading)
	}
	links, anchors := 0, 0
	for i := range g.Pages {
		p := &g.Pages[i]
		if !fetched[p.URL] {
			continue
		}
		id, _ := ws.Lookup(p.URL)
		ids, err := ws.OutLinks(id)
		must(t, err)
		var want, got []string
		must(t, ws.EachURL(ids, func(u *store.URL) {
			if fetched[u.URL] {
				want = append(want, u.URL)
			}
		}))
		for _, l := range p.Links {
			got = append(got, g.Pages[l.To].URL)
			if g.Anchors[l.Anchor].Score > 0 {
				anchors++
			}
		}
		links += len(got)
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, slices.Compact(want)) {
			t.Errorf("%s links to\n%s\nwant\n%s", p.URL, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if score, _ := b.Topic.Scores().Of(id); score != p.Score {
			t.Errorf("%s scores %v in the replay, %v in force", p.URL, p.Score, score)
		}
	}
	if links < len(g.Pages) || anchors == 0 {
		t.Errorf("%d links, %d of them with anchor texts on topic", links, anchors)
	}
	for _, u := range targetURLs(g) {
		id, _ := ws.Lookup(u)
		if !slices.Contains(b.Topic.Aggregations(), id) {
			t.Errorf("%s is a target, but no aggregation page", u)
		}
	}
	if n := len(targetURLs(g)); n < 3 {
		t.Errorf("%d targets", n)
	}
}

func replayTargets(t *testing.T, b *demo.Engine) {
	_, g := replay(t, b.Engine, "lists", lab.ReplayOptions{})
	lists := targetURLs(g)
	if len(lists) < 5 {
		t.Fatalf("%d lists", len(lists))
	}
	two := filepath.Join(t.TempDir(), "two")
	must(t, os.WriteFile(two, []byte("# lists\n"+lists[0]+"\n\n "+strings.Replace(lists[1], "http://", "HTTP://", 1)+"\nhttp://nowhere.test/\nno address\n"), 0o600))
	if _, _, err := b.Labels.LabelURLs([]topic.LabelRow{{URL: lists[2], Label: topic.Yes}, {URL: lists[3], Label: topic.No}}, "labels"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		rule    string
		want    []string
		unknown int
	}{
		{"file:" + two, lists[:2], 2},
		{"labels", lists[2:3], 0},
		{"url:^" + lists[4] + "$", lists[4:5], 0},
	} {
		r, g := replay(t, b.Engine, c.rule, lab.ReplayOptions{})
		if got := targetURLs(g); !slices.Equal(got, c.want) || r.Unknown != c.unknown {
			t.Errorf("%s: targets %q and %d unknown, want %q and %d", c.rule, got, r.Unknown, c.want, c.unknown)
		}
	}
}

func replayVerdicts(t *testing.T, b *demo.Engine) {
	for _, c := range []struct {
		rule, verdict string
		isTarget      bool
	}{
		{"aggregations", "", true}, // judge and targets agree here
		{"url:/$", "", true},
		{"url:/$", lab.VerdictTarget, true},
		{"url:/$", lab.VerdictJudge, false},
	} {
		_, g := replay(t, b.Engine, c.rule, lab.ReplayOptions{Verdict: c.verdict})
		same := true
		for i := range g.Pages {
			same = same && g.Pages[i].Relevant == g.Pages[i].Target
		}
		if same != c.isTarget {
			t.Errorf("%s, verdict %q: learned from the targets: %v", c.rule, c.verdict, same)
		}
	}
}

// A draw has its own samples, always the same ones.
func replaySamples(t *testing.T, b *demo.Engine) {
	r, first := replay(t, b.Engine, "url:/info/", lab.ReplayOptions{Samples: 3})
	again, second := draw(t, r, 0), draw(t, r, 1)
	differ, on := 0, 0
	for i := range first.Pages {
		if a, b := first.Pages[i].Score, again.Pages[i].Score; a != b {
			t.Fatalf("draw 0 scored %s %v, then %v", first.Pages[i].URL, a, b)
		}
		if math.Abs(first.Pages[i].Score-second.Pages[i].Score) > .01 {
			differ++
		}
		// The default scheme would score every page with one text near 0.
		if first.Pages[i].Target && first.Pages[i].Score > .1 {
			on++
		}
	}
	if differ == 0 {
		t.Error("two draws scored every page alike")
	}
	if on == 0 {
		t.Error("no notice scores above .1 under samples that are notices")
	}
	if before := b.Engine.Topic.Config(); before.Scheme != topic.SchemeRecords {
		t.Errorf("the replay changed the scheme to %s", before.Scheme)
	}
}

func TestReplayLeaves(t *testing.T) {
	b := crawled(t, 120)
	_, without := replay(t, b.Engine, "lists", lab.ReplayOptions{})
	_, with := replay(t, b.Engine, "lists", lab.ReplayOptions{Leaves: true})
	if len(with.Pages) <= len(without.Pages) {
		t.Fatalf("a crawl that stopped early has %d pages with leaves, %d without", len(with.Pages), len(without.Pages))
	}
	for i := len(without.Pages); i < len(with.Pages); i++ {
		p := &with.Pages[i]
		if p.Target || len(p.Links) > 0 || p.Score != 0 {
			t.Errorf("leaf %s: %+v", p.URL, p)
		}
		if id, ok := b.Workspace().Lookup(p.URL); ok {
			if row, _ := b.Workspace().Page(id); row != nil {
				t.Errorf("leaf %s was fetched", p.URL)
			}
		}
	}
	if !slices.Equal(targetURLs(with), targetURLs(without)) {
		t.Error("leaves changed the targets")
	}
}

func TestReplayRefuses(t *testing.T) {
	for _, rule := range []string{"", "pages", "url:", "url:(", "file:", "file:/nowhere/at/all", "lists:x"} {
		if _, err := lab.ParseTargetRule(rule); err == nil {
			t.Errorf("%q is taken for a rule", rule)
		}
	}
	b := openDemo(t, "", crawl.Options{})
	parse := func(rule string) *lab.TargetRule {
		r, err := lab.ParseTargetRule(rule)
		must(t, err)
		return r
	}
	if _, err := b.Lab.Replay(context.Background(), lab.ReplayOptions{Targets: parse("lists")}); err == nil || !strings.Contains(err.Error(), "crawl first") {
		t.Errorf("nothing stored: %v", err)
	}
	discover(t, b.Runs, run.Options{MaxPages: 40})
	stopped, stop := context.WithCancel(context.Background())
	stop()
	for _, c := range []struct {
		name string
		ctx  context.Context
		opt  lab.ReplayOptions
		want string
	}{
		{"no match", context.Background(), lab.ReplayOptions{Targets: parse("url:nosuchpage")}, "no stored page is a target"},
		{"no notices yet", context.Background(), lab.ReplayOptions{Targets: parse("notices")}, "no stored page is a target"},
		{"unknown verdict", context.Background(), lab.ReplayOptions{Targets: parse("lists"), Verdict: "mine"}, "judge or target"},
		{"cancelled", stopped, lab.ReplayOptions{Targets: parse("lists")}, context.Canceled.Error()},
	} {
		if _, err := b.Lab.Replay(c.ctx, c.opt); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// The whole way once: a crawl replayed under every kind of strategy. The crawl is
// complete, as which pages a shorter one has fetched depends on the machine's load. The
// targets are lists by their addresses: what is judged an aggregation page may be a
// front page, which breadth-first meets first.
func TestReplayCompares(t *testing.T) {
	alone(t)
	b := crawled(t, 0)
	r, _ := replay(t, b.Engine, "url:zbg", lab.ReplayOptions{})
	rows, err := lab.Compare(context.Background(), lab.Plan{Strategies: []string{"bfs", "learned", lab.OracleName}, Draws: 2, Graph: r.Graph, Make: b.Lab.Strategy})
	must(t, err)
	if rows[0].Pages != r.Pages || rows[0].Targets != r.Targets || r.Targets < 5 || r.Unreached > 0 {
		t.Errorf("replay of %d pages and %d targets (%d not reached), compared on %d and %d", r.Pages, r.Targets, r.Unreached, rows[0].Pages, rows[0].Targets)
	}
	t.Logf("learned stands at %.3f to %.3f", rows[1].Position.Min, rows[1].Position.Max)
	if p := rows[1].Position.Min; p < .5 || p > 1 {
		t.Errorf("learned stands at %v between breadth-first and oracle", p)
	}
	if _, err := b.Lab.Strategy("magic"); err == nil || errors.Is(err, context.Canceled) {
		t.Errorf("unknown strategy: %v", err)
	}
}
