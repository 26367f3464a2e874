package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/parts"
	"angler/tui/ui"
	"angler/tui/uitest"
)

// The question of an undo: one's own or another's, of today or another day, in
// both languages, at any width; y alone agrees.
func TestUndoQuestion(t *testing.T) {
	now := uitest.Start
	today, before := now.Add(-time.Minute), now.AddDate(0, 0, -3)
	cases := []struct {
		name, lang string
		cols       int
		q          view.UndoQuestion
		want       string
	}{
		{"another person's", "en", 100, view.UndoQuestion{By: "wang", What: "sample a list", At: today}, "undo wang's “sample a list” of " + today.Local().Format("15:04") + "? y/n"},
		{"one's own of another day", "en", 100, view.UndoQuestion{By: "li", What: "θ .310 → .340", At: before, Own: true}, "undo your “θ .310 → .340” of " + before.Local().Format("2006-01-02 15:04") + "? y/n"},
		{"in Chinese", "zh", 100, view.UndoQuestion{By: "wang", What: "sample a list", At: today}, "撤销 wang 在 " + today.Local().Format("15:04") + " 的“样本 a list”？y/n"},
		{"one's own in Chinese", "zh", 100, view.UndoQuestion{What: "sample a list", At: today, Own: true}, "撤销你在 " + today.Local().Format("15:04") + " 的“样本 a list”？y/n"},
		{"a long one in a narrow place", "en", 60, view.UndoQuestion{By: "wang", What: "sample " + strings.Repeat("a very long title ", 20), At: today}, "” of " + today.Local().Format("15:04") + "? y/n"},
		{"control characters", "en", 100, view.UndoQuestion{By: "w\x1b[2Jang", What: "sample \x1b]52;c;YQ==\x07x", At: today}, "undo wang's “sample x” of"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := driveIn(t, c.lang, parts.Of(uitest.Open(t, uitest.Empty).Engine), c.cols, 24)
			d.send(undoMsg{&c.q})
			if s := d.screen(); !strings.Contains(s, c.want) {
				t.Errorf("no %q in:\n%s", c.want, s)
			}
			d.press("n")
			if d.a.undoing != nil {
				t.Error("n does not answer")
			}
		})
	}
}

// Another person's action is undone by u and y, and by no other two keys.
func TestUndoOfAnothersAction(t *testing.T) {
	e := uitest.Open(t, uitest.Sampled)
	d := workbench(t, e, 120, 30)
	if _, err := e.As("zhou").Topic.AddSample(context.Background(), e.TenderLists(7)[6], ""); err != nil {
		t.Fatal(err)
	}
	before := len(e.Topic.Samples())
	for _, key := range []string{"n", "u", "enter", "esc"} {
		d.press("u")
		d.until("the question", func() bool { return d.a.undoing != nil })
		d.shows("undo zhou's “sample ", "? y/n")
		d.press(key)
		d.settle()
		if n := len(e.Topic.Samples()); n != before || d.a.undoing != nil {
			t.Fatalf("u %s: %d samples, there were %d", key, n, before)
		}
		d.shows("nothing was undone")
	}
	d.press("u")
	d.until("the question", func() bool { return d.a.undoing != nil })
	d.press("y")
	d.until("it is undone", func() bool { return len(e.Topic.Samples()) == before-1 })
}

// Who types something else meanwhile does not answer by it.
func TestUndoQuestionDoesNotTakeWhatIsTyped(t *testing.T) {
	d := workbench(t, uitest.Open(t, uitest.Empty), 100, 24)
	d.press(":")
	d.send(undoMsg{&view.UndoQuestion{By: "wang", What: "x", At: uitest.Start}})
	if d.a.undoing != nil || d.a.flashSt != ui.Warn {
		t.Errorf("asked %v; says %q", d.a.undoing, d.a.flash)
	}
	d.send(tea.KeyMsg{Type: tea.KeyEsc})
}

// The log tells every person's decisions, the newest first, narrows down by what is
// typed, and shows what one of them changed.
func TestLogOfDecisions(t *testing.T) {
	e := uitest.Open(t, uitest.Sampled)
	if _, err := e.As("zhou").Topic.AddSample(context.Background(), e.TenderLists(7)[6], ""); err != nil {
		t.Fatal(err)
	}
	if err := e.Topic.ChangeConfig(func(c *topic.Config) string { c.Theta = .31; return "θ .400 → .310" }); err != nil {
		t.Fatal(err)
	}
	d := workbench(t, e, 120, 40)
	d.press("@")
	d.comes("who decided what", "wang  θ .400 → .310", "zhou  sample ")
	_, newest := d.find("θ .400 → .310")
	if _, older := d.find("zhou  sample "); older != newest+1 {
		t.Errorf("the newest stands on row %d, the one before on %d", newest, older)
	}
	d.press("zhou")
	if strings.Contains(d.screen(), "wang  θ") {
		t.Error("zhou does not narrow the list down")
	}
	d.press("enter")
	d.shows("what the decision changed", "sample http://", "+ {\"url\":")
	d.press("esc", "?")
	d.shows("help", "1 Samples")
}
