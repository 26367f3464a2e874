package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// buttons are the clickable places of the last frame.
type buttons []button

// button is one of them. A click does the named action, whatever its key is now; without an action
// it presses a key of a dialogue.
type button struct {
	widget.Rect
	does *keymap.Entry
	key  string // as Bubble Tea spells it
}

// add makes w cells from x on a row a button for a key.
func (b *buttons) add(x, y, w int, key string) {
	*b = append(*b, button{widget.Rect{X: x, Y: y, W: w, H: 1}, nil, key})
}

// names makes w cells from x on a row a button for an action.
func (b *buttons) names(x, y, w int, does *keymap.Entry) {
	*b = append(*b, button{widget.Rect{X: x, Y: y, W: w, H: 1}, does, ""})
}

// at returns the button at x, y, or nil.
func (b buttons) at(x, y int) *button {
	for i := range b {
		if b[i].Contains(x, y) {
			return &b[i]
		}
	}
	return nil
}

// addHints makes buttons of the hints that Theme.Hints lays out in w cells from x. Each of several
// keys is a button; the words belong to the first.
func (b *buttons) addHints(t *widget.Theme, hints []widget.Hint, x, y, w int) {
	for _, h := range hints {
		one := widget.Width(h.Key) + widget.Width(t.Lang.T(h.Does)) + 3
		if w -= one; w < 0 {
			return
		}
		at, first := x, ""
		for _, name := range strings.Fields(h.Key) {
			key := hinted[name]
			if key == "" && utf8.RuneCountInString(name) == 1 {
				key = name
			}
			if key == "" {
				key, _ = keymap.Known(name)
			}
			if first == "" {
				first = key
			}
			b.add(at, y, widget.Width(name), key)
			at += widget.Width(name) + 1
		}
		if first != "" && h.Key != typedOn {
			b.add(at, y, x+one-2-at, first)
		}
		x += one
	}
}

// typedOn is the hint for typing; it is not a key.
const typedOn = "a…z"

// hinted maps signs in hints to keys.
var hinted = map[string]string{"↑": "up", "↓": "down", typedOn: ""}

// press does what a button says.
func press(a *app, b *button) tea.Cmd {
	if b.does != nil {
		a.flash = ""
		a.shared.Explain.Close()
		return act(a, b.does)
	}
	if k, ok := keymap.Message(b.key); ok {
		return a.keys(k)
	}
	return nil
}

// act does an action like its key on the current screen.
func act(a *app, e *keymap.Entry) tea.Cmd {
	list := slices.DeleteFunc(a.bindings(), func(b screen.Binding) bool { return !b.Is(e) })
	if len(list) == 0 {
		return nil
	}
	i := slices.IndexFunc(list, func(b screen.Binding) bool { return b.Off == "" })
	return a.do(list[max(0, i)])
}

// openHere does the action of the open key: the second click of a double click.
func openHere(a *app) tea.Cmd {
	if a.over.help != nil || a.over.typing() {
		return nil
	}
	return act(a, keymap.Open)
}

// reached removes bindings that are switched off, and footer bindings whose key triggers an earlier
// binding. It changes list.
func reached(list []screen.Binding) []screen.Binding {
	out := list[:0]
next:
	for i := range list {
		b := &list[i]
		if b.Off != "" {
			continue
		}
		if b.Foot != 0 {
			for k := range out {
				if slices.Contains(out[k].Keys, b.Keys[0]) {
					continue next
				}
			}
		}
		out = append(out, *b)
	}
	return out
}

// drawKeys draws bindings from cell x of a row while there is room, and makes buttons of them.
func drawKeys(a *app, c *widget.Canvas, list []screen.Binding, x, y, room int) {
	for i := 0; i < len(list); i++ {
		b := list[i]
		if b.Foot == 0 {
			continue
		}
		group := list[i : i+1]
		for i+1 < len(list) && list[i+1].Name() == b.Name() && list[i+1].Foot == b.Foot {
			i++
			group = list[i-len(group) : i+1]
		}
		name := a.shared.T(b.Name())
		w := widget.Width(name) + 1
		for _, g := range group {
			w += widget.Width(g.Printed()) + 1
		}
		if x+w > room {
			return
		}
		for _, g := range group {
			a.buttons.names(x, y, widget.Width(g.Printed()), g.Entry())
			x = c.Text(x, y, widget.Key, g.Printed()) + 1
		}
		a.buttons.names(x, y, widget.Width(name), b.Entry())
		x = c.Text(x, y, widget.Dim, name) + 2
	}
}
