package screen

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

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
