package listpage

import (
	"iter"
	"strconv"
	"strings"
	"unicode/utf16"
)

// unquoteToken reads the literal in quotes at the beginning of s: what it means, and how many bytes
// it takes. It ends with its line; closed tells whether its quote did it. Nothing is
// copied where nothing is escaped.
func unquoteToken(s string) (text string, n int, closed bool) {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case quote:
			return s[1:i], i + 1, true
		case '\n':
			return s[1:i], i, false
		case '\\':
			return escapedText(s, i)
		}
	}
	return s[1:], len(s), false
}

// escapedText is unquoteToken with the first backslash at s[i].
func escapedText(s string, i int) (text string, n int, closed bool) {
	var b strings.Builder
	b.WriteString(s[1:i])
	for i < len(s) {
		switch c := s[i]; c {
		case s[0]:
			return b.String(), i + 1, true
		case '\n':
			return b.String(), i, false
		case '\\':
			i = Unescape(&b, s, i)
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String(), len(s), false
}

// Unescape writes what the escape whose backslash is s[i] means, and returns where it ends.
// What is no escape means itself; so does a backslash that nothing follows.
func Unescape(b *strings.Builder, s string, i int) int {
	if i+1 >= len(s) {
		b.WriteByte('\\')
		return len(s)
	}
	i++
	c := s[i]
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'v':
		c = '\v'
	case '\n': // the text goes on in the next line
		return i + 1
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		return i + 1
	case 'x', 'u':
		if r, end := character(s, i); end > i {
			b.WriteRune(r)
			return end
		}
	}
	b.WriteByte(c)
	return i + 1
}

// character reads x41, u0041, u{1f600}, or the two halves of a character as \ud83d\ude00
// has them, at s[i], and returns where it ends; i when it is none.
func character(s string, i int) (r rune, end int) {
	from, n := i+1, 2
	if s[i] == 'u' {
		n = 4
		if strings.HasPrefix(s[from:], "{") {
			from++
			if n = strings.IndexByte(s[from:min(len(s), from+9)], '}'); n < 1 {
				return 0, i
			}
			end = 1
		}
	}
	v, ok := hex(s, from, n)
	if !ok {
		return 0, i
	}
	end += from + n
	if utf16.IsSurrogate(v) && strings.HasPrefix(s[end:], `\u`) {
		if low, ok := hex(s, end+2, 4); ok {
			if both := utf16.DecodeRune(v, low); both != '\ufffd' {
				return both, end + 6
			}
		}
	}
	return v, end
}

func hex(s string, i, n int) (rune, bool) {
	if i+n > len(s) {
		return 0, false
	}
	v, err := strconv.ParseUint(s[i:i+n], 16, 31)
	return rune(v), err == nil
}

// templateParts yields what stands between backquotes piece by piece: texts as they are meant, and
// the expressions of ${…} as they are written.
func templateParts(template string) iter.Seq2[string, bool] {
	return func(yield func(part string, expression bool) bool) {
		s := template
		for i := 0; i < len(s); {
			switch {
			case s[i] == '\\':
				i += 2
			case strings.HasPrefix(s[i:], "${"):
				end := holeEnd(s, i+2)
				if end < 0 {
					end = len(s)
				}
				if i > 0 && !yield(unescaped(s[:i]), false) || !yield(s[i+2:end], true) {
					return
				}
				s, i = s[min(end+1, len(s)):], 0
			default:
				i++
			}
		}
		if s != "" {
			yield(unescaped(s), false)
		}
	}
}

func unescaped(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	var b strings.Builder
	b.WriteString(s[:i])
	for i < len(s) {
		if s[i] == '\\' {
			i = Unescape(&b, s, i)
			continue
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

// holeEnd is where the brace stands that closes the expression at s[i]; -1 when none does.
func holeEnd(s string, i int) int {
	for depth := 1; i < len(s); i++ {
		switch s[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
