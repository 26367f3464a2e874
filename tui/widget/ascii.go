package widget

import (
	"unicode"
	"unicode/utf8"
)

var signs = map[rune]string{
	'─': "-", '━': "=", '│': "|", '╭': "+", '╮': "+", '╰': "+", '╯': "+", '├': "+", '┤': "+",
	'┃': "|", '┊': ":", '▲': "^", '▼': "v", '▸': ">", '›': ">", '‹': "<",
	'▁': ".", '▂': ".", '▃': ":", '▄': ":", '▅': "+", '▆': "+", '▇': "#", '█': "#", '░': ".",
	'●': "*", '★': "+", '✎': ";", '▾': "v", '◆': "#", '○': "o", '✓': "*", '✗': "!", '·': "-", '−': "-", '–': "-",
	'…': "~", '→': ">", '←': "<",
	'↑': "^", '↓': "v", '▶': ">", '■': "#", '‖': "=", '×': "x", '±': "~", '□': ".", '≥': ">",
	'⠋': "|", '⠙': "/", '⠸': "-", '⠴': "\\", '⠦': "|", '⠇': "/",
	'⚠': "!", '≤': "<", '≈': "~", '≠': "!", '²': "2", '³': "3", '°': "o", '§': "S", '«': "<", '»': ">", '•': "*",
	'—': "-", '‘': "'", '￥': "Y", '¥': "Y", '€': "E", '£': "L", '√': "v", '‰': "%",
	'Δ': "d", 'δ': "d", 'μ': "u", 'µ': "u", 'σ': "s", 'λ': "l", 'ε': "e",
	'θ': "t", 'β': "b", 'α': "a", 'γ': "g", '☆': "o", '“': `"`, '”': `"`, '’': "'", '÷': "/", '⚑': "!", '◇': "o",
	'△': "^", '▽': "v", '✚': "+", '✕': "x", '⋯': "~", '↳': ">",
}

// The screens draw only with Unicode signs. For a terminal or font without them the canvas replaces
// each sign by ASCII, so that no screen needs a second way of drawing. Letters of any script stay.
// The danger is two signs of one column with the same ASCII form.

// asciiSign returns the ASCII form of a sign of one cell.
func asciiSign(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if a, ok := signs[r]; ok {
		return a
	}
	switch {
	case r < utf8.RuneSelf:
		return s
	case r == 0x2800:
		return " "
	case r > 0x2800 && r < 0x2900: // braille draws curves
		return "*"
	case r >= 0x2500 && r < 0x2580: // lines
		return "+"
	case r >= 0x2580 && r < 0x25a0: // blocks
		return "#"
	case unicode.Is(unicode.Pd, r):
		return "-"
	case unicode.In(r, unicode.Pi, unicode.Pf):
		return `"`
	case r >= 0x2460 && r < 0x2500: // numbers and letters in rings
		return "o"
	case unicode.In(r, unicode.P, unicode.S):
		return "*"
	case unicode.IsSpace(r):
		return " "
	}
	return s
}
