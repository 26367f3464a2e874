// Package message holds the engine's texts for people with their arguments marked, so that a
// screen can translate them.
//
// The id of a text is its English format with %s for every verb, so the code is the English
// catalogue. U+2068 and U+2069, the isolates of Unicode, surround an argument. A Text is a
// string: rows store it, and == compares it. Plain English from an older program is a Text
// without arguments.
//
// The package imports no package of angler, so that all of them can use it.
package message

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
)

// The marks around an argument. They nest where an argument is itself a Text.
const (
	begin = "\u2068"
	end   = "\u2069"
)

// maxDepth is the maximum nesting of arguments. A deeper Text loses its marks.
const maxDepth = 8

// Text is a text for people. Its bytes hold marks; String returns it without them.
type Text string

// A teller has a Text. Errors and other arguments may implement it.
type teller interface{ Message() Text }

var (
	verb    = regexp.MustCompile(`%[-+# 0]*[0-9]*(?:\.[0-9]+)?[a-zA-Z%]`)
	unmark  = strings.NewReplacer(begin, "", end, "")
	percent = strings.NewReplacer("%", "%%")
)

// Of formats like fmt.Sprintf and marks the arguments. Verbs have neither an index nor a star, and
// %w is %v. An argument that is a Text or an error, or has a method Message, stays translatable.
func Of(format string, args ...any) Text {
	n := 0
	return Text(verb.ReplaceAllStringFunc(format, func(v string) string {
		if v == "%%" {
			return "%"
		}
		if n >= len(args) {
			return "%!" + v[len(v)-1:] + "(MISSING)"
		}
		arg := args[n]
		n++
		if v == "%q" { // the quotes are the format's
			s := fmt.Sprintf(v, unmarked(arg))
			return s[:1] + begin + s[1:len(s)-1] + end + s[len(s)-1:]
		}
		if s, ok := textOf(arg); ok {
			return begin + string(s) + end
		}
		return begin + unmark.Replace(fmt.Sprintf(v, arg)) + end
	}))
}

// unmarked returns a plain string for a Text, and other arguments as they are.
func unmarked(arg any) any {
	if s, ok := textOf(arg); ok {
		return s.String()
	}
	return arg
}

// textOf returns an argument that is a text, with its marks.
func textOf(arg any) (Text, bool) {
	switch x := arg.(type) {
	case Text:
		return x.bounded(), true
	case teller:
		return x.Message().bounded(), true
	case error:
		return From(x).bounded(), true
	}
	return "", false
}

// bounded returns the text, without its marks if they are unbalanced or nested too deeply.
func (t Text) bounded() Text {
	depth, deepest := 0, 0
	for _, r := range string(t) {
		switch string(r) {
		case begin:
			depth++
		case end:
			depth--
		}
		if deepest = max(deepest, depth); depth < 0 {
			break
		}
	}
	if depth != 0 || deepest >= maxDepth {
		return Text(t.String())
	}
	return t
}

// Plain returns a text from outside without arguments. It removes marks.
func Plain(s string) Text { return Text(unmark.Replace(s)) }

// Join returns the texts with sep between them; each is an argument.
func Join(texts []Text, sep string) Text {
	format, args := strings.Repeat("%s"+percent.Replace(sep), len(texts)), make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	return Of(strings.TrimSuffix(format, percent.Replace(sep)), args...)
}

// String returns the text in English.
func (t Text) String() string {
	if !strings.Contains(string(t), begin) {
		return string(t)
	}
	return unmark.Replace(string(t))
}

// Parts returns the id and the arguments of the text. A text without arguments is its own id,
// and so is one whose marks do not match.
func (t Text) Parts() (id string, args []Text) {
	var b strings.Builder
	depth, from := 0, 0
	for i, r := range string(t) {
		switch string(r) {
		case begin:
			if depth++; depth == 1 {
				b.WriteString(percent.Replace(string(t[from:i])) + "%s")
				from = i + len(begin)
			}
		case end:
			if depth--; depth < 0 {
				return t.String(), nil
			}
			if depth == 0 {
				args = append(args, t[from:i])
				from = i + len(end)
			}
		}
	}
	if depth != 0 || args == nil {
		return t.String(), nil
	}
	return b.String() + percent.Replace(string(t[from:])), args
}

// failure is an error whose text keeps its arguments.
type failure struct {
	err    error // made by fmt.Errorf
	format string
	args   []any
}

// Errorf is fmt.Errorf for a message to people: From returns its text with arguments.
func Errorf(format string, args ...any) error {
	return &failure{fmt.Errorf(format, args...), format, args}
}

// Error implements error, in English.
func (f *failure) Error() string { return f.err.Error() }

// Unwrap returns the error made by fmt.Errorf, which wraps the arguments of %w.
func (f *failure) Unwrap() error { return f.err }

// Message implements teller.
func (f *failure) Message() Text { return Of(f.format, f.args...) }

// From returns the text of an error, with arguments if it has a Text or wraps one. The text of nil
// is "".
func From(err error) Text {
	if err == nil {
		return ""
	}
	if x, ok := err.(teller); ok { //nolint:errorlint // a wrapped one says less than err
		return x.Message()
	}
	all := err.Error()
	if inner := errors.Unwrap(err); inner != nil {
		if before, after, ok := strings.Cut(all, inner.Error()); ok {
			if before == "" && after == "" {
				return From(inner)
			}
			return Of(percent.Replace(unmark.Replace(before))+"%s"+percent.Replace(unmark.Replace(after)), From(inner))
		}
	}
	return Plain(all)
}
