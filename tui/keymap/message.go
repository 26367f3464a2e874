package keymap

import (
	"sync"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"
)

// Message returns the message that Bubble Tea sends for a key; ok is false for an unknown key.
func Message(key string) (k tea.KeyMsg, ok bool) {
	if key == "" {
		return k, false
	}
	if t, ok := types()[key]; ok {
		k = tea.KeyMsg{Type: t}
		if t == tea.KeySpace {
			k.Runes = []rune{' '}
		}
		return k, true
	}
	if r, size := utf8.DecodeRuneInString(key); size == len(key) {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}}, true
	}
	return k, false
}

// types are Bubble Tea's named keys.
var types = sync.OnceValue(func() map[string]tea.KeyType {
	out := map[string]tea.KeyType{}
	for t := tea.KeyType(-120); t < 128; t++ {
		if name := (tea.KeyMsg{Type: t}).String(); t != tea.KeyRunes && name != "" {
			if _, there := out[name]; !there {
				out[name] = t
			}
		}
	}
	return out
})
