package screen

import (
	"hash/fnv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/widget"
)

// list is the target of movement keys: a table or a text.
type list interface {
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

// TextPane frames a text.
func TextPane(t *widget.Text, title func() string) *Pane {
	return &Pane{Title: title, Note: t.Note, Draw: func(c *widget.Canvas, _ bool) { t.Draw(c) }, List: t}
}

// TablePane frames a table: the title shows the counts, the bottom edge the order and the number of
// rows added outside the window. Clicks move the cursor and sort.
func TablePane[T any](sh *Shared, t *widget.Table[T], title func() string, empty func() string) *Pane {
	p := &Pane{
		RowAt: func(y int) bool { return widget.HasRow(t, y) },
		Title: func() string {
			s := title()
			if t.Filter().Active() {
				s = sh.T(s) + " · " + sh.F("%s of %s", t.Len(), t.Total()) + " /" +
					widget.Clean(t.Filter().Text)
			}
			if n := t.NumMarked(); n > 0 {
				s = sh.T(s) + " · " + sh.F("%s marked", n)
			}
			return s
		},
		Note: func() string {
			above, below := t.Fresh()
			s := ""
			switch {
			case above > 0 && below > 0:
				s = sh.F("%s new ↑ %s new ↓", above, below)
			case above > 0:
				s = sh.F("%s new ↑", above)
			case below > 0:
				s = sh.F("%s new ↓", below)
			}
			by := t.Sorted()
			return Joined(s, If(by != "", sh.F("by %s", sh.T(by))))
		},
		Draw:    func(c *widget.Canvas, focus bool) { t.Draw(c, focus, empty()) },
		List:    t,
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
		sorting: func() []Binding { return SortKeys(t) },
	}
	p.Click = func(x, y, w int) tea.Cmd {
		ok, cmd := t.Click(x, y-1, w)
		if ok {
			return p.moved()
		}
		return cmd
	}
	p.marking = func() []Binding { return MarkKeys(t, p.moved) }
	t.Settled = p.moved
	return p
}

// OpenRow returns the action of enter on the row under the cursor of a table.
func OpenRow[T any](t *widget.Table[T], open func(*T) tea.Cmd) func() (string, func() tea.Cmd) {
	return func() (string, func() tea.Cmd) {
		r := t.Selected()
		if r == nil {
			return "the list is empty", nil
		}
		return "", func() tea.Cmd { t.Hold(); return open(r) }
	}
}

// SortKeys are the bindings of a sortable table.
func SortKeys[T any](t *widget.Table[T]) []Binding {
	empty := If(t.Len() == 0, "the list is empty")
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
	empty := If(t.Len() == 0, "the list is empty")
	none := If(t.NumMarked() == 0, "no row is marked")
	return []Binding{
		Bind(keymap.Mark, empty, func() tea.Cmd {
			widget.ToggleMark(t)
			return moved()
		}),
		Bind(keymap.Range, empty, Do(func() { widget.MarkRange(t) })),
		Bind(keymap.MarkAll, empty, Do(func() { widget.MarkAll(t) })),
		Bind(keymap.Unmark, none, Do(t.Unmark)),
	}
}

// Hash returns a number for a name, for rows without an id.
func Hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}
