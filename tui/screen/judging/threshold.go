package judging

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// Threshold is screen 3: the histogram of all scores with the threshold in
// force and the one under the reader's hand, and the pages that lie between
// the two. Nothing changes for the crawl until enter.
type Threshold struct {
	ui     *screen.UI
	shared *screen.Shared
	topic  parts.Topic
	pages  parts.Pages
	page   *screen.PageKeys
	panes  screen.Panes
	load   screen.Loader[scoreData]
	data   scoreData

	here   float64 // under the hand; the one in force while !moving
	moving bool
	drag   bool

	between *ui.Table[view.CandidateRow]
	ask     betweenAsk // asked for last
	busy    bool
	total   int    // pages between the two thresholds
	above   [2]int // pages at or above the threshold in force, and here
	err     error
}

type scoreData struct {
	scores *topic.Scores
	bins   []int
	marks  []view.LabelMark
	best   float64      // θ with the best F1 on the labels
	bestF1 float64      // 0 while there is none
	curves [3][]float64 // precision, recall, F1 over θ
}

// betweenAsk names what the change pane shows.
type betweenAsk struct {
	lo, hi float64
	scores *topic.Scores
	acts   int
}

type betweenMsg struct {
	owner *Threshold
	ask   betweenAsk
	rows  []view.CandidateRow
	err   error
}

const (
	coarse      = .01
	fine        = .001
	nearby      = .05 // how far from θ a page is still borderline
	mostBetween = 300 // pages listed between two thresholds
	axisW       = 8   // cells left of the plot
)

// NewThreshold returns screen 3.
func NewThreshold(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, t parts.Topic, l parts.Labels, p parts.Pages) *Threshold {
	s := &Threshold{ui: u, shared: sh, topic: t, pages: p, page: keys}
	s.load = screen.NewLoader(u, sh, "reading scores", func(ctx context.Context, at screen.Stamp) (scoreData, error) {
		return jobs.Within(ctx, func() (scoreData, error) {
			d := scoreData{scores: t.Scores()}
			if d.scores != nil {
				d.bins = d.scores.Histogram(max(1, at.Extra))
			}
			d.marks, d.best, d.bestF1 = l.LabelMarks()
			d.curves = curves(d.marks, curvePoints)
			return d, nil
		})
	})
	s.between = betweenTable(s)
	plot := &screen.Pane{
		Title: s.title,
		Note:  func() string { return s.hint() },
		Draw:  func(c *ui.Canvas, _ bool) { s.draw(c) },
		Keys:  s.keys,
		Mouse: s.mouse,
	}
	list := screen.TablePane(sh, s.between, s.betweenTitle, s.betweenEmpty)
	list.Keys = func() []screen.Binding { return append(s.keys(), s.listKeys()...) }
	list.Click = func(x, y, w int) tea.Cmd { _, cmd := s.between.Click(x, y-1, w); return cmd }
	labels := &screen.Pane{Title: s.labelsTitle, Draw: s.drawLabels, Keys: s.keys}
	curve := &screen.Pane{Title: func() string { return "precision, recall, F1 over θ" }, Draw: s.drawCurves, Keys: s.keys}
	s.panes = screen.NewPanes(u, sh, []*screen.Pane{plot, list, labels, curve}, func(w, h int) []ui.Rect {
		if w >= 110 {
			a, low, mid := w*60/100, 0, 0
			if h >= 3*labelsH {
				low = labelsH
			}
			if h >= 3*labelsH+curveH {
				mid = curveH
			}
			return []ui.Rect{{W: a, H: h}, {X: a, W: w - a, H: h - low - mid}, {X: a, Y: h - low, W: w - a, H: low}, {X: a, Y: h - low - mid, W: w - a, H: mid}}
		}
		low := max(5, h/3)
		return []ui.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}, {}, {}}
	})
	return s
}

func betweenTable(s *Threshold) *ui.Table[view.CandidateRow] {
	type row = view.CandidateRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host },
		ui.Column[row]{Title: "", Width: 1, Cell: func(r *row) (string, ui.Style) {
			switch gained := r.Score >= s.here; {
			case !s.moving && gained:
				return "·", ui.Good
			case !s.moving:
				return " ", ui.Plain
			case gained:
				return "+", ui.Good | ui.Bold
			}
			return "−", ui.Bad | ui.Bold
		}},
		ui.Column[row]{Title: "score", Width: 5, Right: true,
			Cell: func(r *row) (string, ui.Style) {
				if r.Score >= s.here {
					return ui.Score(r.Score, 3), ui.Good
				}
				return ui.Score(r.Score, 3), ui.Dim
			},
			Number: func(r *row) float64 { return float64(r.Score) }},
		ui.Column[row]{Title: "l", Width: 1, Cell: func(r *row) (string, ui.Style) { return screen.LabelSign(r.Label) }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 3, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		screen.Address(12, 1, func(r *row) string { return r.URL }),
	)
}

// Name implements Screen.
func (s *Threshold) Name() string { return "Threshold" }

// SetSize implements Screen.
func (s *Threshold) SetSize(w, h int) { s.panes.SetSize(w, h) }

// View implements Screen.
func (s *Threshold) View(c *ui.Canvas) { s.panes.View(c) }

// plotW is the width of the plot at the present size.
func (s *Threshold) plotW() int { return max(1, s.panes.Rects[0].W-2-axisW-1) }

// now is the threshold in force.
func (s *Threshold) now() float64 { return s.shared.Snap.Theta }

// Update implements Screen.
func (s *Threshold) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.TickMsg, screen.ShowMsg, screen.ActMsg:
		if !s.moving {
			s.here = s.now()
		} else if s.here == s.now() { // what was under the hand is in force now
			s.moving = false
		}
		if s.shared.Shown == screen.Screen(s) {
			at := s.shared.Stamp()
			at.Extra = s.plotW()
			return tea.Batch(s.load.Check(at), s.look())
		}
	case screen.LoadedMsg[scoreData]:
		if got, ok := s.load.Take(msg); ok {
			s.data = got
			return s.look()
		}
	case betweenMsg:
		return s.found(msg)
	case ui.Arranged:
		s.between.Arranged(msg)
	case tea.MouseMsg:
		return s.panes.Mouse(msg)
	}
	return nil
}

// noTopic reports that no page can have a score: there is no sample.
func noTopic(sh *screen.Shared) bool { return sh.Snap.Counts.Samples == 0 }

// move puts the hand on θ v.
func (s *Threshold) move(v float64) tea.Cmd {
	s.here = math.Round(math.Max(.001, math.Min(1, v))*1000) / 1000
	s.moving = math.Abs(s.here-s.now()) > 1e-9
	if !s.moving {
		s.here = s.now()
	}
	return s.look()
}

// look asks for the pages between the two thresholds. One request is under way
// at a time: while the hand moves, the answer to the last place counts.
func (s *Threshold) look() tea.Cmd {
	sc := s.data.scores
	if sc == nil {
		return nil
	}
	if noTopic(s.shared) {
		s.total = 0
		return s.between.SetRows(nil)
	}
	// A scan each, about 1 ms for a million pages: here, not in View.
	s.above = [2]int{sc.Above(s.now()), sc.Above(s.here)}
	if s.busy {
		return nil
	}
	ask := betweenAsk{min(s.here, s.now()), max(s.here, s.now()), sc, s.shared.Acts}
	if !s.moving {
		ask.lo, ask.hi = s.here-nearby, s.here+nearby
	}
	if ask == s.ask {
		return nil
	}
	s.ask, s.busy = ask, true
	s.total = sc.Above(ask.lo) - sc.Above(ask.hi)
	return s.ui.Run("pages between", func(ctx context.Context) tea.Msg {
		ids := sc.Between(ask.lo, ask.hi, mostBetween)
		rows, err := s.pages.Pages(ctx, ids)
		return betweenMsg{s, ask, rows, err}
	})
}

func (s *Threshold) found(m betweenMsg) tea.Cmd {
	if m.owner != s {
		return nil
	}
	s.busy, s.err = false, m.err
	if next := s.look(); next != nil {
		return next // the hand has moved on: this answer is stale
	}
	rows := slices.Clone(m.rows)
	slices.SortStableFunc(rows, func(a, b view.CandidateRow) int {
		switch {
		case a.Score > b.Score:
			return -1
		case a.Score < b.Score:
			return 1
		}
		return 0
	})
	return s.between.SetRows(rows)
}

func (s *Threshold) mouse(m tea.MouseMsg) (tea.Cmd, bool) {
	switch {
	case m.Action == tea.MouseActionRelease:
		s.drag = false
		return nil, false
	case m.Button != tea.MouseButtonLeft:
		return nil, false
	case m.Action == tea.MouseActionPress:
		s.drag = true
	case !s.drag:
		return nil, false
	}
	if s.data.scores == nil {
		return nil, true
	}
	return s.move((float64(m.X-axisW) + .5) / float64(s.plotW())), true
}

func (s *Threshold) keys() []screen.Binding {
	off := ""
	if s.data.scores == nil || s.data.scores.N == 0 || noTopic(s.shared) {
		off = "there are no scores yet"
	}
	idle := off
	if !s.moving && idle == "" {
		idle = "the threshold was not moved"
	}
	to := func(f func() float64) func() tea.Cmd { return func() tea.Cmd { return s.move(f()) } }
	otsu, loo := off, off
	if off == "" && s.data.scores.Otsu <= 0 {
		otsu = "the scores do not fall into two groups"
	}
	if off == "" && len(s.data.scores.LeaveOneOut) == 0 {
		loo = "needs two samples"
	}
	best := off
	if off == "" && s.data.bestF1 == 0 {
		best = "no page is labelled yes; screen 6 asks for the pages worth a label"
	}
	auto := ""
	if s.shared.Snap.ThetaAuto {
		auto = "the threshold is automatic already"
	}
	return []screen.Binding{
		{Keys: []string{"[", "left"}, Show: "[", Action: role.Own("coarse"), Help: "lower θ by .01", Foot: 1, Off: off, Do: to(func() float64 { return s.here - coarse })},
		{Keys: []string{"]", "right"}, Show: "]", Action: role.Own("coarse"), Help: "raise θ by .01", Foot: 1, Off: off, Do: to(func() float64 { return s.here + coarse })},
		{Keys: []string{"{"}, Action: role.Own("fine"), Help: "lower θ by .001", Foot: 2, Off: off, Do: to(func() float64 { return s.here - fine })},
		{Keys: []string{"}"}, Action: role.Own("fine"), Help: "raise θ by .001", Foot: 2, Off: off, Do: to(func() float64 { return s.here + fine })},
		{Keys: []string{"t"}, Action: role.Own("type"), Help: "type a threshold", Foot: 3, Off: off, Do: screen.Do(s.askTheta)},
		{Keys: []string{"o"}, Action: role.Own("otsu"), Help: "go to Otsu's threshold", Foot: 4, Off: otsu, Do: to(func() float64 { return s.data.scores.Otsu })},
		{Keys: []string{"l"}, Action: role.Own("leave-one-out"), Help: "go to the lowest leave-one-out score of the samples", Foot: 6, Off: loo, Do: to(func() float64 { return slices.Min(s.data.scores.LeaveOneOut) })},
		{Keys: []string{"b"}, Action: role.Own("best F1"), Help: "go to the threshold with the best F1 on the labels", Foot: 4, Off: best, Do: to(func() float64 { return s.data.best })},
		{Keys: []string{"enter"}, Action: role.Configure.As("apply"), Help: "apply the threshold to the crawl", Foot: 5, Off: idle, Do: s.apply},
		{Keys: []string{"esc"}, Action: role.Own("back"), Help: "put θ back where it was", Foot: 5, Off: idle, Do: func() tea.Cmd { return s.move(s.now()) }},
		{Keys: []string{"a"}, Action: role.Configure.As("automatic"), Help: "let the program choose θ again", Foot: 7, Off: auto, Do: func() tea.Cmd {
			s.moving = false
			return configure(s.ui, s.topic, s.shared.T("θ automatic"), func(c *topic.Config) string { c.Theta = 0; return "θ automatic" })
		}},
	}
}

func (s *Threshold) apply() tea.Cmd {
	theta, auto := s.here, s.shared.Snap.Theta
	what := "θ " + ui.Score(theta, 3)
	if warning := s.warning(theta); warning != "" {
		what += " · " + warning + " · " + s.shared.T("u undoes it")
	}
	return configure(s.ui, s.topic, what, func(c *topic.Config) string {
		was := c.Theta
		if was == 0 {
			was = auto
		}
		c.Theta = theta
		return "θ " + ui.Score(was, 3) + " → " + ui.Score(theta, 3)
	})
}

func (s *Threshold) askTheta() {
	was := s.here
	p := &ui.Prompt[float64]{
		Editor: ui.Editor{
			Label: "θ:", Hint: ".34 or 34% · enter, then enter again to apply",
			Live: func(v string) tea.Cmd {
				if f, err := parseTheta(v); err == nil {
					return s.move(f)
				}
				return nil
			},
			Cancel: func() tea.Cmd { return s.move(was) },
		},
		Check: parseTheta,
		Do:    s.move,
	}
	p.Preset(strings.TrimRight(ui.Score(s.here, 3), " "))
	s.ui.Ask(p)
}

func (s *Threshold) listKeys() []screen.Binding {
	var t *screen.Target
	if r := s.between.Selected(); r != nil {
		t = screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
	}
	keys := slices.DeleteFunc(s.page.Of(t), func(b screen.Binding) bool { return b.Keys[0] == "o" }) // Otsu's here
	return append(keys, screen.SortKeys(s.between)...)
}

// Bindings implements Screen.
func (s *Threshold) Bindings() []screen.Binding { return s.panes.Bindings(nil) }

// Keys implements Screen.
func (s *Threshold) Keys() []screen.Binding { return s.panes.Each(s.Bindings) }

// parseTheta reads a threshold: ".34", "0.34", "34%". Only 0 < θ ≤ 1 is one.
func parseTheta(s string) (float64, error) {
	s = strings.TrimSpace(s)
	s, pct := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if pct {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1) {
		return 0, ui.Refusal("a number above 0, at most 1")
	}
	return v, nil
}
