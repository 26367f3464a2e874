package listpage

import "github.com/tdewolff/parse/v2/js"

// object is one entry of an array in a script: its fields that are texts or numbers, in source
// order.
type object struct {
	keys   []string
	values []string
}

func (o *object) get(key string) (string, bool) {
	for i, k := range o.keys {
		if k == key {
			return o.values[i], true
		}
	}
	return "", false
}

// Bounds of the arrays in scripts.
const (
	maxBytes   = 1 << 20 // of one array
	maxDepth   = 24
	maxObjects = 500
	maxFields  = 64
	maxValue   = 8 << 10 // bytes of a text
)

// literalParser parses JSON and the literals of JavaScript: unquoted names, single quotes, trailing
// commas, comments.
type literalParser struct {
	*scanner
	depth int
}

// parseObjects parses the array of objects at a byte of a script and returns its end. It returns
// the rows before the first error.
func parseObjects(x *scanner, from int) (rows []object, end int) {
	x.restart(from, maxBytes)
	l := literalParser{scanner: x}
	l.next() // the bracket
	for len(rows) < maxObjects && l.next().kind == js.OpenBraceToken {
		var o object
		if !l.object(&o) {
			break
		}
		rows = append(rows, o)
		if l.next().kind != js.CommaToken {
			break
		}
	}
	return rows, l.offset()
}

// object parses an object behind its opening brace into o. It skips the object if o is nil.
func (l *literalParser) object(o *object) bool {
	return l.members(js.CloseBraceToken, func(t token) bool {
		key, ok := t.text, js.IsIdentifierName(t.kind) || js.IsNumeric(t.kind)
		if t.kind == js.StringToken {
			key, ok = unquoted(key), true
		}
		if !ok || l.next().kind != js.ColonToken {
			return false
		}
		v, plain, ok := l.value(l.next())
		if plain && o != nil && len(o.keys) < maxFields && len(v) <= maxValue {
			o.keys, o.values = append(o.keys, key), append(o.values, v)
		}
		return ok
	})
}

// members parses the members between brackets. read gets the first token of each.
func (l *literalParser) members(end js.TokenType, read func(token) bool) bool {
	if l.depth++; l.depth > maxDepth {
		return false
	}
	defer func() { l.depth-- }()
	for {
		t := l.next()
		if t.kind == end {
			return true
		}
		if !read(t) {
			return false
		}
		if t = l.next(); t.kind != js.CommaToken {
			return t.kind == end
		}
	}
}

// value parses the value that a token begins. plain is true for a text or a number.
func (l *literalParser) value(t token) (v string, plain, ok bool) {
	switch {
	case t.kind == js.StringToken:
		return unquoted(t.text), true, true
	case js.IsNumeric(t.kind): // as it is written: ids lie beyond 2^53
		return t.text, true, true
	case t.kind == js.SubToken:
		ok = js.IsNumeric(l.next().kind)
		return l.src[t.at:l.offset()], ok, ok
	case t.kind == js.OpenBraceToken:
		return "", false, l.object(nil)
	case t.kind == js.OpenBracketToken:
		return "", false, l.members(js.CloseBracketToken, func(t token) bool { _, _, ok := l.value(t); return ok })
	case t.kind == js.NullToken, t.kind == js.TrueToken, t.kind == js.FalseToken, t.text == "undefined":
		return "", false, true
	}
	return "", false, false
}
