package tui

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/store"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// logged returns the words of a kind in the log of decisions: "word" for accepted terms, "stop" for
// stop words.
func logged(t *testing.T, e *demo.Engine, kind string) (words []string) {
	t.Helper()
	values, err := e.Workspace().Decisions.Values(store.FirstTopic, kind)
	must(t, err)
	for w := range values {
		words = append(words, w)
	}
	return words
}

func TestWordsBecomeStopAndUserWords(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.press("2")
	strongest := e.Topic.Features()[0].Word
	d.press("r")
	if got := logged(t, e, "stop"); !slices.Equal(got, []string{strongest}) {
		t.Errorf("r stopped %q, not %s", got, strongest)
	}
	d.until("the word has left the table", func() bool {
		for _, f := range e.Topic.Features() {
			if f.Word == strongest {
				return false
			}
		}
		return true
	})
	d.press("W", "x", "enter")
	d.shows("2 to 32 characters")
	d.press("esc", "W", "竞争性谈判", "enter")
	if got := logged(t, e, "word"); !slices.Equal(got, []string{"竞争性谈判"}) {
		t.Errorf("W took %q", got)
	}
	d.press("w", "esc", "w")
	for range 5 {
		d.pressKey("backspace")
	}
	d.press("11", "enter")
	d.shows("a number from 0 to 10")
	d.press("backspace", "backspace", "2.5", "enter")
	found := false
	for _, x := range e.Topic.Config().Weights {
		found = found || x == 2.5
	}
	if !found {
		t.Errorf("weights %v", e.Topic.Config().Weights)
	}
}

func TestSchemesShowTheirF1WhereTheyAreChosen(t *testing.T) {
	e, d := opened(t, tuitest.Labelled, 160, 45)
	d.press("2")
	d.press("h")
	if strings.Contains(strings.Join(strings.Fields(d.screen()), " "), "tf-idf F1") {
		t.Error("figures before anything was measured")
	}
	d.press("esc", "E")
	d.press("h")
	rows, err := e.Labels.Evaluate()
	must(t, err)
	measured := 0
	for _, r := range rows {
		if strings.HasPrefix(r.Name, "tf-idf/") && r.F1 != nil {
			measured++
			if shown := strings.Join(strings.Fields(d.screen()), " "); !strings.Contains(shown, "tf-idf F1 "+widget.Score(r.F1.Value, 2)) {
				t.Errorf("F1 %.2f of tf-idf is not shown:\n%s", r.F1.Value, d.screen())
			}
		}
	}
	if measured == 0 {
		t.Error("no scheme was measured")
	}
	d.press("esc")
}
