package tui

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// idle opens the crawl screen on a workspace without a run, after all stored data are shown.
func idle(t *testing.T, s tuitest.Stage, w, h int) (*driver, *demo.Engine, *Calls) {
	t.Helper()
	e := tuitest.Open(t, s)
	d, calls := watched(t, e, w, h)
	d.press("4")
	d.until("what is stored is shown", func() bool {
		return d.sees("row 1 of") || calls.Of("Rows") > 0 && calls.Of("Land") > 0 && calls.Of("Runs") > 0
	})
	d.settle()
	return d, e, calls
}

// landOf returns the sites of a workspace.
func landOf(t testing.TB, e *demo.Engine) *query.SiteOverview {
	t.Helper()
	land, err := e.Survey.Land(context.Background())
	must(t, err)
	return land
}

// tabs goes n panes on.
func (d *driver) tabs(n int) {
	for range n {
		d.press("tab")
	}
}

// Without a run the screen shows the store: the first waiting URLs with reasons, the hosts, the
// failures, and the runs.
func TestTheCrawlScreenShowsWhatIsStored(t *testing.T) {
	d, e, calls := idle(t, tuitest.Sampled, 160, 45)
	ctx := context.Background()
	q, err := e.Survey.Queue(ctx, nil)
	must(t, err)
	first, err := e.Survey.Rows(ctx, q, 0, 1)
	if err != nil || len(first) == 0 {
		t.Fatal(err, first)
	}
	land, err := e.Survey.Land(ctx)
	if err != nil || len(land.Failures) == 0 {
		t.Fatal(err, land)
	}
	history, err := e.Survey.Runs(10)
	if err != nil || len(history) == 0 {
		t.Fatal(err, history)
	}
	n := e.Workspace().Counts()
	d.shows("frontier "+widget.Count(n.Waiting), widget.Score(first[0].Priority, 2)+" "+first[0].Host, fmt.Sprintf("hosts %d", len(land.Hosts)), "▸ "+land.Hosts[0].Name, land.Failures[0].Reason,
		fmt.Sprintf("runs %d", len(history)), "finished", told(e.Snapshot().Last))
	asked := calls.Of("Queue")
	for range 300 {
		d.press("j")
	}
	d.settle()
	d.shows(fmt.Sprintf("row %s of %s", widget.Count(min(301, q.Len())), widget.Count(q.Len())))
	if more := calls.Of("Queue") - asked; more > 3 { // background work after a run may change the order
		t.Errorf("the order was asked for %d times more while the cursor moved 300 rows", more)
	}
	d.press("g", "enter")
	d.shows("waiting URL", first[0].URL, "found on", first[0].Source, "priority")
	d.press("esc")
	d.shows("hosts ")
}

// A host opens into its sections, enter shows its pages, and a page is shown.
func TestHostsOpenIntoSectionsAndPages(t *testing.T) {
	d, e, _ := idle(t, tuitest.Sampled, 160, 45)
	land := landOf(t, e)
	host := land.Hosts[0]
	if len(host.Kids) == 0 {
		t.Fatal("the host has no sections")
	}
	d.tabs(2)
	d.press("right")
	d.shows("▾ "+host.Name, host.Kids[0].Name)
	d.press("j", "enter")
	section := host.Kids[0]
	d.until("the pages are listed", func() bool {
		return d.sees(fmt.Sprintf("%s · %s URLs", section.Prefix, widget.Count(section.URLs)))
	})
	rows, _, err := e.Survey.Stored(context.Background(), query.Pick{Branch: section.Prefix})
	must(t, err)
	shown := 0
	for i := range rows {
		if title := []rune(widget.Clean(rows[i].Title)); d.sees(string(title[:min(4, len(title))])) {
			shown++
		}
	}
	if shown < min(len(rows), 5) {
		t.Errorf("%d of %d pages are shown:\n%s", shown, len(rows), d.screen())
	}
	d.press("esc")
	d.shows("frontier ", "▾ "+host.Name)
	d.press("left")
	d.press("left")
	d.lacks("▾ "+host.Name, "the host did not close")
}

// An action on a branch shows its effect, lasts, and one undo takes it back.
func TestABranchIsSteeredAndUndone(t *testing.T) {
	for _, c := range []struct{ typed, action, says, shown string }{
		{"drop", decisions.Drop, "drop, ", "drop"}, {"boost", decisions.Boost, "boost, ", "boost"}, {"bury", decisions.Bury, "bury, ", "bury"},
		{"week", decisions.Delay, "not fetched before 11-27", "until 11-27"}, {"mute", decisions.Mute, "failures are not reported any more", "mute"},
	} {
		t.Run(c.typed, func(t *testing.T) {
			d, e, calls := idle(t, tuitest.Sampled, 160, 45)
			d.tabs(2)
			d.press("A")
			land := landOf(t, e)
			prefix := land.Hosts[0].Prefix
			d.shows(prefix+" · ", "look at one page now")
			if calls.Of("SteerBranches") != 0 {
				t.Fatal("a rule was set before anything was chosen")
			}
			d.press(c.typed, "enter")
			d.until("the rule holds", func() bool { return len(e.Runs.SteerRules()) == 1 })
			d.settle()
			d.shows(prefix, c.says)
			if r := e.Runs.SteerRules()[0]; r.Action != c.action || r.Branch != prefix || c.action == decisions.Delay && !r.Until.Equal(tuitest.Start.Add(200*time.Millisecond+7*24*time.Hour)) {
				t.Errorf("the rule is %+v", r)
			}
			d.until("the tree shows it", func() bool { return d.sees("rule") && d.sees(c.shown) })
			d.press("u")
			d.until("the rule is gone", func() bool { return len(e.Runs.SteerRules()) == 0 })
		})
	}
}

// Actions apply to the marked branches, in one step that one undo takes back.
func TestMarkedBranchesAreSteeredTogether(t *testing.T) {
	d, e, calls := idle(t, tuitest.Sampled, 160, 45)
	d.tabs(2)
	land := landOf(t, e)
	d.press("space", "space")
	d.shows("2 marked")
	d.press("A")
	d.shows("2 marked branches", "of one branch at a time")
	d.press("drop", "enter")
	d.until("both have a rule", func() bool { return len(e.Runs.SteerRules()) == 2 })
	d.settle()
	for _, h := range land.Hosts[:2] {
		if !slices.ContainsFunc(e.Runs.SteerRules(), func(r decisions.Rule) bool { return r.Branch == h.Prefix }) {
			t.Errorf("%s has no rule: %v", h.Prefix, e.Runs.SteerRules())
		}
	}
	is(t, "calls of SteerBranches", calls.Of("SteerBranches"), 1)
	d.press("u")
	d.until("one undo takes both back", func() bool { return len(e.Runs.SteerRules()) == 0 })
	d.press("*")
	d.shows("marked")
	d.press("esc")
	d.lacks("marked", "esc left the marks")
}

// The marked failures are retried together.
func TestMarkedFailuresAreTriedAgain(t *testing.T) {
	d, e, _ := idle(t, tuitest.Crawled, 160, 45)
	land := landOf(t, e)
	if len(land.Failures) < 2 {
		t.Fatalf("%d reasons", len(land.Failures))
	}
	d.tabs(7)
	d.press("space", "space")
	d.shows("2 marked")
	d.press("F")
	d.shows("all that failed for the 2 marked reasons")
	d.press("marked reasons", "enter")
	d.until("they wait again", func() bool {
		land := landOf(t, e)
		return len(land.Failures) == 0 || land.Failures[0].Next.Before(d.a.shared.Snap.At.Add(time.Minute))
	})
}

// One look fetches one page of the branch, and its result stays.
func TestOneLookAtABranch(t *testing.T) {
	d, e, _ := idle(t, tuitest.Sampled, 160, 45)
	land := landOf(t, e)
	d.tabs(2)
	for i, h := range land.Hosts {
		if h.Waiting > 0 {
			for range i {
				d.press("j")
			}
			d.press("A", "enter")
			d.until("the look has ended", func() bool { l := e.Snapshot().Last; return l != nil && l.Under == h.Prefix })
			last := e.Snapshot().Last
			if last.Fetched != 1 {
				t.Errorf("the look fetched %d pages", last.Fetched)
			}
			d.until("its result is shown", func() bool {
				return d.sees(told(last)) && d.sees("look "+h.Name[:4])
			})
			return
		}
	}
	t.Fatal("nothing waits")
}

// Failures are listed by reason, opened, and retried by page, host or reason.
func TestFailuresAreOpenedAndTriedAgain(t *testing.T) {
	d, e, calls := idle(t, tuitest.Sampled, 160, 45)
	land := landOf(t, e)
	f := land.Failures[0]
	rows, _, err := e.Survey.Stored(context.Background(), query.Pick{Reason: f.Reason})
	must(t, err)
	total, waits := 0, 0
	for _, f := range land.Failures {
		total, waits = total+f.N, waits+f.Waits
	}
	all := widget.Count(total - waits)
	if waits > 0 {
		all += " · " + widget.Count(waits) + " to retry"
	}
	allFailed := regexp.MustCompile(`all failed URLs +` + all + ` `)
	d.press("F")
	d.until("what failed is counted as in the pane", func() bool { return allFailed.MatchString(d.screen()) })
	d.press("esc")
	d.shows("exceptions " + all + " ")
	d.press("shift+tab", "shift+tab")
	d.press("F")
	d.shows("failures by reason", "all that failed for: "+f.Reason, "all failed URLs")
	if !allFailed.MatchString(d.screen()) {
		t.Errorf("not all %s failed URLs:\n%s", all, d.screen())
	}
	d.press("esc", "enter")
	d.comes(fmt.Sprintf("%s · %d URL", f.Reason, f.N))
	d.settle()
	d.press("F")
	d.shows("this page", "all of host ", rows[0].URL)
	d.press("enter")
	d.until("it is tried again", func() bool { return calls.Of("Retry") == 1 })
	d.until("it waits", func() bool {
		u, err := e.Workspace().URL(rows[0].ID)
		return err == nil && !u.Troubled()
	})
	if left, total, err := e.Survey.Stored(context.Background(), query.Pick{Reason: f.Reason}); err != nil || total != f.N-1 {
		t.Errorf("%d of %d are left: %v, %v", total, f.N, left, err)
	}
	d.settle()
	d.comes(fmt.Sprintf("%s · %d URL", f.Reason, f.N-1))
	if f.N < 3 {
		t.Fatal("there is too little to mark")
	}
	d.press("*", "F")
	d.shows("the marked pages")
	d.press("enter")
	d.until("the marked ones are tried again", func() bool {
		_, total, err := e.Survey.Stored(context.Background(), query.Pick{Reason: f.Reason})
		return err == nil && total == 0
	})
	d.press("esc", "esc")
	d.shows("frontier ")
}

// Events of one kind are one row with their number; enter lists all of them.
func TestEventsFold(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 120, 40)
	d.press("4")
	d.tabs(4)
	d.shows("×312 ▲ 429", "×9 ! timeout")
	d.press("j", "enter")
	d.settle()
	d.shows("events: timeout")
	d.press("esc")
	d.shows("frontier ")
}

// A run of the history opens in full.
func TestARunOpensInFull(t *testing.T) {
	d, e, _ := idle(t, tuitest.Sampled, 120, 40)
	last := e.Snapshot().Last
	d.press("shift+tab", "enter")
	d.shows(told(last), "fetched", widget.Count(last.Fetched), "new pages", "curves", "began")
	d.press("esc", "/", "nobody", "enter")
	d.shows("Nothing matches")
}

// Of 100,000 waiting URLs the table holds a window; one key leads to each end, and the cursor
// reaches all of them.
func TestALongFrontierIsReadInWindows(t *testing.T) {
	const n = 100_000
	c := can(between())
	c.publish(func(s *view.Snapshot) { s.Frontier, s.Counts.Waiting = longFrontier(n), n })
	d := drive(t, c.parts(), 120, 40)
	d.press("4")
	d.comes("row 1 of 100 000")
	d.press("G")
	d.comes("row 100 000 of 100 000")
	d.press("k")
	d.shows("row 99 999 of 100 000")
	d.press("g")
	d.comes("row 1 of 100 000")
	for range 60 {
		d.press("pgdown")
	}
	d.settle()
	at := 60*10 + 1
	if !d.sees(fmt.Sprintf("row %s of", widget.Count(at))) {
		t.Errorf("sixty pages down the screen shows\n%s", d.screen())
	}
}

// told returns the sentence about a run's result.
func told(r *records.Run) string {
	t := view.TallyOf(r)
	return screen.Outcome(nil, &t)
}
