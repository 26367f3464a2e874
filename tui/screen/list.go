package screen

import (
	"hash/fnv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/widget"
)

// List is the target of movement keys: a table or a text.
type List interface {
	Move(n int)
	Home()
	End()
	Page() int
	Scroll(n int)
	Filter() widget.Filter
	SetFilter(widget.Filter) tea.Cmd
	Again(step int) // to the next or the last hit
}

// placed is a List that knows its position, so that a key without effect is reported.
type placed interface{ At() int }

// searched is a List that counts the hits of its filter or search.
type searched interface{ Hits() int }

// noList is the List of a pane without movement.
type noList struct{}

func (noList) Move(int)                        {}
func (noList) Home()                           {}
func (noList) End()                            {}
func (noList) Page() int                       { return 1 }
func (noList) Scroll(int)                      {}
func (noList) Filter() widget.Filter           { return widget.Filter{} }
func (noList) SetFilter(widget.Filter) tea.Cmd { return nil }
func (noList) Again(int)                       {}

// rows makes a List of a table.
type rows[T any] struct{ t *widget.Table[T] }

func (r rows[T]) Move(n int)                        { r.t.Move(n) }
func (r rows[T]) Home()                             { r.t.Home() }
func (r rows[T]) End()                              { r.t.End() }
func (r rows[T]) Page() int                         { return r.t.Page() }
func (r rows[T]) Scroll(n int)                      { r.t.Scroll(n) }
func (r rows[T]) Filter() widget.Filter             { return r.t.Filter() }
func (r rows[T]) SetFilter(f widget.Filter) tea.Cmd { return r.t.SetFilter(f) }
func (r rows[T]) At() int                           { return r.t.Index() }
func (r rows[T]) Hits() int                         { return r.t.Len() }
func (r rows[T]) Again(n int)                       { r.t.Move(n) }

// Prose makes a List of a text.
type Prose struct{ t *widget.Text }

// ProseOf returns t as a List.
func ProseOf(t *widget.Text) Prose { return Prose{t} }

func (r Prose) Move(n int)                        { r.t.Scroll(n) }
func (r Prose) Home()                             { r.t.Home() }
func (r Prose) End()                              { r.t.End() }
func (r Prose) Page() int                         { return r.t.Page() }
func (r Prose) Scroll(n int)                      { r.t.Scroll(n) }
func (r Prose) Filter() widget.Filter             { return r.t.Filter() }
func (r Prose) SetFilter(f widget.Filter) tea.Cmd { r.t.Search(f); return nil }
func (r Prose) At() int                           { return r.t.Top() }
func (r Prose) Hits() int                         { return r.t.Hits() }
func (r Prose) Again(n int)                       { r.t.Next(n) }

// TablePane frames a table: the title shows the counts, the bottom edge the order and the number of
// rows added outside the window. Clicks move the cursor and sort.
func TablePane[T any](sh *Shared, t *widget.Table[T], title func() string, empty func() string) *Pane {
	return &Pane{
		RowAt: func(y int) bool { return widget.HasRow(t, y) },
		Click: Clicks(t, nil),
		Title: func() string {
			s := title()
			if t.Filter().Active() {
				s = sh.T(s) + " · " + sh.F("%s of %s", widget.Count(t.Len()), widget.Count(t.Total())) + " /" +
					widget.Clean(t.Filter().Text)
			}
			if n := t.NumMarked(); n > 0 {
				s = sh.T(s) + " · " + sh.F("%s marked", widget.Count(n))
			}
			return s
		},
		Note: func() string {
			above, below := t.Fresh()
			s := ""
			switch {
			case above > 0 && below > 0:
				s = sh.F("%s new ↑ %s new ↓", widget.Count(above), widget.Count(below))
			case above > 0:
				s = sh.F("%s new ↑", widget.Count(above))
			case below > 0:
				s = sh.F("%s new ↓", widget.Count(below))
			}
			if by := t.Sorted(); by != "" {
				if s != "" {
					s += " · "
				}
				s += sh.F("by %s", sh.T(by))
			}
			return s
		},
		Draw:    func(c *widget.Canvas, focus bool) { t.Draw(c, focus, empty()) },
		List:    rows[T]{t},
		Rows:    t.Len,
		Enter:   t.Hold,
		Figures: func() []Figure { return columns(t) },
		Columns: func(u *UI) Binding { return columnKey(u, sh, t) },
		Mouse: func(m tea.MouseMsg) (tea.Cmd, bool) {
			if m.Action != tea.MouseActionPress || m.Button != tea.MouseButtonRight {
				return nil, false
			}
			if i := widget.ColumnAt(t, m.X); i >= 0 {
				if m.Y > 0 {
					t.Click(m.X, m.Y-1, 0)
				}
				sh.Explain.Only(column(t, i))
			}
			return nil, true
		},
	}
}

// SortKeys are the bindings of a sortable table.
func SortKeys[T any](t *widget.Table[T]) []Binding {
	empty := ""
	if t.Len() == 0 {
		empty = "the list is empty"
	}
	unsorted := empty
	if unsorted == "" && t.Sorted() == "" {
		unsorted = "the rows stand as they came: {sort} sorts them"
	}
	return []Binding{
		Bind(keymap.Sort, empty, func() tea.Cmd { return t.SortNext(1) }),
		Bind(keymap.SortBack, empty, func() tea.Cmd { return t.SortNext(-1) }),
		Bind(keymap.Reverse, unsorted, t.Reverse),
	}
}

// MarkKeys are the bindings of a table with markable rows; moved runs after the cursor moved.
func MarkKeys[T any](t *widget.Table[T], moved func() tea.Cmd) []Binding {
	empty, none := "", ""
	if t.Len() == 0 {
		empty = "the list is empty"
	}
	if t.NumMarked() == 0 {
		none = "no row is marked"
	}
	return []Binding{
		Bind(keymap.Mark, empty, func() tea.Cmd {
			widget.ToggleMark(t)
			if moved != nil {
				return moved()
			}
			return nil
		}),
		Bind(keymap.Range, empty, Do(func() { widget.MarkRange(t) })),
		Bind(keymap.MarkAll, empty, Do(func() { widget.MarkAll(t) })),
		Bind(keymap.Unmark, none, Do(t.Unmark)),
	}
}

// Clicks makes a table's rows and heads clickable; chosen runs after a new row is selected.
func Clicks[T any](t *widget.Table[T], chosen func() tea.Cmd) func(x, y, w int) tea.Cmd {
	return func(x, y, w int) tea.Cmd {
		ok, cmd := t.Click(x, y-1, w)
		if ok && chosen != nil {
			return chosen()
		}
		return cmd
	}
}

// Hash returns a number for a name, for rows without an id.
func Hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
