package tui

import (
	"slices"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/ui"
)

// buttons are the places of the last frame that look as if they could be clicked: a
// click there is the key that stands there.
type buttons []button

type button struct {
	ui.Rect
	key string // as Bubble Tea spells it
}

func (b *buttons) clear() { *b = (*b)[:0] }

// add makes w cells from x on a row a button for a key.
func (b *buttons) add(x, y, w int, key string) {
	*b = append(*b, button{ui.Rect{X: x, Y: y, W: w, H: 1}, key})
}

// at returns the key of the button at x, y; "" where there is none.
func (b buttons) at(x, y int) string {
	for _, o := range b {
		if o.Contains(x, y) {
			return o.key
		}
	}
	return ""
}

// addHints makes buttons of the hints that Theme.Hints lays out in w cells from x on.
// Of several keys each is one; the words belong to the first.
func (b *buttons) addHints(t *ui.Theme, hints []ui.Hint, x, y, w int) {
	for _, h := range hints {
		one := ui.Width(h.Key) + ui.Width(t.Lang.T(h.Does)) + 3
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
			b.add(at, y, ui.Width(name), key)
			at += ui.Width(name) + 1
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

// press does what a key does.
func press(a *app, key string) tea.Cmd {
	if k, ok := keymap.Message(key); ok {
		return a.keys(k)
	}
	return nil
}

// openHere does what the key for opening does: the second click of a double one.
func openHere(a *app) tea.Cmd {
	if a.over.help != nil || a.over.typing() {
		return nil
	}
	list := a.bindings()
	for i := range list {
		if b := &list[i]; b.Is(keymap.Open) {
			if b.Off != "" {
				a.refuse(*b, b.Off)
				return nil
			}
			return b.Do()
		}
	}
	return nil
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
func drawKeys(a *app, c *ui.Canvas, list []screen.Binding, x, y, room int) {
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
		w := ui.Width(name) + 1
		for _, g := range group {
			w += ui.Width(g.Printed()) + 1
		}
		if x+w > room {
			return
		}
		for _, g := range group {
			a.buttons.add(x, y, ui.Width(g.Printed()), g.Keys[0])
			x = c.Text(x, y, ui.Key, g.Printed()) + 1
		}
		a.buttons.add(x, y, ui.Width(name), b.Keys[0])
		x = c.Text(x, y, ui.Dim, name) + 2
	}
}
