package tui

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

func TestNegativeSampleToggleUndoRedo(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	toSample(t, e, d)
	id := d.current()
	for _, step := range []struct {
		keys             []string
		sample, negative bool
		shows            []string
	}{
		{[]string{"!"}, false, true, []string{"negative sample added", "✓ 2 samples · ✗ 1 negative sample", "› ✗"}},
		{[]string{"u"}, true, false, []string{"undone: negative sample", "3 samples", "› ✓"}},
		{[]string{"ctrl+r"}, false, true, []string{"✗ 1 negative sample"}},
		{[]string{"s"}, true, false, []string{"sample added", "3 samples"}},
		{[]string{"!"}, false, true, []string{"negative sample added", "✗ 1 negative sample"}},
		{[]string{"!"}, false, false, []string{"negative sample removed", "2 samples"}},
		{[]string{"!", "!"}, false, false, []string{"2 samples"}}, // the second undoes the first, however quick
	} {
		d.press(step.keys...)
		if r := tuitest.Row(t, e, id); r.Sample != step.sample || r.Negative != step.negative {
			t.Errorf("%v: sample %v, negative sample %v", step.keys, r.Sample, r.Negative)
		}
		d.comes(step.shows...)
	}
}

// toSample moves the cursor to a sample that the crawl has fetched.
func toSample(t *testing.T, e *demo.Engine, d *driver) {
	t.Helper()
	rows, err := e.Pages.Candidates(t.Context())
	i := slices.IndexFunc(rows, func(r query.CandidateRow) bool { return r.Sample })
	if err != nil || i < 0 {
		t.Fatalf("%d pages and no sample among them, %v", len(rows), err)
	}
	toPage(d, rows[i].ID)
}

// toPage moves the cursor to a page.
func toPage(d *driver, id uint64) {
	d.t.Helper()
	d.press("g")
	for range 300 {
		if d.current() == id {
			return
		}
		d.press("j")
	}
	d.t.Fatalf("page %d is not in the list", id)
}

// unlike returns a list that is no sample and shares words with the samples.
func unlike(t *testing.T, e *demo.Engine) uint64 {
	t.Helper()
	rows, err := e.Pages.Candidates(t.Context())
	must(t, err)
	for _, r := range rows {
		if !r.Sample && strings.Contains(r.Title, "中标公示") {
			return r.ID
		}
	}
	t.Fatal("no list of awards was crawled")
	return 0
}

// TestPreviewTellsWhatWasTaken compares a word in the preview with the feature table.
func TestPreviewTellsWhatWasTaken(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 60)
	toPage(d, unlike(t, e))
	d.press("!", "v", "v")
	d.until("the model knows of it", func() bool { return len(taken(e.Topic.Features())) > 0 })
	shown := 0
	for word, part := range taken(e.Topic.Features()) {
		if part <= 0 || part > 1 {
			t.Fatalf("the negative sample took %v of %s", part, word)
		}
		if d.sees(word + "  ✗ −" + widget.Percent(part)) {
			shown++
		}
	}
	if shown == 0 {
		t.Errorf("the preview shows of no word what was taken: %v\n%s", taken(e.Topic.Features()), d.screen())
	}
}

func TestAddNegativeSampleByURL(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	page := tuitest.Row(t, e, unlike(t, e))
	d.press("A")
	d.shows("negative sample:")
	for _, r := range page.URL {
		d.press(string(r))
	}
	d.press("enter")
	if !tuitest.Row(t, e, page.ID).Negative {
		t.Error("the page is no negative sample")
	}
	d.comes("1 negative sample", "negative sample http")
}

// TestNegativeSamplesAreNotAsked: the queue skips pages that an analyst has marked.
func TestNegativeSamplesAreNotAsked(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	queue, err := e.Labels.LabelQueue(t.Context(), 48)
	if err != nil || len(queue) == 0 {
		t.Fatalf("%d pages, %v", len(queue), err)
	}
	d := workbench(t, e, 120, 40)
	d.press("6")
	d.shows(queue[0].Title)
	before, _, _ := strings.Cut(d.screen(), "given")
	_, err = e.Topic.ToggleNegative(queue[0].ID)
	must(t, err)
	d.until("the queue counts one page less", func() bool {
		now, _, _ := strings.Cut(d.screen(), "given")
		return now != before
	})
	again, err := e.Labels.LabelQueue(t.Context(), 50)
	for _, r := range again {
		if r.ID == queue[0].ID {
			t.Error("the negative sample is asked again", err)
		}
	}
}

// TestGamma: γ is off without negative samples, checked, applied, and undone.
func TestGamma(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 40)
	d.press("2", "A")
	d.shows("there are no negative samples yet")
	d.lacks("neg. TF", "the columns of the negative samples are shown without any")
	d.press("1")
	toPage(d, unlike(t, e))
	d.press("!", "2")
	d.comes("neg. TF", "taken", "✗ 1 negative sample")
	before := taken(e.Topic.Features())
	d.press("A")
	d.shows("γ:")
	d.press("ctrl+u", "9", "enter")
	d.shows("a number from 0 to 4")
	d.press("ctrl+u", "1", "enter")
	if g := e.Topic.Config().Gamma; g != 1 {
		t.Fatalf("γ %v", g)
	}
	after := taken(e.Topic.Features())
	if len(after) == 0 {
		t.Fatal("nothing was taken")
	}
	more := 0
	for word, part := range after {
		switch {
		case part > before[word]:
			more++
		case part < 1: // a word that lost all its weight can lose no more
			t.Errorf("at γ 1 the negative samples take %v of %s, before %v", part, word, before[word])
		}
	}
	if more == 0 {
		t.Errorf("at γ 1 no more is taken: %v", after)
	}
	d.press("u")
	is(t, "undo left γ at", e.Topic.Config().Gamma, topic.DefaultGamma)
}

func taken(list []topic.Feature) map[string]float64 {
	out := map[string]float64{}
	for _, f := range list {
		if f.Taken > 0 {
			out[f.Word] = f.Taken
		}
	}
	return out
}

// TestTopicWithoutWeight: a topic that can judge nothing says so on every screen that changes it.
func TestTopicWithoutWeight(t *testing.T) {
	for _, code := range []string{"en", "zh"} {
		c := can(sampled())
		d := driveIn(t, code, c.parts(), 160, 40)
		c.publish(func(s *view.Snapshot) { s.TopicErr, s.Counts.Negative = topic.ErrNoWeight.Error(), 2 })
		d.until("the trouble shows", func() bool { return d.a.shared.Snap.TopicErr != "" })
		short := d.a.shared.T("no word keeps a weight: too much is taken by the negative samples")
		d.shows(short)
		d.press("2")
		d.shows(short)
		d.press("3")
		long := d.a.shared.Line(topic.ErrNoWeight.Error())
		d.shows(string([]rune(long)[:10])) // it is wrapped further on
		if code == "zh" && (long == topic.ErrNoWeight.Error() || !d.a.shared.Known("negative sample")) {
			t.Errorf("not translated: %s", long)
		}
	}
}
