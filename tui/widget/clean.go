package widget

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean returns s for one line of a terminal. It removes escape sequences, control characters and
// invisible characters that reorder or join text (bidi marks and overrides, zero-width joiners,
// variation selectors, tags, flags, skin tones). It folds white space to single spaces. Invalid
// UTF-8 becomes U+FFFD. Text without such characters is returned as it is.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	return clean(s, false)
}

// cleanText is Clean for many lines: it keeps '\n' and turns '\t' into " │ ", as in a table row.
func cleanText(s string) string { return clean(s, true) }

func isClean(s string) bool {
	space := true // removes a leading space
	for i := 0; i < len(s); {
		r, n := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				return false
			}
		}
		i += n
		if r > ' ' && r < 0x7f || r >= 0x4e00 && r < 0xa000 { // most of all texts
			space = false
			continue
		}
		if r >= 0x300 && r < 0x370 || jamo(r) || hostile(r) || r != ' ' && unicode.IsSpace(r) || r == ' ' && space {
			return false
		}
		space = r == ' '
	}
	return !space || s == ""
}

func clean(s string, lines bool) string {
	var b strings.Builder
	b.Grow(len(s))
	space, start := false, true
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if n2 := escape(s[i:]); n2 > 0 {
			i += n2
			continue
		}
		i += n
		switch {
		case lines && r == '\n':
			b.WriteByte('\n')
			space, start = false, true
		case lines && r == '\t':
			if !start {
				b.WriteString(" │ ")
			}
			space, start = false, true
		case unicode.IsSpace(r):
			space = !start
		case hostile(r):
		default:
			if space {
				b.WriteByte(' ')
			}
			b.WriteRune(r)
			space, start = false, false
		}
	}
	return norm.NFC.String(b.String()) // joins letters and their marks
}

// escape returns the length of the escape sequence at the start of s; 0 if there is none. A
// sequence without an end is cut to its introducer, so that one stray byte does not swallow a page.
func escape(s string) int {
	intro := 1
	kind := byte(0)
	switch {
	case len(s) >= 2 && s[0] == 0x1b:
		intro, kind = 2, s[1]
	case strings.HasPrefix(s, "\u009b"):
		intro, kind = 2, '['
	case strings.HasPrefix(s, "\u009d"):
		intro, kind = 2, ']'
	case strings.HasPrefix(s, "\u0090"):
		intro, kind = 2, 'P'
	default:
		return 0
	}
	const most = 4096
	switch kind {
	case '[':
		for i := intro; i < len(s) && i < most; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				break
			}
		}
	case ']', 'P', '^', '_', 'X':
		for i := intro; i < len(s) && i < most; i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
	default:
		return 1 // only the escape; the rest is shown as text
	}
	return intro
}

// hostile reports whether r must never reach a terminal: controls, and invisible characters that
// change their neighbours.
func hostile(r rune) bool {
	if r < 0x7f {
		return r < 0x20
	}
	if r < 0xa0 {
		return true
	}
	if r < 0x200b {
		return r == 0xad || r == 0x34f || r == 0x61c || r == 0x115f || r == 0x1160 || r >= 0x180b && r <= 0x180f
	}
	switch {
	case r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f,
		r == 0x3164, r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r == 0xffa0,
		r >= 0xfff0 && r <= 0xfffc, r >= 0xe000 && r <= 0xf8ff,
		r >= 0x1f1e6 && r <= 0x1f1ff, r >= 0x1f3fb && r <= 0x1f3ff,
		r >= 0xe0000:
		return true
	}
	return false
}
