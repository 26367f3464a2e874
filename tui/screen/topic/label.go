package topic

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// label is screen 6: the pages worth a label, the effect of the labels on every judge, and the
// judge in force.
type label struct {
	*screen.UI
	*screen.Shared
	labels screen.Labels
	pages  screen.Pages
	page   *screen.PageKeys
	role   auth.Role
	screen.Panes
	queue   *widget.Table[query.QueueRow]
	load    screen.Loader[queueData]
	show    screen.Preview
	schemes *schemes

	pay     decisions.LabelsPay
	learned bool             // the queue's values are probabilities
	giving  map[uint64]given // labels being stored by the engine
	rise    []float64        // the learner's F1 after each label
	riseAt  view.LearnerInfo
	batch   labelBatch
}

// given is a label that the engine has not confirmed yet.
type given struct {
	label topic.Label
	n     int // running actions
}

// newLabel returns screen 6.
func newLabel(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, eval *evaluation, l screen.Labels,
	p screen.Pages, role auth.Role) *label {
	s := &label{UI: u, Shared: sh, labels: l, pages: p, page: keys, role: role, show: screen.NewPreview(u, sh, p),
		schemes: newSchemes(sh, eval), giving: map[uint64]given{}}
	s.queue = queueTable(sh, func() bool { return s.learned })
	s.show.Verdict = s.verdict
	s.load = screen.NewLoader(u, sh, "choosing pages",
		func(at screen.DataVersion) func(context.Context) (queueData, error) {
			var shown []uint64
			for _, r := range s.queue.Rows() {
				shown = append(shown, r.ID)
			}
			return func(ctx context.Context) (queueData, error) {
				d := queueData{learned: at.Labels.Yes > 0, shown: map[uint64]query.CandidateRow{}}
				var err error
				if d.fresh, err = l.LabelQueue(ctx, askFor); err != nil {
					return d, err
				}
				if d.pay, err = l.LabelsPay(); err != nil {
					return d, err
				}
				now, err := p.Pages(ctx, shown)
				for _, r := range now {
					d.shown[r.ID] = r
				}
				return d, err
			}
		}, s.take)
	list := screen.TablePane(sh, s.queue, s.title, s.empty)
	list.Keys, list.Sorts, list.Moved = s.keys, true, s.moved
	pre := s.show.Pane("The page under the cursor is shown here.")
	pre.Keys = s.keys
	measured := s.schemes.pane()
	measured.Keys, measured.Sorts = s.keys, true
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{list, pre, measured}, placeLabel)
	s.Title = "Label"
	return s
}

// evalH is the height of the evaluation: head, four schemes, two more norms, the other similarity,
// learner, frame.
const evalH = 11

func placeLabel(w, h int) []widget.Rect {
	if w >= 110 {
		left, low := w*55/100, evalH
		if h < batch+3+evalH {
			low = min(evalH, h/3)
		}
		return []widget.Rect{{W: left, H: h - low}, {X: left, W: w - left, H: h}, {Y: h - low, W: left, H: low}}
	}
	low := evalH
	if h < 30 {
		low = 0 // tab shows it
	}
	top := min(batch+3, (h-low)*45/100)
	return []widget.Rect{{W: w, H: top}, {Y: top, W: w, H: h - low - top}, {Y: h - low, W: w, H: low}}
}

func (s *label) title() string {
	left := 0
	for _, r := range s.queue.Rows() {
		if !answered(&r) {
			left++
		}
	}
	title := s.F("%s to label · %s labelled", left, s.Snap.Counts.Labels)
	switch p := s.pay; {
	case p.Settled():
		return title + " · " + s.F("more change little (%d of %d known)", p.Agree, p.Newest)
	case p.Newest > 0:
		return title + " · " + s.F("labels still pay (%d of %d known)", p.Agree, p.Newest)
	}
	return title
}

func (s *label) empty() string {
	switch snap := s.Snap; {
	case snap.Counts.Pages == 0:
		return "No pages yet. Press {discovery} to start a discovery from the seeds, {seeds} on screen " +
			"{screen_crawl} to add seeds."
	case !s.asks():
		return "Mark two or three sample pages first ({screen_samples}, then {sample}): the pages worth a label " +
			"follow from them."
	case !snap.DictReady:
		return "The dictionary is being loaded; the pages worth a label come after it."
	case snap.Unjudged():
		return s.Reading()
	}
	if errors.Is(s.load.Err, context.Canceled) {
		return "The choice of pages was cancelled; it is made again with the next change."
	}
	return s.load.State("Every page has its label. {discovery} finds more.")
}

// asks reports whether pages can be chosen: there are samples or labels.
func (s *label) asks() bool { return s.Snap.Counts.Samples > 0 || s.Snap.Learner.Yes > 0 }

// judgeLine returns the lines for the judge on a screen of h rows.
func judgeLine(h int) int {
	return widget.Either(h >= 6, 1, 0)
}

// SetSize implements Screen.
func (s *label) SetSize(w, h int) { s.Panes.SetSize(w, h-judgeLine(h)) }

// View implements Screen.
func (s *label) View(c *widget.Canvas) {
	w, h := c.Size()
	low := judgeLine(h)
	s.Panes.View(c.Sub(widget.Rect{W: w, H: h - low}))
	if low > 0 {
		s.drawJudge(c.Sub(widget.Rect{Y: h - 1, W: w, H: 1}))
	}
}

// drawJudge names the judge in force, and the figures of the other one.
func (s *label) drawJudge(c *widget.Canvas) {
	snap := s.Snap
	l := snap.Learner
	rule, learner := "●", "○"
	ruleSt, learnerSt := widget.Accent|widget.Bold, widget.Dim
	if l.InUse {
		rule, learner = learner, rule
		ruleSt, learnerSt = learnerSt, ruleSt
	}
	x := 1
	w, _ := c.Size()
	if w >= screen.Narrow {
		x = c.Say(1, 0, widget.Dim, "judge: ")
	}
	x = c.Text(x, 0, ruleSt, rule+" "+c.T("rule"))
	x = c.Text(x, 0, widget.Dim, " θ "+s.Score(snap.Theta)+"  ")
	x = c.Text(x, 0, learnerSt, learner+" "+c.T("learner")+" ")
	if off := s.judgeOff(); off != "" {
		x = c.Text(x, 0, widget.Dim,
			s.F("%d yes %d no%s · needs 10, yes and no", l.Yes, l.No, s.among()))
		// Ten labels, both kinds among them, make it ready.
		if cells := min(10, w-x-1); cells > 1 {
			c.Text(x+1, 0, widget.Bar, widget.Meter(float64(min(l.Yes, 9)+min(l.No, 9))/10, cells))
		}
		return
	}
	x = c.Text(x, 0, widget.Bar, s.spark())
	x = c.Text(x, 0, widget.Plain, "F1 "+widget.Score(l.F1, 2))
	x = c.Text(x, 0, widget.Dim, s.F(" on %d yes %d no%s", l.Yes, l.No, s.among()))
	x = c.Text(x, 0, widget.Key, "  "+s.T("{judge}")+" ")
	c.Say(x, 0, widget.Dim, s.judgeName())
}

// among says that samples count as labels for the learner.
func (s *label) among() string {
	l, n := s.Snap.Learner, s.Snap.Counts
	if l.Yes+l.No <= n.Labels {
		return ""
	}
	return s.T(" with samples")
}

// judgeName returns the current meaning of the judge key.
func (s *label) judgeName() string {
	return widget.Either(s.Snap.Learner.InUse, "rule decides", "learner decides")
}

// judgeOff says why the learner cannot become the judge.
func (s *label) judgeOff() string {
	l := s.Snap.Learner
	if l.InUse || l.Ready {
		return ""
	}
	return s.F("the learner needs 10 labels of both kinds; it has %d yes (samples count) and %d no", l.Yes, l.No)
}

func (s *label) switchJudge() tea.Cmd {
	to, what := decisions.JudgeLearner, s.T("the learner decides")
	if s.Snap.Learner.InUse {
		to, what = decisions.JudgeRule, s.T("the rule decides")
	}
	return s.Act(what, func() error { return s.labels.SetJudge(to) })
}

// Update implements Screen.
func (s *label) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.ActMsg:
		if g, ok := s.giving[msg.Page]; ok {
			if g.n--; g.n > 0 {
				s.giving[msg.Page] = g
			} else {
				delete(s.giving, msg.Page)
			}
		}
		return s.ask()
	case screen.SnapMsg, screen.TickMsg, screen.ShowMsg:
		s.risen()
		return s.ask()
	}
	return nil
}

// ask loads the queue again after a change of its inputs.
func (s *label) ask() tea.Cmd {
	if s.Shown != screen.Screen(s) || !s.Snap.DictReady || !s.asks() {
		return nil
	}
	return tea.Batch(s.load.Check(s.DataVersion()), s.moved())
}

// take shows a loaded queue.
func (s *label) take(got queueData) tea.Cmd {
	if s.load.Have.Acts != s.Acts { // a label was set meanwhile: this queue is older
		return s.ask()
	}
	return tea.Batch(s.merge(got), s.ask())
}

func (s *label) merge(got queueData) tea.Cmd {
	for id, g := range s.giving {
		if r, ok := got.shown[id]; ok {
			r.Label = g.label
			got.shown[id] = r
		}
	}
	s.learned, s.pay = got.learned, got.pay
	s.queue.Cols[1].Title = "score"
	if s.learned {
		s.queue.Cols[1].Title = "prob"
	}
	cmd := s.queue.SetRows(merge(s.queue.Rows(), got))
	s.show.Fill(true)
	return tea.Batch(cmd, s.moved())
}

// moved shows the page under the cursor.
func (s *label) moved() tea.Cmd {
	if r := s.queue.Selected(); r != nil {
		return s.show.Want(r.ID)
	}
	return s.show.Want(0)
}

// verdict shows the verdicts of rule and learner on a page of the queue.
func (s *label) verdict(id uint64) widget.TextLine {
	for _, r := range s.queue.Rows() {
		if r.ID != id {
			continue
		}
		theta := s.Snap.Theta
		rule, st := s.T("rule %s below θ %s"), widget.Dim
		if r.Score >= theta {
			rule, st = s.T("rule %s above θ %s"), widget.Good
		}
		l := widget.TextLine{st.Text(fmt.Sprintf(rule, widget.Score(r.Score, 3), widget.Score(theta, 3)))}
		if s.learned {
			said, st := s.T("learner %s says no"), widget.Dim
			if r.Value >= .5 {
				said, st = s.T("learner %s says yes"), widget.Good
			}
			l = append(widget.TextLine{st.Text(fmt.Sprintf(said, widget.Score(r.Value, 3))),
				widget.Line.Text(" · ")}, l...)
		}
		return l
	}
	return nil
}

// gave shows a label before the engine has stored it, and moves to the next page without one.
func (s *label) gave(id uint64, l topic.Label) {
	g := s.giving[id]
	s.giving[id] = given{l, g.n + 1}
	s.queue.Update(func(r *query.QueueRow) { r.Label = l }, id)
	if l == topic.NoLabel {
		return
	}
	s.next()
}

// next moves to the next page without a label, wrapping around.
func (s *label) next() {
	for n, i := s.queue.Len(), 0; i < n; i++ {
		if s.queue.At() == n-1 {
			s.queue.To(0)
		} else {
			s.queue.Move(1)
		}
		if r := s.queue.Selected(); r != nil && !answered(r) {
			return
		}
	}
}

func (s *label) keys() []screen.Binding {
	c := screen.ChosenOf(s.queue,
		func(r *query.QueueRow) *screen.Target { return candidate(&r.CandidateRow) })
	out := s.page.Given(c, s.gave)
	for i := range out {
		if help := goesOn[out[i].Entry()]; help != "" {
			label := out[i].Do
			out[i].Foot -= 29 // the main keys of this screen
			out[i].Help = help
			out[i].Do = func() tea.Cmd { return tea.Batch(label(), s.moved()) }
		}
	}
	none := screen.If(c.Row == nil, screen.ErrNoPage.Error())
	judge := screen.Bind(keymap.Judge, s.judgeOff(), s.switchJudge)
	judge.Action = auth.Judge.As(s.judgeName())
	out = append(out,
		screen.Bind(keymap.Skip, none, func() tea.Cmd { s.next(); return s.moved() }),
		screen.Bind(keymap.Batch, "", func() tea.Cmd { s.askBatch(); return s.countPreset() }),
		s.schemes.key(keymap.Evaluate), judge, s.proposalsKey())
	return append(out, s.show.Bindings()...)
}

// goesOn are the help texts of labels: here they move to the next page.
var goesOn = map[*keymap.Entry]string{
	keymap.Yes:    "label the page: yes, and go on to the next (again: no label)",
	keymap.No:     "label the page: no, and go on to the next (again: no label)",
	keymap.Unsure: "label the page: unsure, and go on to the next (again: no label)",
}
