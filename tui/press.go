package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file routes keys and clicks.

// keys handles a key.
func (a *app) keys(k tea.KeyMsg) tea.Cmd {
	if k = a.torn.rest(k); k.Type == tea.KeyRunes && len(k.Runes) == 0 {
		return nil
	}
	a.left.touched, a.asked = true, asked{}
	// Fast typing, or a held key on a slow line, arrives as several runes in one message. A key and the
	// input of its prompt may be among them: b for the budget and then 150. A torn mouse sequence also
	// arrives so, and must not set a label.
	if k.Type == tea.KeyRunes && len(k.Runes) > 1 && !a.over.typing() {
		if k.Paste || k.Alt || tornRunes(k.Runes) {
			if k.Paste && len(a.held.keys) > 0 { // for the prompt that an earlier key opens
				a.hold(k, screen.Binding{}, false)
			}
			return nil
		}
		return tea.Batch(widget.Map(k.Runes, func(r rune) tea.Cmd {
			return a.keys(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
		})...)
	}
	if k.Type == tea.KeyRunes && len(k.Runes) == 1 && !a.over.typing() {
		k.Runes = []rune{keymap.HalfWidth(k.Runes[0])}
	}
	if k.Alt && !k.Paste && escaped(k) {
		k.Alt = false
		return tea.Batch(a.keys(tea.KeyMsg{Type: tea.KeyEsc}), a.keys(k))
	}
	a.flash = ""
	if _, explains := a.shared.Explain.Shown(); explains &&
		!slices.Contains(a.keymap.Keys(keymap.Explain), k.String()) {
		a.shared.Explain.Close()
		if k.Type == tea.KeyEsc {
			return nil
		}
	}
	if a.asking {
		a.asking = false
		if s := k.String(); s == "y" || s == "enter" {
			a.quit = true
			return a.left.part()
		}
		a.next = nil
		a.say(widget.Plain, a.shared.T("the crawl goes on"))
		return nil
	}
	if a.undoing != nil {
		return a.answerUndo(k)
	}
	question, works, was := a.over.prompt, a.work.next, a.over.shown()
	if cmd, took := a.over.key(k); took {
		if question != nil && a.over.prompt == nil && a.work.next > works {
			a.asked = asked{prompt: question, work: a.work.next}
		}
		if cmd == nil && a.flash == "" && a.over.shown() == was {
			still(a, k)
		}
		return cmd
	}
	b, ok := screen.Find(a.bindings(), k.String())
	switch {
	case a.hold(k, b, ok):
		return nil
	case !ok && k.Alt: // the head of a torn sequence, not a key
		return nil
	case !ok:
		a.say(widget.Dim,
			a.shared.F("%s does nothing here; {help} lists the keys",
				widget.Clean(keymap.Printed([]string{k.String()}))))
		return nil
	}
	return a.do(b)
}

// still says why a key has not changed the overlay.
func still(a *app, k tea.KeyMsg) {
	if why := a.over.still(k.String()); why != "" {
		a.say(widget.Dim, a.shared.Line(why))
		return
	}
	a.say(widget.Dim,
		a.shared.F("%s does nothing here; esc closes", widget.Clean(keymap.Printed([]string{k.String()}))))
}

// do runs a binding, or says why it cannot.
func (a *app) do(b screen.Binding) tea.Cmd {
	if b.Off != "" {
		a.refuse(b, b.Off)
		return nil
	}
	return b.Do()
}

// click passes the mouse to the overlay, the tabs or the screen.
func (a *app) click(m tea.MouseMsg) tea.Cmd {
	a.left.touched, a.asked = true, asked{}
	if a.asking || a.undoing != nil {
		return nil
	}
	left := m.Action == tea.MouseActionPress && m.Button == tea.MouseButtonLeft
	if b := a.buttons.at(m.X, m.Y); left && b != nil && a.over.prompt == nil {
		return press(a, b)
	}
	if cmd, took := a.over.click(m); took {
		return cmd
	}
	if left && m.Y == 0 {
		for i, t := range a.tabs() {
			if t.Contains(m.X, 0) {
				return a.goTo(i)
			}
		}
		return nil
	}
	if !a.ready {
		return nil
	}
	if m.Action == tea.MouseActionPress && m.Y == 1+a.body() {
		statusLine{a}.explainAt(m.X)
		return nil
	}
	m.Y--
	return a.screens[a.at].Mouse(m)
}

// toward are the keys that move toward an end of a list.
var toward = map[string][]string{
	"this is the top": {"up", "k", "pgup", "home", "g", "ctrl+u", "ctrl+p", "shift+tab", "ctrl+b", "left", "ctrl+a",
		"backspace", "ctrl+h", "ctrl+w"},
	"this is the end": {"down", "j", "pgdown", "end", "G", "ctrl+d", "ctrl+n", "tab", "space", " ", "ctrl+f", "right",
		"ctrl+e", "delete", "ctrl+k"},
}

// ended says that the list ends; "" for a key that does not move.
func ended(key string) string {
	for text, keys := range toward {
		if slices.Contains(keys, key) {
			return text
		}
	}
	return ""
}
