package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// held are keys that came before what they act on: while the workspace opens, or while a
// screen is read that has just been gone to. They are pressed again, in their order and
// one after the other, when it is there.
type held struct {
	keys        []tea.KeyMsg
	again       bool // they are being pressed again
	first, last int  // the work that reads the screen gone to, by its numbers
}

// mostHeld bounds them; more than that is a key that lies under a book.
const mostHeld = 64

// awaits notes that the work begun by do reads the screen that is shown.
func (a *app) awaits(do func() tea.Cmd) tea.Cmd {
	before := a.work.next
	cmd := do()
	a.held.first, a.held.last = before+1, a.work.next
	return cmd
}

// hold keeps a key whose binding cannot work yet, or that follows one which is kept.
func (a *app) hold(k tea.KeyMsg, b screen.Binding, ok bool) bool {
	h := &a.held
	switch {
	case h.again, b.Is(keymap.Quit), !ok && k.Alt:
		return false
	case b.Is(keymap.Cancel):
		h.keys = nil
		return false
	case len(h.keys) > 0:
	case !a.ready:
		if ok && b.Off == "" {
			return false
		}
	default:
		reads := slices.ContainsFunc(a.work.list, func(p piece) bool { return p.id >= h.first && p.id <= h.last })
		if !reads || !ok || b.Off == "" || a.o.Role.Denied(b.Action) != "" {
			return false
		}
	}
	key := widget.Clean(keymap.Printed([]string{k.String()}))
	if len(h.keys) == mostHeld {
		a.say(widget.Warn, a.shared.F("%s is dropped: %s keys wait already", key, widget.Count(mostHeld)))
		return true
	}
	h.keys = append(h.keys, k)
	a.say(widget.Dim, a.shared.F("%s waits until the screen is ready · {cancel} drops it", key))
	return true
}

// replay presses the keys that were kept, as long as nothing they may act on is being read.
func (a *app) replay() tea.Cmd {
	var cmds []tea.Cmd
	h := &a.held
	for h.again = true; a.ready && len(h.keys) > 0 && len(a.work.list) == 0; {
		k := h.keys[0]
		h.keys = h.keys[1:]
		cmds = append(cmds, a.keys(k))
	}
	h.again = false
	return tea.Batch(cmds...)
}
