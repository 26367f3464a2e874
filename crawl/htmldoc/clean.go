package htmldoc

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// IsUnsafe reports whether a rune is removed from every text: a control character, a rune without
// width, or one that changes the direction of writing or the width of another character. It does
// not cover white space, see IsSpace.
func IsUnsafe(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0, // C0, DEL, C1
		r == 0xad || r == 0x61c || r == 0x180e, // soft hyphen, Arabic letter mark, Mongolian vowel separator
		r >= 0x200b && r <= 0x200f,             // zero widths, direction marks
		r >= 0x202a && r <= 0x202e,             // bidi embeddings and overrides
		r >= 0x2060 && r <= 0x206f,             // joiners, bidi isolates
		r == 0xfeff || r >= 0xfff9 && r <= 0xfffb,
		r >= 0xe0000 && r <= 0xe0fff, // tags, variation selectors
		r >= 0xfe00 && r <= 0xfe0f:   // variation selectors change a character's width
		return true
	}
	return false
}

// IsSpace reports whether a rune is white space, which becomes a space.
func IsSpace(r rune) bool {
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
	case ']', 'P', '_', '^', 'X': // OSC and similar … BEL or ESC \
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

// isVisible reports whether a byte is a visible ASCII character, which is copied unchanged.
func isVisible(c byte) bool { return c > ' ' && c < 0x7f }

// textCounts are the counts that Fold makes.
type textCounts struct {
	Chars  int32 // runes except spaces
	Punct  int32 // of those, sentence punctuation
	Digits bool  // has an ASCII digit
}

// Fold appends the cleaned s to dst, with white space folded to single spaces and none after white
// space. It counts the appended text.
func Fold(dst []byte, s string) ([]byte, textCounts) {
	var n textCounts
	for i := 0; i < len(s); {
		c := s[i]
		if isVisible(c) {
			dst = append(dst, c)
			n.Chars++
			switch {
			case c >= '0' && c <= '9':
				n.Digits = true
			case c == ',' || c == '!' || c == '?' || c == ';':
				n.Punct++
			}
			i++
			continue
		}
		if c >= 0xe4 && c <= 0xe9 && i+2 < len(s) && s[i+1]&0xc0 == 0x80 && s[i+2]&0xc0 == 0x80 { // U+4000 … U+9FFF
			dst = append(dst, c, s[i+1], s[i+2])
			n.Chars++
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
		case IsSpace(r):
			if len(dst) > 0 && dst[len(dst)-1] != ' ' && dst[len(dst)-1] != '\n' {
				dst = append(dst, ' ')
			}
		case IsUnsafe(r):
		default:
			dst = utf8.AppendRune(dst, r)
			n.Chars++
			switch r {
			case '，', '。', '！', '？', '；', '：', '、', '“', '”', '《', '》':
				n.Punct++
			}
		}
		i += size
	}
	return dst, n
}

// CleanLine returns s cleaned, on one line, at most max runes long.
func CleanLine(s string, max int) string {
	if s == "" {
		return ""
	}
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = isVisible(s[i]) || s[i] == ' ' && i > 0 && s[i-1] != ' ' || s[i] >= 0xe4 && s[i] <= 0xe9 ||
			s[i] >= 0x80 && s[i] < 0xc0
	}
	if !clean || s[len(s)-1] == ' ' {
		buf, _ := Fold(make([]byte, 0, len(s)), s)
		s = strings.TrimRight(string(buf), " ")
	}
	return Clip(s, max)
}

// CleanTitle returns a title on one line, with full-width letters, digits and signs in half width.
// It removes spaces between single Chinese characters: 招 标 公 告.
func CleanTitle(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return IsSpace(r) || r >= 0xff01 && r <= 0xff5e }) {
		return s
	}
	words := strings.FieldsFunc(s, IsSpace)
	var b strings.Builder
	last, alone := rune(0), false // end of the previous word, and whether the word is one character
	for _, w := range words {
		first, size := utf8.DecodeRuneInString(w)
		single := size == len(w)
		if b.Len() > 0 && !(unicode.Is(unicode.Han, last) && unicode.Is(unicode.Han, first) && (alone || single)) {
			b.WriteByte(' ')
		}
		for _, r := range w {
			if r >= 0xff01 && r <= 0xff5e {
				r -= 0xfee0
			}
			b.WriteRune(r)
		}
		last, _ = utf8.DecodeLastRuneInString(w)
		alone = single
	}
	return b.String()
}

// Clip cuts s after max runes.
func Clip(s string, max int) string {
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

// Squeeze appends s to dst without white space and with narrow ASCII, for comparing titles.
func Squeeze(dst []byte, s string) []byte {
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
		case IsSpace(r):
		case r > 0xff00 && r < 0xff5f:
			dst = append(dst, byte(r-0xfee0))
		default:
			dst = append(dst, s[i:i+n]...)
		}
		i += n
	}
	return dst
}

// IsTruncated reports whether a text ends in an ellipsis.
func IsTruncated(s string) bool {
	return strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "..")
}

// RunesUpTo counts the runes of s, up to max.
func RunesUpTo(s string, max int) (n int) {
	for range s {
		if n == max {
			break
		}
		n++
	}
	return n
}

var tags = NewPattern(`<[A-Za-z/!][^>]*>`)

// WithoutTags removes tags such as <em> from a title and resolves its entities. Other text stays.
func WithoutTags(s string) string { return html.UnescapeString(tags.ReplaceAllString(s, "")) }

// Occurrences yields where a word stands in s, from left to right and without overlaps; an empty word
// stands nowhere.
func Occurrences(s, word string) iter.Seq[int] {
	return func(yield func(at int) bool) {
		for from := 0; word != ""; {
			i := strings.Index(s[from:], word)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + len(word)
		}
	}
}

// UntilAny returns s up to the first of some characters.
func UntilAny(s, chars string) string {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return s[:i]
	}
	return s
}

// AnyWord reports whether is, such as strings.Contains, holds for s and one of the words.
func AnyWord(s string, is func(s, word string) bool, words ...string) bool {
	for _, w := range words {
		if is(s, w) {
			return true
		}
	}
	return false
}

// ContainsFold is strings.Contains for an ASCII word in lower case, whatever
// the case of s.
func ContainsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
