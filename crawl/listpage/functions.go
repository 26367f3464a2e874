package listpage

import (
	"strings"
)

// function is one function of the sources.
type function struct {
	params []string
	body   *node            // nil when the sources do not define it
	none   unreadableScript // that they do not
}

// find looks a function up by its name, in any of the usual ways to write one.
func (r *ScriptReader) find(name string) *function {
	if f, ok := r.functions[name]; ok {
		return f
	}
	f := &function{none: unreadableScript{Function: name}}
	for _, src := range r.Sources {
		if r.kept.used > maxNodes || r.define(f, src, name) {
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
	for from := 0; ; {
		i := strings.Index(src[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(name)
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
			return r.functionAt(f, strings.TrimLeft(after, " \t\r\nabcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_$0123456789"))
		}
		if r.arrowAt(f, rest) {
			return true
		}
	}
}

// functionAt reads (params) { body }.
func (r *ScriptReader) functionAt(f *function, s string) bool {
	p := &r.parser
	p.read(s, &r.kept)
	if !p.take("(") {
		return false
	}
	for ; p.more() && !p.is(")"); p.at++ {
		if before := p.t[p.at-1]; p.peek().Kind == Word && (before.Is("(") || before.Is(",")) {
			f.params = append(f.params, p.peek().Text)
		}
	}
	if !p.take(")") || !p.take("{") {
		return false
	}
	f.body = p.statements()
	return true
}

// arrowAt reads (params) => body or param => body.
func (r *ScriptReader) arrowAt(f *function, s string) bool {
	if s == "" || s[0] != '(' && !IsWordByte(s[0]) {
		return false
	}
	p := &r.parser
	p.read(s, &r.kept)
	f.params = f.params[:0]
	for ; p.more() && !p.is("=>"); p.at++ {
		switch t := p.peek(); {
		case t.Kind == Word:
			f.params = append(f.params, t.Text)
		case !t.Is("(") && !t.Is(")") && !t.Is(","):
			return false
		}
		if p.at > 16 {
			return false
		}
	}
	if !p.take("=>") || !p.more() {
		return false
	}
	f.body = p.statement()
	return true
}

// global is the value that a variable of the sources is declared with.
func (r *ScriptReader) global(name string) (value, bool) {
	if name == "" { // it would be found everywhere
		return value{kind: missing}, false
	}
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
	for from := 0; ; {
		i := strings.Index(src[from:], name)
		if i < 0 {
			return value{kind: missing}, false
		}
		i += from
		from = i + len(name)
		if i > 0 && (IsWordByte(src[i-1]) || src[i-1] == '.') || from < len(src) && IsWordByte(src[from]) {
			continue
		}
		before := strings.TrimRight(src[max(0, i-12):i], " \t\r\n")
		if !strings.HasSuffix(before, "var") && !strings.HasSuffix(before, "let") && !strings.HasSuffix(before, "const") && !strings.HasSuffix(before, ",") {
			continue
		}
		rest := strings.TrimLeft(src[from:], " \t\r\n")
		if rest == "" || rest[0] != '=' || strings.HasPrefix(rest, "==") {
			continue
		}
		r.parser.read(rest[1:min(len(rest), 2000)], &r.passing)
		f := frame{r: r, most: min(r.steps+onceSteps/4, maxSteps), quiet: true}
		f.begin()
		v := f.eval(r.parser.expression(2))
		f.end()
		return v, true
	}
}

// Add reads one more source behind the others.
func (r *ScriptReader) Add(source string) {
	r.Sources = append(r.Sources, source)
	for name, f := range r.functions {
		if f.body == nil {
			delete(r.functions, name)
		}
	}
	clear(r.globals)
	clear(r.known)
}
