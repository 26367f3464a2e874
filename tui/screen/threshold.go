package screen

import (
	"context"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/topic"
	"angler/tui/ui"
)

// Threshold is screen 3: the histogram of all scores with the threshold in
// force and the one under the reader's hand, and the pages that lie between
// the two. Nothing changes for the crawl until enter.
type Threshold struct {
	env   *Env
	panes panes
	load  loader[scoreData]
	data  scoreData

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
func NewThreshold(e *Env) *Threshold {
	s := &Threshold{env: e}
	s.load = loader[scoreData]{env: e, label: "reading scores", load: func(_ context.Context, at stamp) (scoreData, error) {
		d := scoreData{scores: e.Bench.Scores()}
		if d.scores != nil {
			d.bins = d.scores.Histogram(max(1, at.extra))
		}
		d.marks, d.best, d.bestF1 = e.Bench.LabelMarks()
		d.curves = curves(d.marks, curvePoints)
		return d, nil
	}}
	s.between = betweenTable(s)
	plot := &pane{
		title: s.title,
		note:  func() string { return s.hint() },
		draw:  func(c *ui.Canvas, _ bool) { s.draw(c) },
		keys:  s.keys,
		mouse: s.mouse,
	}
	list := tablePane(e, s.between, s.betweenTitle, s.betweenEmpty)
	list.keys = func() []Binding { return append(s.keys(), s.listKeys()...) }
	list.click = func(x, y, w int) tea.Cmd { _, cmd := s.between.Click(x, y-1, w); return cmd }
	labels := &pane{title: s.labelsTitle, draw: s.drawLabels, keys: s.keys}
	curve := &pane{title: func() string { return "precision, recall, F1 over θ" }, draw: s.drawCurves, keys: s.keys}
	s.panes = panes{env: e, all: []*pane{plot, list, labels, curve}, place: func(w, h int) []ui.Rect {
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
	}}
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
		ui.Column[row]{Title: "l", Width: 1, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 3, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Text: func(r *row) string { return r.Title }},
		address(12, 1, func(r *row) string { return r.URL }),
	)
}

// Name implements Screen.
func (s *Threshold) Name() string { return "Threshold" }

// SetSize implements Screen.
func (s *Threshold) SetSize(w, h int) { s.panes.setSize(w, h) }

// View implements Screen.
func (s *Threshold) View(c *ui.Canvas) { s.panes.view(c) }

// plotW is the width of the plot at the present size.
func (s *Threshold) plotW() int { return max(1, s.panes.rects[0].W-2-axisW-1) }

// now is the threshold in force.
func (s *Threshold) now() float64 { return s.env.Snap.Theta }

// Update implements Screen.
func (s *Threshold) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapMsg, TickMsg, ShowMsg, ActMsg:
		if !s.moving {
			s.here = s.now()
		} else if s.here == s.now() { // what was under the hand is in force now
			s.moving = false
		}
		if s.env.Shown == Screen(s) {
			at := s.env.stamp()
			at.extra = s.plotW()
			return tea.Batch(s.load.check(at), s.look())
		}
	case loadedMsg[scoreData]:
		if got, ok := s.load.take(msg); ok {
			s.data = got
			return s.look()
		}
	case betweenMsg:
		return s.found(msg)
	case ui.Arranged:
		s.between.Arranged(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

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
	if sc == nil || s.env.Bench == nil {
		return nil
	}
	// A scan each, about 1 ms for a million pages: here, not in View.
	s.above = [2]int{sc.Above(s.now()), sc.Above(s.here)}
	if s.busy {
		return nil
	}
	ask := betweenAsk{min(s.here, s.now()), max(s.here, s.now()), sc, s.env.Acts}
	if !s.moving {
		ask.lo, ask.hi = s.here-nearby, s.here+nearby
	}
	if ask == s.ask {
		return nil
	}
	s.ask, s.busy = ask, true
	s.total = sc.Above(ask.lo) - sc.Above(ask.hi)
	bench := s.env.Bench
	return s.env.Run("pages between", func(ctx context.Context) tea.Msg {
		ids := sc.Between(ask.lo, ask.hi, mostBetween)
		rows, err := bench.Pages(ctx, ids)
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

func (s *Threshold) keys() []Binding {
	off := ""
	if s.data.scores == nil || s.data.scores.N == 0 {
		off = "there are no scores yet"
	}
	idle := first(off, "")
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
	if s.env.Snap.ThetaAuto {
		auto = "the threshold is automatic already"
	}
	return []Binding{
		{Keys: []string{"[", "left"}, Show: "[", Name: "coarse", Help: "lower θ by .01", Foot: 1, Off: off, Do: to(func() float64 { return s.here - coarse })},
		{Keys: []string{"]", "right"}, Show: "]", Name: "coarse", Help: "raise θ by .01", Foot: 1, Off: off, Do: to(func() float64 { return s.here + coarse })},
		{Keys: []string{"{"}, Name: "fine", Help: "lower θ by .001", Foot: 2, Off: off, Do: to(func() float64 { return s.here - fine })},
		{Keys: []string{"}"}, Name: "fine", Help: "raise θ by .001", Foot: 2, Off: off, Do: to(func() float64 { return s.here + fine })},
		{Keys: []string{"t"}, Name: "type", Help: "type a threshold", Foot: 3, Off: off, Do: do(s.askTheta)},
		{Keys: []string{"o"}, Name: "otsu", Help: "go to Otsu's threshold", Foot: 4, Off: otsu, Do: to(func() float64 { return s.data.scores.Otsu })},
		{Keys: []string{"l"}, Name: "leave-one-out", Help: "go to the lowest leave-one-out score of the samples", Foot: 6, Off: loo, Do: to(func() float64 { return slices.Min(s.data.scores.LeaveOneOut) })},
		{Keys: []string{"b"}, Name: "best F1", Help: "go to the threshold with the best F1 on the labels", Foot: 4, Off: best, Do: to(func() float64 { return s.data.best })},
		{Keys: []string{"enter"}, Name: "apply", Help: "apply the threshold to the crawl", Foot: 5, Off: idle, Do: s.apply},
		{Keys: []string{"esc"}, Name: "back", Help: "put θ back where it was", Foot: 5, Off: idle, Do: func() tea.Cmd { return s.move(s.now()) }},
		{Keys: []string{"a"}, Name: "automatic", Help: "let the program choose θ again", Foot: 7, Off: auto, Do: func() tea.Cmd {
			s.moving = false
			return s.env.setConfig(s.env.T("θ automatic"), func(c *topic.Config) string { c.Theta = 0; return "θ automatic" })
		}},
	}
}

func (s *Threshold) apply() tea.Cmd {
	theta, auto := s.here, s.env.Snap.Theta
	what := "θ " + ui.Score(theta, 3)
	return s.env.setConfig(what, func(c *topic.Config) string {
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
	p := &ui.Prompt{
		Label: "θ:", Hint: ".34 or 34% · enter, then enter again to apply",
		Check: func(v string) string {
			if _, ok := parseTheta(v); !ok {
				return "a number above 0, at most 1"
			}
			return ""
		},
		Live: func(v string) tea.Cmd {
			if f, ok := parseTheta(v); ok {
				return s.move(f)
			}
			return nil
		},
		Cancel: func() tea.Cmd { return s.move(was) },
	}
	p.Done = p.Live
	p.Preset(strings.TrimRight(ui.Score(s.here, 3), " "))
	s.env.Ask(p)
}

func (s *Threshold) listKeys() []Binding {
	var t *target
	if r := s.between.Selected(); r != nil {
		t = &target{r.ID, r.URL, r.Title, r.Label}
	}
	keys := slices.DeleteFunc(s.env.pageKeys(t), func(b Binding) bool { return b.Keys[0] == "o" }) // Otsu's here
	return append(keys, sortKeys(s.between)...)
}

// Bindings implements Screen.
func (s *Threshold) Bindings() []Binding { return s.panes.bindings(nil) }

// Keys implements Screen.
func (s *Threshold) Keys() []Binding { return s.panes.each(s.Bindings) }
