package crawl_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/demo/demotest"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// alone skips a test under -short, with which the race detector runs: its goroutines share
// nothing that those of TestADiscoveryBringsNoticesHome do not.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("shares no more between goroutines than TestADiscoveryBringsNoticesHome")
	}
}

func exported[T any](t testing.TB, e *crawl.Engine, what string) []T {
	t.Helper()
	return demotest.Exported[T](t, e, what)
}

// TestDiscoveryAndHarvest walks the whole way once: samples, discovery,
// judgement, harvest, against the truth about the demo web.
func TestDiscoveryAndHarvest(t *testing.T) {
	alone(t)
	t.Parallel()
	b := openFull(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 20 }})
	sampled(t, b, 3)
	ctx := context.Background()
	s := discover(t, b.Runs)
	t.Logf("discovery: %+v", s)
	consistent(t, b.Engine)

	pages := map[string]view.PageRow{}
	for _, p := range exported[view.PageRow](t, b.Engine, "pages") {
		if _, twice := pages[p.URL]; twice {
			t.Errorf("%s stored twice", p.URL)
		}
		pages[p.URL] = p
		if strings.Contains(p.URL, "/admin/") {
			if rule, err := forbidden(ctx, b, p.URL); err != nil || rule != "" {
				t.Errorf("%s was fetched against robots.txt: %s, %v", p.URL, rule, err)
			}
		}
	}
	missing, total := 0, 0
	var tenderLists, found, wrong int
	for truth := range b.Web().Truths() {
		total++
		canonical, err := urls.Canonical(truth.URL)
		must(t, err)
		p, ok := pages[canonical]
		if !ok {
			if missing++; missing <= 5 {
				t.Errorf("%s (%s) was not brought home", truth.URL, truth.Type)
			}
			continue
		}
		isTender := truth.Tender && truth.Type == "list"
		if isTender {
			tenderLists++
			if p.Aggregation {
				found++
			}
		} else if p.Aggregation && truth.Type != "hub" && !mixed(truth) {
			wrong++ // the front page of a tender office gathers notices, too
			t.Logf("wrong: %.3f %s %s", p.Score, p.URL, p.Title)
		}
	}
	if missing > 0 {
		t.Errorf("%d of %d pages are missing", missing, total)
	}
	t.Logf("aggregation pages: %d of %d tender lists, %d others", found, tenderLists, wrong)
	if found < tenderLists*9/10 || wrong > 0 {
		t.Errorf("aggregation pages: %d of %d tender lists found, %d wrong", found, tenderLists, wrong)
	}

	s = harvest(t, b.Runs)
	t.Logf("harvest: %+v", s)
	consistent(t, b.Engine)
	notices := exported[query.NoticeJSON](t, b.Engine, "notices")
	titles, dates := 0, 0
	for _, n := range notices {
		truth, ok := b.Web().Truth(n.URL)
		if !ok {
			t.Errorf("notice %s is no page of the web", n.URL)
			continue
		}
		if n.Title == truth.Title {
			titles++
		}
		if strings.HasPrefix(n.Date, truth.Date) {
			dates++
		}
		if n.Text == "" {
			t.Errorf("notice %s has no text", n.URL)
		}
	}
	t.Logf("%d notices, %d titles and %d dates right", len(notices), titles, dates)
	if len(notices) < 200 || titles < len(notices)*95/100 || dates < len(notices)*95/100 {
		t.Errorf("%d notices, %d titles and %d dates right", len(notices), titles, dates)
	}

	yields, err := b.Inbox.Yields(ctx)
	must(t, err)
	judged, behind := b.Topic.Aggregations(), 0
	for id, y := range yields {
		at := id
		for steps := 0; !slices.Contains(judged, at) && yields[at].Behind != 0 && steps < 100; steps++ {
			at = yields[at].Behind
		}
		if at != id {
			behind += y.Notices
		}
		if !slices.Contains(judged, at) {
			t.Errorf("%d notices of page %d stand behind no aggregation page", y.Notices, id)
		}
	}
	t.Logf("%d notices stand on pages behind aggregation pages", behind)
	if behind == 0 {
		t.Error("no notice stands behind an aggregation page")
	}

	again := harvest(t, b.Runs)
	if again.Notices != 0 || again.Fetched > s.Aggregations+5 {
		t.Errorf("a second harvest of an unchanged web fetched %d and brought %d notices; %d lists were to be asked", again.Fetched, again.Notices, s.Aggregations)
	}
}

// forbidden asks the engine for the robots.txt rule about a URL; "" = allowed.
func forbidden(ctx context.Context, b *demo.Engine, u string) (string, error) {
	x, err := b.Pages.Explain(ctx, u)
	if err != nil {
		return "", err
	}
	return strings.TrimPrefix(x.Robots, "allowed"), nil
}

func mixed(t webtest.Truth) bool {
	return slices.ContainsFunc(t.Records, func(r webtest.Record) bool { return r.Tender })
}

func TestRunsAreBoundedPausedAndStopped(t *testing.T) {
	b := openFull(t, "", crawl.Options{})
	s := discover(t, b.Runs, run.Options{MaxPages: 40})
	if s.Fetched != 40 {
		t.Errorf("bounded to 40 fetches, made %d", s.Fetched)
	}
	consistent(t, b.Engine)

	snapshots, end := b.Subscribe()
	defer end()
	until := func(what string, ok func(*view.Snapshot) bool) *view.Snapshot {
		t.Helper()
		for s := range snapshots {
			if ok(s) {
				return s
			}
		}
		t.Fatalf("no snapshot with %s", what)
		return nil
	}
	must(t, b.Runs.StartDiscovery())
	b.Runs.Pause()
	if err := b.Runs.StartDiscovery(); !errors.Is(err, run.ErrBusy) {
		t.Errorf("a second run: %v", err)
	}
	paused := until("a pause", func(s *view.Snapshot) bool { return s.State == view.Paused && s.Busy == 0 })
	if paused.Why != "paused" {
		t.Errorf("paused because of %q", paused.Why)
	}
	if b.Crawling() {
		t.Error("a paused run crawls")
	}
	until("the pages in flight stored", func(s *view.Snapshot) bool { return s.Counts.Processing == 0 })
	before := b.Snapshot().Fetched
	b.Runs.Step()
	stepped := until("one more page", func(s *view.Snapshot) bool { return s.Fetched == before+1 })
	if stepped.State != view.Paused {
		t.Errorf("after a step the run is %s", stepped.State)
	}
	if err := b.Settings.SetStrategy("bfs"); err != nil {
		t.Error(err)
	}
	if err := b.Settings.SetStrategy("telepathy"); err == nil {
		t.Error("an unknown strategy was accepted")
	}
	if err := b.Settings.SetWorkers(0); err == nil {
		t.Error("no workers were accepted")
	}
	b.Runs.Resume()
	until("a running crawl", func(s *view.Snapshot) bool { return s.State == view.Running && s.Fetched > before+20 })
	b.Runs.Stop()
	until("the end", func(s *view.Snapshot) bool { return s.State == view.Idle })
	if c := b.Workspace().Counts(); c.Processing != 0 {
		t.Errorf("%d URLs are still leased after the stop", c.Processing)
	}
	consistent(t, b.Engine)
}

func TestActionsAreUndoneAndSurviveARestart(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	b := openDemo(t, dir, crawl.Options{By: "wang"})
	discover(t, b.Runs, run.Options{MaxPages: 300})
	rows, err := b.Pages.Candidates(ctx)
	if err != nil || len(rows) == 0 || rows[0].Dated < 3 {
		t.Fatalf("candidates %d, %v", len(rows), err)
	}
	if on, err := b.Topic.ToggleSample(rows[0].ID); err != nil || !on {
		t.Fatalf("toggled to %v, %v", on, err)
	}
	features := b.Topic.Features()
	if len(features) == 0 {
		t.Fatal("no features with a sample")
	}
	word := features[0].Word
	must(t, b.Topic.ChangeConfig(func(c *topic.Config) message.Text {
		c.Off = append(c.Off, word)
		c.Theta = .5
		return message.Of("word %s off, θ .5", word)
	}))
	must(t, b.Labels.SetLabel(rows[1].ID, topic.No))
	off := func(e *crawl.Engine) bool { return slices.Contains(e.Topic.Config().Off, word) }
	if !off(b.Engine) || b.Snapshot().Theta != .5 {
		t.Errorf("off %v, θ %.2f", off(b.Engine), b.Snapshot().Theta)
	}
	must(t, b.Close())

	b = openDemo(t, dir, crawl.Options{By: "li"})
	must(t, b.Words(ctx))
	if got := b.Topic.Samples(); len(got) != 1 || got[0].By != "wang" {
		t.Errorf("samples after the restart: %+v", got)
	}
	for _, want := range []string{"undo: label no", "undo: word " + word, "undo: sample "} {
		what, err := undoAgreed(b.Topic)
		if err != nil || !strings.HasPrefix(what.String(), want) {
			t.Errorf("undo said %q, %v; want %q", what, err, want)
		}
	}
	if off(b.Engine) || len(b.Topic.Samples()) != 0 || b.Topic.Features() != nil {
		t.Error("undo left something behind")
	}
	if _, err := b.Topic.Undo(); !errors.Is(err, store.ErrNothingToUndo) {
		t.Errorf("undo of nothing: %v", err)
	}
	must(t, errOf(b.Topic.Redo()))
	if len(b.Topic.Samples()) != 1 || len(b.Topic.Features()) == 0 {
		t.Error("redo did not bring the sample back")
	}
}

// undoAgreed undoes the last action, whatever it is, as a person who agrees.
func undoAgreed(t *decisions.Topic) (message.Text, error) {
	what, err := t.Undo()
	if q, asks := errors.AsType[*decisions.UndoQuestion](err); asks {
		return t.UndoAgreed(q.Seq)
	}
	return what, err
}

func TestBadSamplesLeaveNothingBehind(t *testing.T) {
	b := openDemo(t, "", crawl.Options{})
	pdf := filepath.Join(t.TempDir(), "tender.pdf")
	must(t, os.WriteFile(pdf, append([]byte("%PDF-1.7\n"), make([]byte, 4000)...), 0o644))
	host := strings.TrimSuffix(b.Web().Seeds()[0], "/")
	for _, c := range []struct{ name, sample, says string }{
		{"no HTML", pdf, "give the address of a list page"},
		{"plain text", "/etc/passwd", "cannot be a sample: not a web page: it is plain text"},
		{"no such file", filepath.Join(t.TempDir(), "none.html"), "cannot read"},
		{"no http", "ftp://a.test/", "is not a URL"},
		{"not there", host + "/no/such/page.htm", "HTTP status 404"},
		{"unreachable", "http://nowhere.invalid/", "nowhere.invalid"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := b.Topic.AddSample(context.Background(), c.sample, "")
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q does not say %q in one line", err, c.says)
			}
			if n := len(b.Topic.Samples()); n != 0 {
				t.Errorf("%d samples", n)
			}
		})
	}
}

// TestAggregationsSurviveARestart guards that what a run ends with is what the
// next process begins with: samples that were added before the crawl met them
// count as confirmed in both.
func TestAggregationsSurviveARestart(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	ctx := context.Background()
	b := openDemo(t, dir, crawl.Options{})
	sampled(t, b, 3)
	// A threshold that no page reaches leaves the samples alone.
	must(t, b.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = 1; return "θ 1" }))
	s := discover(t, b.Runs)
	before := len(b.Topic.Aggregations())
	if before < 3 || before != s.Aggregations {
		t.Errorf("%d aggregation pages at the end of the run, %d in its summary", before, s.Aggregations)
	}
	must(t, b.Close())
	b = openDemo(t, dir, crawl.Options{})
	must(t, b.Words(ctx))
	if after := len(b.Topic.Aggregations()); after != before {
		t.Errorf("%d aggregation pages before the restart, %d after it", before, after)
	}
}

// discover runs a discovery, which must not fail.
func discover(t testing.TB, runs *crawl.Runs, opt ...run.Options) run.Summary {
	t.Helper()
	s, err := runs.Discover(t.Context(), append(opt, run.Options{})[0])
	must(t, err)
	return s
}

// harvest runs a harvest, which must not fail.
func harvest(t testing.TB, runs *crawl.Runs, opt ...run.Options) run.Summary {
	t.Helper()
	s, err := runs.Harvest(t.Context(), append(opt, run.Options{})[0])
	must(t, err)
	return s
}

// addSample makes a page a sample.
func addSample(t testing.TB, topic *decisions.Topic, url string) {
	t.Helper()
	must(t, errOf(topic.AddSample(t.Context(), url, "")))
}

// undo takes back the last action, which needs no agreement.
func undo(t testing.TB, topic *decisions.Topic) {
	t.Helper()
	must(t, errOf(topic.Undo()))
}

// each walks through a sequence that must not fail.
func each[T any](t testing.TB, seq iter.Seq2[T, error]) iter.Seq[T] {
	return func(yield func(T) bool) {
		for x, err := range seq {
			must(t, err)
			if !yield(x) {
				return
			}
		}
	}
}

// errOf returns the error of a call whose other result does not matter.
func errOf[T any](_ T, err error) error { return err }

// must fails the test at an error.
func must(t testing.TB, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}
