package screen

import (
	"angler/tui/widget"
	"cmp"
	"reflect"

	tea "github.com/charmbracelet/bubbletea"
)

// Figure is a number that a reader may ask about, with the sentence on it.
type Figure struct {
	Name  string // as it is drawn, a text of ours
	Value string // as it is drawn; "" where there is none
	Says  string
	Mark  func(on bool) // shows which one is meant; nil = nothing to show
}

// Named is the figure of a title; kind is the type of the rows, "" of a pane's own.
func Named(kind, title, value string) Figure {
	return Figure{Name: title, Value: value, Says: glossaryOf(kind, title)}
}

// Explaining is what i explains: the figures of the focused pane by turns, then those of
// the status line. The zero value explains nothing.
type Explaining struct {
	Always func() []Figure // the status line's

	of   any // the pane; nil = nothing is explained
	list []Figure
	at   int
}

// Next explains the next figure of a pane.
func (e *Explaining) Next(of any, own func() []Figure) {
	at := 0
	if e.of != nil && e.of == of {
		at = e.at + 1
	}
	e.Close()
	var list []Figure
	if own != nil {
		list = own()
	}
	if e.Always != nil {
		list = append(list, e.Always()...)
	}
	if len(list) > 0 {
		e.show(of, list, at%len(list))
	}
}

// Only explains one figure.
func (e *Explaining) Only(f Figure) {
	e.Close()
	e.show(e, []Figure{f}, 0)
}

func (e *Explaining) show(of any, list []Figure, at int) {
	e.of, e.list, e.at = of, list, at
	if f := list[at]; f.Mark != nil {
		f.Mark(true)
	}
}

// Shown is the figure that is explained; false while there is none.
func (e *Explaining) Shown() (Figure, bool) {
	if e.of == nil {
		return Figure{}, false
	}
	return e.list[e.at], true
}

// Close ends the explanation.
func (e *Explaining) Close() {
	if f, ok := e.Shown(); ok && f.Mark != nil {
		f.Mark(false)
	}
	e.of, e.list = nil, nil
}

// explaining makes the action of the key that explains; own are the figures of what has
// the focus.
func (sh *Shared) explaining(of any, own func() []Figure) func() tea.Cmd {
	return Do(func() { sh.Explain.Next(of, own) })
}

// columns are the figures of a table's columns, with the values of the row under the
// cursor, the sorted one first.
func columns[T any](t *widget.Table[T]) []Figure {
	var out, before []Figure
	for i := range t.Cols {
		f := column(t, i)
		if widget.SortedBy(t, i) || len(out) > 0 {
			out = append(out, f)
		} else {
			before = append(before, f)
		}
	}
	return append(out, before...)
}

// column is the figure of one column.
func column[T any](t *widget.Table[T], i int) Figure {
	col := &t.Cols[i]
	f := Named(reflect.TypeFor[T]().Name(), col.Title, "")
	f.Name = cmp.Or(col.Head, f.Name)
	if row := t.Selected(); row != nil {
		f.Value, _ = col.Cell(row)
	}
	f.Mark = func(on bool) { widget.Light(t, i, on) }
	return f
}
