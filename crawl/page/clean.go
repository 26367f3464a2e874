package page

import (
	"strings"
	"unicode/utf8"
)

// Nothing a page says may reach a terminal as a command: control characters,
// escape sequences and the marks that turn the direction of writing are taken
// out of every string before anything else sees it.

// unsafe reports a rune that is removed.
func unsafeRune(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0: // C0, DEL, C1
		return true
	case r == 0xad || r == 0x61c || r == 0x180e: // soft hyphen, Arabic letter mark, Mongolian vowel separator
		return true
	case r >= 0x200b && r <= 0x200f: // zero widths, direction marks
		return true
	case r >= 0x202a && r <= 0x202e: // bidi embeddings and overrides
		return true
	case r >= 0x2060 && r <= 0x206f: // joiners, bidi isolates
		return true
	case r == 0xfeff || r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags, variation selectors
		return true
	case r >= 0xfe00 && r <= 0xfe0f: // variation selectors change a character's width
		return true
	}
	return false
}

// spaceRune reports a rune that is folded to a space.
func spaceRune(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\f', '\v', 0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

// escape returns the length of the escape sequence that s starts with, at
// least 1. s[0] is ESC.
func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch s[1] {
	case '[': // CSI … final byte
		for i := 2; i < len(s) && i < 64; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				break
			}
		}
		return 2
	case ']', 'P', '_', '^', 'X': // OSC and kin … BEL or ESC \
		for i := 2; i < len(s) && i < 4096; i++ {
			if s[i] == 7 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return 2
	}
	return 2
}

// plainText marks the ASCII bytes that are copied as they are.
var plainText [256]bool

func init() {
	for c := 0x21; c < 0x7f; c++ {
		plainText[c] = true
	}
}

// tally is what fold counts in a text.
type tally struct {
	chars, punct int32 // runes that are no space; of those, sentence punctuation
	digits       bool
}

// fold appends s to dst cleaned and with white space folded to single spaces,
// none after white space, and counts what it appended.
func fold(dst []byte, s string) ([]byte, tally) {
	var n tally
	for i := 0; i < len(s); {
		c := s[i]
		if plainText[c] {
			dst = append(dst, c)
			n.chars++
			switch {
			case c >= '0' && c <= '9':
				n.digits = true
			case c == ',' || c == '!' || c == '?' || c == ';':
				n.punct++
			}
			i++
			continue
		}
		if c >= 0xe4 && c <= 0xe9 && i+2 < len(s) && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 { // U+4000 … U+9FFF
			dst = append(dst, c, s[i+1], s[i+2])
			n.chars++
			i += 3
			continue
		}
		if c == 0x1b {
			i += escape(s[i:])
			continue
		}
		r, size := rune(c), 1
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case spaceRune(r):
			if len(dst) > 0 && dst[len(dst)-1] != ' ' && dst[len(dst)-1] != '\n' {
				dst = append(dst, ' ')
			}
		case unsafeRune(r):
		default:
			dst = utf8.AppendRune(dst, r)
			n.chars++
			switch r {
			case '，', '。', '！', '？', '；', '：', '、', '“', '”', '《', '》':
				n.punct++
			}
		}
		i += size
	}
	return dst, n
}

// line returns s cleaned, on one line, at most max runes long.
func line(s string, max int) string {
	if s == "" {
		return ""
	}
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = plainText[s[i]] || s[i] == ' ' && i > 0 && s[i-1] != ' ' || s[i] >= 0xe4 && s[i] <= 0xe9 || s[i] >= 0x80 && s[i] < 0xc0
	}
	if !clean || s[len(s)-1] == ' ' {
		buf, _ := fold(make([]byte, 0, len(s)), s)
		s = strings.TrimRight(string(buf), " ")
	}
	return clip(s, max)
}

// clip cuts s after max runes.
func clip(s string, max int) string {
	if len(s) <= max {
		return s
	}
	for i := range s {
		if max == 0 {
			return s[:i]
		}
		max--
	}
	return s
}

// squeeze appends s without any white space and with full-width ASCII made
// narrow, for comparing titles.
func squeeze(dst []byte, s string) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c > ' ' {
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case spaceRune(r):
		case r > 0xff00 && r < 0xff5f:
			dst = append(dst, byte(r-0xfee0))
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return dst
}
