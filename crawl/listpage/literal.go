package listpage

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
	s     string
	scan  tokenScanner
	depth int
}

// array reads an array of objects at the beginning of s and returns how far it reaches.
// A damaged one gives what stands before the damage.
func array(s string) (rows []object, end int) {
	l := literal{s: s, scan: newTokenScanner(s, maxBytes, maxBytes)}
	l.scan.Next() // the bracket
	for len(rows) < maxObjects && l.scan.Next().Is("{") {
		var o object
		if !l.object(&o) {
			break
		}
		rows = append(rows, o)
		if !l.scan.Next().Is(",") {
			break
		}
	}
	return rows, l.scan.offset()
}

// object reads what stands behind an opening brace. o may be nil: it is passed over.
func (l *literal) object(o *object) bool {
	return l.members("}", func(t Token) bool {
		if t.Kind != String && t.Kind != Word && t.Kind != Number || !l.scan.Next().Is(":") {
			return false
		}
		v, ok := l.value(l.scan.Next())
		if ok && o != nil && v.Kind != TokenEnd && len(o.keys) < maxFields && len(v.Text) <= maxValue {
			o.keys, o.values = append(o.keys, t.Text), append(o.values, v.Text)
		}
		return ok
	})
}

// members reads what stands between brackets, commas between them, by the first token of
// each.
func (l *literal) members(end string, read func(Token) bool) bool {
	if l.depth++; l.depth > maxDepth {
		return false
	}
	defer func() { l.depth-- }()
	for {
		t := l.scan.Next()
		if t.Is(end) {
			return true
		}
		if !read(t) {
			return false
		}
		if t = l.scan.Next(); !t.Is(",") {
			return t.Is(end)
		}
	}
}

// value reads the value that a token begins. It is a text or a number; of the kind TokenEnd
// for another.
func (l *literal) value(t Token) (v Token, ok bool) {
	switch {
	case t.Kind == String || t.Kind == Number: // as it is written: ids lie beyond 2^53
		return t, true
	case t.Is("-"):
		v = l.scan.Next()
		v.Text = l.s[t.At:l.scan.offset()]
		return v, v.Kind == Number
	case t.Is("{"):
		return v, l.object(nil)
	case t.Is("["):
		return v, l.members("]", func(t Token) bool { _, ok := l.value(t); return ok })
	case t.Kind == Word:
		return v, t.Text == "null" || t.Text == "true" || t.Text == "false" || t.Text == "undefined"
	}
	return v, false
}
