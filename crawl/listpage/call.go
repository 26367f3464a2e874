package listpage

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// call reads a call: of what a browser offers, of what leads somewhere, or of a function
// of the sources.
func (f *frame) call(n *js.CallExpr) value {
	var few [4]value
	args := arguments(few[:0])
	for _, a := range n.Args.List {
		args = append(args, f.eval(a.Value))
		if f.r.effect != nil {
			return unknownValue("")
		}
	}
	switch callee := bare(n.X).(type) {
	case *js.FuncDecl, *js.ArrowFunc:
		if f.r.loading {
			f.callback(callee)
		}
	case *js.Var:
		if f.r.loading {
			f.wait(textOf(callee.Data), n.Args.List)
		}
		return f.callName(textOf(callee.Data), args)
	case *js.DotExpr:
		if f.r.loading {
			f.wait(memberName(callee), n.Args.List)
		}
		of, name := f.eval(callee.X), memberName(callee)
		if of.kind == windowObject {
			return f.callName(name, args)
		}
		if v, ok := f.method(of, name, args); ok {
			return v
		}
		if _, ok := bare(callee.X).(*js.Var); ok {
			if fn := f.r.find(name); fn.defined {
				return f.apply(fn, args)
			}
		}
	}
	return unknownValue("")
}

// bare is an expression without parentheses around it.
func bare(n js.IExpr) js.IExpr {
	for {
		g, ok := n.(*js.GroupExpr)
		if !ok {
			return n
		}
		n = g.X
	}
}

// callName reads a call of a function of the browser or of the sources.
func (f *frame) callName(name string, args arguments) value {
	if v, ok := f.builtin(name, args); ok {
		return v
	}
	return f.user(name, args)
}

// arguments are those of a call.
type arguments []value

// at is an argument by its number; undefined when the call has none.
func (a arguments) at(i int) value {
	if i < len(a) {
		return a[i]
	}
	return value{kind: null}
}

// builtin reads a function of the browser.
func (f *frame) builtin(name string, args arguments) (value, bool) {
	a := args.at(0)
	switch name {
	case "open":
		if !f.r.loading { // else it is a second window
			f.lead(a)
		}
	case "__doPostBack":
		f.postback(a, args.at(1))
	case "encodeURIComponent", "encodeURI", "escape":
		if a.known() {
			return textValue(encode(a.s, name)), true
		}
		return unknownValue(a.what()), true
	case "decodeURIComponent", "decodeURI", "unescape":
		if s, err := url.PathUnescape(a.s); a.known() && err == nil {
			return textValue(s), true
		}
		return unknownValue(""), true
	case "String":
		return add(textValue(""), a), true
	case "parseInt", "Number", "parseFloat":
		s := strings.TrimSpace(a.s)
		if name == "parseInt" {
			i := 0
			for i < len(s) && (s[i] >= '0' && s[i] <= '9' || i == 0 && s[i] == '-') {
				i++
			}
			s = s[:i]
		}
		if x, err := strconv.ParseFloat(s, 64); a.known() && err == nil {
			return numberValue(x), true
		}
		return unknownValue(a.what()), true
	case "isNaN":
		if a.known() {
			_, ok := a.num()
			return boolValue(!ok), true
		}
	case "confirm":
		return boolValue(true), true
	case "$", "jQuery":
		if a.kind == text {
			return selected(a.s), true
		}
		return a, true
	case "WebForm_DoPostBackWithOptions", "alert", "setTimeout", "setInterval", "clearTimeout", "stopPropagation",
		"print":
	default:
		return value{}, false
	}
	return unknownValue(""), true
}

// encode is what encodeURIComponent and its kin make of a text.
func encode(s, how string) string {
	keep := "-_.!~*'()"
	switch how {
	case "encodeURI":
		keep += ";/?:@&=+$,#"
	case "escape":
		keep = "@*_+-./"
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 0x80 && IsWordByte(c) && c != '$' || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			const hex = "0123456789ABCDEF"
			b.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
	return b.String()
}

// method reads a method of a value; false when it has none of that name.
func (f *frame) method(of value, name string, args arguments) (value, bool) {
	a := args.at(0)
	switch of.kind {
	case location:
		if name == "assign" || name == "replace" {
			f.lead(a)
		}
		return unknownValue(""), true
	case document:
		switch name {
		case "getElementById", "getElementsByName":
			if a.known() {
				return value{element, a.s}, true
			}
		case "querySelector", "querySelectorAll":
			return selected(a.s), true
		}
		return unknownValue(""), true
	case element:
		switch name {
		case "submit", "requestSubmit":
			if !f.quiet {
				f.r.send(of)
			}
			return unknownValue(""), true
		case "trigger":
			if a.s == "submit" && !f.quiet {
				f.r.send(of)
			}
			return of, true
		case "val":
			if len(args) == 0 {
				return f.field(of.s), true
			}
			f.r.set(of.s, a)
			return of, true
		case "attr", "prop", "setAttribute":
			switch {
			case len(args) == 2 && a.s == "action" && args.at(1).known():
				f.r.action = args.at(1).s
			case len(args) == 2 && a.s == "action":
				f.refuse("where it sends the form depends on %s", args.at(1).what())
			case len(args) == 2 && a.s == "value":
				f.r.set(of.s, args.at(1))
			case len(args) < 2:
				return unknownValue("an attribute of the page"), true
			}
			return of, true
		case "find", "children", "eq", "first", "closest":
			if a.kind == text && name != "closest" {
				return selected(a.s), true
			}
			return of, true
		}
	case text, digits:
		return textMethod(of, name, args), true
	case nothing:
		if name == "toString" || name == "trim" {
			return of, true
		}
	}
	return value{}, false
}

// textChanges are the methods of a text without arguments.
var textChanges = map[string]func(string) string{"toString": strings.Clone, "valueOf": strings.Clone,
	"trim": strings.TrimSpace, "toLowerCase": strings.ToLower, "toUpperCase": strings.ToUpper}

// textMethod reads a method of a known text.
func textMethod(of value, name string, args arguments) value {
	at := func(i, def int) int {
		x, ok := args.at(i).num()
		if i >= len(args) || !ok {
			return def
		}
		return min(max(int(x), 0), len(of.s))
	}
	if change, ok := textChanges[name]; ok {
		return textValue(change(of.s))
	}
	switch name {
	case "concat":
		out := textValue(of.s)
		for i := range args {
			out = add(out, args[i])
		}
		return out
	case "replace":
		if args.at(0).kind == text && args.at(1).known() {
			return textValue(strings.Replace(of.s, args.at(0).s, args.at(1).s, 1))
		}
	case "indexOf":
		if args.at(0).known() {
			return numberValue(float64(strings.Index(of.s, args.at(0).s)))
		}
	case "substring", "slice":
		if from, to := at(0, 0), at(1, len(of.s)); from <= to {
			return textValue(of.s[from:to])
		}
	case "substr":
		from := at(0, 0)
		return textValue(of.s[from:min(len(of.s), from+at(1, len(of.s)))])
	}
	return unknownValue("")
}

// postback ends the reading: the handler posts back.
func (f *frame) postback(target, argument value) {
	switch {
	case f.quiet || f.r.effect != nil || f.r.err != nil:
	case !target.known() || !argument.known() && argument.kind != null:
		f.refuse("what it posts back depends on %s", target.what())
	default:
		f.r.effect = &ScriptEffect{Postback: true, Target: target.s, Argument: argument.s}
	}
}

// newOf reads the options that ASP.NET hands to a postback.
func (f *frame) newOf(n *js.NewExpr) value {
	if c, ok := n.X.(*js.Var); ok && textOf(c.Data) == "WebForm_PostBackOptions" && n.Args != nil &&
		len(n.Args.List) > 1 {
		f.postback(f.eval(n.Args.List[0].Value), f.eval(n.Args.List[1].Value))
	}
	return unknownValue("")
}

// user reads a function of the sources.
func (f *frame) user(name string, args arguments) value {
	fn := f.r.find(name)
	if !fn.defined {
		if !f.quiet && f.r.err == nil && !f.r.loading {
			f.r.err = &fn.none
		}
		return unknownValue("the function " + name)
	}
	return f.apply(fn, args)
}

func (f *frame) apply(fn *function, args arguments) value {
	if f.r.calls >= maxCalls {
		f.refuse("its functions call each other too deep")
		return unknownValue("")
	}
	f.r.calls++
	in := frame{r: f.r, most: f.most, quiet: f.quiet}
	in.begin()
	for i, p := range fn.params {
		in.put(p, args.at(i))
	}
	in.runAll(fn.body)
	in.end()
	f.r.calls--
	if in.left {
		return in.ret
	}
	return unknownValue("")
}
