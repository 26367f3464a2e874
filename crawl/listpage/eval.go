package listpage

import (
	"net/url"
	"strings"
)

// frame is one function that is being read.
type frame struct {
	r     *ScriptReader
	most  int  // steps at which reading ends
	vars  int  // where its variables begin among those of the reader
	quiet bool // of an initial value: nothing in it is an effect
	ret   value
	left  bool // a return was read
}

// variable is a variable of a function that is being read.
type variable struct {
	name  string
	value value
}

// maxVariables bounds those of one function.
const maxVariables = 300

// begin makes room for the variables of a frame. They are gone after end; frames begin and
// end within each other.
func (f *frame) begin() { f.vars = len(f.r.vars) }

func (f *frame) end() { f.r.vars = f.r.vars[:f.vars] }

// local is a variable of the function; nil when it has none of that name.
func (f *frame) local(name string) *value {
	for i := len(f.r.vars) - 1; i >= f.vars; i-- {
		if f.r.vars[i].name == name {
			return &f.r.vars[i].value
		}
	}
	return nil
}

func (f *frame) put(name string, v value) {
	if was := f.local(name); was != nil {
		*was = v
	} else if len(f.r.vars) < f.vars+maxVariables {
		f.r.vars = append(f.r.vars, variable{name, v})
	}
}

// over tells whether nothing more is to be read.
func (f *frame) over() bool {
	f.r.steps++
	return f.r.effect != nil || f.left || f.r.steps > f.most
}

func (f *frame) run(n *node) {
	if f.over() {
		return
	}
	switch n.op {
	case "block":
		for _, k := range n.kids {
			f.run(k)
			if f.over() {
				return
			}
		}
	case "var":
		v := value{kind: null}
		if len(n.kids) > 0 {
			v = f.eval(n.kids[0])
		}
		f.put(n.text, v)
	case "if":
		is, known := f.eval(n.kids[0]).truth()
		if f.r.effect != nil {
			return
		}
		if !known || is {
			f.run(n.kids[1])
			if known || f.r.effect != nil {
				return
			}
			f.left = false // it may as well go on
		}
		if len(n.kids) > 2 {
			f.run(n.kids[2])
			if !known {
				f.left = false
			}
		}
	case "return":
		if len(n.kids) > 0 {
			f.ret = f.eval(n.kids[0])
		}
		f.left = true
	case "skip":
	default:
		f.eval(n)
	}
}

func (f *frame) eval(n *node) value {
	if f.over() {
		return scriptFalse("")
	}
	switch n.op {
	case "str":
		return str0(n.text)
	case "num":
		return value{digits, n.text}
	case "tpl":
		out := str0("")
		for _, k := range n.kids {
			out = add(out, f.eval(k))
		}
		return out
	case "block": // with commas
		var v value
		for _, k := range n.kids {
			v = f.eval(k)
		}
		return v
	case "id":
		return f.name(n.text)
	case "member":
		return f.member(f.eval(n.kids[0]), n.text)
	case "index":
		at := f.eval(n.kids[0])
		i := f.eval(n.kids[1])
		switch {
		case at.kind == forms && i.kind == digits:
			return value{element, "#" + i.s}
		case (at.kind == forms || at.kind == element && i.kind == text) && i.known():
			return value{element, i.s}
		case at.kind == element: // the first of several
			return at
		case at.kind == windowObject || at.kind == document:
			return f.member(at, i.s)
		}
		return scriptFalse("")
	case "call":
		return f.call(n)
	case "new":
		return f.newOf(n)
	case "bin":
		a := f.eval(n.kids[0])
		switch n.text {
		case "&&", "||", "??":
			is, known := a.truth()
			switch {
			case !known:
				if v := f.eval(n.kids[1]); n.text == "||" && v.known() && a.kind == nothing && a.s == "" {
					return scriptFalse("")
				}
				return scriptFalse(a.s)
			case is == (n.text == "&&"):
				return f.eval(n.kids[1])
			}
			return a
		case "+":
			return add(a, f.eval(n.kids[1]))
		}
		return compute(n.text, a, f.eval(n.kids[1]))
	case "cond":
		is, known := f.eval(n.kids[0]).truth()
		switch {
		case !known:
			a := f.eval(n.kids[1])
			if b := f.eval(n.kids[2]); a.known() && a == b {
				return a
			}
			return scriptFalse("a condition")
		case is:
			return f.eval(n.kids[1])
		}
		return f.eval(n.kids[2])
	case "not":
		if is, known := f.eval(n.kids[0]).truth(); known {
			return scriptTrue(!is)
		}
	case "neg":
		if x, ok := f.eval(n.kids[0]).num(); ok {
			return numOf(-x)
		}
	case "assign":
		return f.assign(n)
	case "array", "object":
		return scriptFalse("a list")
	}
	return scriptFalse("")
}

// name is the value of an identifier.
func (f *frame) name(s string) value {
	if v := f.local(s); v != nil {
		return *v
	}
	switch s {
	case "window", "self", "top", "parent", "opener", "globalThis":
		return value{kind: windowObject}
	case "location":
		return value{kind: location}
	case "document":
		return value{kind: document}
	case "true", "false":
		return value{boolean, s}
	case "null", "undefined":
		return value{kind: null}
	case "this", "event":
		return scriptFalse(s)
	}
	if v, ok := f.r.global(s); ok {
		if v.kind == nothing && v.s == "" {
			v.s = "the variable " + s
		}
		return v
	}
	return value{element, s} // what has an id or a name is a variable
}

func (f *frame) member(of value, name string) value {
	if f.r.Member != nil && (of.kind == nothing || of.kind == element) {
		if s, ok := f.r.Member(name); ok {
			return str0(s)
		}
	}
	switch of.kind {
	case windowObject:
		return f.name(name)
	case location:
		u, err := url.Parse(f.r.URL)
		if err != nil {
			return scriptFalse("")
		}
		switch name {
		case "href":
			return str0(f.r.URL)
		case "pathname":
			return str0(u.EscapedPath())
		case "host":
			return str0(u.Host)
		case "hostname":
			return str0(u.Hostname())
		case "origin":
			return str0(u.Scheme + "://" + u.Host)
		case "protocol":
			return str0(u.Scheme + ":")
		case "search":
			if u.RawQuery == "" {
				return str0("")
			}
			return str0("?" + u.RawQuery)
		}
	case document:
		switch name {
		case "location":
			return value{kind: location}
		case "URL":
			return str0(f.r.URL)
		case "forms":
			return value{kind: forms}
		case "all", "body", "documentElement":
			return of
		}
		return value{element, name}
	case forms:
		return value{element, name}
	case element:
		switch name {
		case "value":
			return f.field(of.s)
		case "elements", "form", "style", "options":
			return of
		}
		return value{element, name}
	case text:
		if name == "length" {
			return numOf(float64(len([]rune(of.s))))
		}
	}
	return scriptFalse(name)
}

// field is the value of a field, as it was set or as the page has it.
func (f *frame) field(name string) value {
	for _, x := range f.r.fields {
		if x.Name == name {
			if x.Value == unknownField {
				return scriptFalse("the field " + name)
			}
			return str0(x.Value)
		}
	}
	if f.r.Value != nil {
		if s, ok := f.r.Value(name); ok {
			return str0(s)
		}
	}
	return scriptFalse("the field " + name)
}

// assign reads an assignment. One to a location leads there.
func (f *frame) assign(n *node) value {
	to, v := n.kids[0], f.eval(n.kids[1])
	if n.text != "=" {
		was := f.eval(to)
		if n.text == "+=" {
			v = add(was, v)
		} else {
			v = compute(n.text[:1], was, v)
		}
	}
	switch to.op {
	case "id":
		if to.text == "location" {
			f.lead(v)
			return v
		}
		f.put(to.text, v)
	case "member", "index":
		of := f.eval(to.kids[0])
		name := to.text
		if to.op == "index" {
			name = f.eval(to.kids[1]).s
		}
		switch {
		case of.kind == location && name == "href", (of.kind == windowObject || of.kind == document) && name == "location":
			f.lead(v)
		case of.kind == element && name == "value":
			f.r.set(of.s, v)
		case of.kind == element && name == "action" && v.known():
			f.r.action = v.s
		case of.kind == element && name == "action":
			f.refuse("where it sends the form depends on %s", v.what())
		}
	}
	return v
}

func (f *frame) lead(v value) {
	if !f.quiet {
		f.r.lead(v)
	}
}

func (f *frame) refuse(format string, args ...any) {
	if !f.quiet {
		f.r.refuse(format, args...)
	}
}

// selected is the element that a selector of jQuery names.
func selected(s string) value {
	s = strings.TrimSpace(s)
	if i := strings.Index(s, "name="); i >= 0 {
		s = strings.Trim(s[i+5:], `"'] `)
	} else if i := strings.LastIndexAny(s, "#. "); i >= 0 {
		s = s[i+1:]
	}
	if s == "" || strings.ContainsAny(s, "[]:>+~*,") {
		return scriptFalse("an element of the page")
	}
	return value{element, s}
}
