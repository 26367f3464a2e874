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

// buttons are the places of the last frame that look as if they could be clicked: a
// click there does what stands there.
type buttons []button

// button is one of them. Where it names an action, that is done, on whatever key it
// stands by now; else a key of a dialogue is pressed.
type button struct {
	widget.Rect
	does *keymap.Entry
	key  string // as Bubble Tea spells it
}

func (b *buttons) clear() { *b = (*b)[:0] }

// add makes w cells from x on a row a button for a key.
func (b *buttons) add(x, y, w int, key string) {
	*b = append(*b, button{widget.Rect{X: x, Y: y, W: w, H: 1}, nil, key})
}

// names makes w cells from x on a row a button for an action.
func (b *buttons) names(x, y, w int, does *keymap.Entry) {
	*b = append(*b, button{widget.Rect{X: x, Y: y, W: w, H: 1}, does, ""})
}

// at returns the button at x, y; nil where there is none.
func (b buttons) at(x, y int) *button {
	for i := range b {
		if b[i].Contains(x, y) {
			return &b[i]
		}
	}
	return nil
}

// addHints makes buttons of the hints that Theme.Hints lays out in w cells from x on.
// Of several keys each is one; the words belong to the first.
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

// typedOn is the hint that stands for typing; it is no key.
const typedOn = "a…z"

// hinted are the keys that hints show by a sign.
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

// act does an action as its key does it here and now.
func act(a *app, e *keymap.Entry) tea.Cmd {
	list := slices.DeleteFunc(a.bindings(), func(b screen.Binding) bool { return !b.Is(e) })
	if len(list) == 0 {
		return nil
	}
	i := slices.IndexFunc(list, func(b screen.Binding) bool { return b.Off == "" })
	return a.do(list[max(0, i)])
}

// openHere does what the key for opening does: the second click of a double one.
func openHere(a *app) tea.Cmd {
	if a.over.help != nil || a.over.typing() {
		return nil
	}
	return act(a, keymap.Open)
}

// reached leaves of bindings those that work here and now: what is switched off goes, and
// what stands in the footer under a key that works another before it. It changes list.
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

// drawKeys draws bindings one after another from cell x of a row on, as far as there is
// room, and makes buttons of them.
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
