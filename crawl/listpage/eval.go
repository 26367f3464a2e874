package listpage

import (
	"net/url"
	"strings"

	"github.com/tdewolff/parse/v2/js"
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

// over reports whether nothing more is to be read.
func (f *frame) over() bool {
	f.r.steps++
	return f.r.effect != nil || f.left || f.r.steps > f.most
}

func (f *frame) runAll(list []js.IStmt) {
	for _, s := range list {
		f.run(s)
		if f.over() {
			return
		}
	}
}

func (f *frame) run(s js.IStmt) {
	if f.over() {
		return
	}
	switch s := s.(type) {
	case *js.BlockStmt:
		f.runAll(s.List)
	case *js.ExprStmt:
		f.eval(s.Value)
	case *js.VarDecl:
		for _, b := range s.List {
			v := value{kind: null}
			if b.Default != nil {
				v = f.eval(b.Default)
			}
			if name, ok := b.Binding.(*js.Var); ok {
				f.put(textOf(name.Data), v)
			}
		}
	case *js.IfStmt:
		is, known := f.eval(s.Cond).truth()
		if f.r.effect != nil {
			return
		}
		if (!known || is) && (known || !f.r.certain) {
			f.run(s.Body)
			if known || f.r.effect != nil {
				return
			}
			f.left = false // it may as well go on
		}
		if s.Else != nil {
			f.run(s.Else)
			if !known {
				f.left = false
			}
		}
	case *js.ReturnStmt:
		if s.Value != nil {
			f.ret = f.eval(s.Value)
		}
		f.left = true
	case *js.TryStmt:
		f.runAll(s.Body.List)
	case *js.LabelledStmt:
		f.run(s.Value)
	}
}

func (f *frame) eval(n js.IExpr) value {
	if f.over() {
		return unknownValue("")
	}
	switch n := n.(type) {
	case *js.LiteralExpr:
		return literalValue(n)
	case *js.TemplateExpr:
		return f.template(n)
	case *js.GroupExpr:
		return f.eval(n.X)
	case *js.CommaExpr:
		var v value
		for _, x := range n.List {
			v = f.eval(x)
		}
		return v
	case *js.Var:
		return f.name(textOf(n.Data))
	case *js.DotExpr:
		return f.member(f.eval(n.X), memberName(n))
	case *js.IndexExpr:
		return f.index(f.eval(n.X), f.eval(n.Y))
	case *js.CallExpr:
		return f.call(n)
	case *js.NewExpr:
		return f.newOf(n)
	case *js.BinaryExpr:
		return f.binary(n)
	case *js.CondExpr:
		is, known := f.eval(n.Cond).truth()
		switch {
		case !known:
			a := f.eval(n.X)
			if b := f.eval(n.Y); a.known() && a == b {
				return a
			}
			return unknownValue("a condition")
		case is:
			return f.eval(n.X)
		}
		return f.eval(n.Y)
	case *js.UnaryExpr:
		return f.unary(n)
	case *js.ArrayExpr, *js.ObjectExpr:
		return unknownValue("a list")
	}
	return unknownValue("")
}

func literalValue(n *js.LiteralExpr) value {
	switch {
	case n.TokenType == js.StringToken:
		return textValue(unquoted(textOf(n.Data)))
	case js.IsNumeric(n.TokenType):
		return value{digits, numeral(textOf(n.Data))}
	case n.TokenType == js.TrueToken, n.TokenType == js.FalseToken:
		return value{boolean, textOf(n.Data)}
	case n.TokenType == js.NullToken:
		return value{kind: null}
	case n.TokenType == js.ThisToken:
		return unknownValue("this")
	}
	return unknownValue("")
}

func (f *frame) template(n *js.TemplateExpr) value {
	if n.Tag != nil {
		return unknownValue("")
	}
	out := textValue("")
	for _, p := range n.List {
		out = add(out, textValue(templateText(p.Value)))
		out = add(out, f.eval(p.Expr))
	}
	return add(out, textValue(templateText(n.Tail)))
}

// templateText is what a piece of a template means, without the signs around it: ` or } before
// it, ${ or ` behind it.
func templateText(piece []byte) string {
	return unescaped(strings.TrimSuffix(strings.TrimSuffix(textOf(piece[1:]), "`"), "${"))
}

// memberName is the name behind a dot.
func memberName(n *js.DotExpr) string {
	switch y := n.Y.(type) {
	case *js.Var:
		return textOf(y.Data)
	case js.LiteralExpr:
		return textOf(y.Data)
	}
	return ""
}

func (f *frame) index(at, i value) value {
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
	return unknownValue("")
}

func (f *frame) binary(n *js.BinaryExpr) value {
	switch n.Op {
	case js.EqToken, js.AddEqToken, js.SubEqToken, js.MulEqToken, js.DivEqToken:
		if to, ok := n.X.(*js.DotExpr); ok && f.r.loading && memberName(to) == "onload" {
			f.callback(n.Y)
		}
		return f.assign(n.Op, n.X, f.eval(n.Y))
	}
	a := f.eval(n.X)
	switch n.Op {
	case js.AndToken, js.OrToken, js.NullishToken:
		is, known := a.truth()
		switch {
		case !known:
			if v := f.eval(n.Y); n.Op == js.OrToken && v.known() && a.kind == nothing && a.s == "" {
				return unknownValue("")
			}
			return unknownValue(a.s)
		case is == (n.Op == js.AndToken):
			return f.eval(n.Y)
		}
		return a
	}
	return compute(n.Op, a, f.eval(n.Y))
}

// unary reads an operator before or behind one operand; what typeof, void and their like say of it
// is not known.
func (f *frame) unary(n *js.UnaryExpr) value {
	switch n.Op {
	case js.NotToken:
		if is, known := f.eval(n.X).truth(); known {
			return boolValue(!is)
		}
	case js.NegToken:
		if x, ok := f.eval(n.X).num(); ok {
			return numberValue(-x)
		}
	case js.PosToken:
		return f.eval(n.X)
	case js.PreIncrToken, js.PostIncrToken:
		return f.assign(js.AddEqToken, n.X, value{digits, "1"})
	case js.PreDecrToken, js.PostDecrToken:
		return f.assign(js.SubEqToken, n.X, value{digits, "1"})
	}
	return unknownValue("")
}

// browserNames are the values of identifiers that the language or a browser gives.
var browserNames = map[string]value{"window": {kind: windowObject}, "self": {kind: windowObject},
	"top": {kind: windowObject}, "parent": {kind: windowObject}, "opener": {kind: windowObject},
	"globalThis": {kind: windowObject}, "location": {kind: location}, "document": {kind: document},
	"true": {boolean, "true"}, "false": {boolean, "false"}, "null": {kind: null}, "undefined": {kind: null},
	"this": {nothing, "this"}, "event": {nothing, "event"}}

// name is the value of an identifier.
func (f *frame) name(s string) value {
	if v := f.local(s); v != nil {
		return *v
	}
	if v, ok := browserNames[s]; ok {
		return v
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
			return textValue(s)
		}
	}
	switch of.kind {
	case windowObject:
		return f.name(name)
	case location:
		u, err := url.Parse(f.r.URL)
		if err != nil {
			return unknownValue("")
		}
		search := ""
		if u.RawQuery != "" {
			search = "?" + u.RawQuery
		}
		parts := map[string]string{"href": f.r.URL, "pathname": u.EscapedPath(), "host": u.Host,
			"hostname": u.Hostname(), "origin": u.Scheme + "://" + u.Host, "protocol": u.Scheme + ":", "search": search}
		if s, ok := parts[name]; ok {
			return textValue(s)
		}
	case document:
		switch name {
		case "location":
			return value{kind: location}
		case "URL":
			return textValue(f.r.URL)
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
			return numberValue(float64(len([]rune(of.s))))
		}
	}
	return unknownValue(name)
}

// field is the value of a field, as it was set or as the page has it.
func (f *frame) field(name string) value {
	for _, x := range f.r.fields {
		if x.Name == name {
			if x.Value == unknownField {
				return unknownValue("the field " + name)
			}
			return textValue(x.Value)
		}
	}
	if f.r.Value != nil {
		if s, ok := f.r.Value(name); ok {
			return textValue(s)
		}
	}
	return unknownValue("the field " + name)
}

// assigning are the operators that assign what another operator makes of both sides.
var assigning = map[js.TokenType]js.TokenType{js.AddEqToken: js.AddToken, js.SubEqToken: js.SubToken,
	js.MulEqToken: js.MulToken, js.DivEqToken: js.DivToken}

// assign reads an assignment. One to a location leads there.
func (f *frame) assign(op js.TokenType, to js.IExpr, v value) value {
	if plain, ok := assigning[op]; ok {
		v = compute(plain, f.eval(to), v)
	}
	switch to := to.(type) {
	case *js.Var:
		if textOf(to.Data) == "location" {
			f.lead(v)
			return v
		}
		f.put(textOf(to.Data), v)
	case *js.DotExpr:
		f.setMember(f.eval(to.X), memberName(to), v)
	case *js.IndexExpr:
		f.setMember(f.eval(to.X), f.eval(to.Y).s, v)
	}
	return v
}

func (f *frame) setMember(of value, name string, v value) {
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
		return unknownValue("an element of the page")
	}
	return value{element, s}
}
