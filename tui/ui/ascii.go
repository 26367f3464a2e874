package ui

import "unicode/utf8"

// The screens draw with Unicode signs only; a terminal or font without them
// gets ASCII at the door, sign for sign, so that no screen needs a second
// way of drawing. Letters of any script pass unchanged.
var asciiSigns = map[rune]string{
	'─': "-", '━': "=", '│': "|", '╭': "+", '╮': "+", '╰': "+", '╯': "+", '├': "+", '┤': "+",
	'┃': "|", '┊': ":", '▲': "^", '▼': "v", '▸': ">", '›': ">", '‹': "<",
	'▁': ".", '▂': ".", '▃': ":", '▄': ":", '▅': "+", '▆': "+", '▇': "#", '█': "#", '░': ".",
	'●': "*", '★': "+", '✎': ";", '▾': "v", '◆': "#", '○': "o", '✓': "*", '✗': "!", '·': "-", '−': "-", '–': "-", '…': "~", '→': ">", '←': "<",
	'↑': "^", '↓': "v", '▶': ">", '■': "#", '‖': "=", '×': "x", '±': "~", '□': ".", '≥': ">",
	'⠋': "|", '⠙': "/", '⠸': "-", '⠴': "\\", '⠦': "|", '⠇': "/",
	'θ': "t", 'β': "b", 'α': "a", 'γ': "g", '☆': "o", '“': `"`, '”': `"`, '’': "'", '÷': "/", '⚑': "!", '◇': "o", '△': "^", '▽': "v", '✚': "+", '✕': "x", '⋯': "~", '↳': ">",
}

func asciiSign(s string) string {
	r, _ := utf8.DecodeRuneInString(s)
	if a, ok := asciiSigns[r]; ok {
		return a
	}
	if r == 0x2800 {
		return " "
	}
	if r > 0x2800 && r < 0x2900 {
		return "*"
	}
	return s
}

// Spinner frames, one cell each. Spinner and progress of bubbles are models with clocks
// and strings of their own; here the program's one clock turns all, and what is drawn are
// cells.
var spin = []string{"⠋", "⠙", "⠸", "⠴", "⠦", "⠇"}

// Spin returns the n-th frame of a spinner.
func Spin(n int) string { return spin[n%len(spin)] }
