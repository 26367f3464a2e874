package widget

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file has the value of a field pressed: a key, which an action is to stand on.

// pressing is what waits for a key.
type pressing struct{ more bool } // beside those that the action has

// pressKey takes the key that was pressed, or says why it cannot be; esc leaves.
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
	if err := f.Check(x.Name, value); err != nil {
		f.wrong = err.Error()
		return nil
	}
	f.pressed = nil
	return f.set(x, value)
}
