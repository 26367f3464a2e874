package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/benchtest"
)

// listed returns the rows of the queue as they stand on the screen.
func listed(d *driver) []string {
	var out []string
	for _, l := range strings.Split(d.screen(), "\n") {
		if strings.Contains(l, "probable") || strings.Contains(l, "uncertain") {
			l = strings.TrimPrefix(strings.Split(l, "│")[1], "› ")
			out = append(out, strings.TrimSpace(l))
		}
	}
	return out
}

// title is what identifies a row: sign and value may change, it may not.
func title(row string) string {
	f := strings.Fields(row)
	return strings.Join(f[3:], " ")
}

func TestLabellingGoesOnToTheNextPage(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	rows, err := d.b.LabelQueue(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	d.press("6")
	before := listed(d)
	if len(before) != 12 {
		t.Fatalf("%d pages are asked:\n%s", len(before), d.screen())
	}
	d.press("y", "n", "U")
	for i, want := range []topic.Label{topic.Yes, topic.No, topic.Unsure} {
		if got := d.b.Label(rows[i].ID); got != want {
			t.Errorf("row %d got label %q, want %q", i, got, want)
		}
	}
	after := listed(d)
	for i := range before {
		if title(before[i]) != title(after[i]) {
			t.Errorf("row %d moved: %q, was %q", i, after[i], before[i])
		}
	}
	for i, sign := range []string{"y", "n", "?", "·"} {
		if !strings.HasPrefix(after[i], sign+" ") {
			t.Errorf("row %d shows %q, want the sign %s", i, after[i], sign)
		}
	}
	if _, y := d.find("› ·"); y != 6 { // tabs, frame, head, three labelled rows
		t.Errorf("the cursor stands on line %d:\n%s", y, d.screen())
	}
	d.press("u")
	if got := d.b.Label(rows[2].ID); got != topic.NoLabel {
		t.Errorf("u left the label %q", got)
	}
	d.until("the sign goes with the label", func() bool { return strings.HasPrefix(listed(d)[2], "· ") })
	d.press("k", "k", "n") // the same label again takes it back
	if got := d.b.Label(rows[1].ID); got != topic.NoLabel {
		t.Errorf("n again left the label %q", got)
	}
}

func TestQueueRefillsAsTheJudgeLearns(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("6")
	before := listed(d)
	for range 6 {
		d.press("y")
	}
	d.until("labelled rows made room", func() bool {
		rows := listed(d)
		return len(rows) == 12 && strings.HasPrefix(rows[0], "· ")
	})
	after := listed(d)
	for i := range 6 {
		if title(after[i]) != title(before[6+i]) {
			t.Errorf("row %d is %q, want %q, which was there before", i, after[i], before[6+i])
		}
	}
	if _, y := d.find("› ·"); y != 3 {
		t.Errorf("the cursor stands on line %d, not on the first page without a label:\n%s", y, d.screen())
	}
	d.until("the labels are counted", func() bool { return strings.Contains(d.screen(), "6 labels given") })
}

func TestAFailedLabelIsTakenBack(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("6")
	d.b.Fail["SetLabel"] = errors.New("disk is full")
	d.press("y")
	d.shows("failed: disk is full")
	d.until("the sign is gone", func() bool { return strings.HasPrefix(listed(d)[0], "· ") })
}

func TestLearnerDecidesOnlyWhenAsked(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	d.press("6", "L")
	d.shows("10 labels of both kinds", "not ready")
	if d.b.Calls["SetJudge"] != 0 {
		t.Fatal("a learner that is not ready was asked to decide")
	}
	for n := range 10 {
		d.press([]string{"y", "n"}[n%2])
	}
	d.until("it is ready", func() bool { return strings.Contains(d.screen(), "L learner decides") })
	if d.b.Snapshot().Learner.InUse {
		t.Fatal("the learner took over by itself")
	}
	d.press("L")
	d.until("the status line says who decides", func() bool {
		lines := strings.Split(d.screen(), "\n")
		return strings.Contains(lines[len(lines)-2], "learner decides") && strings.Contains(d.screen(), "● learner")
	})
	d.press("3")
	d.shows("the learner decides, θ does not")
	d.press("u")
	d.until("undo gives the rule back", func() bool { return !strings.Contains(d.screen(), "the learner decides, θ") })
	if d.b.Snapshot().Learner.InUse {
		t.Error("u left the learner in charge")
	}
}

func TestEvaluationIsSharedAndSaysWhenItIsOld(t *testing.T) {
	d := drive(t, labelled(t, 16), 160, 45)
	d.press("6")
	d.shows("Press E to measure")
	d.press("E")
	want, err := d.b.Evaluate()
	if err != nil {
		t.Fatal(err)
	}
	d.shows(fmt.Sprintf("schemes on %d labels", want[0].Yes+want[0].No))
	for _, e := range want {
		d.shows(e.Name)
	}
	calls := d.b.Calls["Evaluate"]
	d.press("2")
	d.shows("schemes on", "learner")
	if d.b.Calls["Evaluate"] != calls {
		t.Error("another screen measured again by itself")
	}
	d.press("6", "y")
	d.until("the figures are called old", func() bool { return strings.Contains(d.screen(), "E measures again") })
	d.b.Fail["Evaluate"] = errors.New("no memory left")
	d.press("E")
	d.shows("no memory left", "records/full")
}

func TestLabelScreenSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		bench *benchtest.Bench
		want  string
	}{
		"no pages":   {benchtest.New(0), "Press S to start a discovery"},
		"no samples": {benchtest.New(20), "Mark two or three sample pages first"},
	} {
		t.Run(name, func(t *testing.T) {
			d := drive(t, c.bench, 120, 40)
			d.press("6")
			d.shows(c.want)
			if d.b.Calls["LabelQueue"] != 0 {
				t.Error("a queue was chosen although there is nothing to choose by")
			}
		})
	}
	t.Run("all labelled", func(t *testing.T) {
		b := benchtest.New(1)
		if _, err := b.ToggleSample(101); err != nil {
			t.Fatal(err)
		}
		d := drive(t, b, 120, 40)
		rows, err := d.b.LabelQueue(context.Background(), 10000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			if err := d.b.SetLabel(r.ID, topic.No); err != nil {
				t.Fatal(err)
			}
		}
		d.press("6")
		d.shows("Every page has its label")
	})
}

func TestThresholdShowsTheLabels(t *testing.T) {
	d := drive(t, labelled(t, 16), 120, 40)
	marks, best, f1 := d.b.LabelMarks()
	d.press("3")
	decided := 0
	for _, m := range marks {
		if m.Label != topic.Unsure {
			decided++
		}
	}
	d.shows("yes", "no ", fmt.Sprintf("on %d labels", decided), fmt.Sprintf("(F1 %.2f)", f1))
	d.press("b")
	d.shows(fmt.Sprintf("here θ .%03d", int(best*1000+.5)))
	tp, yes := 0, 0
	for _, m := range marks {
		if m.Label == topic.Yes {
			yes++
			if m.Score >= .3 {
				tp++
			}
		}
	}
	recall := fmt.Sprintf("%.2f", float64(tp)/float64(yes))
	_, y := d.find("  R ")
	if line := strings.Split(d.screen(), "\n")[y]; !strings.Contains(line, strings.TrimPrefix(recall, "0")) {
		t.Errorf("recall now should be %s: %q", recall, line)
	}
	none := drive(t, sampled(t), 120, 40)
	none.press("3")
	none.press("b")
	none.shows("no page is labelled yes", "No labels yet")
}

func TestTermsAreMarkedAcceptedAndTakenBack(t *testing.T) {
	d := drive(t, sampled(t), 160, 45)
	list, err := d.b.Terms(context.Background(), 3)
	if err != nil {
		t.Fatal(err)
	}
	d.press("2", "T")
	d.shows("domain terms", "C-value", list[0].Word, strings.Join(list[0].Segments, " "))
	d.press("enter")
	d.shows("no term is marked")
	d.press("space", "space")
	d.shows("2 marked")
	d.press("enter")
	for i, want := range []bool{true, true, false} {
		if got := d.b.Accepted(list[i].Word); got != want {
			t.Errorf("%s accepted: %v, want %v", list[i].Word, got, want)
		}
	}
	d.shows("2 accepted")
	if strings.Contains(d.screen(), strings.Join(list[0].Segments, " ")) {
		t.Errorf("an accepted word is still offered:\n%s", d.screen())
	}
	d.press("u")
	if d.b.Accepted(list[0].Word) {
		t.Error("u left the word in the dictionary")
	}
	d.shows("r looks again")
	d.press("r")
	d.shows(list[0].Word)
	d.press("/", list[2].Word, "enter")
	d.shows("1 of ")
	d.press("esc", "esc")
	d.shows("feature words")
}

func TestLookingForTermsShowsProgressAndCanBeCancelled(t *testing.T) {
	b := sampled(t)
	held := make(chan struct{})
	b.HoldTerms = func(ctx context.Context) error {
		close(held)
		<-ctx.Done()
		return ctx.Err()
	}
	d := drive(t, b, 160, 45)
	d.press("2")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{'T'}})
	<-held
	d.until("the progress shows", func() bool {
		return strings.Contains(d.screen(), "looking for terms ■■■■···· 284 of 568") && strings.Contains(d.screen(), "284 of 568 pages · esc cancels")
	})
	d.press("esc")
	d.shows("it was cancelled", "r to look again")
	if d.b.Calls["CancelJob"] != 1 {
		t.Errorf("CancelJob was called %d times", d.b.Calls["CancelJob"])
	}
	d.until("the job is gone from the status line", func() bool { return !strings.Contains(d.screen(), "■■■■") })
}

func TestEscCancelsAJobFromAnyScreen(t *testing.T) {
	d := drive(t, sampled(t), 120, 40)
	d.b.Publish(func(s *view.Snapshot) { s.Job = view.Job{Name: "counting words again", Done: 50, Total: 200} })
	d.until("the job shows", func() bool { return strings.Contains(d.screen(), "counting words again ■■······ 50 of 200") })
	d.press("5", "esc")
	d.shows("counting words again is being cancelled")
	if d.b.Calls["CancelJob"] != 1 {
		t.Errorf("CancelJob was called %d times", d.b.Calls["CancelJob"])
	}
}
