package screen

import (
	"context"
	"errors"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/ui"
)

// Label is screen 6: the pages worth a label, one answer after the other, what
// the answers say about every way of judging, and who decides.
type Label struct {
	env     *Env
	panes   panes
	queue   *ui.Table[view.QueueRow]
	load    loader[queueData]
	show    preview
	schemes *schemes

	learned bool             // the queue's values are probabilities
	asked   []uint64         // the shown pages that the load under way looks up
	giving  map[uint64]given // labels on their way to the engine
	rise    []float64        // the learner's F1 as labels came
	riseAt  view.LearnerInfo
	batch   labelBatch
}

// given is a label that the engine has not confirmed yet.
type given struct {
	label topic.Label
	n     int // actions under way
}

// NewLabel returns screen 6.
func NewLabel(e *Env) *Label {
	s := &Label{env: e, show: preview{env: e}, schemes: newSchemes(e), giving: map[uint64]given{}}
	s.queue = queueTable(e, func() bool { return s.learned })
	s.show.verdict = s.verdict
	s.load = loader[queueData]{env: e, label: "choosing pages", load: func(ctx context.Context, at stamp) (queueData, error) {
		d := queueData{learned: at.labels.Yes > 0, shown: map[uint64]view.CandidateRow{}}
		var err error
		if d.fresh, err = e.Bench.LabelQueue(ctx, askFor); err != nil {
			return d, err
		}
		now, err := e.Bench.Pages(ctx, s.asked)
		for _, r := range now {
			d.shown[r.ID] = r
		}
		return d, err
	}}
	list := tablePane(e, s.queue, s.title, s.empty)
	list.click = clicks(s.queue, s.moved)
	list.keys = func() []Binding { return append(s.keys(), sortKeys(s.queue)...) }
	pre := s.show.pane("The page under the cursor is shown here.")
	pre.keys = s.keys
	eval := s.schemes.pane()
	eval.keys = func() []Binding { return append(s.keys(), sortKeys(s.schemes.table)...) }
	s.panes = panes{env: e, all: []*pane{list, pre, eval}, place: placeLabel}
	return s
}

// evalH is the height of the evaluation: head, four schemes, two more norms,
// learner, frame.
const evalH = 10

func placeLabel(w, h int) []ui.Rect {
	if w >= 110 {
		left, low := w*55/100, evalH
		if h < batch+3+evalH {
			low = min(evalH, h/3)
		}
		return []ui.Rect{{W: left, H: h - low}, {X: left, W: w - left, H: h}, {Y: h - low, W: left, H: low}}
	}
	low := evalH
	if h < 30 {
		low = 0 // tab shows it
	}
	top := min(batch+3, (h-low)*45/100)
	return []ui.Rect{{W: w, H: top}, {Y: top, W: w, H: h - low - top}, {Y: h - low, W: w, H: low}}
}

func (s *Label) title() string {
	left := 0
	for _, r := range s.queue.Rows() {
		if !answered(&r) {
			left++
		}
	}
	return s.env.F("worth a label %s · %s given", ui.Count(left), s.env.N(s.env.Snap.Counts.Labels, "label"))
}

func (s *Label) empty() string {
	switch snap := s.env.Snap; {
	case snap.Counts.Pages == 0:
		return "No pages yet. Press S to start a discovery from the seeds, + on screen 4 to add seeds."
	case !s.asks():
		return "Mark two or three sample pages first (1, then space): the pages worth a label follow from them."
	case !snap.DictReady:
		return "The dictionary is being loaded; the pages worth a label come after it."
	}
	if errors.Is(s.load.err, context.Canceled) {
		return "The choice of pages was cancelled; it is made again with the next change."
	}
	return s.load.state("Every page has its label. S finds more.")
}

// asks reports whether there is anything to choose pages by.
func (s *Label) asks() bool { return s.env.Snap.Counts.Samples > 0 || s.env.Snap.Learner.Yes > 0 }

// Name implements Screen.
func (s *Label) Name() string { return "Label" }

// judgeLine is whether a screen of h rows spends one on who decides.
func judgeLine(h int) int {
	if h >= 6 {
		return 1
	}
	return 0
}

// SetSize implements Screen.
func (s *Label) SetSize(w, h int) { s.panes.setSize(w, h-judgeLine(h)) }

// View implements Screen.
func (s *Label) View(c *ui.Canvas) {
	w, h := c.Size()
	low := judgeLine(h)
	s.panes.view(c.Sub(ui.Rect{W: w, H: h - low}))
	if low > 0 {
		s.drawJudge(c.Sub(ui.Rect{Y: h - 1, W: w, H: 1}))
	}
}

// drawJudge says who decides what an aggregation page is, and what the other
// one would be worth.
func (s *Label) drawJudge(c *ui.Canvas) {
	snap := s.env.Snap
	l := snap.Learner
	rule, learner := "●", "○"
	ruleSt, learnerSt := ui.Accent|ui.Bold, ui.Dim
	if l.InUse {
		rule, learner = learner, rule
		ruleSt, learnerSt = learnerSt, ruleSt
	}
	x := 1
	if w, _ := c.Size(); w >= narrow {
		x = c.Say(1, 0, ui.Dim, "decides: ")
	}
	x = c.Text(x, 0, ruleSt, rule+" "+c.T("rule"))
	x = c.Text(x, 0, ui.Dim, " θ "+ui.Score(snap.Theta, 3)+"  ")
	x = c.Text(x, 0, learnerSt, learner+" "+c.T("learner")+" ")
	if off := s.judgeOff(); off != "" {
		x = c.Text(x, 0, ui.Dim, s.env.F("%d yes %d no · not ready: 10 of both kinds", l.Yes, l.No))
		// Ten labels, both kinds among them, make it ready.
		c.Text(x+1, 0, ui.Bar, ui.Meter(float64(min(l.Yes, 9)+min(l.No, 9))/10, 10))
		return
	}
	x = c.Text(x, 0, ui.Bar, s.spark())
	x = c.Text(x, 0, ui.Plain, "F1 "+ui.Score(l.F1, 2))
	x = c.Text(x, 0, ui.Dim, s.env.F(" on %d yes %d no", l.Yes, l.No))
	x = c.Text(x, 0, ui.Key, "  L ")
	c.Say(x, 0, ui.Dim, s.judgeName())
}

// judgeName is what L does now.
func (s *Label) judgeName() string {
	if s.env.Snap.Learner.InUse {
		return "rule decides"
	}
	return "learner decides"
}

// judgeOff is why the learner cannot take over.
func (s *Label) judgeOff() string {
	l := s.env.Snap.Learner
	if l.InUse || l.Ready {
		return ""
	}
	return s.env.F("the learner needs 10 labels of both kinds; it has %d yes (samples count) and %d no", l.Yes, l.No)
}

func (s *Label) switchJudge() tea.Cmd {
	bench, to, what := s.env.Bench, crawl.JudgeLearner, s.env.T("the learner decides")
	if s.env.Snap.Learner.InUse {
		to, what = crawl.JudgeRule, s.env.T("the rule decides")
	}
	return s.env.Act(what, func() error { return bench.SetJudge(to) })
}

// Update implements Screen.
func (s *Label) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case ActMsg:
		if g, ok := s.giving[msg.Page]; ok {
			if g.n--; g.n > 0 {
				s.giving[msg.Page] = g
			} else {
				delete(s.giving, msg.Page)
			}
		}
		return s.ask()
	case SnapMsg, TickMsg, ShowMsg:
		s.risen()
		return s.ask()
	case batchMsg:
		return s.counted(msg)
	case loadedMsg[queueData]:
		got, ok := s.load.take(msg)
		if !ok {
			return s.moved()
		}
		if s.load.have.acts != s.env.Acts { // a label came meanwhile: this is the queue before it
			return s.ask()
		}
		return tea.Batch(s.merge(got), s.ask())
	case ui.Arranged:
		s.queue.Arranged(msg)
		return s.moved()
	case previewMsg:
		return s.show.update(msg)
	case sourceMsg:
		s.show.takeSource(msg)
	case evaluationMsg:
		return s.schemes.update(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// ask has the queue chosen anew when something it depends on has moved.
func (s *Label) ask() tea.Cmd {
	if s.env.Shown != Screen(s) || !s.env.Snap.DictReady || !s.asks() {
		return nil
	}
	if !s.load.busy { // else the load under way reads it
		s.asked = s.asked[:0:0]
		for _, r := range s.queue.Rows() {
			s.asked = append(s.asked, r.ID)
		}
	}
	return tea.Batch(s.load.check(s.env.stamp()), s.moved())
}

func (s *Label) merge(got queueData) tea.Cmd {
	for id, g := range s.giving {
		if r, ok := got.shown[id]; ok {
			r.Label = g.label
			got.shown[id] = r
		}
	}
	s.learned = got.learned
	s.queue.Cols[1].Title = "score"
	if s.learned {
		s.queue.Cols[1].Title = "prob"
	}
	cmd := s.queue.SetRows(merge(s.queue.Rows(), got))
	s.show.fill(true)
	return tea.Batch(cmd, s.moved())
}

// moved shows the page the cursor has come to.
func (s *Label) moved() tea.Cmd {
	if r := s.queue.Selected(); r != nil {
		return s.show.want(r.ID)
	}
	return s.show.want(0)
}

// verdict is what rule and learner make of a page of the queue.
func (s *Label) verdict(id uint64) ui.TextLine {
	for _, r := range s.queue.Rows() {
		if r.ID != id {
			continue
		}
		theta := s.env.Snap.Theta
		rule, st := s.env.T("rule %s below θ %s"), ui.Dim
		if r.Score >= theta {
			rule, st = s.env.T("rule %s above θ %s"), ui.Good
		}
		l := ui.TextLine{{Style: st, Text: fmt.Sprintf(rule, ui.Score(r.Score, 3), ui.Score(theta, 3))}}
		if s.learned {
			said, st := s.env.T("learner %s says no"), ui.Dim
			if r.Value >= .5 {
				said, st = s.env.T("learner %s says yes"), ui.Good
			}
			l = append(ui.TextLine{{Style: st, Text: fmt.Sprintf(said, ui.Score(r.Value, 3))}, {Style: ui.Line, Text: " · "}}, l...)
		}
		return l
	}
	return nil
}

// gave shows a label before the engine has it, and goes on to the next page
// without one.
func (s *Label) gave(id uint64, l topic.Label) {
	g := s.giving[id]
	s.giving[id] = given{l, g.n + 1}
	s.queue.Update(id, func(r *view.QueueRow) { r.Label = l })
	if l == topic.NoLabel {
		return
	}
	s.next()
}

// next goes on to the next page without a label, round the end.
func (s *Label) next() {
	for n, i := s.queue.Len(), 0; i < n; i++ {
		if s.queue.Index() == n-1 {
			s.queue.To(0)
		} else {
			s.queue.Move(1)
		}
		if r := s.queue.Selected(); r != nil && !answered(r) {
			return
		}
	}
}

func (s *Label) keys() []Binding {
	var t *target
	if r := s.queue.Selected(); r != nil {
		t = &target{r.ID, r.URL, r.Title, r.Label}
	}
	out := s.env.labelKeys(t, s.gave)
	for i := range out {
		if k := out[i].Keys[0]; k == "y" || k == "n" || k == "U" {
			if k == "U" {
				out[i].Keys, out[i].Show = []string{"U", "?"}, "?"
			}
			label := out[i].Do
			out[i].Foot -= 29 // they are what this screen is for
			out[i].Help = map[string]string{"y": "label the page: yes, and go on to the next (again: no label)", "n": "label the page: no, and go on to the next (again: no label)", "U": "label the page: unsure, and go on to the next (again: no label)"}[k]
			out[i].Do = func() tea.Cmd { return tea.Batch(label(), s.moved()) }
		}
	}
	none := ""
	if t == nil {
		none = errNoPage.Error()
	}
	skip := Binding{Keys: []string{" ", "s"}, Name: "skip", Help: "skip the page: go on to the next without a label", Foot: 4, Off: none, Do: func() tea.Cmd { s.next(); return s.moved() }}
	many := Binding{Keys: []string{"B"}, Name: "batch", Help: "label all pages of a host, or whose URL has a shape", Foot: 19, Do: func() tea.Cmd { s.askBatch(); return s.countPreset() }}
	out = append(out, skip, many)
	judge := Binding{Keys: []string{"L"}, Name: s.judgeName(), Help: "let the learner decide instead of the rule, and back", Foot: 21, Off: s.judgeOff(), Do: s.switchJudge}
	return append(append(out, s.schemes.key(), judge), s.show.bindings()...)
}

// Bindings implements Screen.
func (s *Label) Bindings() []Binding {
	if s.panes.focus == 0 {
		return s.panes.bindings(s.moved)
	}
	return s.panes.bindings(nil)
}

// Keys implements Screen.
func (s *Label) Keys() []Binding { return s.panes.each(s.Bindings) }
