package listpage

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// ScriptEffect is what a handler does with its reader: it leads to an address, sends a form, or
// posts back (ASP.NET).
type ScriptEffect struct {
	URL string // where it leads, as written; "" when it sends a form

	Sends  bool
	Form   string        // name or id of the form that is sent, "#0" by its number; "" = the only one
	Action string        // where the form is sent instead; "" = where it says
	Fields []ScriptField // that are set before, by name or id

	Postback         bool
	Target, Argument string
}

// ScriptField is a field of a form.
type ScriptField struct{ Name, Value string }

// errNoEffect means that code leads nowhere.
var errNoEffect = errors.New("it leads nowhere")

// unreadableScript is why an effect could not be read.
type unreadableScript struct {
	Function string // that is not defined in the sources; "" for another reason
	why      string
}

func (e *unreadableScript) Error() string {
	if e.Function != "" {
		return "the function " + e.Function + " is not defined in the page or its scripts"
	}
	return e.why
}

// ScriptReader reads the handlers of one page. The zero value is ready; reset makes it one for
// another page, and keeps its space.
type ScriptReader struct {
	Sources []string // the page's scripts, those of other files behind
	URL     string   // of the page
	// Value is the value of a field by its name or id; nil = there are none.
	Value func(name string) (string, bool)
	// Member is the value of a member of an object that is not known, a row for one; nil =
	// none is known.
	Member func(name string) (string, bool)

	functions map[string]*function
	globals   map[string]value
	known     map[string]outcome // of code that was read
	steps     int
	calls     int
	effect    *ScriptEffect
	fields    []ScriptField
	action    string
	err       *unreadableScript

	loading bool // the code runs when its page is loaded
	certain bool // of that: code behind a condition that is not known is left out

	parsed int // bytes of functions
	vars   []variable
}

// outcome is the result of reading a handler.
type outcome struct {
	effect *ScriptEffect
	err    error
}

// Bounds of reading.
const (
	maxSteps  = 200_000 // of one page
	onceSteps = 4_000   // of one handler
	maxCalls  = 12      // functions within functions
	maxParsed = 1 << 20 // bytes of all functions together
	maxKnown  = 256     // handlers whose outcome is kept; maps of more are not kept for another page
)

// reset forgets the page; Value and Member stay.
func (r *ScriptReader) reset() {
	clear(r.Sources[:cap(r.Sources)])
	clear(r.vars[:cap(r.vars)])
	*r = ScriptReader{Sources: r.Sources[:0], Value: r.Value, Member: r.Member, functions: emptied(r.functions),
		globals: emptied(r.globals), known: emptied(r.known), vars: r.vars[:0]}
}

// emptied is a map without what it held, nil for a large one.
func emptied[V any](m map[string]V) map[string]V {
	if len(m) > maxKnown {
		return nil
	}
	clear(m)
	return m
}

// Read returns what a handler does: the code of an onclick, or of a javascript: link. The
// error is errNoEffect or an *unreadableScript. The same code is read once: its ScriptEffect is handed
// out again and must not be changed.
func (r *ScriptReader) Read(code string) (*ScriptEffect, error) {
	if o, ok := r.known[code]; ok {
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
	case r.isUnknown(call.name):
		return nil, &r.find(call.name).none
	case call.alone && r.idle(call.name):
		return nil, errNoEffect
	}
	effect, err := r.read(plain, call)
	if len(r.known) < maxKnown {
		if r.known == nil {
			r.known = map[string]outcome{}
		}
		r.known[code] = outcome{effect, err}
	}
	return effect, err
}

// read is Read for code that is not known yet, and that begins with a plain call if there is one.
func (r *ScriptReader) read(code string, call plainCall) (*ScriptEffect, error) {
	if r.steps >= maxSteps {
		return nil, &unreadableScript{why: "the page has too many scripts"}
	}
	r.effect, r.err, r.fields, r.action, r.calls = nil, nil, nil, "", 0
	most := min(r.steps+onceSteps, maxSteps)
	f := frame{r: r, most: most}
	f.begin()
	if !call.alone {
		f.runAll(parseScript(code, &r.steps))
	} else {
		var few [len(call.few)]value
		for i, a := range call.few[:call.n] {
			few[i] = f.argument(a)
		}
		f.callName(call.name, few[:call.n])
	}
	f.end()
	switch {
	case r.effect != nil:
		return r.effect, nil
	case r.err != nil:
		return nil, r.err
	case r.steps >= most:
		return nil, &unreadableScript{why: "the function is too long to be read"}
	}
	return nil, errNoEffect
}

// refuse notes why an effect cannot be read; the first reason counts.
func (r *ScriptReader) refuse(format string, args ...any) {
	if r.err == nil {
		r.err = &unreadableScript{why: fmt.Sprintf(format, args...)}
	}
}

// lead ends the reading: the handler leads to an address.
func (r *ScriptReader) lead(to value) {
	switch {
	case r.effect != nil || r.err != nil:
	case !to.known():
		r.refuse("its address depends on %s", to.what())
	case strings.TrimSpace(to.s) == "" || strings.HasPrefix(to.s, "#") || to.s == "about:blank":
	default:
		r.effect = &ScriptEffect{URL: strings.TrimSpace(to.s)}
	}
}

// send ends the reading: the handler sends a form.
func (r *ScriptReader) send(form value) {
	if r.effect != nil || r.err != nil {
		return
	}
	for _, f := range r.fields {
		if f.Value == unknownField {
			r.refuse("the field %s that it sets depends on what is not known", f.Name)
			return
		}
	}
	r.effect = &ScriptEffect{Sends: true, Form: form.s, Action: r.action, Fields: r.fields}
}

// unknownField is the value of a field that is set to what is not known.
const unknownField = "\x00"

// set notes that a field is set.
func (r *ScriptReader) set(name string, v value) {
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
