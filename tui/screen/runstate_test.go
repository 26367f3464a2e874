package screen

import (
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/tui/i18n"
	"angler/tui/widget"
)

// The result of a run is shortened to fit, and never cut before its figures.
func TestTheEndOfARunFits(t *testing.T) {
	for name, c := range map[string]struct {
		run  view.Tally
		want []string // of both languages
	}{
		"discovery": {view.Tally{Task: view.Discovery, End: view.Through, Lists: 32, Pages: 3206, Notices: 373, Took: 20 * time.Second}, []string{"✓ 32 new lists · 373 new notices", "✓ 32 个新列表页 · 373 条新公告"}},
		"unlisted":  {view.Tally{Task: view.Discovery, End: view.Through, Lists: 10, Unlisted: 2, Pages: 400, Notices: 70, Took: 20 * time.Second}, []string{"✓ 10 new lists (2 no longer qualify) · 70 new notices", "✓ 10 个新列表页（2 个不再符合条件） · 70 条新公告"}},
		"withdrawn": {view.Tally{Task: view.Discovery, End: view.Through, Lists: 12, Pages: 400, Notices: 70, Withdrawn: 15, Took: 20 * time.Second}, []string{"✓ 12 new lists · 70 new notices (15 withdrawn: their list no longer qualifies)", "✓ 12 个新列表页 · 70 条新公告（撤回 15 条：所在列表页不再符合条件）"}},
		"harvest":   {view.Tally{Task: view.Harvest, End: view.Through, Visited: 38, ToVisit: 38, Took: time.Second}, []string{"✓ 0 new notices", "✓ 0 条新公告"}},
		"stopped":   {view.Tally{Task: view.Discovery, End: view.Stopped, Lists: 3, Pages: 1206, Took: time.Minute}, []string{"■ stopped: 3 new lists", "■ 已停止：3 个新列表页"}},
		"killed":    {view.Tally{Task: view.Look, End: view.Killed, Blind: true, Pages: 180, Took: time.Minute}, []string{"■ killed: 180 pages", "■ 被终止：180 个网页"}},
	} {
		for i, in := range []string{"en", "zh"} {
			l, err := i18n.Pick(in, func(string) string { return "" })
			if err != nil {
				t.Fatal(err)
			}
			sh := &Shared{Lang: l, Snap: &view.Snapshot{State: view.Idle, DictReady: true, Run: c.run, Counts: view.Counts{Samples: 1}}}
			long := ended(sh, 200)[0].Text
			if !strings.Contains(long, RunOutcome(sh)) {
				t.Errorf("%s: with all room it says %q", name, long)
			}
			if short := ended(sh, widget.Width(long)-1)[0].Text; short != c.want[i] {
				t.Errorf("%s: a cell short it says %q, want %q", name, short, c.want[i])
			}
		}
	}
}

// Work beside a run leaves the run's result visible if the line has room for both, otherwise its
// errors.
func TestWorkBesideARunLeavesItsFigures(t *testing.T) {
	now := time.Now()
	sh := &Shared{Snap: &view.Snapshot{State: view.Running, At: now, Job: view.Job{Name: "reading fields", Done: 120, Total: 346, Since: now.Add(-10 * time.Second)}}}
	for room, seen := range map[int]string{158: home, 78: wrong} {
		slots := Slots(0, room)
		at := slots[1].X + Note(sh, slots, false, 0).Width()
		for _, s := range slots {
			if s.Name == seen && at > s.X-Gap {
				t.Errorf("on %d cells the note ends at %d, over %s at %d", room, at, seen, s.X)
			}
		}
	}
}

// A discovery among known lists reports its notices, and no lists.
func TestKnownListsAreNotNoLists(t *testing.T) {
	sh := &Shared{Snap: &view.Snapshot{State: view.Running, Counts: view.Counts{Samples: 1}, Run: view.Tally{Task: view.Discovery, Notices: 75}}}
	if got := tellHome(sh, 24)[0].Text; got != "+75 notices" {
		t.Errorf("it says %q", got)
	}
}

// The slots have one order at all widths, and θ and the errors are visible from 58 cells on, which
// a screen of 60 has.
func TestTheOrderOfTheStatusLine(t *testing.T) {
	order := []string{state, rate, pace, home, theta, wrong}
	for room := 1; room < 240; room++ {
		slots, at, end := Slots(0, room), -1, -Gap
		seen := map[string]bool{}
		for _, s := range slots {
			i := slices.Index(order, s.Name)
			if i <= at || s.X != end+Gap || s.W < 1 {
				t.Fatalf("%d cells: %s at %d, %d wide, after %s", room, s.Name, s.X, s.W, order[max(0, at)])
			}
			at, end, seen[s.Name] = i, s.X+s.W, true
		}
		if end > room || room >= 58 && !(seen[home] && seen[theta] && seen[wrong]) {
			t.Errorf("%d cells: %d are taken, and %v are seen", room, end, seen)
		}
	}
}

// With room the status line names lists and notices, and the number of failed URLs before their
// kinds.
func TestWideStatusSaysWhatItCounts(t *testing.T) {
	sh := &Shared{Snap: &view.Snapshot{State: view.Running, Counts: view.Counts{Samples: 1},
		Run: view.Tally{Task: view.Discovery, Lists: 29, Notices: 347, Errors: []view.FailureGroup{{Reason: "gone", N: 107}, {Reason: "refused", N: 21}}}}}
	if got := tellHome(sh, 34)[0].Text; got != "29 new lists, 347 new notices" {
		t.Errorf("collected: %q", got)
	}
	all := ""
	for _, p := range tellErrors(sh, 40) {
		all += p.Text
	}
	if all != "failed 128: !refused 21 gone 107" {
		t.Errorf("errors: %q", all)
	}
}
