package listpage

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ScriptEffect is the effect of a handler: it opens an address, sends a form, or posts back
// (ASP.NET).
type ScriptEffect struct {
	URL string // address as written; "" if it sends a form

	Form   string        // name or id of the form, or "#0" by its number; "" means the only one
	Action string        // new address of the form; "" means its own
	Fields []ScriptField // fields that are set before, by name or id

	Postback         bool
	Target, Argument string
}

// ScriptField is a field of a form.
type ScriptField struct{ Name, Value string }

// errNoEffect means that code opens no address and sends no form.
var errNoEffect = errors.New("it leads nowhere")

// unreadableScript is the error for code whose effect is unknown.
type unreadableScript struct {
	Function string // name of a function that the sources lack; "" for another reason
	why      string
}

func (e *unreadableScript) Error() string {
	if e.Function != "" {
		return "the function " + e.Function + " is not defined in the page or its scripts"
	}
	return e.why
}

// ScriptReader reads the handlers of one page. The zero value is ready. reset prepares it for
// another page and keeps its memory.
type ScriptReader struct {
	Sources []string // scripts inside the page, then script files
	URL     string   // of the page
	// Value returns the value of a field by its name or id; nil means no fields.
	Value func(name string) (string, bool)
	// Member returns the value of a member of an unknown object, such as a row; nil means none.
	Member func(name string) (string, bool)

	functions map[string]*function
	globals   map[string]value
	outcomes  map[string]outcome // by code that was read
	steps     int
	calls     int
	effect    *ScriptEffect
	fields    []ScriptField
	action    string
	err       *unreadableScript

	loading     bool // the code runs when its page is loaded
	certainOnly bool // while loading: skip code behind unknown conditions

	parsed int // bytes of parsed functions
	vars   []variable
}

// outcome is the result of reading a handler.
type outcome struct {
	effect *ScriptEffect
	err    error
}

// Bounds of reading.
const (
	maxSteps        = 200_000 // of evaluation, of one page
	maxHandlerSteps = 4_000
	maxCalls        = 12      // nested calls
	maxParsed       = 1 << 20 // bytes of all functions together
	maxOutcomes     = 256     // cached outcomes; reset drops larger maps
)

// reset clears the page; Value and Member stay.
func (r *ScriptReader) reset() {
	clear(r.Sources[:cap(r.Sources)])
	clear(r.vars[:cap(r.vars)])
	*r = ScriptReader{Sources: r.Sources[:0], Value: r.Value, Member: r.Member, functions: cleared(r.functions),
		globals: cleared(r.globals), outcomes: cleared(r.outcomes), vars: r.vars[:0]}
}

// cleared returns an emptied map, nil for a large one.
func cleared[V any](m map[string]V) map[string]V {
	if len(m) > maxOutcomes {
		return nil
	}
	clear(m)
	return m
}

// Read returns the effect of a handler: the code of an onclick, or of a javascript: link. The error
// is errNoEffect or an *unreadableScript. Equal code is evaluated once and shares its ScriptEffect,
// which must not be changed.
func (r *ScriptReader) Read(code string) (*ScriptEffect, error) {
	if o, ok := r.outcomes[code]; ok {
		return o.effect, o.err
	}
	plain := strings.TrimSpace(code)
	if script, ok := CutJavascript(plain); ok {
		plain = script
		if unescaped, err := url.PathUnescape(script); err == nil {
			plain = unescaped // it is an address
		}
	}
	if plain == "" || len(plain) > maxCode {
		return nil, errNoEffect
	}
	call := readPlainCall(plain)
	switch {
	case call.name == "":
	case !r.isBuiltin(call.name) && !r.findFunction(call.name).defined:
		return nil, &r.findFunction(call.name).undefined
	case call.alone && r.isHarmless(call.name):
		return nil, errNoEffect
	}
	effect, err := r.evaluate(plain, call)
	if len(r.outcomes) < maxOutcomes {
		if r.outcomes == nil {
			r.outcomes = map[string]outcome{}
		}
		r.outcomes[code] = outcome{effect, err}
	}
	return effect, err
}

// evaluate is Read without cache. call is the plain call at the start of code, if there is one.
func (r *ScriptReader) evaluate(code string, call plainCall) (*ScriptEffect, error) {
	if r.steps >= maxSteps {
		return nil, &unreadableScript{why: "the page has too many scripts"}
	}
	r.effect, r.err, r.fields, r.action, r.calls = nil, nil, nil, "", 0
	stepLimit := min(r.steps+maxHandlerSteps, maxSteps)
	f := frame{r: r, stepLimit: stepLimit}
	f.enter()
	if !call.alone {
		f.runStatements(parseScript(code, &r.steps))
	} else {
		var args [len(call.args)]value
		for i, a := range call.args[:call.argCount] {
			args[i] = f.plainArgument(a)
		}
		f.callFunction(call.name, args[:call.argCount])
	}
	f.leave()
	switch {
	case r.effect != nil:
		return r.effect, nil
	case r.err != nil:
		return nil, r.err
	case r.steps >= stepLimit:
		return nil, &unreadableScript{why: "the function is too long to be read"}
	}
	return nil, errNoEffect
}

// fail records why an effect is unknown; the first reason counts.
func (f *frame) fail(format string, args ...any) {
	if !f.quiet && f.r.err == nil {
		f.r.err = &unreadableScript{why: fmt.Sprintf(format, args...)}
	}
}

// decided reports whether a further effect does not count.
func (f *frame) decided() bool { return f.quiet || f.r.effect != nil || f.r.err != nil }

// navigate ends the evaluation: the handler opens an address.
func (f *frame) navigate(to value) {
	switch {
	case f.decided():
	case !to.known():
		f.fail("its address depends on %s", to.description())
	case strings.TrimSpace(to.s) == "" || strings.HasPrefix(to.s, "#") || to.s == "about:blank":
	default:
		f.r.effect = &ScriptEffect{URL: strings.TrimSpace(to.s)}
	}
}

// postback ends the evaluation: the handler posts back.
func (f *frame) postback(target, argument value) {
	switch {
	case f.decided():
	case !target.known() || !argument.known() && argument.kind != null:
		f.fail("what it posts back depends on %s", target.description())
	default:
		f.r.effect = &ScriptEffect{Postback: true, Target: target.s, Argument: argument.s}
	}
}

// submit ends the evaluation: the handler sends a form.
func (f *frame) submit(form value) {
	if f.decided() {
		return
	}
	for _, set := range f.r.fields {
		if set.Value == unknownField {
			f.fail("the field %s that it sets depends on what is not known", set.Name)
			return
		}
	}
	f.r.effect = &ScriptEffect{Form: form.s, Action: f.r.action, Fields: f.r.fields}
}

// setAction records that the handler sets the address of a form.
func (f *frame) setAction(to value) {
	if to.known() {
		f.r.action = to.s
	} else {
		f.fail("where it sends the form depends on %s", to.description())
	}
}

// unknownField is the value of a field that is set to an unknown value.
const unknownField = "\x00"

// setField records that the handler sets a field.
func (r *ScriptReader) setField(name string, v value) {
	s := v.s
	if !v.known() {
		s = unknownField
	}
	for i := range r.fields {
		if r.fields[i].Name == name {
			r.fields[i].Value = s
			return
		}
	}
	if len(r.fields) < 64 {
		r.fields = append(r.fields, ScriptField{name, s})
	}
}
