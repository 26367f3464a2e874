package listpage

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
	"unsafe"
)

// unquoted returns the value of a quoted string.
func unquoted(literal string) string { return unescaped(literal[1 : len(literal)-1]) }

// textOf returns a part of parsed code as a string without a copy. Parsed code never changes.
func textOf(code []byte) string { return unsafe.String(unsafe.SliceData(code), len(code)) }

// unescaped returns the value of the inside of a quoted string. It copies nothing if nothing is
// escaped.
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

// Unescape writes the value of the escape whose backslash is s[i], and returns its end. An invalid
// escape stands for itself, and so does a final backslash.
func Unescape(b *strings.Builder, s string, i int) int {
	if i+1 >= len(s) {
		b.WriteByte('\\')
		return len(s)
	}
	i++
	c := s[i]
	if k := strings.IndexByte("ntrbfv", c); k >= 0 {
		b.WriteByte("\n\t\r\b\f\v"[k])
		return i + 1
	}
	switch c {
	case '\n': // the text goes on in the next line
		return i + 1
	case '\r':
		if i+1 < len(s) && s[i+1] == '\n' {
			i++
		}
		return i + 1
	case 'x', 'u':
		if r, end := escapedRune(s, i); end > i {
			b.WriteRune(r)
			return end
		}
	}
	b.WriteByte(c)
	return i + 1
}

// escapedRune decodes x41, u0041, u{1f600}, or a surrogate pair as in \ud83d\ude00 at s[i]. It
// returns its end; i for an invalid one.
func escapedRune(s string, i int) (r rune, end int) {
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
	v, ok := hexRune(s, from, n)
	if !ok {
		return 0, i
	}
	end += from + n
	if utf16.IsSurrogate(v) && strings.HasPrefix(s[end:], `\u`) {
		if low, ok := hexRune(s, end+2, 4); ok {
			if both := utf16.DecodeRune(v, low); both != '\ufffd' {
				return both, end + 6
			}
		}
	}
	return v, end
}

func hexRune(s string, i, n int) (rune, bool) {
	if i+n > len(s) {
		return 0, false
	}
	v, err := strconv.ParseUint(s[i:i+n], 16, 31)
	return rune(v), err == nil
}

// plainNumber returns a number as JavaScript would print it.
func plainNumber(s string) string {
	if n, err := strconv.ParseInt(s, 0, 64); err == nil && !strings.HasPrefix(s, "0b") &&
		(len(s) == 1 || s[0] != '0' || s[1]|0x20 == 'x') {
		return strconv.FormatInt(n, 10)
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return s
}

// IsWordByte reports whether a byte may be part of an identifier. Every byte of a non-ASCII
// character may.
func IsWordByte(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || isDigit(c) || c == '_' || c == '$' || c >= utf8.RuneSelf
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
