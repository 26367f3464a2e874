package screen

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// Samples is screen 1: the scouted pages, most list-like first, with a preview;
// space makes a page a sample of the topic, - an anti-sample.
type Samples struct {
	env   *Env
	panes panes
	table *ui.Table[view.CandidateRow]
	show  preview
	load  loader[[]view.CandidateRow]
	only  string // host, or host and section, that the list is held to; "" = all
}

// NewSamples returns screen 1.
func NewSamples(e *Env) *Samples {
	s := &Samples{env: e, show: preview{env: e}}
	s.load = loader[[]view.CandidateRow]{env: e, label: "listing candidates", load: func(ctx context.Context, _ stamp) ([]view.CandidateRow, error) {
		return e.Bench.Candidates(ctx)
	}}
	s.table = candidateTable()
	list := tablePane(e, s.table, s.title, func() string {
		return s.load.state("No pages yet. Press s to scout a few pages of every seed, S to crawl them whole, + on screen 4 to add seeds.")
	})
	list.click = func(x, y, w int) tea.Cmd {
		if ok, cmd := s.table.Click(x, y-1, w); cmd != nil {
			return cmd
		} else if ok {
			return s.moved()
		}
		return nil
	}
	sorted := list.note
	list.note = func() string { return joined(e.weightless(), joined(s.scouting(), sorted())) }
	list.keys = func() []Binding { return append(s.keys(), sortKeys(s.table)...) }
	pre := s.show.pane("The page under the cursor is shown here.")
	pre.keys = s.keys
	s.panes = panes{env: e, all: []*pane{list, pre}, place: sideBySide(55, 60)}
	return s
}

// sideBySide places two panes beside each other, the first with share percent
// of the width, or one above the other on a narrow screen, the first with
// upper percent of the height.
func sideBySide(share, upper int) func(w, h int) []ui.Rect {
	return func(w, h int) []ui.Rect {
		if w >= 110 {
			a := w * share / 100
			return []ui.Rect{{X: 0, Y: 0, W: a, H: h}, {X: a, Y: 0, W: w - a, H: h}}
		}
		a := h * upper / 100
		return []ui.Rect{{X: 0, Y: 0, W: w, H: a}, {X: 0, Y: a, W: w, H: h - a}}
	}
}

func candidateTable() *ui.Table[view.CandidateRow] {
	type row = view.CandidateRow
	num := func(title string, w, drop int, f func(*row) int) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop,
			Cell:   func(r *row) (string, ui.Style) { return strconv.Itoa(f(r)), ui.Plain },
			Number: func(r *row) float64 { return float64(f(r)) }}
	}
	return ui.NewTable(
		func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host + " " + r.URL },
		ui.Column[row]{Title: "✓", Width: 1, Cell: func(r *row) (string, ui.Style) {
			switch {
			case r.Sample:
				return sampleSign, ui.Accent | ui.Bold
			case r.Negative:
				return antiSign, ui.Bad | ui.Bold
			}
			return "·", ui.Dim
		}, Less: func(a, b *row) bool { return markRank(a) < markRank(b) }},
		ui.Column[row]{Title: "l", Width: 1, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		num("rec", 4, 0, func(r *row) int { return r.Records }),
		num("dated", 5, 3, func(r *row) int { return r.Dated }),
		ui.Column[row]{Title: "β", Width: 5, Right: true, Drop: 4,
			Cell:   func(r *row) (string, ui.Style) { return ui.Score(r.Beta, 2), ui.Dim },
			Number: func(r *row) float64 { return float64(r.Beta) }},
		ui.Column[row]{Title: "score", Width: 6, Right: true, Drop: 2,
			Cell:   func(r *row) (string, ui.Style) { return ui.Score(r.Score, 3), ui.Plain },
			Number: func(r *row) float64 { return float64(r.Score) }},
		ui.Column[row]{Title: "title", Width: 24, Flex: 3,
			Cell: func(r *row) (string, ui.Style) {
				if r.Title == "" {
					return ui.Clean(r.URL), ui.Dim
				}
				return ui.Clean(r.Title), ui.Plain
			},
			Text: func(r *row) string { return r.Title }},
		address(14, 5, func(r *row) string { return r.URL }),
	)
}

// The signs of the two marks, wherever they are shown.
const (
	sampleSign = "✓"
	antiSign   = "✗"
)

// markRank orders samples before anti-samples before other pages.
func markRank(r *view.CandidateRow) int {
	switch {
	case r.Sample:
		return 0
	case r.Negative:
		return 1
	}
	return 2
}

// marked counts the samples, and where there are anti-samples also these, both
// with their signs.
func (e *Env) marked() string {
	c := e.Snap.Counts
	if c.Negative == 0 {
		return e.N(c.Samples, "sample")
	}
	return sampleSign + " " + e.N(c.Samples, "sample") + " · " + antiSign + " " + e.N(c.Negative, "anti-sample")
}

// weightless warns in a few words of a topic that can judge nothing.
func (e *Env) weightless() string {
	if e.Snap.TopicErr == "" {
		return ""
	}
	return e.T("no word keeps a weight: too much is taken by the anti-samples")
}

func (s *Samples) title() string {
	n := s.table.Total()
	if s.only != "" {
		return s.env.F("candidates %s of %s · only %s", ui.Count(s.table.Len()), ui.Count(n), ui.Clean(s.only))
	}
	return s.env.F("candidates %s", ui.Count(n)) + " · " + s.env.marked()
}

// Name implements Screen.
func (s *Samples) Name() string { return "Samples" }

// SetSize implements Screen.
func (s *Samples) SetSize(w, h int) { s.panes.setSize(w, h) }

// View implements Screen.
func (s *Samples) View(c *ui.Canvas) { s.panes.view(c) }

// Update implements Screen.
func (s *Samples) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapMsg, TickMsg, ShowMsg, ActMsg:
		if s.env.Shown == Screen(s) {
			return tea.Batch(s.load.check(s.env.stamp()), s.moved())
		}
	case loadedMsg[[]view.CandidateRow]:
		if got, ok := s.load.take(msg); ok {
			s.env.samples = s.env.samples[:0]
			for i := range got {
				if got[i].Sample {
					s.env.samples = append(s.env.samples, got[i].ID)
				}
			}
			cmd := s.table.SetRows(got)
			return tea.Batch(cmd, s.moved())
		}
	case ui.Arranged:
		s.table.Arranged(msg)
		return s.moved()
	case previewMsg:
		return s.show.update(msg)
	case sourceMsg:
		s.show.takeSource(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// moved shows the page the cursor has come to.
func (s *Samples) moved() tea.Cmd {
	if r := s.table.Selected(); r != nil {
		return s.show.want(r.ID)
	}
	return s.show.want(0)
}

func (s *Samples) keys() []Binding {
	r := s.table.Selected()
	var t *target
	toggle := Binding{Keys: []string{" "}, Name: "sample", Row: true, Help: "make the page a sample of the topic, or no longer", Foot: 1, Off: errNoPage.Error()}
	against := Binding{Keys: []string{"-"}, Name: "anti-sample", Row: true, Help: "make the page an anti-sample ✗ (like the samples, but not wanted), or no longer", Foot: 1, Off: errNoPage.Error()}
	if r != nil {
		t = &target{r.ID, r.URL, r.Title, r.Label}
		bench := s.env.Bench
		toggle.Off, against.Off = "", ""
		what := s.env.T("sample added")
		if r.Sample {
			what = s.env.T("sample removed")
		}
		toggle.Do = s.mark(r, what, func(r *view.CandidateRow) { r.Sample, r.Negative = !r.Sample, false }, bench.ToggleSample)
		what = s.env.T("anti-sample added")
		if r.Negative {
			what = s.env.T("anti-sample removed")
		}
		against.Do = s.mark(r, what, func(r *view.CandidateRow) { r.Sample, r.Negative = false, !r.Negative }, bench.ToggleAnti)
	}
	out := append([]Binding{toggle, against}, s.pickKeys()...)
	out = append(out, s.env.pageKeys(t)...)
	return append(out, s.show.bindings()...)
}

// mark changes the page's sign at once and then the topic; the reload after the
// action tells the truth either way.
func (s *Samples) mark(r *view.CandidateRow, what string, sign func(*view.CandidateRow), toggle func(id uint64) (bool, error)) func() tea.Cmd {
	id, title := r.ID, r.Title
	return func() tea.Cmd {
		s.table.Update(id, sign)
		return s.env.Act(what+" · "+ui.Clean(title), func() error { _, err := toggle(id); return err })
	}
}

// Bindings implements Screen.
func (s *Samples) Bindings() []Binding {
	if s.panes.focus == 0 {
		return s.panes.bindings(s.moved)
	}
	return s.panes.bindings(nil)
}

// Keys implements Screen.
func (s *Samples) Keys() []Binding { return s.panes.each(s.Bindings) }

// Current returns the id of the page under the cursor, 0 when there is none.
func (s *Samples) Current() uint64 {
	if r := s.table.Selected(); r != nil {
		return r.ID
	}
	return 0
}
