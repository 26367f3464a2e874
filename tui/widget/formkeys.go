package widget

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file edits values that are pressed keys of actions.

// pressing is the state of waiting for a key.
type pressing struct{ more bool } // beside those that the action has

// pressKey takes the pressed key, or says why it cannot; esc cancels.
func (f *Form) pressKey(key string) tea.Cmd {
	x := f.field()
	if x == nil || key == "esc" || key == "ctrl+c" {
		f.pressed, f.wrong = nil, ""
		return nil
	}
	keys := []string{key}
	if f.pressed.more && !slices.Contains(x.Items, key) {
		keys = append(slices.Clone(x.Items), key)
	}
	value := f.ListOf(keys)
	if !f.valid(x, value) {
		return nil
	}
	f.pressed = nil
	return f.set(x, value)
}
