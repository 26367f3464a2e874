package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// held are keys that arrived before their target was ready: while the workspace opens, or while a
// new screen loads. They are pressed in order when it is ready.
type held struct {
	keys        []tea.KeyMsg
	again       bool // they are being pressed
	first, last int  // numbers of the work that loads the screen
}

// mostHeld bounds them; more means a key held down by an object.
const mostHeld = 64

// awaits records that the work started by do loads the visible screen.
func (a *app) awaits(do func() tea.Cmd) tea.Cmd {
	before := a.work.next
	cmd := do()
	a.held.first, a.held.last = before+1, a.work.next
	return cmd
}

// hold stores a key whose binding cannot work yet, or that follows a stored key.
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

// replay presses the stored keys while no load that they depend on is running.
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
