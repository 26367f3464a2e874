package terminal

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file tells keys from the pieces of control sequences. Bubble Tea's reader
// takes escape for alt when a key follows in the same read. What was typed must not
// be lost by that. Input makes torn sequences whole; what is torn all the same,
// because the terminal left a part out, must not become keys.

// Escaped reports that alt+key is esc and a key typed in one go: no key here has
// an alt of its own. alt+[ and alt+O are left alone, they begin control
// sequences; so esc and at once one of these two is the only pair that is lost.
func Escaped(k tea.KeyMsg) bool {
	return k.Type != tea.KeyRunes || len(k.Runes) == 1 && k.Runes[0] != '[' && k.Runes[0] != 'O'
}

// Torn remembers what the next key message may be the rest of.
type Torn struct {
	Headed bool // the last key was alt+[, the head of a torn control sequence
}

// Rest takes out of a key message what belongs to a sequence whose head came as
// alt+[ right before: its parameters, up to and with the letter that ends it.
// Without both nothing was torn there.
func (t *Torn) Rest(k tea.KeyMsg) tea.KeyMsg {
	headed := t.Headed
	t.Headed = k.Type == tea.KeyRunes && k.Alt && len(k.Runes) == 1 && k.Runes[0] == '['
	if headed && k.Type == tea.KeyRunes && !k.Alt && !k.Paste && parameter(k.Runes[0]) {
		if end := slices.IndexFunc(k.Runes, func(r rune) bool { return !parameter(r) }); end > 0 {
			k.Runes = k.Runes[end+1:]
		}
	}
	return k
}

// parameter reports the characters between the head and the end of a control
// sequence (ECMA-48 section 5.4).
func parameter(r rune) bool { return r >= '0' && r <= '?' }

// TornRunes reports what can only be the rest of a mouse report whose head was not
// seen. Digits alone prove nothing: b and 150 are a budget
// typed quickly.
func TornRunes(runes []rune) bool {
	return slices.ContainsFunc(runes, func(r rune) bool { return r == '<' || r == ';' })
}
