package tui

import (
	"strings"
	"testing"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/screen/judging"
	"angler/tui/ui"
)

func TestNegativeSampleToggleUndoRedo(t *testing.T) {
	b := sampled(t)
	d := drive(t, b, 120, 40)
	id := d.a.screens[0].(*judging.Samples).Current()
	for _, step := range []struct {
		keys             []string
		sample, negative bool
		shows            []string
	}{
		{[]string{"-"}, false, true, []string{"negative sample added", "✓ 2 samples · ✗ 1 negative sample", "› ✗"}},
		{[]string{"u"}, true, false, []string{"undone: negative sample", "3 samples", "› ✓"}},
		{[]string{"ctrl+r"}, false, true, []string{"✗ 1 negative sample"}},
		{[]string{"space"}, true, false, []string{"sample added", "3 samples"}},
		{[]string{"-", "-"}, false, false, []string{"negative sample removed", "2 samples"}},
	} {
		d.press(step.keys...)
		if s, a := b.IsSample(id), b.IsNegative(id); s != step.sample || a != step.negative {
			t.Errorf("%v: sample %v, negative sample %v", step.keys, s, a)
		}
		d.comes(step.shows...)
	}
}

// TestPreviewTellsWhatWasTaken compares what the preview shows of a word with
// the feature table.
func TestPreviewTellsWhatWasTaken(t *testing.T) {
	b := sampled(t)
	d := drive(t, b, 120, 40)
	d.press("j", "j", "j", "-", "v", "v")
	part, ok := taken(b.Features())["项目"]
	if !ok || part <= 0 || part >= 1 {
		t.Fatalf("the negative sample took %v of 项目", part)
	}
	d.comes("项目  ✗ −" + ui.Percent(part))
}

func TestAddNegativeSampleByURL(t *testing.T) {
	b := sampled(t)
	d := drive(t, b, 120, 40)
	rows, err := b.Candidates(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.press("A")
	d.shows("negative sample:")
	for _, r := range rows[2].URL {
		d.press(string(r))
	}
	d.press("enter")
	if !b.IsNegative(rows[2].ID) {
		t.Error("the page is no negative sample")
	}
	d.comes("1 negative sample", "negative sample http")
}

// TestNegativeSamplesAreNotAsked: a page that an analyst has judged by a mark is not
// worth a label.
func TestNegativeSamplesAreNotAsked(t *testing.T) {
	b := sampled(t)
	queue, err := b.LabelQueue(t.Context(), 1)
	if err != nil || len(queue) != 1 {
		t.Fatalf("%d pages, %v", len(queue), err)
	}
	d := drive(t, b, 120, 40)
	d.press("6")
	d.shows(queue[0].Title)
	before, _, _ := strings.Cut(d.screen(), "given")
	if _, err := b.ToggleNegative(queue[0].ID); err != nil {
		t.Fatal(err)
	}
	d.until("the queue counts one page less", func() bool {
		now, _, _ := strings.Cut(d.screen(), "given")
		return now != before
	})
	again, err := b.LabelQueue(t.Context(), 50)
	for _, r := range again {
		if r.ID == queue[0].ID {
			t.Error("the negative sample is asked again", err)
		}
	}
}

// TestGamma guards the way of γ: off without negative samples, checked, applied, and
// undone.
func TestGamma(t *testing.T) {
	b := sampled(t)
	d := drive(t, b, 160, 40)
	d.press("2", "A")
	d.shows("there are no negative samples yet")
	if strings.Contains(d.screen(), "neg. TF") {
		t.Error("the columns of the negative samples are shown without any")
	}
	d.press("1", "j", "j", "j", "-", "2")
	d.comes("neg. TF", "taken", "✗ 1 negative sample")
	before := taken(b.Features())
	d.press("A")
	d.shows("γ:")
	d.press("ctrl+u", "9", "enter")
	d.shows("a number from 0 to 4")
	d.press("ctrl+u", "1", "enter")
	if g := b.Config().Gamma; g != 1 {
		t.Fatalf("γ %v", g)
	}
	after := taken(b.Features())
	if len(after) == 0 {
		t.Fatal("nothing was taken")
	}
	for word, part := range after {
		if part <= before[word] {
			t.Errorf("at γ 1 the negative samples take %v of %s, before %v", part, word, before[word])
		}
	}
	d.press("u")
	if g := b.Config().Gamma; g != topic.DefaultGamma {
		t.Errorf("undo left γ at %v", g)
	}
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

// TestTopicWithoutWeight: a topic that can judge nothing says so wherever it is
// made.
func TestTopicWithoutWeight(t *testing.T) {
	for _, code := range []string{"en", "zh"} {
		d := driveIn(t, code, sampled(t), 160, 40)
		d.b.Publish(func(s *view.Snapshot) { s.TopicErr, s.Counts.Negative = topic.ErrNoWeight.Error(), 2 })
		d.until("the trouble shows", func() bool { return d.a.shared.Snap.TopicErr != "" })
		short := d.a.shared.T("no word keeps a weight: too much is taken by the negative samples")
		d.shows(short)
		d.press("2")
		d.shows(short)
		d.press("3")
		long := d.a.shared.Line(topic.ErrNoWeight.Error())
		d.shows(string([]rune(long)[:10])) // it is wrapped further on
		if code == "zh" && (long == topic.ErrNoWeight.Error() || !d.a.shared.Known("#negative sample")) {
			t.Errorf("not translated: %s", long)
		}
	}
}
