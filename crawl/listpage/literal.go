package listpage

import "github.com/tdewolff/parse/v2/js"

// object is one entry of an array in a script: its fields that are texts or numbers, in
// the order in which they stand.
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

// Bounds of what is read.
const (
	maxBytes   = 1 << 20 // of one array
	maxDepth   = 24
	maxObjects = 500
	maxFields  = 64
	maxValue   = 8 << 10 // bytes of a text
)

// literal reads JSON, and what JavaScript allows besides: names without quotes, single
// quotes, commas at the end, comments.
type literal struct {
	*scanner
	depth int
}

// array reads the array of objects at a byte of a script and returns where it ends. A damaged one
// gives what stands before the damage.
func array(x *scanner, from int) (rows []object, end int) {
	x.restart(from, maxBytes)
	l := literal{scanner: x}
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

// object reads what stands behind an opening brace. o may be nil: it is passed over.
func (l *literal) object(o *object) bool {
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

// members reads what stands between brackets, commas between them, by the first token of
// each.
func (l *literal) members(end js.TokenType, read func(token) bool) bool {
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

// value reads the value that a token begins. A text or a number is plain.
func (l *literal) value(t token) (v string, plain, ok bool) {
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
