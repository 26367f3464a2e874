package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// This file tells keys from pieces of control sequences. Bubble Tea's reader takes escape for alt
// if a key follows in the same read; the key must not be lost by that. terminal.Input joins torn sequences.
// Sequences that lack a part, because the terminal left it out, must not become keys.

// escaped reports whether alt+key is esc and a key typed quickly: no key here uses alt. It excludes
// alt+[ and alt+O, which start control sequences; so only esc followed by one of these two is lost.
func escaped(k tea.KeyMsg) bool {
	return k.Type != tea.KeyRunes || len(k.Runes) == 1 && k.Runes[0] != '[' && k.Runes[0] != 'O'
}

// tornKeys remembers whether the next key message may be the rest of a sequence.
type tornKeys struct {
	headed bool // the last key was alt+[, the head of a torn control sequence
}

// rest removes from a key message the rest of a sequence whose head arrived as alt+[ just before:
// its parameters, up to and including the final letter. If either is missing, it removes nothing.
func (t *tornKeys) rest(k tea.KeyMsg) tea.KeyMsg {
	headed := t.headed
	t.headed = k.Type == tea.KeyRunes && k.Alt && len(k.Runes) == 1 && k.Runes[0] == '['
	if headed && k.Type == tea.KeyRunes && !k.Alt && !k.Paste && parameter(k.Runes[0]) {
		if end := slices.IndexFunc(k.Runes, func(r rune) bool { return !parameter(r) }); end > 0 {
			k.Runes = k.Runes[end+1:]
		}
	}
	return k
}

// parameter reports whether r may be between the head and the end of a control sequence (ECMA-48
// section 5.4).
func parameter(r rune) bool { return r >= '0' && r <= '?' }

// tornRunes reports whether runes can only be the rest of a mouse report without its head. Digits
// alone prove nothing: b and 150 are a budget typed quickly.
func tornRunes(runes []rune) bool {
	return slices.ContainsFunc(runes, func(r rune) bool { return r == '<' || r == ';' })
}
