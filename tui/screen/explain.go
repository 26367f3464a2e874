package screen

import (
	"cmp"
	"reflect"

	"angler/tui/widget"

	tea "github.com/charmbracelet/bubbletea"
)

// Figure is a number that a reader may ask about, and its explanation.
type Figure struct {
	Name  string // as drawn, an English text of the catalogue
	Value string // as drawn; "": none
	Says  string
	Mark  func(on bool) // highlights the figure; nil: no highlight
}

// Named returns the figure with a title; kind is the type of the rows, "" for a pane's own figure.
func Named(kind, title, value string) Figure {
	return Figure{Name: title, Value: value, Says: glossaryOf(kind, title)}
}

// explanations cycles through explanations: the figures of the focused pane, then those of the status
// line. The zero value explains nothing.
type explanations struct {
	Always func() []Figure // figures of the status line

	of   any // the pane; nil: nothing is explained
	list []Figure
	at   int
}

// Next explains the next figure of a pane.
func (e *explanations) Next(of any, own func() []Figure) {
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
func (e *explanations) Only(f Figure) {
	e.Close()
	e.show(e, []Figure{f}, 0)
}

func (e *explanations) show(of any, list []Figure, at int) {
	e.of, e.list, e.at = of, list, at
	if f := list[at]; f.Mark != nil {
		f.Mark(true)
	}
}

// Shown returns the explained figure; false if there is none.
func (e *explanations) Shown() (Figure, bool) {
	if e.of == nil {
		return Figure{}, false
	}
	return e.list[e.at], true
}

// Close ends the explanation.
func (e *explanations) Close() {
	if f, ok := e.Shown(); ok && f.Mark != nil {
		f.Mark(false)
	}
	e.of, e.list = nil, nil
}

// explaining makes the action of the explain key; own returns the figures of the focused pane.
func (sh *Shared) explaining(of any, own func() []Figure) func() tea.Cmd {
	return Do(func() { sh.Explain.Next(of, own) })
}

// columns returns the figures of a table's columns with the values of the row under the cursor, the
// sort column first.
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

// column returns the figure of one column.
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
