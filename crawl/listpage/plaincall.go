package listpage

import (
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2/js"
)

// Most handlers of a page call one function with a few literals, and most of those are of
// files that are not read: counters, menus, favorites. For them nothing is parsed.

// plainCall is a call whose arguments are whole numbers, texts without escapes, names and members of
// names. They are as written.
type plainCall struct {
	name  string
	few   [6]string
	n     int
	alone bool // nothing but a return follows
}

// readPlainCall reads code that begins with a plain call. Its name is "" if it does not.
func readPlainCall(code string) plainCall {
	s := strings.TrimLeft(code, blanks)
	if after, ok := strings.CutPrefix(s, "return"); ok && after != "" && !IsWordByte(after[0]) {
		s = strings.TrimLeft(after, " \t")
	}
	n := nameLength(s)
	c := plainCall{name: s[:n]}
	s, ok := strings.CutPrefix(strings.TrimLeft(s[n:], blanks), "(")
	if !ok || n == 0 || keyword(c.name) {
		return plainCall{}
	}
	for s = strings.TrimLeft(s, blanks); !strings.HasPrefix(s, ")"); {
		n := argumentLength(s)
		if n == 0 || c.n == len(c.few) {
			return plainCall{}
		}
		c.few[c.n] = s[:n]
		c.n++
		s = strings.TrimLeft(s[n:], blanks)
		if after, ok := strings.CutPrefix(s, ","); ok {
			s = strings.TrimLeft(after, blanks)
		} else if !strings.HasPrefix(s, ")") {
			return plainCall{}
		}
	}
	rest := strings.TrimLeft(s[1:], blanks)
	if rest != "" && rest[0] != ';' {
		return plainCall{}
	}
	rest = strings.Trim(rest, blanks+";")
	c.alone = rest == "" || rest == "return" || rest == "return false" || rest == "return true"
	return c
}

// argumentLength is how many bytes of an argument of a plain call s begins with; 0 for another
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
		if word := s[at : at+n]; n == 0 || keyword(word) && (at > 0 || !literalWord(word)) {
			return 0
		}
		if at += n; at == len(s) || s[at] != '.' {
			return at
		}
	}
}

// argument is the value of an argument of a plain call.
func (f *frame) argument(s string) value {
	switch {
	case s[0] == '"' || s[0] == '\'':
		return textValue(s[1 : len(s)-1])
	case isDigit(s[0]):
		return value{digits, numeral(s)}
	}
	name, members, _ := strings.Cut(s, ".")
	v := f.name(name)
	for name := range strings.SplitSeq(members, ".") {
		if name != "" {
			v = f.member(v, name)
		}
	}
	return v
}

// blanks stand between the tokens of a script.
const blanks = " \t\r\n"

// nameLength is how many bytes of a name in ASCII s begins with.
func nameLength(s string) int {
	n := 0
	for n < len(s) && IsWordByte(s[n]) && s[n] < utf8.RuneSelf && (n > 0 || !isDigit(s[0])) {
		n++
	}
	return n
}

func keyword(s string) bool { return js.Keywords[s] != js.ErrorToken }

// literalWord tells the keywords that are values.
func literalWord(s string) bool { return s == "this" || s == "null" || s == "true" || s == "false" }

// isUnknown reports whether neither a browser nor the sources define a function.
func (r *ScriptReader) isUnknown(name string) bool { return !r.builtin(name) && !r.find(name).defined }

// idle reports whether a browser defines a function that leads nowhere.
func (r *ScriptReader) idle(name string) bool {
	return name != "open" && name != "__doPostBack" && r.builtin(name)
}

// builtin reports whether a browser defines a function.
func (r *ScriptReader) builtin(name string) bool {
	f := frame{r: r, quiet: true}
	_, ok := f.builtin(name, nil)
	return ok
}
