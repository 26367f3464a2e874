package listpage

import (
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// Most handlers of a page call one function with a few literals. Most of these functions are in
// files that are not read: counters, menus, favorites. Such a handler is not parsed.

// plainCall is a call whose arguments are whole numbers, strings without escapes, names, and
// members of names. The arguments are as written.
type plainCall struct {
	name     string
	args     [6]string
	argCount int
	alone    bool // only a return follows
}

// readPlainCall parses code that begins with a plain call. Its name is "" for other code.
func readPlainCall(code string) plainCall {
	s := strings.TrimLeft(code, blankChars)
	if after, ok := strings.CutPrefix(s, "return"); ok && after != "" && !IsWordByte(after[0]) {
		s = strings.TrimLeft(after, " \t")
	}
	n := nameLength(s)
	c := plainCall{name: s[:n]}
	s, ok := strings.CutPrefix(strings.TrimLeft(s[n:], blankChars), "(")
	if !ok || n == 0 || isKeyword(c.name) {
		return plainCall{}
	}
	for s = strings.TrimLeft(s, blankChars); !strings.HasPrefix(s, ")"); {
		n := argumentLength(s)
		if n == 0 || c.argCount == len(c.args) {
			return plainCall{}
		}
		c.args[c.argCount] = s[:n]
		c.argCount++
		s = strings.TrimLeft(s[n:], blankChars)
		if after, ok := strings.CutPrefix(s, ","); ok {
			s = strings.TrimLeft(after, blankChars)
		} else if !strings.HasPrefix(s, ")") {
			return plainCall{}
		}
	}
	rest := strings.TrimLeft(s[1:], blankChars)
	if rest != "" && rest[0] != ';' {
		return plainCall{}
	}
	rest = strings.Trim(rest, blankChars+";")
	c.alone = rest == "" || rest == "return" || rest == "return false" || rest == "return true"
	return c
}

// argumentLength returns the bytes of the argument of a plain call at the start of s; 0 for another
// argument.
func argumentLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '"' || s[0] == '\'':
		end := 1 + strings.IndexAny(s[1:], s[:1]+"\\\r\n")
		if end == 0 || s[end] != s[0] {
			return 0
		}
		return end + 1
	case isDigit(s[0]):
		return len(s) - len(strings.TrimLeft(s, "0123456789"))
	}
	for at := 0; ; at++ {
		n := nameLength(s[at:])
		if word := s[at : at+n]; n == 0 || isKeyword(word) && (at > 0 || !isLiteralKeyword(word)) {
			return 0
		}
		if at += n; at == len(s) || s[at] != '.' {
			return at
		}
	}
}

// plainArgument returns the value of an argument of a plain call.
func (f *frame) plainArgument(s string) value {
	switch {
	case s[0] == '"' || s[0] == '\'':
		return textValue(s[1 : len(s)-1])
	case isDigit(s[0]):
		return value{digits, plainNumber(s)}
	}
	name, members, _ := strings.Cut(s, ".")
	v := f.lookUp(name)
	for name := range strings.SplitSeq(members, ".") {
		if name != "" {
			v = f.member(v, name)
		}
	}
	return v
}

// blankChars are the white space between the tokens of a script.
const blankChars = " \t\r\n"

// nameLength returns the bytes of an ASCII name at the start of s.
func nameLength(s string) int {
	n := 0
	for n < len(s) && IsWordByte(s[n]) && s[n] < utf8.RuneSelf && (n > 0 || !isDigit(s[0])) {
		n++
	}
	return n
}

func isKeyword(s string) bool { return js.Keywords[s] != js.ErrorToken }

// isLiteralKeyword reports whether a keyword is a value.
func isLiteralKeyword(s string) bool {
	return s == "this" || s == "null" || s == "true" || s == "false"
}

// isHarmless reports whether a function is one of the browser and never navigates.
func (r *ScriptReader) isHarmless(name string) bool {
	return name != "open" && name != "__doPostBack" && r.isBuiltin(name)
}

// isBuiltin reports whether a browser defines a function.
func (r *ScriptReader) isBuiltin(name string) bool {
	f := frame{r: r, quiet: true}
	_, ok := f.callBuiltin(name, nil)
	return ok
}
