package topic

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/message"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// threshold is screen 3: the histogram of all scores with the threshold in force, the previewed
// one, and the pages between them. Nothing changes for the crawl until {theta_apply}.
type threshold struct {
	*screen.UI
	*screen.Shared
	topic screen.Topic
	pages screen.Pages
	page  *screen.PageKeys
	show  screen.Preview // preview of the opened page
	screen.Panes
	load screen.Loader[scoreData]
	data scoreData

	here   float64 // previewed θ; the one in force while !moving
	moving bool
	drag   bool

	between *widget.Table[query.CandidateRow]
	ask     betweenAsk // the last request
	asked   screen.Request
	total   int    // pages between the two thresholds
	lists   [2]int // aggregation pages with the threshold in force, and with the previewed one
	err     error
}

type scoreData struct {
	scores  *topic.Scores
	passing *decisions.Passing // nil before scores are loaded
	bins    []int
	marks   []decisions.LabelMark
	best    float64      // θ with the best F1 on the labels
	bestF1  float64      // 0: none yet
	curves  [3][]float64 // precision, recall, F1 over θ
	worth   yieldEstimate
}

// readScores loads the scores as a histogram of bars bins, and the figures of the labels.
func readScores(ctx context.Context, p screen.Parts, bars int) (d scoreData, err error) {
	d.scores = p.Topic.Scores()
	d.marks, d.best, d.bestF1 = p.Labels.LabelMarks()
	d.curves = curves(d.marks, curvePoints)
	if d.scores == nil {
		return d, nil
	}
	d.bins, d.passing = d.scores.Histogram(bars), p.Labels.Passing()
	d.worth, err = estimateYield(ctx, d.passing, p.Pages, p.Inbox)
	return d, err
}

// betweenAsk identifies the content of the change pane.
type betweenAsk struct {
	lo, hi float64
	scores *topic.Scores
	acts   int
}

const (
	coarse      = .01
	fine        = .001
	nearby      = .05 // distance from θ within which a page is borderline
	mostBetween = 300 // pages listed between two thresholds
	axisW       = 8   // cells to the left of the plot
)

// newThreshold returns screen 3.
func newThreshold(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts) *threshold {
	s := &threshold{UI: u, Shared: sh, topic: p.Topic, pages: p.Pages, page: keys,
		show: screen.NewPreview(u, sh, p.Pages)}
	s.load = screen.NewLoader(u, sh, "reading scores",
		func(at screen.DataVersion) func(context.Context) (scoreData, error) {
			return func(ctx context.Context) (scoreData, error) {
				return jobs.Within(ctx,
					func() (scoreData, error) { return readScores(ctx, p, max(1, at.Extra)) })
			}
		}, func(got scoreData) tea.Cmd { s.data = got; return s.look() })
	s.between = widget.GivenBy(betweenTable(s), "score", true)
	plot := &screen.Pane{
		Title: s.title,
		Note:  func() string { return s.hint() },
		Draw:  func(c *widget.Canvas, _ bool) { s.draw(c) },
		Keys:  s.keys,
		Mouse: s.mouse,

		Figures: func() []screen.Figure { return axisFigures(s) },
	}
	list := screen.TablePane(sh, s.between, s.betweenTitle, s.betweenEmpty)
	list.Keys = func() []screen.Binding { return append(s.keys(), s.listKeys()...) }
	list.Marks, list.Sorts = true, true
	list.Open = s.openPage
	plot.Open = func() (string, func() tea.Cmd) {
		if s.between.Len() == 0 {
			return "no page lies at this threshold", nil
		}
		return "", screen.Do(func() { s.SetFocus(1) })
	}
	shown := s.show.Pane("The page under the cursor is shown here.")
	shown.Keys = s.show.Bindings
	measures := func() []screen.Figure { return measureFigures(s) }
	labels := &screen.Pane{Title: s.labelsTitle, Draw: s.drawLabels, Keys: s.keys, Figures: measures}
	curve := &screen.Pane{Title: func() string { return "precision, recall, F1 over θ" }, Draw: s.drawCurves,
		Keys: s.keys, Figures: measures}
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{plot, list, labels, curve, shown}, func(w, h int) []widget.Rect {
		if w >= 110 {
			a := w * 60 / 100
			low := widget.Either(h >= 3*labelsH, labelsH, 0)
			mid := widget.Either(h >= 3*labelsH+curveH, curveH, 0)
			return []widget.Rect{{W: a, H: h}, {X: a, W: w - a, H: h - low - mid}, {X: a, Y: h - low, W: w - a, H: low},
				{X: a, Y: h - low - mid, W: w - a, H: mid}, {}}
		}
		low := max(5, h/3)
		return []widget.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}, {}, {}, {}}
	})
	s.Title = "Threshold"
	return s
}

func betweenTable(s *threshold) *widget.Table[query.CandidateRow] {
	type row = query.CandidateRow
	return widget.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host },
		[]widget.Column[row]{
			{Title: "", Width: 1, Cell: func(r *row) (string, widget.Style) {
				switch gained := r.Score >= s.here; {
				case !s.moving && gained:
					return "·", widget.Good
				case !s.moving:
					return " ", widget.Plain
				case gained:
					return "+", widget.Good | widget.Bold
				}
				return "−", widget.Bad | widget.Bold
			}},
			{Title: "score", Width: 5, Right: true,
				Cell: func(r *row) (string, widget.Style) {
					return widget.Score(r.Score, 3), widget.Either(r.Score >= s.here, widget.Good, widget.Dim)
				},
				Number: func(r *row) float64 { return float64(r.Score) }},
			{Title: "l", Width: 1,
				Cell: func(r *row) (string, widget.Style) { return screen.LabelSign(r.Label) }},
			{Title: "title", Width: 22, Flex: 3, Text: func(r *row) string { return r.Title }},
			screen.Address(12, 1, func(r *row) string { return r.URL }),
		}...)
}

// plotW returns the width of the plot.
func (s *threshold) plotW() int { return max(1, s.Inside(0).W-axisW-1) }

// now returns the threshold in force.
func (s *threshold) now() float64 { return s.Snap.Theta }

// Update implements Screen.
func (s *threshold) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.SnapMsg, screen.TickMsg, screen.ShowMsg, screen.ActMsg:
		if !s.moving {
			s.here = s.now()
		} else if s.here == s.now() { // the previewed θ is in force now
			s.moving = false
		}
		if s.Shown == screen.Screen(s) {
			at := s.DataVersion()
			at.Extra = s.plotW()
			return tea.Batch(s.load.Check(at), s.look())
		}
	}
	return nil
}

// noTopic reports that no page can have a score, for lack of samples.
func noTopic(sh *screen.Shared) bool { return sh.Snap.Counts.Samples == 0 }

// move moves the preview to v.
func (s *threshold) move(v float64) tea.Cmd {
	was := s.here
	cmd := s.put(v)
	if s.here == was && !s.drag {
		s.Say("θ stands there already")
	}
	return cmd
}

// put previews θ v, rounded to thousandths. If v is within half a thousandth of θ in force, the
// preview ends, because a θ from labels lies between two scores and is not rounded.
func (s *threshold) put(v float64) tea.Cmd {
	s.here = math.Round(math.Max(.001, math.Min(1, v))*1000) / 1000
	s.moving = math.Abs(s.here-s.now()) > .0005
	if !s.moving {
		s.here = s.now()
	}
	return s.look()
}

// look requests the pages between the two thresholds, one request at a time. During a movement only
// the last reply counts.
func (s *threshold) look() tea.Cmd {
	sc := s.data.scores
	if sc == nil {
		return nil
	}
	if noTopic(s.Shared) || unread(s) {
		s.total = 0
		return s.between.SetRows(nil)
	}
	s.lists = [2]int{s.data.passing.Lists(s.now()), s.data.passing.Lists(s.here)}
	if s.asked.Busy() {
		return nil
	}
	// Around θ it lists all pages; between two thresholds those that change sides.
	ask := betweenAsk{s.here - nearby, s.here + nearby, sc, s.Acts}
	if s.moving {
		ask = betweenAsk{min(s.here, s.now()), max(s.here, s.now()), s.data.passing.Open, s.Acts}
		sc = ask.scores
	}
	if ask == s.ask {
		return nil
	}
	s.ask = ask
	s.total = sc.Above(ask.lo) - sc.Above(ask.hi)
	return screen.Start(&s.asked, s.UI, "pages between", func(ctx context.Context) ([]query.CandidateRow, error) {
		return s.pages.Pages(ctx, sc.Between(ask.lo, ask.hi, mostBetween))
	}, s.found)
}

func (s *threshold) found(rows []query.CandidateRow, err error) tea.Cmd {
	s.err = err
	if next := s.look(); next != nil {
		return next // the preview has moved: this reply is outdated
	}
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, byScore)
	return s.between.SetRows(rows)
}

func (s *threshold) mouse(m tea.MouseMsg) (tea.Cmd, bool) {
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

func (s *threshold) keys() []screen.Binding {
	off := screen.If(s.data.scores == nil || s.data.scores.N == 0 || noTopic(s.Shared) || s.now() == 0,
		"there are no scores yet")
	if unread(s) {
		off = "the scores are being read"
	}
	idle := off
	if !s.moving && idle == "" {
		idle = "the threshold was not moved"
	}
	to := func(f func() float64) func() tea.Cmd { return func() tea.Cmd { return s.move(f()) } }
	otsu := widget.Either(off == "" && s.data.scores.Otsu <= 0, "the scores do not fall into two groups", off)
	loo := widget.Either(off == "" && len(s.data.scores.LeaveOneOut) == 0, "needs two samples", off)
	best := widget.Either(off == "" && s.data.bestF1 == 0,
		"no page is labelled yes; screen {screen_label} asks for the pages worth a label", off)
	auto := screen.If(s.Snap.ThetaAuto, "the threshold is automatic already")
	return []screen.Binding{
		screen.Bind(keymap.Lower, off, to(func() float64 { return s.here - coarse })),
		screen.Bind(keymap.Raise, off, to(func() float64 { return s.here + coarse })),
		screen.Bind(keymap.FineLower, off, to(func() float64 { return s.here - fine })),
		screen.Bind(keymap.FineRaise, off, to(func() float64 { return s.here + fine })),
		screen.Bind(keymap.TypeTheta, off, screen.Do(s.askTheta)),
		screen.Bind(keymap.Otsu, otsu, to(func() float64 { return s.data.scores.Otsu })),
		screen.Bind(keymap.LeaveOne, loo, to(func() float64 { return slices.Min(s.data.scores.LeaveOneOut) })),
		screen.Bind(keymap.BestF1, best, to(func() float64 { return s.data.best })),
		screen.Bind(keymap.Apply, idle, s.apply),
		screen.Bind(keymap.PutBack, idle, func() tea.Cmd { return s.move(s.now()) }),
		screen.Bind(keymap.Automatic, auto, func() tea.Cmd {
			s.moving = false
			return configure(s.UI, s.topic, s.T("θ automatic"),
				func(c *topic.Config) message.Text { c.Theta = 0; return "θ automatic" })
		}),
	}
}

func (s *threshold) apply() tea.Cmd {
	theta, auto := s.here, s.Snap.Theta
	what, warn := applied(s), s.warning(theta) != ""
	return s.Run(what, s.InOrder(func() tea.Msg {
		return screen.ActMsg{What: what, Warn: warn, Err: s.topic.ChangeConfig(setTheta(theta, auto))}
	}))
}

// setTheta returns the change to a threshold, and its line in the log; auto is the automatic one.
func setTheta(theta, auto float64) func(*topic.Config) message.Text {
	return func(c *topic.Config) message.Text {
		was := cmp.Or(c.Theta, auto)
		c.Theta = theta
		// with an arrow, "undo: θ .310 → .340" would seem to say that .340 is in force
		return message.Of("θ %s (was %s)", widget.Score(theta, 3), widget.Score(was, 3))
	}
}

// Take returns the function by which Home sets a judge.
func Take(u *screen.UI, sh *screen.Shared, t screen.Topic, l screen.Labels) func(view.BestJudge) tea.Cmd {
	return func(b view.BestJudge) tea.Cmd {
		if b.Learner {
			return u.Act(sh.T("the learner decides"), func() error { return l.SetJudge(decisions.JudgeLearner) })
		}
		was := sh.Snap.Theta
		return u.Act("θ "+widget.Score(b.Theta, 3), func() error { return t.ChangeConfig(setTheta(b.Theta, was)) })
	}
}

func (s *threshold) askTheta() {
	was := s.here
	s.AskPreset(strings.TrimRight(widget.Score(s.here, 3), " "), &widget.Prompt[float64]{
		Editor: widget.Editor{
			Label: "θ:", Hint: ".34 or 34% · enter, then {theta_apply} to apply",
			Live: func(v string) tea.Cmd {
				if f, err := parseTheta(v); err == nil {
					return s.put(f)
				}
				return nil
			},
			Cancel: func() tea.Cmd { return s.put(was) },
		},
		Check: parseTheta,
		Do:    s.put,
	})
}

func (s *threshold) listKeys() []screen.Binding {
	return s.page.Of(screen.ChosenOf(s.between, candidate))
}

// openPage opens the page under the cursor of the list.
func (s *threshold) openPage() (off string, do func() tea.Cmd) {
	r := s.between.Selected()
	if r == nil {
		return screen.ErrNoPage.Error(), nil
	}
	return "", func() tea.Cmd {
		s.between.Hold()
		s.OpenPane(4)
		return s.show.Want(r.ID)
	}
}

// parseTheta parses a threshold, 0 < θ ≤ 1: ".34", "0.34", "34%".
func parseTheta(s string) (float64, error) {
	s = strings.TrimSpace(s)
	s, pct := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if pct {
		v /= 100
	}
	if err != nil || !(v > 0 && v <= 1) {
		return 0, widget.Refusal("a number above 0, at most 1")
	}
	return v, nil
}

// byScore orders pages by descending score.
func byScore(a, b query.CandidateRow) int { return cmp.Compare(b.Score, a.Score) }
