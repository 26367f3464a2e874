package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"angler/crawl/query"
	"angler/message"
	"angler/topic"
	"angler/tui/tuitest"
)

// listed returns the rows of the queue on the screen.
func listed(d *driver) []string {
	var out []string
	for _, l := range strings.Split(d.screen(), "\n") {
		if strings.Contains(l, "probable") || strings.Contains(l, "uncertain") || strings.Contains(l, "deciding") {
			l = strings.TrimPrefix(strings.Split(l, "│")[1], "› ")
			out = append(out, strings.TrimSpace(l))
		}
	}
	return out
}

// title returns the part that identifies a row: sign, value and the width of the address may
// change.
func title(row string) string {
	f := strings.Fields(row)
	address := f[len(f)-1]
	return f[3] + f[4] + address[max(0, len(address)-8):]
}

func TestLabellingGoesOnToTheNextPage(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	d.press("6")
	before := listed(d)
	if len(before) != 12 {
		t.Fatalf("%d pages are asked:\n%s", len(before), d.screen())
	}
	var rows []query.QueueRow
	for i, want := range []topic.Label{topic.Yes, topic.No, topic.Unsure} {
		next, err := e.Labels.LabelQueue(t.Context(), 1) // the page that decides θ now
		if err != nil || len(next) != 1 {
			t.Fatal(next, err)
		}
		rows = append(rows, next[0])
		d.press([]string{"y", "x", "-"}[i])
		if got := tuitest.Row(t, e, rows[i].ID).Label; got != want {
			t.Errorf("row %d got label %q, want %q", i, got, want)
		}
	}
	after := listed(d)
	if len(after) != len(before) {
		t.Fatalf("%d pages are asked, before %d:\n%s", len(after), len(before), d.screen())
	}
	for i := range before {
		moved := func(row string) bool { return strings.Contains(row, "deciding") && title(row) == title(before[i]) }
		if !strings.Contains(before[i], "deciding") && title(before[i]) != title(after[i]) && !slices.ContainsFunc(after, moved) {
			t.Errorf("row %d moved: %q, was %q", i, after[i], before[i])
		}
	}
	for i, sign := range []string{"y", "x", "-", "·"} {
		if !strings.HasPrefix(after[i], sign+" ") {
			t.Errorf("row %d shows %q, want the sign %s", i, after[i], sign)
		}
	}
	if _, y := d.find("› ·"); y != 6 { // tabs, frame, head, three labelled rows
		t.Errorf("the cursor stands on line %d:\n%s", y, d.screen())
	}
	d.press("u")
	is(t, "u left the label", tuitest.Row(t, e, rows[2].ID).Label, topic.NoLabel)
	d.until("the sign goes with the label", func() bool { return strings.HasPrefix(listed(d)[2], "· ") })
	d.press("k", "k", "x") // the same label again removes it
	is(t, "x again left the label", tuitest.Row(t, e, rows[1].ID).Label, topic.NoLabel)
}

func TestQueueRefillsAsTheJudgeLearns(t *testing.T) {
	d := workbench(t, tuitest.Open(t, tuitest.Sampled), 160, 45)
	d.press("6")
	before := listed(d)
	decided := map[string]bool{}
	for range 6 {
		d.press("y")
		for _, row := range listed(d) {
			if strings.Contains(row, "deciding") {
				decided[title(row)] = true
			}
		}
	}
	d.until("labelled rows made room", func() bool {
		rows := listed(d)
		return len(rows) == 12 && strings.HasPrefix(rows[0], "· ")
	})
	after := listed(d)
	place := -1 // older rows keep their order, after those that decide θ
	for _, row := range before[6:] {
		at := slices.IndexFunc(after, func(a string) bool { return title(a) == title(row) })
		switch {
		case decided[title(row)]:
		case at <= place:
			t.Errorf("%q stands in row %d, want it behind row %d", row, at, place)
		default:
			place = at
		}
	}
	if _, y := d.find("› ·"); y != 3 {
		t.Errorf("the cursor stands on line %d, not on the first page without a label:\n%s", y, d.screen())
	}
	d.comes("6 labelled")
}

func TestAFailedLabelIsTakenBack(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 160, 45)
	d.press("6")
	calls.Fail("SetLabel", errors.New("disk is full"))
	d.press("y")
	d.shows("failed: disk is full")
	d.until("the sign is gone", func() bool { return strings.HasPrefix(listed(d)[0], "· ") })
	is(t, "labels after a failure", e.Snapshot().Counts.Labels, 0)
}

func TestLearnerDecidesOnlyWhenAsked(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 160, 45)
	d.press("6", "L")
	d.shows("10 labels of both kinds", "needs 10, yes and no")
	if calls.Of("SetJudge") != 0 {
		t.Fatal("a learner that is not ready was asked to decide")
	}
	for n := range 10 {
		d.press([]string{"y", "x"}[n%2])
	}
	d.comes("L learner decides")
	if e.Snapshot().Learner.InUse {
		t.Fatal("the learner took over by itself")
	}
	d.press("L")
	d.until("the status line says who decides", func() bool {
		lines := strings.Split(d.screen(), "\n")
		return strings.Contains(lines[len(lines)-2], "learner decides") && d.sees("● learner")
	})
	d.press("3")
	d.shows("the learner decides, θ does not")
	d.press("t", ".02", "enter") // accepts pages that only the learner judges
	d.comes("between the two · ")
	for _, lie := range []string{"loses", "would lose", "gains"} {
		if d.sees(lie) {
			t.Errorf("the learner decides, and θ %s:\n%s", lie, d.screen())
		}
	}
	d.press("a")
	d.until("θ is .02", func() bool { return e.Topic.Config().Theta == .02 })
	d.comes("θ .020 · the learner decides")
	d.press("u")
	d.until("θ is as it was", func() bool { return e.Topic.Config().Theta == 0 })
	d.press("u")
	d.gone("the learner decides, θ")
	if e.Snapshot().Learner.InUse {
		t.Error("u left the learner in charge")
	}
}

func TestEvaluationIsSharedAndSaysWhenItIsOld(t *testing.T) {
	e := tuitest.Open(t, tuitest.Labelled)
	d, calls := watched(t, e, 160, 45)
	d.press("6")
	d.shows("Press E to measure")
	d.press("E")
	want, err := e.Labels.Evaluate()
	must(t, err)
	d.shows(fmt.Sprintf("schemes on %d labels", want[0].Yes+want[0].No))
	for _, e := range want {
		d.shows(e.Name)
	}
	asked := calls.Of("Evaluate")
	d.press("2")
	d.shows("schemes on", "learner")
	if calls.Of("Evaluate") != asked {
		t.Error("another screen measured again by itself")
	}
	d.press("6", "y")
	d.comes("E measures again")
	calls.Fail("Evaluate", errors.New("no memory left"))
	d.press("E")
	d.shows("no memory left", "records/full")
}

func TestLabelScreenSaysWhatToDo(t *testing.T) {
	for name, c := range map[string]struct {
		stage tuitest.Stage
		want  string
	}{
		"no pages":   {tuitest.Empty, "Press S to start a discovery"},
		"no samples": {tuitest.Crawled, "Mark two or three sample pages first"},
	} {
		t.Run(name, func(t *testing.T) {
			d, calls := watched(t, tuitest.Open(t, c.stage), 120, 40)
			d.press("6")
			d.shows(c.want)
			if calls.Of("LabelQueue") != 0 {
				t.Error("a queue was chosen although there is nothing to choose by")
			}
		})
	}
	t.Run("all labelled", func(t *testing.T) {
		e, d := opened(t, tuitest.Sampled, 120, 40)
		for { // the queue skips copies of its pages until those are labelled
			queue, err := e.Labels.LabelQueue(t.Context(), 10000)
			must(t, err)
			if len(queue) == 0 {
				break
			}
			var rows []topic.LabelRow
			for _, r := range queue {
				rows = append(rows, topic.LabelRow{URL: r.URL, Label: topic.No})
			}
			if done, unknown, err := e.Labels.LabelURLs(rows, "all no"); done != len(rows) {
				t.Fatalf("%d of %d labelled, unknown %v, %v", done, len(rows), unknown, err)
			}
		}
		d.press("6")
		d.comes("Every page has its label")
	})
}

func TestThresholdShowsTheLabels(t *testing.T) {
	e, d := opened(t, tuitest.Labelled, 120, 40)
	marks, best, f1 := e.Labels.LabelMarks()
	d.press("3")
	decided := 0
	for _, m := range marks {
		if m.Label != topic.Unsure {
			decided++
		}
	}
	d.shows("yes", "no ", fmt.Sprintf("on %d labels", decided), fmt.Sprintf("best F1 %.2f", f1))
	d.press("b")
	d.shows(fmt.Sprintf("preview θ .%03d", int(best*1000+.5)))
	tp, yes := 0, 0
	for _, m := range marks {
		if m.Label == topic.Yes {
			yes++
			if m.Score >= e.Snapshot().Theta {
				tp++
			}
		}
	}
	recall := fmt.Sprintf("%.2f", float64(tp)/float64(yes))
	_, y := d.find("  R      ")
	if line := strings.Split(d.screen(), "\n")[y]; !strings.Contains(line, strings.TrimPrefix(recall, "0")) {
		t.Errorf("recall now should be %s: %q", recall, line)
	}
	none := workbench(t, tuitest.Open(t, tuitest.Sampled), 120, 40)
	none.press("3")
	none.press("b")
	none.shows("no page is labelled yes", "No labels yet")
}

// Once there are enough labels, Home names the judge that agrees better with them than the current
// θ, and enter selects it.
func TestHomeTakesTheJudgeOfTheLabels(t *testing.T) {
	e := tuitest.Open(t, tuitest.Labelled)
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .99; return "θ .990" }))
	d := workbench(t, e, 120, 40)
	d.press("0")
	d.comes("your labels: ", "enter: take the better judge")
	best := e.Snapshot().Best
	if best.F1 < best.Now+.05 || best.Now > .1 {
		t.Fatalf("%+v is no better judge than θ .990", best)
	}
	d.press("enter")
	d.until("the judge is in force", func() bool {
		s := e.Snapshot()
		return s.Learner.InUse == best.Learner && (best.Learner || s.Theta == best.Theta) && s.Best.F1 == 0
	})
}

func TestBatchLabelsCountFirstAndUndoAtOnce(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	const section = "www.linlan.test/xw"
	like := func() []query.CandidateRow {
		rows, err := e.Pages.PagesLike(t.Context(), section)
		if err != nil || len(rows) < 2 {
			t.Fatalf("%d pages like %s, %v", len(rows), section, err)
		}
		return rows
	}
	d.press("6")
	d.press("B")
	d.press("ctrl+u", "nowhere.test")
	d.press("enter")
	d.shows("no page matches")
	d.press("ctrl+u", section)
	d.shows(fmt.Sprintf("%d pages, 0 labelled yes", len(like())))
	if n := e.Snapshot().Counts.Labels; n != 0 {
		t.Fatalf("%d labels were given while the pattern was typed", n)
	}
	d.press("enter", "enter")
	for _, r := range like() {
		if r.Label != topic.No {
			t.Errorf("%s has label %q", r.URL, r.Label)
		}
	}
	d.press("u")
	for _, r := range like() {
		if r.Label != topic.NoLabel {
			t.Errorf("u left %q on %s", r.Label, r.URL)
		}
	}
}

func TestSkipAndUnsure(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	rows, err := e.Labels.LabelQueue(t.Context(), 48)
	must(t, err)
	d.press("6")
	d.press("l")
	d.press("-")
	is(t, "a skipped page has label", tuitest.Row(t, e, rows[0].ID).Label, topic.NoLabel)
	is(t, "- gives the label", tuitest.Row(t, e, rows[1].ID).Label, topic.Unsure)
	d.press("?")
	d.shows("j k scroll")
}
