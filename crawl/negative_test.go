package crawl_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/message"
	"angler/store"
	"angler/topic"
)

// marks tells samples and negative samples apart: "+url" and "-url".
func marks(b *demo.Engine) (list []string) {
	for _, s := range b.Topic.Samples() {
		sign := "+"
		if s.Negative {
			sign = "-"
		}
		list = append(list, sign+s.URL)
	}
	return list
}

// otherList returns a crawled list page above θ that is about something else,
// or the highest one below it.
func otherList(t *testing.T, b *demo.Engine) query.CandidateRow {
	t.Helper()
	rows, err := b.Pages.Candidates(context.Background())
	must(t, err)
	slices.SortStableFunc(rows, func(x, y query.CandidateRow) int {
		if x.Score > y.Score {
			return -1
		}
		return 1
	})
	for _, r := range rows {
		if truth, ok := b.Web().Truth(r.URL); ok && truth.Type == "list" && !truth.Tender && r.Score > 0 {
			return r
		}
	}
	t.Fatal("the demo has no other list")
	return query.CandidateRow{}
}

func TestNegativeSample(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	ctx := context.Background()
	b := crawledDemo(t, dir, crawl.Options{By: "wang"}, 2, run.Options{MaxPages: 400})
	samples := marks(b)
	page := otherList(t, b)
	before, _ := b.Topic.Scores().Of(page.ID)
	if on, err := b.Topic.ToggleSample(page.ID); err != nil || !on {
		t.Fatalf("sample %v, %v", on, err)
	}
	if on, err := b.Topic.ToggleNegative(page.ID); err != nil || !on {
		t.Fatalf("negative sample %v, %v", on, err)
	}
	want := append(slices.Clone(samples), "-"+page.URL)
	if got := marks(b); !slices.Equal(got, want) {
		t.Fatalf("marks %v, want %v", got, want)
	}
	s := b.Snapshot()
	if last := s.Events[len(s.Events)-1]; s.Counts.Samples != 2 || s.Counts.Negative != 1 || last.By != "wang" || !strings.HasPrefix(last.What.String(), "negative sample ") {
		t.Errorf("counts %+v, last event %+v", s.Counts, last)
	}
	after, _ := b.Topic.Scores().Of(page.ID)
	if after >= before || slices.Contains(b.Topic.Aggregations(), page.ID) {
		t.Errorf("the negative sample scores %v, before %v; among the aggregation pages: %v", after, before, slices.Contains(b.Topic.Aggregations(), page.ID))
	}
	if s.Learner.No != 1 {
		t.Errorf("the learner was told %+v", s.Learner)
	}
	queue, err := b.Labels.LabelQueue(ctx, 1000)
	if err != nil || len(queue) == 0 || slices.ContainsFunc(queue, func(r query.QueueRow) bool { return r.ID == page.ID }) {
		t.Errorf("%d pages are asked, %v; the negative sample must not be", len(queue), err)
	}
	x, err := b.Pages.Explain(ctx, page.URL)
	must(t, err)
	var out strings.Builder
	if err := x.Write(&out); err != nil || x.Mark != "negative sample" || !strings.Contains(out.String(), "of its weight taken by the negative samples") {
		t.Errorf("%v: explained with mark %q as\n%s", err, x.Mark, out.String())
	}
	rows, _ := b.Pages.Pages(ctx, []uint64{page.ID})
	if len(rows) != 1 || !rows[0].Negative || rows[0].Sample {
		t.Errorf("row %+v", rows)
	}
	consistent(t, b.Engine)
	must(t, b.Close())

	b = openDemo(t, dir, crawl.Options{By: "li"})
	must(t, b.Words(ctx))
	// The background has grown since the mark, so the score moves a little.
	if again, _ := b.Topic.Scores().Of(page.ID); math.Abs(again-after) > .05*after {
		t.Errorf("after the restart it scores %v, before %v", again, after)
	}
	undo := func() (message.Text, error) { return undoAgreed(b.Topic) }
	for _, step := range []struct {
		what string
		do   func() (message.Text, error)
		want []string
	}{
		{"one undo gives the sample back", undo, append(slices.Clone(samples), "+"+page.URL)},
		{"the next takes it away", undo, samples},
		{"redo marks the sample", b.Topic.Redo, append(slices.Clone(samples), "+"+page.URL)},
		{"redo marks the negative sample", b.Topic.Redo, want},
		{"rm removes it", func() (message.Text, error) { return "", b.Topic.RemoveSample(page.URL) }, samples},
		{"undo brings it back", undo, want},
		{"a sample is no negative sample", func() (message.Text, error) { _, err := b.Topic.AddSample(ctx, page.URL, ""); return "", err }, append(slices.Clone(samples), "+"+page.URL)},
	} {
		if _, err := step.do(); err != nil || !slices.Equal(marks(b), step.want) {
			t.Errorf("%s: %v, marks %v, want %v", step.what, err, marks(b), step.want)
		}
	}
}

func TestBadNegativeSamplesAreRefused(t *testing.T) {
	b := openDemo(t, "", crawl.Options{})
	ctx := context.Background()
	dir := t.TempDir()
	file := func(name, html string) string {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, []byte("<html><head><title>t</title></head><body>"+html+"</body></html>"), 0o644))
		return path
	}
	list := strings.Repeat("<li><a href=/a>实验楼空调采购招标公告</a> 2026-01-02</li>", 5)
	addSample(t, b.Topic, file("sample.html", list))
	for _, c := range []struct{ name, path, says string }{
		{"no words", file("empty.html", "<img src=a.png> 12"), "has no words"},
		{"the same text at another address", file("copy.html", "<!-- copy -->"+list), "reads word for word like"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := b.Topic.AddNegative(ctx, c.path, "")
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q does not say %q in one line", err, c.says)
			}
			if n := len(b.Topic.Samples()); n != 1 {
				t.Errorf("%d marks", n)
			}
		})
	}
}

// TestOlderTopicGetsGamma: a topic stored before there were negative samples takes
// the default γ, and one that says 0 keeps it.
func TestOlderTopicGetsGamma(t *testing.T) {
	for stored, want := range map[string]float64{
		`{"scheme":"tf","norm":"inner","m":50}`:           topic.DefaultGamma,
		`{"scheme":"tf","norm":"inner","m":50,"gamma":0}`: 0,
	} {
		dir := t.TempDir()
		b := openDemo(t, dir, crawl.Options{})
		must(t, errOf(b.Workspace().Decisions.Do("wang", "scheme tf", store.Change{Topic: store.FirstTopic, Kind: "topic", Key: "config", After: []byte(stored)})))
		must(t, b.Close())
		if c := openDemo(t, dir, crawl.Options{}).Topic.Config(); c.Gamma != want || c.M != 50 {
			t.Errorf("%s is read as %+v", stored, c)
		}
	}
}

// TestNegativeSamplesAlone: there is no topic without a sample, and the workspace
// says so.
func TestNegativeSamplesAlone(t *testing.T) {
	b := openDemo(t, "", crawl.Options{})
	ctx := context.Background()
	u := b.TenderLists(1)[0]
	must(t, errOf(b.Topic.AddNegative(ctx, u, "")))
	if b.Topic.Features() != nil || len(b.Topic.Aggregations()) != 0 {
		t.Error("negative samples alone made a topic")
	}
	if _, err := b.Topic.Score(ctx, u); err != decisions.ErrNoModel {
		t.Errorf("score says %v", err)
	}
	if err := b.Runs.StartHarvest(); err != run.ErrNoTopic {
		t.Errorf("harvest says %v", err)
	}
	if err := b.Topic.RemoveSample(u); err != nil || len(b.Topic.Samples()) != 0 {
		t.Errorf("%v, marks %v", err, b.Topic.Samples())
	}
}

// TestNegativeSamplesThatTakeEverything: when no word keeps its weight,
// everything that judges says why.
func TestNegativeSamplesThatTakeEverything(t *testing.T) {
	alone(t)
	b := openDemo(t, "", crawl.Options{})
	ctx := context.Background()
	must(t, b.Words(ctx))
	dir := t.TempDir()
	for i, mark := range []func(context.Context, string, string) (decisions.SampleRow, error){b.Topic.AddSample, b.Topic.AddNegative} {
		path := filepath.Join(dir, fmt.Sprintf("%d.html", i))
		// The same words in another order: no copy, but nothing to tell apart.
		words := []string{"采购", "招标"}
		html := "<title>公告</title>" + strings.Repeat("<p><a href=/a>"+words[i]+"</a> <a href=/b>"+words[1-i]+"</a></p>", 5)
		must(t, os.WriteFile(path, []byte(html), 0o644))
		must(t, errOf(mark(ctx, path, "")))
	}
	must(t, b.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Scheme, c.Gamma = topic.SchemeTF, 1; return "γ 1" }))
	if s := b.Snapshot(); s.TopicErr != topic.ErrNoWeight.Error() {
		t.Errorf("the snapshot says %q", s.TopicErr)
	}
	if _, err := b.Topic.Score(ctx, filepath.Join(dir, "0.html")); err != topic.ErrNoWeight {
		t.Errorf("score says %v", err)
	}
	if _, err := b.Runs.Harvest(ctx, run.Options{}); err != topic.ErrNoWeight {
		t.Errorf("harvest says %v", err)
	}
}
