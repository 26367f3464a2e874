package judging

import (
	"context"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/dict/terms"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// termsView lies over the Features screen: the domain terms of the crawl by
// C-value (how often a run of nouns occurs, weighed by its length and less where
// longer terms hold it), from which the analyst takes words into the dictionary.
// Looking for them reads every stored page, so it is done when asked for, and
// the list stays until it is asked for again.
type termsView struct {
	ui     *screen.UI
	shared *screen.Shared
	topic  parts.Topic
	runs   parts.Runs
	panes  screen.Panes
	table  *ui.Table[termRow]
	open   bool

	busy   bool
	loaded bool
	seq    int
	cancel context.CancelFunc
	err    error
	old    bool // a step was undone or done again since words were accepted
	took   int  // words accepted since the list was made
}

type termRow struct {
	terms.Term
	marked bool
}

type termsMsg struct {
	seq  int
	list []terms.Term
	err  error
}

// acceptedMsg tells that words have become part of the dictionary.
type acceptedMsg struct {
	words []string
	screen.ActMsg
}

// mostTerms is how many terms are listed; the tail of the list is noise.
const mostTerms = 500

func newTermsView(u *screen.UI, sh *screen.Shared, t parts.Topic, r parts.Runs) *termsView {
	s := &termsView{ui: u, shared: sh, topic: t, runs: r, table: termTable()}
	list := screen.TablePane(sh, s.table, s.title, s.empty)
	sorted := list.Note
	list.Note = func() string {
		if s.old {
			return "undone or done again since · r looks again"
		}
		return sorted()
	}
	list.Click = screen.Clicks(s.table, func() tea.Cmd { return nil })
	list.Keys = func() []screen.Binding { return append(s.keys(), screen.SortKeys(s.table)...) }
	side := &screen.Pane{Title: func() string { return "where it stands" }, Draw: s.drawPlaces, Keys: s.keys}
	s.panes = screen.NewPanes(u, sh, []*screen.Pane{list, side}, func(w, h int) []ui.Rect {
		low := 7
		if h < 24 {
			low = 6
		}
		return []ui.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}}
	})
	return s
}

func termTable() *ui.Table[termRow] {
	type row = termRow
	num := func(title string, w, drop int, f func(*row) int) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop,
			Cell:   func(r *row) (string, ui.Style) { return ui.Count(f(r)), ui.Plain },
			Number: func(r *row) float64 { return float64(f(r)) }}
	}
	return ui.NewTable(
		// The same word may come from two ways to cut it.
		func(r *row) uint64 { return screen.Hash(strings.Join(r.Segments, " ")) },
		func(r *row) string { return r.Word + " " + strings.Join(r.Segments, " ") + " " + r.POS },
		ui.Column[row]{Title: "✓", Width: 1, Cell: func(r *row) (string, ui.Style) {
			if r.marked {
				return "✓", ui.Accent | ui.Bold
			}
			return "·", ui.Dim
		}, Less: func(a, b *row) bool { return a.marked && !b.marked }},
		ui.Column[row]{Title: "C-value", Width: 7, Right: true, Cell: func(r *row) (string, ui.Style) {
			return strconv.FormatFloat(r.CValue, 'f', 1, 64), ui.Plain
		}, Number: func(r *row) float64 { return float64(r.CValue) }},
		num("count", 6, 0, func(r *row) int { return r.Count }),
		num("pages", 6, 2, func(r *row) int { return r.Pages }),
		ui.Column[row]{Title: "word", Width: 18, Flex: 2, Max: 30, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Word), ui.Plain | ui.Bold },
			Text: func(r *row) string { return r.Word }},
		ui.Column[row]{Title: "cut today as", Width: 18, Flex: 2, Max: 36, Drop: 1, Cell: func(r *row) (string, ui.Style) {
			return ui.Clean(strings.Join(r.Segments, " ")), ui.Dim
		}},
		ui.Column[row]{Title: "parts", Width: 8, Drop: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.POS), ui.Dim },
			Text: func(r *row) string { return r.POS }},
		ui.Column[row]{Title: "example", Width: 24, Flex: 4, Drop: 3, Cell: func(r *row) (string, ui.Style) {
			if len(r.Examples) == 0 {
				return "", ui.Dim
			}
			return ui.Clean(r.Examples[0]), ui.Dim
		}},
	)
}

func (s *termsView) marked() []string {
	var out []string
	for _, r := range s.table.Rows() {
		if r.marked {
			out = append(out, r.Word)
		}
	}
	return out
}

func (s *termsView) title() string {
	t := s.shared.F("domain terms %s", ui.Count(s.table.Total()))
	if s.table.Total()+s.took >= mostTerms {
		t = s.shared.F("domain terms · strongest %s", ui.Count(s.table.Total()))
	}
	t += " · " + s.shared.T("by C-value (P2)")
	if n := len(s.marked()); n > 0 {
		t += " · " + s.shared.F("%s marked", ui.Count(n))
	}
	if s.took > 0 {
		t += " · " + s.shared.F("%s accepted", ui.Count(s.took))
	}
	return t
}

func (s *termsView) empty() string {
	switch j := s.shared.Snap.Job; {
	case s.busy && j.Name != "":
		return s.shared.F("%s: %s of %s · esc cancels", s.shared.T(ui.Clean(j.Name)), ui.Count(j.Done), s.shared.N(j.Total, "page"))
	case s.busy:
		return "looking for terms … esc cancels"
	case s.err != nil:
		return s.shared.F("No terms: %s. Press r to look again, esc to go back.", s.shared.Reason(s.err))
	case !s.loaded:
		return "Press r to look for terms in all stored pages."
	case s.took > 0:
		return "All terms are accepted. Press r to look again, esc to go back."
	}
	return "No term stands out: a run of nouns must occur twice and is no word yet. Press S to bring more pages, r to look again."
}

func (s *termsView) drawPlaces(c *ui.Canvas, _ bool) {
	r := s.table.Selected()
	if r == nil {
		ui.DrawNote(c, "Where the term under the cursor stands in the pages is shown here.")
		return
	}
	x := c.Text(1, 0, ui.Plain|ui.Bold, ui.Clean(r.Word))
	if r.Inside > 0 {
		c.Text(x+2, 0, ui.Dim, s.shared.F("inside %s", s.shared.N(r.Inside, "longer term")))
	}
	for i, ex := range r.Examples {
		line := ui.Clean(ex)
		c.Text(1, i+1, ui.Plain, line)
		if k := strings.Index(line, r.Word); k >= 0 { // the word is folded, the line is not
			at := 1 + ui.Width(line[:k])
			c.Text(at, i+1, ui.Mark|ui.Bold, line[k:k+len(r.Word)])
		}
	}
}

// show opens the view and looks for terms the first time.
func (s *termsView) show() tea.Cmd {
	s.open = true
	if s.loaded || s.busy {
		return nil
	}
	return s.look()
}

func (s *termsView) look() tea.Cmd {
	s.seq++
	s.busy, s.err = true, nil
	seq, topic := s.seq, s.topic
	mine, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	return s.ui.Run("looking for terms", func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(mine, stop)()
		list, err := topic.Terms(ctx, mostTerms)
		return termsMsg{seq, list, err}
	})
}

func (s *termsView) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case termsMsg:
		if msg.seq != s.seq {
			return nil
		}
		s.cancel() // frees what the context holds
		s.busy, s.err = false, msg.err
		if msg.err != nil {
			return nil
		}
		s.loaded, s.old, s.took = true, false, 0
		rows := make([]termRow, len(msg.list))
		for i, t := range msg.list {
			rows[i] = termRow{Term: t}
		}
		return s.table.SetRows(rows)
	case acceptedMsg:
		if msg.Err == nil {
			s.took += len(msg.words)
			return tea.Batch(s.drop(msg.words), func() tea.Msg { return msg.ActMsg })
		}
		return func() tea.Msg { return msg.ActMsg }
	case screen.ActMsg:
		s.old = s.old || msg.Back && s.took > 0
	case ui.Arranged:
		s.table.Arranged(msg)
	}
	return nil
}

// drop takes accepted words off the list.
func (s *termsView) drop(words []string) tea.Cmd {
	gone := map[string]bool{}
	for _, w := range words {
		gone[w] = true
	}
	var rows []termRow
	for _, r := range s.table.Rows() {
		if !gone[r.Word] {
			rows = append(rows, r)
		}
	}
	return s.table.SetRows(rows)
}

func (s *termsView) accept() tea.Cmd {
	words := s.marked()
	what := s.shared.F("accepted %s", s.shared.N(len(words), "word")) + " · " + ui.Clean(strings.Join(words, " "))
	return s.ui.Run("accepting words", s.ui.InOrder(func() tea.Msg {
		return acceptedMsg{words, screen.ActMsg{What: what, Err: s.topic.AcceptTerms(words)}}
	}))
}

func (s *termsView) keys() []screen.Binding {
	r, off := s.table.Selected(), ""
	if r == nil {
		r, off = &termRow{}, "no term is chosen"
	}
	key := s.table.Key(r)
	none, busy, idle := "", "", "nothing is looked for"
	if len(s.marked()) == 0 {
		none = "no term is marked; space marks"
	}
	if s.busy {
		busy, idle = "it is being looked for", ""
	}
	out := []screen.Binding{
		{Keys: []string{" "}, Action: role.Own("mark"), Help: "terms: mark the term, or no longer", Foot: 1, Off: off, Do: screen.Do(func() {
			s.table.Update(key, func(r *termRow) { r.marked = !r.marked })
			s.table.Move(1)
		})},
		{Keys: []string{"enter"}, Action: role.AcceptTerms, Help: "terms: make the marked terms words of the dictionary", Foot: 2, Off: none, Do: s.accept},
		{Keys: []string{"r"}, Action: role.Terms.As("look again"), Help: "terms: look for terms again", Foot: 3, Off: busy, Do: s.look},
		{Keys: []string{"esc"}, Action: role.Own("cancel"), Help: "terms: cancel the looking", Foot: 4, Off: idle, Do: s.stop},
	}
	return out
}

// stop ends the looking for terms.
func (s *termsView) stop() tea.Cmd {
	s.cancel()
	return s.ui.Run("cancelling", func(context.Context) tea.Msg { s.runs.CancelJob(); return nil })
}

// bindings are the view's keys; esc cancels, clears the filter, then closes.
func (s *termsView) bindings() []screen.Binding {
	back, busy := screen.Do(func() { s.open = false }), ""
	if s.busy {
		busy = "esc cancels first; T goes back and lets it go on"
	}
	return append(s.panes.Bindings(nil),
		screen.Binding{Keys: []string{"esc"}, Action: role.Own("back to the words"), Help: "terms: back to the feature words", Foot: 5, Off: busy, Do: back},
		screen.Binding{Keys: []string{"T"}, Action: role.Own("back"), Help: "terms: back to the feature words, while it is being looked for too", Do: back})
}
