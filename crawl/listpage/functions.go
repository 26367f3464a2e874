package listpage

import (
	"strings"

	"angler/crawl/htmldoc"

	"github.com/tdewolff/parse/v2/js"
)

// function is one function of the sources.
type function struct {
	defined   bool // the sources define it
	params    []string
	body      []js.IStmt
	undefined unreadableScript // the error if they do not
}

// findFunction returns a function by its name. It knows the usual ways to define one, and caches
// the result.
func (r *ScriptReader) findFunction(name string) *function {
	if f, ok := r.functions[name]; ok {
		return f
	}
	f := &function{undefined: unreadableScript{Function: name}}
	for _, src := range r.Sources {
		if r.parsed > maxParsed || r.define(f, src, name) {
			break
		}
	}
	if r.functions == nil {
		r.functions = map[string]*function{}
	}
	r.functions[name] = f
	return f
}

// define finds a function in a source and parses it. It takes the first definition. A browser would
// take the last one, but scripts hardly ever have two.
func (r *ScriptReader) define(f *function, src, name string) bool {
	for i := range htmldoc.Occurrences(src, name) {
		from := i + len(name)
		if i > 0 && IsWordByte(src[i-1]) || from < len(src) && IsWordByte(src[from]) {
			continue
		}
		before := strings.TrimRight(src[max(0, i-24):i], " \t\r\n")
		if strings.HasSuffix(before, "function") {
			return r.readFunction(f, src[from:])
		}
		rest := strings.TrimLeft(src[from:], " \t\r\n\"'")
		if rest == "" || rest[0] != '=' && rest[0] != ':' || strings.HasPrefix(rest, "==") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\r\n")
		if after, ok := strings.CutPrefix(rest, "function"); ok {
			return r.readFunction(f, strings.TrimLeft(after,
				" \t\r\nabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789"))
		}
		if r.readArrow(f, rest) {
			return true
		}
	}
	return false
}

// readFunction parses (params) { body }.
func (r *ScriptReader) readFunction(f *function, s string) bool {
	x := newScanner(s, maxCode, maxTokens)
	if x.next().kind != js.OpenParenToken || !x.skipBrackets() || x.next().kind != js.OpenBraceToken {
		return false
	}
	x.skipBrackets()
	f.defined = true
	if list := r.parse("function _" + s[:x.offset()]); len(list) > 0 {
		if fn, ok := list[0].(*js.FuncDecl); ok {
			f.setCode(&fn.Params, fn.Body.List)
		}
	}
	return true
}

// readArrow parses (params) => body or param => body.
func (r *ScriptReader) readArrow(f *function, s string) bool {
	const params = 200 // bytes
	if !strings.Contains(s[:min(len(s), params)], "=>") {
		return false
	}
	x := newScanner(s, maxCode, maxTokens)
	for t := x.next(); t.kind != js.ArrowToken; t = x.next() {
		switch {
		case t.kind == js.OpenParenToken, t.kind == js.CloseParenToken, t.kind == js.CommaToken,
			js.IsIdentifierName(t.kind):
		default:
			return false
		}
	}
	end := 0
	switch t := x.next(); {
	case t.isEnd():
		return false
	case t.kind == js.OpenBraceToken:
		x.skipBrackets()
		end = x.offset()
	default:
		end = x.skipExpression(t, false).at
	}
	f.defined = true
	if fn, ok := expressionOf(r.parse(s[:end])).(*js.ArrowFunc); ok {
		f.setCode(&fn.Params, fn.Body.List)
	}
	return true
}

// setCode sets the parameters and statements of a function.
func (f *function) setCode(params *js.Params, body []js.IStmt) {
	for _, p := range params.List {
		name, _ := p.Binding.(*js.Var)
		if name == nil {
			name = new(js.Var)
		}
		f.params = append(f.params, textOf(name.Data))
	}
	f.body = body
}

// parse returns the statements of code of the sources.
func (r *ScriptReader) parse(code string) []js.IStmt {
	r.parsed += len(code)
	return parseScript(code, &r.steps)
}

// globalValue returns the value with which the sources declare a variable. ok is false if they do
// not.
func (r *ScriptReader) globalValue(name string) (value, bool) {
	if v, ok := r.globals[name]; ok {
		return v, v.kind != undeclared
	}
	if r.globals == nil {
		r.globals = map[string]value{}
	}
	r.globals[name] = value{} // a declaration may name itself
	v, ok := value{kind: undeclared}, false
	for _, src := range r.Sources {
		if v, ok = r.declaredValue(src, name); ok {
			break
		}
	}
	if len(r.globals) < 1000 {
		r.globals[name] = v
	}
	return v, ok
}

func (r *ScriptReader) declaredValue(src, name string) (value, bool) {
	for i := range htmldoc.Occurrences(src, name) {
		from := i + len(name)
		if i > 0 && (IsWordByte(src[i-1]) || src[i-1] == '.') || from < len(src) && IsWordByte(src[from]) {
			continue
		}
		before := strings.TrimRight(src[max(0, i-12):i], " \t\r\n")
		if !htmldoc.AnyWord(before, strings.HasSuffix, "var", "let", "const", ",") {
			continue
		}
		rest := strings.TrimLeft(src[from:], " \t\r\n")
		if rest == "" || rest[0] != '=' || strings.HasPrefix(rest, "==") {
			continue
		}
		code := rest[1:min(len(rest), 2000)]
		x := newScanner(code, maxCode, maxTokens)
		end := x.skipExpression(x.next(), false).at
		f := frame{r: r, stepLimit: min(r.steps+maxHandlerSteps/4, maxSteps), quiet: true}
		f.enter()
		v := f.eval(expressionOf(parseScript("("+code[:end]+")", &r.steps)))
		f.leave()
		return v, true
	}
	return value{kind: undeclared}, false
}

// addSource appends one more source.
func (r *ScriptReader) addSource(source string) {
	r.Sources = append(r.Sources, source)
	for name, f := range r.functions {
		if !f.defined {
			delete(r.functions, name)
		}
	}
	clear(r.globals)
	clear(r.outcomes)
}
