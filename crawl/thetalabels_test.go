package crawl_test

import (
	"strings"
	"testing"

	"angler/crawl"
	"angler/message"
	"angler/topic"
)

// A label that contradicts θ moves it, its undo moves it back, and the next opening has
// the same θ. Labels do not move a θ that a person has set.
func TestLabelsMoveTheThreshold(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	dir := t.TempDir()
	b := crawledDemo(t, dir, crawl.Options{By: "wang"}, 3)
	before := b.Topic.Row()
	scores := b.Topic.Scores()
	ids := scores.Between(.05, before.Theta, 1)
	if len(ids) == 0 {
		t.Fatalf("no page scores below θ %v", before.Theta)
	}
	score, _ := scores.Of(ids[0])
	must(t, b.Labels.SetLabel(ids[0], topic.Yes))
	after := b.Topic.Row()
	if after.Theta > score || after.Theta <= 0 || !strings.Contains(after.ThetaWhy, "θ from 1 label") || !after.ThetaAuto {
		t.Errorf("yes on a page with %v: θ %v, %s; before %v", score, after.Theta, after.ThetaWhy, before.Theta)
	}
	if s := b.Snapshot(); s.Theta != after.Theta || s.ThetaRule != after.ThetaWhy {
		t.Errorf("the snapshot has θ %v, %s", s.Theta, s.ThetaRule)
	}
	for _, p := range b.Labels.Queue(3)[:1] {
		if !p.Decides {
			t.Errorf("the first question decides nothing: %+v", p)
		}
	}
	undo(t, b.Topic)
	if row := b.Topic.Row(); row.Theta != before.Theta || row.ThetaWhy != before.ThetaWhy {
		t.Errorf("the label is taken back, and θ is %v, %s; it was %v, %s", row.Theta, row.ThetaWhy, before.Theta, before.ThetaWhy)
	}
	must(t, errOf(b.Topic.Redo()))
	must(t, b.Close())
	b = openDemo(t, dir, crawl.Options{By: "wang"})
	must(t, b.Words(t.Context()))
	if row := b.Topic.Row(); row.Theta != after.Theta || row.ThetaWhy != after.ThetaWhy {
		t.Errorf("the next opening has θ %v, %s; want %v, %s", row.Theta, row.ThetaWhy, after.Theta, after.ThetaWhy)
	}
	must(t, b.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .6; return "θ .6" }))
	if row := b.Topic.Row(); row.Theta != .6 || row.ThetaWhy != string(topic.RuleSet) {
		t.Errorf("set by hand: θ %v, %s", row.Theta, row.ThetaWhy)
	}
}
