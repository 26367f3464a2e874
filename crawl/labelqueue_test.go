package crawl_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/topic"
)

// A workspace that was just opened asks for no labels before its dictionary is loaded: until then no page has a score.
func TestLabelQueueWaitsForScores(t *testing.T) {
	dir := t.TempDir()
	d := crawledDemo(t, dir, crawl.Options{}, 3)
	ids, _ := d.Topic.Scores().Sorted()
	must(t, d.Labels.SetLabel(ids[0], topic.Yes))
	must(t, d.Close())
	settings := filepath.Join(dir, "angler.toml")
	text, err := os.ReadFile(settings)
	must(t, err)
	slow := strings.Replace(string(text), "segmenter = 'flat'", "segmenter = 'gse'", 1) // loads for seconds
	if slow == string(text) {
		t.Fatalf("no segmenter in %s", text)
	}
	must(t, os.WriteFile(settings, []byte(slow), 0o600))
	d = openDemo(t, dir, crawl.Options{})
	early, err := d.Labels.LabelQueue(t.Context(), 12)
	must(t, err)
	must(t, d.Words(t.Context()))
	late, err := d.Labels.LabelQueue(t.Context(), 12)
	must(t, err)
	if len(late) == 0 {
		t.Error("no page is worth a label")
	}
	if len(early) > 0 && !slices.Equal(early, late) {
		t.Errorf("at first the queue is %v, later %v", early, late)
	}
}
