package crawl_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/store/config"
	"angler/topic"
)

// runEnds waits for the end of the run under way.
func runEnds(t *testing.T, e *crawl.Engine) {
	t.Helper()
	snaps, end := e.Subscribe()
	defer end()
	for s := range snaps {
		if s.State == view.Idle {
			return
		}
	}
}

// TestWorkbenchQuestions asks the engine what the screens ask it, on a small
// crawl of the demo web.
func TestWorkbenchQuestions(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{By: "wang"})
	must(t, b.Runs.StartProbe())
	if got := b.Snapshot(); got.State == view.Running && (got.Bound < 100 || got.Task != view.Look) {
		t.Errorf("a probe of %d pages is called %q", got.Bound, got.Task)
	}
	runEnds(t, b.Engine)
	if last := b.Snapshot().Last; last == nil || last.Task != view.Look {
		t.Errorf("the history has %+v for a probe", last)
	}
	if n := b.Snapshot().Counts.Pages; n == 0 || n > 3000 {
		t.Fatalf("the probe brought %d pages", n)
	}
	sampled(t, b, 3)
	harvest(t, b.Runs)

	book, err := b.Inbox.List(ctx, inbox.Request{})
	if err != nil || len(book.Rows) == 0 || len(book.Rows) != book.All || book.All != b.Snapshot().Counts.Notices {
		t.Fatalf("%d of %d notices, %v", len(book.Rows), book.All, err)
	}
	sum := 0
	for _, y := range book.Yields {
		sum += y.Notices
	}
	if sum != book.All {
		t.Errorf("the lists brought %d notices, there are %d", sum, book.All)
	}
	first := book.Rows[0]
	word := string([]rune(first.Title)[:4])
	found, err := b.Inbox.List(ctx, inbox.Request{Query: word})
	if err != nil || len(found.Rows) == 0 || len(found.Rows) > book.All {
		t.Errorf("search for %s found %d, %v", word, len(found.Rows), err)
	}
	d, err := b.Pages.Notice(ctx, first.ID)
	if err != nil || d.Text == "" || d.Source == "" || d.SourceTitle == "" || d.Theta == 0 {
		t.Errorf("detail %+v, %v", d, err)
	}
	if _, err := b.Pages.Notice(ctx, 1<<40); err == nil {
		t.Error("a notice that is none was shown")
	}

	src, err := b.Pages.Source(ctx, first.ID)
	if err != nil || !strings.Contains(strings.ToLower(src), "<html") {
		t.Errorf("source %.80q, %v", src, err)
	}
	rows, err := b.Pages.PagesLike(ctx, first.Host)
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d pages of %s, %v", len(rows), first.Host, err)
	}
	labels := []topic.LabelRow{}
	for _, r := range rows {
		if r.Host != first.Host && !strings.HasSuffix(r.Host, "."+first.Host) {
			t.Errorf("%s is not of %s", r.URL, first.Host)
		}
		labels = append(labels, topic.LabelRow{URL: r.URL, Label: topic.No})
	}
	if n, _, err := b.Labels.LabelURLs(labels, "batch"); err != nil || n != len(rows) || b.Snapshot().Counts.Labels != n {
		t.Errorf("%d labels, %v", n, err)
	}
	if _, err := b.Topic.Undo(); err != nil || b.Snapshot().Counts.Labels != 0 {
		t.Errorf("undo left %d labels, %v", b.Snapshot().Counts.Labels, err)
	}

	out := filepath.Join(t.TempDir(), "notices.jsonl")
	n, err := b.Pages.ExportFile(ctx, query.ExportPlan{What: "notices"}, out, false)
	text, _ := os.ReadFile(out)
	if err != nil || n != book.All || strings.Count(string(text), "\n") != n {
		t.Errorf("%d rows exported, %v", n, err)
	}
	if _, err := b.Pages.ExportFile(ctx, query.ExportPlan{What: "pages"}, out, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("an existing file was answered with %v", err)
	}

	was := b.Topic.Features()[0].Word
	must(t, b.Topic.StopWord(was))
	must(t, b.Words(ctx))
	for _, f := range b.Topic.Features() {
		if f.Word == was {
			t.Errorf("the stop word %s is still a feature", was)
		}
	}
	undo(t, b.Topic)
}

func TestSettingsChangeWhileOpen(t *testing.T) {
	dir := t.TempDir()
	b := openDemo(t, dir, crawl.Options{})
	if later, err := b.Settings.ChangeSetting("crawl.depth", "2"); err != nil || later {
		t.Fatalf("later %v, %v", later, err)
	}
	if later, err := b.Settings.ChangeSetting("crawl.proxy", "http://127.0.0.1:1"); err != nil || !later {
		t.Errorf("later %v, %v", later, err)
	}
	if err := b.Settings.CheckSetting("crawl.strategy", "upwards"); err == nil {
		t.Error("an unknown strategy passed")
	}
	if _, err := b.Settings.ChangeSetting("scope.kind", "galaxy"); err == nil {
		t.Error("an unknown scope passed")
	}
	set, err := config.Read(dir)
	if err != nil || set.Crawl.Depth != 2 || b.Set().Crawl.Depth != 2 || set.Scope.Kind != "site" {
		t.Errorf("file %+v, in force %+v, %v", set.Crawl, b.Set().Crawl, err)
	}
	if _, err := b.Settings.ChangeSetting("scope.include", "['a']"); err != nil { // what the kind pattern needs
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, r := range b.Settings.SettingRows() {
		known[r.Key] = true
		if err := b.Settings.CheckSetting(r.Key, r.Value); err != nil {
			t.Errorf("the value in force of %s is refused: %v", r.Key, err)
		}
		for _, choice := range r.Choices {
			if err := b.Settings.CheckSetting(r.Key, choice); err != nil {
				t.Errorf("%s offers %s, which is refused: %v", r.Key, choice, err)
			}
		}
		if r.Choices != nil && (!slices.Contains(r.Choices, r.Value) || b.Settings.CheckSetting(r.Key, "galaxy") == nil) {
			t.Errorf("%s is %s and takes galaxy, or the choices %q leave something out", r.Key, r.Value, r.Choices)
		}
	}
	for _, k := range settings.NeedsReopening {
		if !known[k] {
			t.Errorf("%s is no setting", k)
		}
	}
}
