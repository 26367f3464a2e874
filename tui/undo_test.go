package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/message"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// The question of an undo: one's own or another's, of today or another day, in both languages, at
// any width; only y agrees.
func TestUndoQuestion(t *testing.T) {
	now := tuitest.Start
	today, before := now.Add(-time.Minute), now.AddDate(0, 0, -3)
	clock, day := today.Local().Format("15:04"), before.Local().Format("2006-01-02 15:04")
	wangs := decisions.UndoQuestion{By: "wang", What: message.Of("sample %s", "a list"), At: today}
	own := decisions.UndoQuestion{By: "li", What: "θ .310 → .340", At: before, Own: true}
	long, hostile, ownNow := wangs, wangs, wangs
	long.What = message.Of("sample %s", strings.Repeat("a very long title ", 20))
	hostile.By, hostile.What = "w\x1b[2Jang", "sample \x1b]52;c;YQ==\x07x"
	ownNow.By, ownNow.Own = "", true
	redo := func(q decisions.UndoQuestion) decisions.UndoQuestion { q.Redo = true; return q }
	cases := []struct {
		name, lang string
		cols       int
		q          decisions.UndoQuestion
		want       string
	}{
		{"another person's", "en", 100, wangs, "undo wang's “sample a list” of " + clock + "? y/n"},
		{"one's own of another day", "en", 100, own, "undo your “θ .310 → .340” of " + day + "? y/n"},
		{"in Chinese", "zh", 100, wangs, "撤销 wang 在 " + clock + " 的“样本 a list”？y/n"},
		{"one's own in Chinese", "zh", 100, ownNow, "撤销您在 " + clock + " 的“样本 a list”？y/n"},
		{"what another took back", "en", 100, redo(wangs), "redo “sample a list”, which wang undid at " + clock + "? y/n"},
		{"one's own undo of another day", "en", 100, redo(own), "redo “θ .310 → .340”, which you undid at " + day + "? y/n"},
		{"what another took back, in Chinese", "zh", 100, redo(wangs), "重做 wang 在 " + clock + " 撤销的“样本 a list”？y/n"},
		{"one's own undo, in Chinese", "zh", 100, redo(ownNow), "重做您在 " + clock + " 撤销的“样本 a list”？y/n"},
		{"a long one in a narrow place", "en", 60, long, "” of " + clock + "? y/n"},
		{"control characters", "en", 100, hostile, "undo wang's “sample x” of"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := driveIn(t, c.lang, screen.PartsOf(tuitest.Open(t, tuitest.Empty).Engine), c.cols, 24)
			d.a.askUndo(&c.q, undoAgreed(d.a, &c.q))
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

// Another person's action is undone by u and y, and by no other keys.
func TestUndoOfAnothersAction(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 30)
	_, err := e.As(auth.Actor{Name: "zhou", Role: auth.Owner}).Topic.AddSample(context.Background(), e.TenderLists(7)[6], "")
	must(t, err)
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

// An undo by another person is redone by ctrl+r and y, and by no other keys.
func TestRedoOfWhatAnotherTookBack(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 30)
	zhou := e.As(auth.Actor{Name: "zhou", Role: auth.Owner})
	_, err := zhou.Topic.AddSample(context.Background(), e.TenderLists(7)[6], "")
	must(t, err)
	_, err = zhou.Topic.Undo()
	must(t, err)
	before := len(e.Topic.Samples())
	redo := func() {
		d.pressKey("ctrl+r")
		d.until("the question", func() bool { return d.a.undoing != nil })
		d.shows("redo “sample ", "which zhou undid at ", "? y/n")
	}
	for _, key := range []string{"n", "enter", "esc"} {
		redo()
		d.press(key)
		d.settle()
		if n := len(e.Topic.Samples()); n != before || d.a.undoing != nil {
			t.Fatalf("ctrl+r %s: %d samples, there were %d", key, n, before)
		}
		d.shows("nothing was done again")
	}
	redo()
	d.press("y")
	d.until("it is done again", func() bool { return len(e.Topic.Samples()) == before+1 })
}

// Other typing does not answer the question.
func TestUndoQuestionDoesNotTakeWhatIsTyped(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Empty), 100, 24)
	d.press(":")
	d.a.askUndo(&decisions.UndoQuestion{By: "wang", What: "x", At: tuitest.Start}, nil)
	if d.a.undoing != nil || d.a.flashSt != widget.Warn {
		t.Errorf("asked %v; says %q", d.a.undoing, d.a.flash)
	}
	d.pressKey("esc")
}

// The log lists every person's decisions, newest first, is filtered by typing, and shows the
// changes of one.
func TestLogOfDecisions(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	_, err := e.As(auth.Actor{Name: "zhou", Role: auth.Owner}).Topic.AddSample(context.Background(), e.TenderLists(7)[6], "")
	must(t, err)
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .31; return "θ .400 → .310" }))
	d := workbench(t, e, 120, 40)
	d.press("@")
	d.comes("decisions, by person", "wang  θ .400 → .310", "zhou  sample ")
	_, newest := d.find("θ .400 → .310")
	if _, older := d.find("zhou  sample "); older != newest+1 {
		t.Errorf("the newest stands on row %d, the one before on %d", newest, older)
	}
	d.press("zhou")
	d.lacks("wang  θ", "zhou does not narrow the list down")
	d.press("enter")
	d.shows("effect of the decision", "sample http://", "+ {\"url\":")
	d.press("esc", "?")
	d.shows("help", "1 Samples")
}

// The key that set a label or sample removes it: at once if it is recent and one's own, otherwise
// after a question, like undo.
func TestTakingBackAsksAsUndoDoes(t *testing.T) {
	for _, c := range []struct {
		key    string
		decide func(p screen.Parts, id uint64) error
		stands func(r query.CandidateRow) bool
	}{
		{"y", func(p screen.Parts, id uint64) error { return p.Labels.SetLabel(id, topic.Yes) }, func(r query.CandidateRow) bool { return r.Label == topic.Yes }},
		{"s", func(p screen.Parts, id uint64) error { _, err := p.Topic.ToggleSample(id); return err }, func(r query.CandidateRow) bool { return r.Sample }},
		{"!", func(p screen.Parts, id uint64) error { _, err := p.Topic.ToggleNegative(id); return err }, func(r query.CandidateRow) bool { return r.Negative }},
	} {
		t.Run(c.key, func(t *testing.T) {
			e, d := opened(t, tuitest.Crawled, 120, 40)
			id := d.current()
			must(t, c.decide(screen.PartsOf(e.As(auth.Actor{Name: "zhou", Role: auth.Owner})), id))
			d.send(screen.ActMsg{}) // the action of zhou is loaded
			d.settle()
			toPage(d, id)
			for _, answer := range []string{"n", "esc"} {
				d.press(c.key)
				d.until("the question", func() bool { return d.a.undoing != nil })
				d.shows("undo zhou's “", "? y/n")
				d.press(answer)
				d.shows("nothing was undone")
				if !c.stands(tuitest.Row(t, e, id)) {
					t.Fatalf("%s %s took it back", c.key, answer)
				}
			}
			d.press(c.key)
			d.until("the question", func() bool { return d.a.undoing != nil })
			d.press("y")
			d.until("it is taken back", func() bool { return !c.stands(tuitest.Row(t, e, id)) })
			d.press(c.key) // recent and one's own
			d.until("it is decided again", func() bool { return c.stands(tuitest.Row(t, e, id)) })
			toPage(d, id)
			d.press(c.key)
			d.until("it is taken back at once", func() bool { return !c.stands(tuitest.Row(t, e, id)) })
			if d.a.undoing != nil {
				t.Error("one's own of now is asked about")
			}
		})
	}
}
