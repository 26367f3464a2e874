package listpage

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// valueKind is the kind of a value.
type valueKind uint8

const (
	unknown      valueKind = iota // s describes it
	undeclared                    // a global variable without declaration
	text                          // a string
	digits                        // a number; s is its text
	boolean                       // s is "true" or "false"
	windowObject                  // window, self, top, parent
	location                      // of the window
	document
	forms   // document.forms
	element // of the page; s is its name or id
	null    // null and undefined
)

// value is the value of an expression.
type value struct {
	kind valueKind
	s    string
}

func textValue(s string) value       { return value{text, s} }
func unknownValue(what string) value { return value{unknown, what} }

func boolValue(b bool) value { return value{boolean, strconv.FormatBool(b)} }

// known reports whether the value is a string, a number or a boolean.
func (v value) known() bool { return v.kind == text || v.kind == digits || v.kind == boolean }

// description describes an unknown value for people.
func (v value) description() string {
	return cmp.Or(v.s, "what only a browser knows")
}

// falseTexts are the texts of known values that are false as a condition.
var falseTexts = [...]string{text: "", digits: "0", boolean: "false"}

// truth returns the value as a condition, if it is known.
func (v value) truth() (is, known bool) {
	if v.known() {
		return v.s != falseTexts[v.kind], true
	}
	known = v.kind != unknown && v.kind != undeclared
	return known && v.kind != null, known
}

func (v value) num() (float64, bool) {
	if v.kind != digits && v.kind != text {
		return 0, false
	}
	s := strings.TrimSpace(v.s)
	if s == "" {
		return 0, true
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func numberValue(f float64) value { return value{digits, strconv.FormatFloat(f, 'f', -1, 64)} }

// add is the + of JavaScript.
func add(a, b value) value {
	switch {
	case a.kind == digits && b.kind == digits && len(a.s) < 16 && len(b.s) < 16:
		x, _ := a.num()
		y, _ := b.num()
		return numberValue(x + y)
	case a.known() && b.known():
		if len(a.s)+len(b.s) > maxCode {
			return unknownValue("a text that is too long")
		}
		return textValue(a.s + b.s)
	case !a.known():
		return unknownValue(a.description())
	}
	return unknownValue(b.description())
}

// compute applies an operator with two operands.
func compute(op js.TokenType, a, b value) value {
	switch op {
	case js.AddToken:
		return add(a, b)
	case js.EqEqToken, js.EqEqEqToken, js.NotEqToken, js.NotEqEqToken:
		equal := op == js.EqEqToken || op == js.EqEqEqToken
		if a.kind == null || b.kind == null {
			if a.kind == unknown || b.kind == unknown {
				return unknownValue("")
			}
			return boolValue((a.kind == b.kind) == equal)
		}
		if !a.known() || !b.known() {
			return unknownValue("")
		}
		same := a.s == b.s
		if x, ok := a.num(); ok && a.kind != b.kind {
			if y, ok := b.num(); ok {
				same = x == y
			}
		}
		return boolValue(same == equal)
	}
	x, ok := a.num()
	y, ok2 := b.num()
	if !ok || !ok2 {
		return unknownValue("")
	}
	switch op {
	case js.LtToken:
		return boolValue(x < y)
	case js.GtToken:
		return boolValue(x > y)
	case js.LtEqToken:
		return boolValue(x <= y)
	case js.GtEqToken:
		return boolValue(x >= y)
	case js.SubToken:
		return numberValue(x - y)
	case js.MulToken:
		return numberValue(x * y)
	case js.DivToken:
		if y != 0 {
			return numberValue(x / y)
		}
	case js.ModToken:
		if i, j := int64(x), int64(y); j != 0 {
			return numberValue(float64(i % j))
		}
	}
	return unknownValue("")
}
