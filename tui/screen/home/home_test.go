package home

import (
	"context"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// begun are runs that note what was begun.
type begun struct {
	screen.Runs
	what []string
}

func (b *begun) StartProbe() error   { b.what = append(b.what, "probe"); return nil }
func (b *begun) StartHarvest() error { b.what = append(b.what, "harvest"); return nil }

// snap is an idle workspace with six seeds, changed.
func snap(change func(*view.Snapshot)) *view.Snapshot {
	s := &view.Snapshot{Seq: 1, State: view.Idle, Topic: "招标", Story: view.Story{Seeds: 6, Sites: 3}}
	if change != nil {
		change(s)
	}
	return s
}

func counted(pages, samples, lists, notices int) func(*view.Snapshot) {
	return func(s *view.Snapshot) {
		s.Counts = view.Counts{Pages: pages, Samples: samples, Aggregations: lists, Notices: notices}
		s.ModelRev = 1
	}
}

// home is the screen of a snapshot; the last value says where its keys have led.
func home(t *testing.T, s *view.Snapshot, r auth.Role) (*Home, *widget.Canvas, *begun, *[]int) {
	t.Helper()
	theme, err := widget.Pick("mono", false, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	went, runs := &[]int{}, &begun{}
	u := &screen.UI{Run: nil}
	h := New(u, &screen.Shared{Snap: s, Now: time.Now}, runs, nil, r, Ways{
		To:   func(at int) tea.Cmd { *went = append(*went, at); return nil },
		Read: func() tea.Cmd { *went = append(*went, harvest); return nil },
		Due:  func() tea.Cmd { *went = append(*went, -harvest); return nil },
	})
	h.SetSize(100, 30)
	return h, widget.NewCanvas(theme, 100, 30), runs, went
}

func text(h *Home, c *widget.Canvas) string {
	c.Clear()
	h.View(c)
	return ansi.Strip(c.String())
}

// From an empty workspace to a harvest on schedule every state has its next step.
func TestTheStoryLeads(t *testing.T) {
	running := func(task string, bound int, change func(*view.Snapshot)) func(*view.Snapshot) {
		return func(s *view.Snapshot) {
			change(s)
			s.State, s.Task, s.Bound, s.Fetched = view.Running, task, bound, 12
			s.Run = view.Tally{Task: task, Fetched: 12, Ahead: max(0, bound-12)}
		}
	}
	for name, c := range map[string]struct {
		change func(*view.Snapshot)
		step   int
		kind   kind
		at     int
		shows  string
	}{
		"no seeds":         {func(s *view.Snapshot) { s.Story = view.Story{} }, seedsStep, seeding, crawl, "▶ seeds"},
		"proposed seeds":   {func(s *view.Snapshot) { s.Proposed = view.SeedNews{Round: 1, Open: 7, New: 7} }, seedsStep, seeding, crawl, "7 hosts proposed"},
		"old proposals":    {func(s *view.Snapshot) { s.Proposed = view.SeedNews{Round: 1, Open: 7} }, lookStep, probing, 0, "7 hosts proposed"},
		"seeds":            {nil, lookStep, probing, 0, "6 seeds of 3 hosts"},
		"a look begins":    {running(view.Look, 60, counted(0, 0, 0, 0)), lookStep, going, crawl, "12/60"},
		"a look under way": {running(view.Look, 60, counted(9, 0, 0, 0)), samplesStep, going, samples, "The sites are still being sampled; choose"},
		"a look before": {func(s *view.Snapshot) {
			counted(520, 0, 0, 0)(s)
			s.Look = &records.Run{Pages: 30, Failures: 2}
		}, samplesStep, going, samples, "sample the sites   30 pages · 2 failed URLs"},
		"pages":                  {counted(52, 0, 0, 0), samplesStep, going, samples, "✓ sample the sites   52 pages"},
		"pages in a discovery":   {running(view.Discovery, 0, counted(52, 0, 0, 0)), samplesStep, going, samples, "▶ samples"},
		"samples":                {counted(52, 3, 10, 0), harvestStep, harvesting, 0, "●●● 3"},
		"samples from elsewhere": {counted(0, 3, 0, 0), harvestStep, harvesting, 0, "●●● 3"},
		"θ above all":            {counted(52, 3, 0, 0), thresholdStep, going, threshold, "lets in 0 lists"},
		"no weight": {func(s *view.Snapshot) { counted(52, 3, 0, 0)(s); s.TopicErr = "no word keeps a weight" }, samplesStep, going, samples,
			"nothing can be judged"},
		"a harvest under way":  {running(view.Harvest, 0, counted(52, 3, 10, 0)), harvestStep, going, crawl, "▶ harvest"},
		"notices of a harvest": {running(view.Harvest, 0, func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Today = 7 }), dayLine, reading, 0, "today: 7 new notices"},
		"notices":              {func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Today = 7 }, dayLine, reading, 0, "✓ harvest            7 notices"},
		"notices are due": {func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Today, s.Story.Due = 7, 2 }, dayLine, nearing, 0,
			"go to notices due soon"},
		"harvested in vain": {func(s *view.Snapshot) {
			counted(52, 3, 10, 7)(s)
			s.At = time.Now()
			s.Last = &records.Run{Task: view.Harvest, End: records.RunFinished, Start: s.At}
		}, dayLine, reading, 0, "today: no new notices"},
		"notices that were withdrawn": {func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Today, s.Run.Withdrawn = 7, 2 }, dayLine, reading, 0, "today: 7 new notices (2 withdrawn: their list no longer qualifies)"},
		"a day later":                 {counted(52, 3, 10, 7), harvestStep, harvesting, 0, "today: no new notices"},
		"lists not visited": {func(s *view.Snapshot) {
			counted(52, 3, 10, 7)(s)
			s.Story.Today, s.Story.Unvisited = 7, 7
		}, harvestStep, harvesting, 0, "7 lists accepted and not visited yet"},
		"a better θ": {func(s *view.Snapshot) {
			counted(52, 3, 10, 7)(s)
			s.Best = view.BestJudge{Theta: .391, F1: .92, Now: .8}
		}, thresholdStep, deciding, 0, "your labels: θ .391 F1"},
		"a better learner": {func(s *view.Snapshot) {
			counted(52, 3, 10, 7)(s)
			s.Best = view.BestJudge{Learner: true, F1: .92, Now: .8}
		}, thresholdStep, deciding, 0, "your labels: learner F1"},
		"titles that do not match": {func(s *view.Snapshot) {
			counted(52, 3, 10, 14)(s)
			s.Story.Today, s.Story.Unmatched, s.Story.Unlike, s.Story.Patterns = 14, 338, 1, "tenders"
		}, dayLine, reading, 0, "338 entries do not match the title patterns (tenders) · 1 list"},
		"on schedule": {func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Next = time.Now().Add(time.Hour) }, dayLine, reading, 0,
			"next round"},
		"just opened":  {func(s *view.Snapshot) { counted(52, 3, 0, 7)(s); s.ModelRev, s.Story.Today = 0, 7 }, dayLine, reading, 0, "○ threshold          reading scores"},
		"broken lists": {func(s *view.Snapshot) { counted(52, 3, 10, 7)(s); s.Story.Broken = 2 }, harvestStep, harvesting, 0, "2 broken lists"},
	} {
		t.Run(name, func(t *testing.T) {
			s := snap(c.change)
			h, canvas, _, _ := home(t, s, auth.Owner)
			if got := follow(s, 0); got.step != c.step || got.kind != c.kind || got.at != c.at {
				t.Errorf("the next step is %+v", got)
			}
			if got := text(h, canvas); !strings.Contains(got, c.shows) || strings.Count(got, "▶") != 1 {
				t.Errorf("shows\n%s\nwithout %q, or not one next step", got, c.shows)
			}
		})
	}
}

func TestBeforeTheFirstSnapshotNothingIsClaimed(t *testing.T) {
	h, c, _, _ := home(t, &view.Snapshot{}, auth.Owner)
	if got := text(h, c); strings.ContainsAny(got, "✓▶") || strings.Contains(got, "none yet") || strings.Contains(got, "today") {
		t.Errorf("an unknown workspace is told of:\n%s", got)
	}
}

// Enter does what the page says, and is refused with its reason.
func TestEnterDoesTheNextStep(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*view.Snapshot)
		begun  string
		went   int
	}{
		"look": {nil, "probe", 0}, "samples": {counted(9, 0, 0, 0), "", samples}, "harvest": {counted(9, 3, 4, 0), "harvest", 0},
		"read": {func(s *view.Snapshot) { counted(9, 3, 4, 5)(s); s.Story.Today = 5 }, "", harvest},
		"due":  {func(s *view.Snapshot) { counted(9, 3, 4, 5)(s); s.Story.Today, s.Story.Due = 5, 1 }, "", -harvest},
	} {
		t.Run(name, func(t *testing.T) {
			h, _, runs, went := home(t, snap(c.change), auth.Owner)
			h.Run = func(_ string, work func(context.Context) tea.Msg) tea.Cmd {
				return func() tea.Msg { return work(context.Background()) }
			}
			enter := h.Bindings()[0]
			if cmd := enter.Do(); cmd != nil {
				cmd()
			}
			if strings.Join(runs.what, " ") != c.begun || c.went == 0 != (len(*went) == 0) || c.went != 0 && (*went)[0] != c.went {
				t.Errorf("began %q and went to %v", runs.what, *went)
			}
		})
	}
	h, c, _, _ := home(t, snap(nil), auth.Viewer)
	if why := auth.Viewer.Denied(h.Bindings()[0].Action); why == "" || !strings.Contains(text(h, c), "role=viewer") {
		t.Errorf("a viewer may probe (%q), or does not see why not:\n%s", why, text(h, c))
	}
}

func TestAClickShowsTheScreenOfAStep(t *testing.T) {
	h, c, _, went := home(t, snap(counted(52, 3, 10, 0)), auth.Owner)
	for y, l := range strings.Split(text(h, c), "\n") {
		if strings.Contains(l, "threshold") {
			h.Mouse(tea.MouseMsg{X: 30, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
		}
	}
	if len(*went) != 1 || (*went)[0] != threshold {
		t.Errorf("went to %v", *went)
	}
}

// Why a message does not arrive is said in the reader's language.
func TestWhyNobodyIsTold(t *testing.T) {
	zh, err := i18n.Pick("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := snap(func(s *view.Snapshot) {
		counted(9, 3, 2, 4)(s)
		s.Telling = view.AlertStatus{Failing: "hook", Why: "127.0.0.1:9927 answers 500: {\"code\":7}", Since: time.Now()}
	})
	h, c, _, _ := home(t, s, auth.Analyst)
	h.Lang = zh
	if got := text(h, c); !strings.Contains(got, "127.0.0.1:9927 返回 500：") {
		t.Errorf("in Chinese: %s", got)
	}
}

// Home tells in words how many of the lists are found, also without evidence, and of which discovery it tells.
func TestTheShareOfLists(t *testing.T) {
	at := time.Date(2026, 11, 20, 9, 4, 0, 0, time.Local)
	last := func(x records.RunRecall) *records.Run {
		x.At = at
		return &records.Run{Task: view.Discovery, Recall: &x}
	}
	for _, c := range []struct {
		run  view.Tally
		last *records.Run
		want string // "" = no line
	}{
		{view.Tally{}, nil, ""},
		{view.Tally{Blind: true, Recall: records.RunRecall{Pages: 40, Waiting: 90}}, nil, ""},
		{view.Tally{Recall: records.RunRecall{Pages: 1, Waiting: 9}}, nil, "no list among 1 page yet: not enough evidence of how many there are"},
		{view.Tally{Recall: records.RunRecall{Pages: 60, Lists: 2, Near: 1, Waiting: 9}}, nil,
			"not enough evidence yet of how many lists there are: 3 lists in 60 pages"},
		{view.Tally{Recall: records.RunRecall{Share: .9699, Pages: 1500, Lists: 24, Near: 14, Waiting: 1900}}, last(records.RunRecall{Pages: 9}),
			" · about 96 % of lists found: 24 lists, 14 just below θ; " + widget.Count(1900) + " URLs wait"},
		{view.Tally{End: view.Through, Recall: records.RunRecall{Pages: 1, Lists: 1}}, nil, "every address within reach is fetched: 10 lists"},
		{view.Tally{Task: view.Harvest, End: view.Through}, last(records.RunRecall{Share: .9699, Pages: 1500, Lists: 24, Near: 14, Waiting: 1900}),
			"last discovery, 11-20: about 96 % of lists found: 24 lists, 14 just below θ; " + widget.Count(1900)},
		{view.Tally{Task: view.Discovery, Earlier: true, End: view.Through}, last(records.RunRecall{Pages: 60, Lists: 2, Near: 1, Waiting: 9}),
			"last discovery, 11-20: not enough evidence yet of how many lists there are: 3"},
		{view.Tally{Earlier: true}, last(records.RunRecall{Share: 1, Pages: 60, Lists: 7, Through: true}),
			"last discovery, 11-20: every address within reach is fetched: 7 lists"},
		{view.Tally{Earlier: true, Blind: true}, last(records.RunRecall{Share: 1, Pages: 60, Lists: 7, Through: true}), ""},
	} {
		s := snap(func(s *view.Snapshot) {
			counted(52, 3, 10, 7)(s)
			s.Run, s.Estimated, s.At = c.run, c.last, at.AddDate(0, 0, 1)
		})
		h, canvas, _, _ := home(t, s, auth.Owner)
		shown := text(h, canvas)
		if !strings.Contains(shown, c.want) || c.want == "" && (strings.Contains(shown, "evidence") || strings.Contains(shown, "last discovery")) ||
			strings.Contains(shown, "NaN") {
			t.Errorf("%+v: %q is not shown:\n%s", c.run.Recall, c.want, shown)
		}
	}
}
