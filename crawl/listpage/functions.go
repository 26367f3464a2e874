package listpage

import (
	"strings"

	"angler/crawl/htmldoc"

	"github.com/tdewolff/parse/v2/js"
)

// function is one function of the sources.
type function struct {
	defined bool // by the sources
	params  []string
	body    []js.IStmt
	none    unreadableScript // that they do not define it
}

// find looks a function up by its name, in any of the usual ways to write one.
func (r *ScriptReader) find(name string) *function {
	if f, ok := r.functions[name]; ok {
		return f
	}
	f := &function{none: unreadableScript{Function: name}}
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

// define finds a function in a source and reads it. The last definition of a name would count in a
// browser; scripts hardly ever have two.
func (r *ScriptReader) define(f *function, src, name string) bool {
	for i := range htmldoc.Occurrences(src, name) {
		from := i + len(name)
		if i > 0 && IsWordByte(src[i-1]) || from < len(src) && IsWordByte(src[from]) {
			continue
		}
		before := strings.TrimRight(src[max(0, i-24):i], " \t\r\n")
		if strings.HasSuffix(before, "function") {
			return r.functionAt(f, src[from:])
		}
		rest := strings.TrimLeft(src[from:], " \t\r\n\"'")
		if rest == "" || rest[0] != '=' && rest[0] != ':' || strings.HasPrefix(rest, "==") {
			continue
		}
		rest = strings.TrimLeft(rest[1:], " \t\r\n")
		if after, ok := strings.CutPrefix(rest, "function"); ok {
			return r.functionAt(f, strings.TrimLeft(after,
				" \t\r\nabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789"))
		}
		if r.arrowAt(f, rest) {
			return true
		}
	}
	return false
}

// functionAt reads (params) { body }.
func (r *ScriptReader) functionAt(f *function, s string) bool {
	x := newScanner(s, maxCode, maxTokens)
	if x.next().kind != js.OpenParenToken || !x.skipBrackets() || x.next().kind != js.OpenBraceToken {
		return false
	}
	x.skipBrackets()
	f.defined = true
	if list := r.parse("function _" + s[:x.offset()]); len(list) > 0 {
		if fn, ok := list[0].(*js.FuncDecl); ok {
			f.read(&fn.Params, fn.Body.List)
		}
	}
	return true
}

// arrowAt reads (params) => body or param => body.
func (r *ScriptReader) arrowAt(f *function, s string) bool {
	const params = 200 // bytes
	if !strings.Contains(s[:min(len(s), params)], "=>") {
		return false
	}
	x := newScanner(s, maxCode, maxTokens)
	for t := x.next(); t.kind != js.ArrowToken; t = x.next() {
		switch {
		case t.kind == js.OpenParenToken, t.kind == js.CloseParenToken, t.kind == js.CommaToken, js.IsIdentifierName(t.kind):
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
		f.read(&fn.Params, fn.Body.List)
	}
	return true
}

// read takes over the parameters and statements of a function.
func (f *function) read(params *js.Params, body []js.IStmt) {
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

// global is the value that a variable of the sources is declared with.
func (r *ScriptReader) global(name string) (value, bool) {
	if v, ok := r.globals[name]; ok {
		return v, v.kind != missing
	}
	if r.globals == nil {
		r.globals = map[string]value{}
	}
	r.globals[name] = value{} // of one that names itself
	v, ok := value{kind: missing}, false
	for _, src := range r.Sources {
		if v, ok = r.declared(src, name); ok {
			break
		}
	}
	if len(r.globals) < 1000 {
		r.globals[name] = v
	}
	return v, ok
}

func (r *ScriptReader) declared(src, name string) (value, bool) {
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
		f := frame{r: r, most: min(r.steps+onceSteps/4, maxSteps), quiet: true}
		f.begin()
		v := f.eval(expressionOf(parseScript("("+code[:end]+")", &r.steps)))
		f.end()
		return v, true
	}
	return value{kind: missing}, false
}

// add reads one more source behind the others.
func (r *ScriptReader) add(source string) {
	r.Sources = append(r.Sources, source)
	for name, f := range r.functions {
		if !f.defined {
			delete(r.functions, name)
		}
	}
	clear(r.globals)
	clear(r.known)
}
