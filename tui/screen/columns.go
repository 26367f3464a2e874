package screen

import (
	"cmp"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/widget"
)

// columnKey is the key that chooses the columns of a table.
func columnKey[T any](u *UI, sh *Shared, t *widget.Table[T]) Binding {
	return Bind(keymap.Columns, "", func() tea.Cmd { chooseColumns(u, sh, t, 0); return nil })
}

// chooseColumns lists the columns; each choice shows or hides one and keeps the list open at its
// place.
func chooseColumns[T any](u *UI, sh *Shared, t *widget.Table[T], at int) {
	titles, heads, shown := widget.Choices(t)
	var items []widget.Item
	for i, title := range titles {
		sign, note := "● ", ""
		if !shown[i] {
			sign, note = "○ ", "left out"
		}
		items = append(items,
			widget.Item{Name: sign + cmp.Or(heads[i], sh.T(title)), Raw: true, Note: note, Do: func() tea.Cmd {
				widget.Choose(t, func(other string) bool {
					for k, x := range titles {
						if x == other {
							return shown[k] != (k == i)
						}
					}
					return true
				})
				chooseColumns(u, sh, t, i)
				return nil
			}})
	}
	c := widget.NewChooser("columns; those for which there is no room are left out", items)
	c.At(at)
	u.Choose(c)
}

// TimeColumn completes a column that shows a time and sorts by it, the earliest first.
func TimeColumn[T any](c widget.Column[T], show func(time.Time) string, at func(*T) time.Time) widget.Column[T] {
	c.Cell = func(r *T) (string, widget.Style) { return show(at(r)), widget.Dim }
	c.Less = func(a, b *T) bool { return at(a).Before(at(b)) }
	return c
}

// LabelColumn is the column of the labels of pages.
func LabelColumn[T any](drop int, label func(*T) topic.Label) widget.Column[T] {
	return widget.Column[T]{Title: "l", Width: 1, Drop: drop,
		Cell: func(r *T) (string, widget.Style) { return LabelSign(label(r)) },
		Less: func(a, b *T) bool { return label(a) > label(b) }}
}
