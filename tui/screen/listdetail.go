package screen

import (
	"strings"

	"angler/tui/widget"
)

// ListDetail is a table with details of the row under its cursor. It covers a screen while it is
// Open, and belongs to the update loop.
type ListDetail[T any] struct {
	Panes
	Table  *widget.Table[T]
	Detail widget.Text
	Told   string // the row in Detail, and its version; "": make Detail again
}

// Beside makes the panes: list is that of Table, title that of the text. keys are those of a row,
// tell calls Tell with the row under the cursor.
func (d *ListDetail[T]) Beside(u *UI, sh *Shared, list *Pane, title string, keys func() []Binding, tell func(),
	place func(w, h int) []widget.Rect) {
	list.Keys, list.Marks, list.Sorts = keys, true, true
	text := TextPane(&d.Detail, func() string { return title })
	text.Keys, text.Draw = keys, func(c *widget.Canvas, _ bool) { tell(); d.Detail.Draw(c) }
	d.Panes = NewPanes(u, sh, []*Pane{list, text}, place)
}

// Tell shows lines in Detail, unless it already shows row in the version known. A newer text of the
// same row keeps its scroll position.
func (d *ListDetail[T]) Tell(row, known string, lines func() []widget.TextLine) {
	if d.Told == row+known {
		return
	}
	same := strings.HasPrefix(d.Told, row)
	d.Told = row + known
	if same {
		d.Detail.Replace(lines())
	} else {
		d.Detail.Set(lines())
	}
}

// TellNone shows a hint in Detail when there is no row.
func (d *ListDetail[T]) TellNone(hint string) {
	d.Told = ""
	d.Detail.Set([]widget.TextLine{{widget.Dim.Text(hint)}})
}
