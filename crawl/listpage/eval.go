package listpage

import (
	"net/url"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// frame is one call of a function under evaluation.
type frame struct {
	r         *ScriptReader
	stepLimit int  // number of steps at which evaluation ends
	vars      int  // index of its first variable in ScriptReader.vars
	quiet     bool // it evaluates an initial value, which has no effect
	result    value
	returned  bool // a return statement was evaluated
}

// variable is a variable of a function under evaluation.
type variable struct {
	name  string
	value value
}

// maxVariables bounds the variables of one function.
const maxVariables = 300

// enter starts the variables of a frame, and leave deletes them. Frames must nest.
func (f *frame) enter() { f.vars = len(f.r.vars) }

func (f *frame) leave() { f.r.vars = f.r.vars[:f.vars] }

// local returns a variable of the function; nil if it has none of that name.
func (f *frame) local(name string) *value {
	for i := len(f.r.vars) - 1; i >= f.vars; i-- {
		if f.r.vars[i].name == name {
			return &f.r.vars[i].value
		}
	}
	return nil
}

func (f *frame) setLocal(name string, v value) {
	if was := f.local(name); was != nil {
		*was = v
	} else if len(f.r.vars) < f.vars+maxVariables {
		f.r.vars = append(f.r.vars, variable{name, v})
	}
}

// stopped counts a step and reports whether evaluation of the function has ended.
func (f *frame) stopped() bool {
	f.r.steps++
	return f.r.effect != nil || f.returned || f.r.steps > f.stepLimit
}

func (f *frame) runStatements(list []js.IStmt) {
	for _, s := range list {
		f.runStatement(s)
		if f.stopped() {
			return
		}
	}
}

func (f *frame) runStatement(s js.IStmt) {
	if f.stopped() {
		return
	}
	switch s := s.(type) {
	case *js.BlockStmt:
		f.runStatements(s.List)
	case *js.ExprStmt:
		f.eval(s.Value)
	case *js.VarDecl:
		for _, b := range s.List {
			v := value{kind: null}
			if b.Default != nil {
				v = f.eval(b.Default)
			}
			if name, ok := b.Binding.(*js.Var); ok {
				f.setLocal(textOf(name.Data), v)
			}
		}
	case *js.IfStmt:
		is, known := f.eval(s.Cond).truth()
		if f.r.effect != nil {
			return
		}
		if (!known || is) && (known || !f.r.certainOnly) {
			f.runStatement(s.Body)
			if known || f.r.effect != nil {
				return
			}
			f.returned = false // the condition may be false
		}
		if s.Else != nil {
			f.runStatement(s.Else)
			if !known {
				f.returned = false
			}
		}
	case *js.ReturnStmt:
		if s.Value != nil {
			f.result = f.eval(s.Value)
		}
		f.returned = true
	case *js.TryStmt:
		f.runStatements(s.Body.List)
	case *js.LabelledStmt:
		f.runStatement(s.Value)
	}
}

func (f *frame) eval(n js.IExpr) value {
	if f.stopped() {
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
		return f.lookUp(textOf(n.Data))
	case *js.DotExpr:
		return f.member(f.eval(n.X), memberName(n))
	case *js.IndexExpr:
		return f.index(f.eval(n.X), f.eval(n.Y))
	case *js.CallExpr:
		return f.call(n)
	case *js.NewExpr:
		return f.construct(n)
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
		return value{digits, plainNumber(textOf(n.Data))}
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

// templateText returns the text of a piece of a template without the marks around it: ` or } before
// it, ${ or ` behind it.
func templateText(piece []byte) string {
	return unescaped(strings.TrimSuffix(strings.TrimSuffix(textOf(piece[1:]), "`"), "${"))
}

// memberName returns the name behind a dot.
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
	case at.kind == element: // the first one of jQuery's elements
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
			f.readCallback(n.Y)
		}
		return f.assign(n.Op, n.X, f.eval(n.Y))
	}
	a := f.eval(n.X)
	switch n.Op {
	case js.AndToken, js.OrToken, js.NullishToken:
		is, known := a.truth()
		switch {
		case !known:
			if v := f.eval(n.Y); n.Op == js.OrToken && v.known() && a.kind == unknown && a.s == "" {
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

// unary evaluates an operator with one operand. The result of typeof, void and similar ones is
// unknown.
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

// browserNames are the values of identifiers that the language or a browser defines.
var browserNames = map[string]value{"window": {kind: windowObject}, "self": {kind: windowObject},
	"top": {kind: windowObject}, "parent": {kind: windowObject}, "opener": {kind: windowObject},
	"globalThis": {kind: windowObject}, "location": {kind: location}, "document": {kind: document},
	"true": {boolean, "true"}, "false": {boolean, "false"}, "null": {kind: null}, "undefined": {kind: null},
	"this": {unknown, "this"}, "event": {unknown, "event"}}

// lookUp returns the value of an identifier.
func (f *frame) lookUp(s string) value {
	if v := f.local(s); v != nil {
		return *v
	}
	if v, ok := browserNames[s]; ok {
		return v
	}
	if v, ok := f.r.globalValue(s); ok {
		if v.kind == unknown && v.s == "" {
			v.s = "the variable " + s
		}
		return v
	}
	return value{element, s} // a browser has a variable for each id and name
}

func (f *frame) member(of value, name string) value {
	if f.r.Member != nil && (of.kind == unknown || of.kind == element) {
		if s, ok := f.r.Member(name); ok {
			return textValue(s)
		}
	}
	switch of.kind {
	case windowObject:
		return f.lookUp(name)
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
			return f.fieldValue(of.s)
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

// fieldValue returns the value of a field, as the handler set it or as the page has it.
func (f *frame) fieldValue(name string) value {
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

// assignOperators are the operators that assign the result of another operator.
var assignOperators = map[js.TokenType]js.TokenType{js.AddEqToken: js.AddToken, js.SubEqToken: js.SubToken,
	js.MulEqToken: js.MulToken, js.DivEqToken: js.DivToken}

// assign evaluates an assignment. One to a location navigates.
func (f *frame) assign(op js.TokenType, to js.IExpr, v value) value {
	if plain, ok := assignOperators[op]; ok {
		v = compute(plain, f.eval(to), v)
	}
	switch to := to.(type) {
	case *js.Var:
		if textOf(to.Data) == "location" {
			f.navigate(v)
			return v
		}
		f.setLocal(textOf(to.Data), v)
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
		f.navigate(v)
	case of.kind == element && name == "value":
		f.r.setField(of.s, v)
	case of.kind == element && name == "action":
		f.setAction(v)
	}
}

// selectedElement returns the element that a jQuery selector names.
func selectedElement(s string) value {
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
