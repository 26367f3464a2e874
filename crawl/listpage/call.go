package listpage

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tdewolff/parse/v2/js"
)

// call evaluates a call: of a browser function, of something that navigates, or of a function of
// the sources.
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
			f.readCallback(callee)
		}
	case *js.Var:
		if f.r.loading {
			f.readCallbacks(textOf(callee.Data), n.Args.List)
		}
		return f.callFunction(textOf(callee.Data), args)
	case *js.DotExpr:
		if f.r.loading {
			f.readCallbacks(memberName(callee), n.Args.List)
		}
		of, name := f.eval(callee.X), memberName(callee)
		if of.kind == windowObject {
			return f.callFunction(name, args)
		}
		if v, ok := f.callMethod(of, name, args); ok {
			return v
		}
		if _, ok := bare(callee.X).(*js.Var); ok {
			if fn := f.r.findFunction(name); fn.defined {
				return f.apply(fn, args)
			}
		}
	}
	return unknownValue("")
}

// bare returns an expression without the parentheses around it.
func bare(n js.IExpr) js.IExpr {
	for {
		g, ok := n.(*js.GroupExpr)
		if !ok {
			return n
		}
		n = g.X
	}
}

// callFunction evaluates a call of a browser function or of a function of the sources.
func (f *frame) callFunction(name string, args arguments) value {
	if v, ok := f.callBuiltin(name, args); ok {
		return v
	}
	fn := f.r.findFunction(name)
	if fn.defined {
		return f.apply(fn, args)
	}
	if !f.quiet && f.r.err == nil && !f.r.loading {
		f.r.err = &fn.undefined
	}
	return unknownValue("the function " + name)
}

// arguments are the arguments of a call.
type arguments []value

// at returns an argument by its index; undefined if the call has fewer.
func (a arguments) at(i int) value {
	if i < len(a) {
		return a[i]
	}
	return value{kind: null}
}

// callBuiltin evaluates a call of a browser function. ok is false for another function.
func (f *frame) callBuiltin(name string, args arguments) (value, bool) {
	a := args.at(0)
	switch name {
	case "open":
		if !f.r.loading { // while loading it opens a second window
			f.navigate(a)
		}
	case "__doPostBack":
		f.postback(a, args.at(1))
	case "encodeURIComponent", "encodeURI", "escape":
		if a.known() {
			return textValue(percentEncode(a.s, name)), true
		}
		return unknownValue(a.description()), true
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
			for i < len(s) && (isDigit(s[i]) || i == 0 && s[i] == '-') {
				i++
			}
			s = s[:i]
		}
		if x, err := strconv.ParseFloat(s, 64); a.known() && err == nil {
			return numberValue(x), true
		}
		return unknownValue(a.description()), true
	case "isNaN":
		if a.known() {
			_, ok := a.num()
			return boolValue(!ok), true
		}
	case "confirm":
		return boolValue(true), true
	case "$", "jQuery":
		if a.kind == text {
			return selectedElement(a.s), true
		}
		return a, true
	case "WebForm_DoPostBackWithOptions", "alert", "setTimeout", "setInterval", "clearTimeout", "stopPropagation",
		"print":
	default:
		return value{}, false
	}
	return unknownValue(""), true
}

// percentEncode escapes a text as a JavaScript function does: encodeURIComponent, encodeURI or
// escape.
func percentEncode(s, how string) string {
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

// callMethod evaluates a method of a value. It returns false if the value has no method of that
// name.
func (f *frame) callMethod(of value, name string, args arguments) (value, bool) {
	a := args.at(0)
	switch of.kind {
	case location:
		if name == "assign" || name == "replace" {
			f.navigate(a)
		}
		return unknownValue(""), true
	case document:
		switch name {
		case "getElementById", "getElementsByName":
			if a.known() {
				return value{element, a.s}, true
			}
		case "querySelector", "querySelectorAll":
			return selectedElement(a.s), true
		}
		return unknownValue(""), true
	case element:
		switch name {
		case "submit", "requestSubmit":
			f.submit(of)
			return unknownValue(""), true
		case "trigger":
			if a.s == "submit" {
				f.submit(of)
			}
			return of, true
		case "val":
			if len(args) == 0 {
				return f.fieldValue(of.s), true
			}
			f.r.setField(of.s, a)
			return of, true
		case "attr", "prop", "setAttribute":
			switch {
			case len(args) == 2 && a.s == "action":
				f.setAction(args.at(1))
			case len(args) == 2 && a.s == "value":
				f.r.setField(of.s, args.at(1))
			case len(args) < 2:
				return unknownValue("an attribute of the page"), true
			}
			return of, true
		case "find", "children", "eq", "first", "closest":
			if a.kind == text && name != "closest" {
				return selectedElement(a.s), true
			}
			return of, true
		}
	case text, digits:
		return callTextMethod(of, name, args), true
	case unknown:
		if name == "toString" || name == "trim" {
			return of, true
		}
	}
	return value{}, false
}

// textConversions are the methods of a string without arguments.
var textConversions = map[string]func(string) string{"toString": strings.Clone, "valueOf": strings.Clone,
	"trim": strings.TrimSpace, "toLowerCase": strings.ToLower, "toUpperCase": strings.ToUpper}

// callTextMethod evaluates a method of a known string.
func callTextMethod(of value, name string, args arguments) value {
	at := func(i, def int) int {
		x, ok := args.at(i).num()
		if i >= len(args) || !ok {
			return def
		}
		return min(max(int(x), 0), len(of.s))
	}
	if change, ok := textConversions[name]; ok {
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

// construct evaluates new WebForm_PostBackOptions(…), the options that ASP.NET passes to a
// postback.
func (f *frame) construct(n *js.NewExpr) value {
	if c, ok := n.X.(*js.Var); ok && textOf(c.Data) == "WebForm_PostBackOptions" && n.Args != nil &&
		len(n.Args.List) > 1 {
		f.postback(f.eval(n.Args.List[0].Value), f.eval(n.Args.List[1].Value))
	}
	return unknownValue("")
}

// apply evaluates the body of a function with arguments.
func (f *frame) apply(fn *function, args arguments) value {
	if f.r.calls >= maxCalls {
		f.fail("its functions call each other too deep")
		return unknownValue("")
	}
	f.r.calls++
	in := frame{r: f.r, stepLimit: f.stepLimit, quiet: f.quiet}
	in.enter()
	for i, p := range fn.params {
		in.setLocal(p, args.at(i))
	}
	in.runStatements(fn.body)
	in.leave()
	f.r.calls--
	if in.returned {
		return in.result
	}
	return unknownValue("")
}
