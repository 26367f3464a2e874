// Package judging holds the screens on which an analyst says what a page is
// about: samples, feature words, threshold and labels. What is tried out costs
// nothing: nothing changes for the crawl until a key applies it, and every
// change can be undone. The danger is a figure older than what it stands on, so
// whatever is loaded carries the revisions it belongs to.
//
// P0 … P4: see docs/papers.md.
package judging

import (
	"context"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// Samples is screen 1: the pages that may become samples, most list-like first,
// with a preview; space makes a page a sample of the topic, - a negative sample.
type Samples struct {
	ui     *screen.UI
	shared *screen.Shared
	page   *screen.PageKeys
	topic  parts.Topic
	runs   parts.Runs
	ids    *SampleIDs
	panes  screen.Panes
	table  *ui.Table[view.CandidateRow]
	show   screen.Preview
	load   screen.Loader[[]view.CandidateRow]
	only   string // host, or host and section, that the list is held to; "" = all
}

// NewSamples returns screen 1; it tells the samples' ids.
func NewSamples(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, ids *SampleIDs, t parts.Topic, p parts.Pages, r parts.Runs) *Samples {
	s := &Samples{ui: u, shared: sh, page: keys, topic: t, runs: r, ids: ids, show: screen.NewPreview(u, sh, p)}
	s.load = screen.NewLoader(u, sh, "listing candidates", func(ctx context.Context, _ screen.Stamp) ([]view.CandidateRow, error) {
		return p.Candidates(ctx)
	})
	s.table = candidateTable()
	list := screen.TablePane(sh, s.table, s.title, func() string {
		return s.load.State("No pages yet. Press s to probe a few pages of every seed, S to crawl them whole, + on screen 4 to add seeds.")
	})
	list.Click = func(x, y, w int) tea.Cmd {
		if ok, cmd := s.table.Click(x, y-1, w); cmd != nil {
			return cmd
		} else if ok {
			return s.moved()
		}
		return nil
	}
	sorted := list.Note
	list.Note = func() string { return joined(weightless(sh), joined(advice(sh), joined(s.probing(), sorted()))) }
	list.Keys = func() []screen.Binding { return append(s.keys(), screen.SortKeys(s.table)...) }
	pre := s.show.Pane("The page under the cursor is shown here.")
	pre.Keys = s.keys
	s.panes = screen.NewPanes(u, sh, []*screen.Pane{list, pre}, sideBySide(55, 60))
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
				return screen.SampleSign, ui.Accent | ui.Bold
			case r.Negative:
				return screen.NegativeSign, ui.Bad | ui.Bold
			}
			return "·", ui.Dim
		}, Less: func(a, b *row) bool { return markRank(a) < markRank(b) }},
		ui.Column[row]{Title: "l", Width: 1, Cell: func(r *row) (string, ui.Style) { return screen.LabelSign(r.Label) },
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
		screen.Address(14, 5, func(r *row) string { return r.URL }),
	)
}

// markRank orders samples before negative samples before other pages.
func markRank(r *view.CandidateRow) int {
	switch {
	case r.Sample:
		return 0
	case r.Negative:
		return 1
	}
	return 2
}

// marked counts the samples, and the negative samples if there are any, each with
// its sign.
func marked(sh *screen.Shared) string {
	c := sh.Snap.Counts
	if c.Negative == 0 {
		return sh.N(c.Samples, "sample")
	}
	return screen.SampleSign + " " + sh.N(c.Samples, "sample") + " · " + screen.NegativeSign + " " + sh.N(c.Negative, "negative sample")
}

// joined puts what there is of two notes beside each other.
func joined(a, b string) string {
	if a != "" && b != "" {
		return a + " · " + b
	}
	return a + b
}

// advice says in a few words what is wrong with the samples.
func advice(sh *screen.Shared) string {
	switch sh.Snap.Advice {
	case decisions.AdviceOne:
		return sh.T("one sample: add lists of other sites")
	case decisions.AdviceKinds:
		return sh.T("the samples are of two unlike kinds")
	}
	return ""
}

// weightless warns in a few words of a topic that can judge nothing.
func weightless(sh *screen.Shared) string {
	if sh.Snap.TopicErr == "" {
		return ""
	}
	return sh.T("no word keeps a weight: too much is taken by the negative samples")
}

func (s *Samples) title() string {
	n := s.table.Total()
	if s.only != "" {
		return s.shared.F("candidates %s of %s · only %s", ui.Count(s.table.Len()), ui.Count(n), ui.Clean(s.only))
	}
	return s.shared.F("candidates %s", ui.Count(n)) + " · " + marked(s.shared)
}

// Name implements Screen.
func (s *Samples) Name() string { return "Samples" }

// SetSize implements Screen.
func (s *Samples) SetSize(w, h int) { s.panes.SetSize(w, h) }

// View implements Screen.
func (s *Samples) View(c *ui.Canvas) { s.panes.View(c) }

// Update implements Screen.
func (s *Samples) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.TickMsg, screen.ShowMsg, screen.ActMsg:
		if s.shared.Shown == screen.Screen(s) {
			return tea.Batch(s.load.Check(s.shared.Stamp()), s.moved())
		}
	case screen.LoadedMsg[[]view.CandidateRow]:
		if got, ok := s.load.Take(msg); ok {
			s.ids.ids = s.ids.ids[:0]
			for i := range got {
				if got[i].Sample {
					s.ids.ids = append(s.ids.ids, got[i].ID)
				}
			}
			cmd := s.table.SetRows(got)
			return tea.Batch(cmd, s.moved())
		}
	case ui.Arranged:
		s.table.Arranged(msg)
		return s.moved()
	case screen.PreviewMsg:
		return s.show.Update(msg)
	case screen.SourceMsg:
		s.show.TakeSource(msg)
	case tea.MouseMsg:
		return s.panes.Mouse(msg)
	}
	return nil
}

// moved shows the page the cursor has come to.
func (s *Samples) moved() tea.Cmd {
	if r := s.table.Selected(); r != nil {
		return s.show.Want(r.ID)
	}
	return s.show.Want(0)
}

func (s *Samples) keys() []screen.Binding {
	r := s.table.Selected()
	var t *screen.Target
	toggle := screen.Binding{Keys: []string{" "}, Action: role.Sample, Row: true, Help: "make the page a sample of the topic, or no longer", Foot: 1, Off: screen.ErrNoPage.Error()}
	against := screen.Binding{Keys: []string{"-"}, Action: role.Negative, Row: true, Help: "make the page a negative sample ✗ (not like this: similar to the samples, but not wanted), or no longer", Foot: 1, Off: screen.ErrNoPage.Error()}
	if r != nil {
		t = screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
		toggle.Off, against.Off = "", ""
		what := s.shared.T("sample added")
		if r.Sample {
			what = s.shared.T("sample removed")
		}
		toggle.Do = s.mark(r, what, func(r *view.CandidateRow) { r.Sample, r.Negative = !r.Sample, false }, s.topic.ToggleSample)
		what = s.shared.T("negative sample added")
		if r.Negative {
			what = s.shared.T("negative sample removed")
		}
		against.Do = s.mark(r, what, func(r *view.CandidateRow) { r.Sample, r.Negative = false, !r.Negative }, s.topic.ToggleNegative)
	}
	out := append([]screen.Binding{toggle, against}, s.pickKeys()...)
	out = append(out, s.page.Of(t)...)
	return append(out, s.show.Bindings()...)
}

// mark changes the page's sign at once and then the topic. If that fails, the
// reload after the action brings the old sign back.
func (s *Samples) mark(r *view.CandidateRow, what string, sign func(*view.CandidateRow), toggle func(id uint64) (bool, error)) func() tea.Cmd {
	id, title := r.ID, r.Title
	return func() tea.Cmd {
		s.table.Update(id, sign)
		return s.ui.Act(what+" · "+ui.Clean(title), func() error { _, err := toggle(id); return err })
	}
}

// Bindings implements Screen.
func (s *Samples) Bindings() []screen.Binding {
	if s.panes.Focus == 0 {
		return s.panes.Bindings(s.moved)
	}
	return s.panes.Bindings(nil)
}

// Keys implements Screen.
func (s *Samples) Keys() []screen.Binding { return s.panes.Each(s.Bindings) }

// Current returns the id of the page under the cursor, 0 when there is none.
func (s *Samples) Current() uint64 {
	if r := s.table.Selected(); r != nil {
		return r.ID
	}
	return 0
}
