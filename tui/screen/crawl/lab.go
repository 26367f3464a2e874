package crawl

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/lab"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// labScreen is screen 7: it replays the stored crawl under other link orders, without the network.
// The analyst marks orders, chooses the targets, and compares the curves.
type labScreen struct {
	*screen.UI
	*screen.Shared
	lab      screen.Lab
	settings screen.Settings
	screen.Panes
	table *widget.Table[labRow]

	target string
	draws  int
	result *lab.Result // of the last replay; its settings may be older
	err    error
	asked  screen.Request
}

// labRow is one link order and its last result.
type labRow struct {
	name string
	mark int // mark of its curve; -1: none
	sum  *lab.Summary
}

// labDraws is the number of draws that shows the influence of chance.
const labDraws = 3

// newLab returns screen 7.
func newLab(u *screen.UI, sh *screen.Shared, l screen.Lab, settings screen.Settings) *labScreen {
	s := &labScreen{UI: u, Shared: sh, lab: l, settings: settings, target: "aggregations", draws: labDraws}
	s.table = labTable(sh)
	s.table.SetRows(widget.Map(lab.Strategies(), func(name string) labRow { return labRow{name: name, mark: -1} }))
	for _, usual := range []string{"bfs", "shark", "linear", "learned"} {
		s.table.Mark(screen.Hash(usual))
	}
	chart := &screen.Pane{Title: s.chartTitle, Note: s.chartNote, Draw: s.drawChart, Keys: s.keys}
	list := screen.TablePane(sh, s.table, func() string {
		return sh.F("link orders · finds %s", s.targetName()) + " · " + sh.N(s.draws, "draw")
	}, func() string { return "" })
	list.Keys = func() []screen.Binding {
		marks := screen.MarkKeys(s.table, screen.Do(func() {}))
		for i := range marks {
			if s.asked.Busy() && marks[i].Is(keymap.Unmark) {
				marks[i].Off = "a replay is under way; {cancel} cancels it"
			}
		}
		return append(s.keys(), marks...)
	}
	list.Sorts = true
	list.Opens = 1
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{list, chart}, func(w, h int) []widget.Rect {
		low := min(len(lab.Strategies())+3, h/2)
		return []widget.Rect{{Y: h - low, W: w, H: low}, {W: w, H: h - low}}
	})
	s.Title = "Lab"
	return s
}

func labTable(sh *screen.Shared) *widget.Table[labRow] {
	type row = labRow
	figure := func(title string, w, drop int, f func(*lab.Summary) float64,
		show func(*lab.Summary) string) widget.Column[row] {
		value := func(r *row) float64 {
			if r.sum == nil {
				return -1e9
			}
			return f(r.sum)
		}
		return widget.Column[row]{Title: title, Width: w, Right: true, Drop: drop,
			Cell: func(r *row) (string, widget.Style) {
				if r.sum == nil {
					return "–", widget.Dim
				}
				return show(r.sum), widget.Plain
			}, Number: value}
	}
	part := func(title string, share float64, drop int) widget.Column[row] {
		fraction := func(s *lab.Summary) float64 {
			return s.Mean(func(c lab.Curve) float64 { return c.FractionFor(share) })
		}
		return figure(title, 7, drop, fraction, func(s *lab.Summary) string { return widget.Percent(fraction(s)) })
	}
	harvest := func(s *lab.Summary) float64 {
		return s.Mean(func(c lab.Curve) float64 { return c.Harvest(s.Pages / 10) })
	}
	cols := []widget.Column[row]{
		{Title: " ", Width: 1}, // the mark of its curve; drawn by the screen's theme
		{Title: "link order", Width: 12, Flex: 1, Max: 20,
			Cell: func(r *row) (string, widget.Style) { return sh.Value("", r.name), widget.Bold },
			Text: func(r *row) string { return r.name }},
		figure("position", 8, 0, func(s *lab.Summary) float64 { return s.Position.Mean },
			func(s *lab.Summary) string { return widget.Score(s.Position.Mean, 3) }),
		figure("min … max", 14, 3, func(s *lab.Summary) float64 { return s.Position.Min }, func(s *lab.Summary) string {
			return widget.Score(s.Position.Min, 2) + " … " + widget.Score(s.Position.Max, 2)
		}),
		part("50 %", .5, 2), part("90 %", .9, 0), part("95 %", .95, 1),
		figure("harvest at 10 %", 15, 4, harvest, func(s *lab.Summary) string { return widget.Score(harvest(s), 2) }),
		figure("pages/s", 9, 5, func(s *lab.Summary) float64 { return s.Rate },
			func(s *lab.Summary) string { return widget.Count(int(s.Rate)) }),
	}
	cols = append(cols,
		widget.Column[row]{Title: "goes first", Width: 30, Flex: 4, Drop: 6,
			Cell: func(r *row) (string, widget.Style) { return sh.T(orderNotes[r.name]), widget.Dim }})
	cols[0].Cell = func(r *row) (string, widget.Style) {
		if r.mark < 0 {
			return " ", widget.Plain
		}
		return widget.CurveMark(r.mark, sh.ASCII), curveStyle(r.mark)
	}
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.name) },
		func(r *row) string { return r.name + " " + sh.Value("", r.name) }, cols...)
}

// meant returns the marked link orders, or the one under the cursor.
func (s *labScreen) meant() []string {
	return widget.Map(s.table.Meant(), func(r *labRow) string { return r.name })
}

// targetName returns the translated name of the target rule.
func (s *labScreen) targetName() string { return s.T(widget.Fit(widget.Clean(s.target), 30)) }

// run replays the crawl under the selected orders.
func (s *labScreen) run() tea.Cmd {
	s.err = nil
	plan := lab.Comparison{Strategies: s.meant(), Target: s.target, Draws: s.draws}
	return screen.Start(&s.asked, s.UI, "comparing link orders",
		func(ctx context.Context) (*lab.Result, error) { return s.lab.Compare(ctx, plan) }, s.take)
}

func (s *labScreen) take(got *lab.Result, err error) tea.Cmd {
	if s.err = err; err != nil {
		return nil
	}
	s.result = got
	rows := slices.Clone(s.table.Rows())
	for i := range rows {
		rows[i].sum, rows[i].mark = nil, -1
		for k, sum := range got.Rows {
			if sum.Strategy == rows[i].name {
				rows[i].sum, rows[i].mark = sum, k
			}
		}
	}
	// The best first, then those without a result, so that a low screen shows all results.
	slices.SortStableFunc(rows, func(a, b labRow) int {
		switch {
		case a.sum != nil && b.sum != nil:
			return cmp.Compare(b.sum.Position.Mean, a.sum.Position.Mean)
		case a.sum != nil:
			return -1
		case b.sum != nil:
			return 1
		}
		return 0
	})
	return widget.GivenBy(s.table, "position", true).SetRows(rows)
}

func (s *labScreen) keys() []screen.Binding {
	off, none := "", ""
	switch {
	case s.asked.Busy():
		off = "a replay is under way; {cancel} cancels it"
	case s.Snap.Counts.Pages == 0:
		off = "nothing is stored yet: {discovery} crawls"
	}
	if s.result == nil {
		none = "nothing has been compared yet"
	}
	return []screen.Binding{
		screen.Bind(keymap.Replay, off, s.run),
		screen.Bind(keymap.Target, "", screen.Do(s.chooseTarget)),
		screen.Bind(keymap.Draws, "", screen.Do(s.askDraws)),
		screen.Bind(keymap.UseIt, s.usable(none), s.use),
	}
}

// usable says why the order under the cursor cannot be used for crawling.
func (s *labScreen) usable(off string) string {
	r := s.table.Selected()
	switch {
	case off != "":
		return off
	case r == nil || r.name == lab.OracleName:
		return "the oracle knows the links; no crawl does"
	}
	return ""
}

func (s *labScreen) use() tea.Cmd {
	name := s.table.Selected().name
	return s.Act(s.F("strategy %s", name), func() error { return s.settings.SetStrategy(name) })
}

func (s *labScreen) chooseTarget() {
	notes := []struct{ rule, note string }{
		{"aggregations", "pages now judged as aggregation pages"}, {"labels", "pages labelled yes"},
		{"lists", "pages of type list"}, {"notices", "harvested notices"},
	}
	var items []widget.Item
	for _, n := range notes {
		items = append(items,
			widget.Item{Name: n.rule, Note: n.note, Mark: n.rule == s.target,
				Do: func() tea.Cmd { s.target = n.rule; return nil }})
	}
	items = append(items,
		widget.Item{Name: "url: …", Note: "pages whose URL matches a regular expression",
			Do: screen.Do(func() { s.askTarget("url:") })},
		widget.Item{Name: "file: …", Note: "pages whose URLs a file lists, one a line",
			Do: screen.Do(func() { s.askTarget("file:") })})
	s.Offer("target", items)
}

func (s *labScreen) askTarget(kind string) {
	s.Ask(&widget.Prompt[string]{
		Editor: widget.Editor{Label: kind, Hint: "enter takes it, esc leaves"},
		Check: func(v string) (string, error) {
			switch {
			case v == "":
				return "", widget.Refusal("nothing is typed")
			case kind == "url:": // the file is read when the replay starts
				if _, err := lab.ParseTargetRule(kind + v); err != nil {
					return "", widget.Refusal(s.Reason(err))
				}
			}
			return kind + v, nil
		},
		Do: func(rule string) tea.Cmd { s.target = rule; return nil },
	})
}

func (s *labScreen) askDraws() {
	s.AskPreset(strconv.Itoa(s.draws), &widget.Prompt[int]{
		Editor: widget.Editor{Label: "draws:", Hint: "runs of each link order; the table shows their mean"},
		Check:  s.Number(1, lab.MostDraws),
		Do:     func(n int) tea.Cmd { s.draws = n; return nil },
	})
}
