package listpage

import (
	"errors"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"github.com/tdewolff/parse/v2/js"
	"golang.org/x/net/html/atom"
)

// This file finds where a page sends its reader that holds nothing else.

// Bounds of a page that only sends its reader on. Text counts characters outside links.
const (
	atOnceText    = 400 // of a page with a refresh after 0 seconds
	soonText      = 200 // of a page with a refresh after some seconds
	scriptedText  = 60  // of a page whose script leads on
	soonSeconds   = 15
	scriptedLinks = 5 // for readers without scripts
)

// Redirect returns the canonical address to which a refresh or a script sends the reader as
// soon as the page is shown; "" for a page that holds more than that. unread is why the
// address in a script cannot be told; "" where no script leads on. Call it after Clicks.
func (f *PaginationFinder) Redirect() (address, unread string) {
	t := f.Tree
	if t.Refresh == "" && len(t.Scripts) == 0 && len(t.Text) > atOnceText {
		return "", ""
	}
	shown := 0
	for i := range t.Runs {
		if shown += int(t.Runs[i].Chars - t.Runs[i].LinkChars); shown > atOnceText {
			return "", ""
		}
	}
	if t.Refresh != "" && (t.RefreshAfter == 0 || t.RefreshAfter <= soonSeconds && shown <= soonText) {
		return f.elsewhere(t.Refresh), ""
	}
	if shown > scriptedText || len(t.Refs) > scriptedLinks {
		return "", ""
	}
	codes, onload := f.loads()
	if onload == "" && len(codes) == 0 {
		return "", ""
	}
	f.settle()
	if len(f.reader.Sources) == 0 {
		f.reader.Sources = inlineScripts(f.reader.Sources, f.Tree)
	}
	for _, code := range append(codes, onload) {
		e, err := f.reader.load(code)
		why, bad := errors.AsType[*unreadableScript](err)
		switch {
		case bad && why.Function == "":
			return "", why.why
		case e == nil:
		case e.URL == "":
			return "", "it sends a form"
		default:
			return f.elsewhere(e.URL), ""
		}
	}
	return "", ""
}

// loads returns the scripts that run when the page is loaded, and the handler of its body.
// A page with a script file that may show it has no target.
func (f *PaginationFinder) loads() (codes []string, onload string) {
	room := maxCode
	for _, h := range f.Tree.Scripts {
		if src := htmldoc.Attr(h, "src"); src != "" && !library(src) {
			return nil, ""
		}
		kind := htmldoc.Attr(h, "type")
		if h.FirstChild == nil || kind != "" && !strings.Contains(kind, "script") && kind != "module" {
			continue
		}
		if room -= len(h.FirstChild.Data); room < 0 {
			return nil, ""
		}
		codes = append(codes, h.FirstChild.Data)
	}
	for i := range f.Tree.Nodes {
		if n := &f.Tree.Nodes[i]; n.Tag == atom.Body && n.HTML != nil {
			onload = htmldoc.Attr(n.HTML, "onload")
			break
		}
	}
	return codes, onload[:min(len(onload), maxCode)]
}

// elsewhere completes an address; "" for the page's own and for none that can be asked.
func (f *PaginationFinder) elsewhere(href string) string {
	f.settle()
	u, err := f.Resolver.ResolveIn(f.Charset, f.base, href)
	if err != nil || u == f.Tree.URL {
		return ""
	}
	return strings.Clone(u)
}

// besideText are parts of the addresses of frames that show something else than a text.
var besideText = [...]string{"count", "click", "hits", "visit", "weather", "share", "login", "search", "comment", "/map"}

// TextFrame returns the address of the only frame that a page shows if it is a page of the same host; "" otherwise.
func (f *PaginationFinder) TextFrame() (address string) {
	for i := range f.Tree.Nodes {
		n := &f.Tree.Nodes[i]
		if n.Tag != atom.Iframe && n.Tag != atom.Frame || n.Hidden || tiny(n.HTML) {
			continue
		}
		u := f.elsewhere(htmldoc.Attr(n.HTML, "src"))
		if htmldoc.AnyWord(u, htmldoc.ContainsFold, besideText[:]...) {
			continue
		}
		if address != "" || u == "" || urls.ClassOf(u) != urls.Page || urls.HostOf(u) != urls.HostOf(f.Tree.URL) {
			return ""
		}
		address = u
	}
	return address
}

// load is Read for a script that runs when its page is loaded: what waits for that or for a
// time is read, too. Where a condition is not known its other branch is read first.
func (r *ScriptReader) load(code string) (effect *ScriptEffect, err error) {
	code = strings.TrimSpace(code)
	if code == "" {
		return nil, errNoEffect
	}
	defer func() { r.loading, r.certain = false, false }()
	r.loading, r.certain = true, true
	if effect, err = r.read(code, plainCall{}); effect == nil {
		r.certain = false
		if e, again := r.read(code, plainCall{}); e != nil || errors.Is(err, errNoEffect) {
			effect, err = e, again
		}
	}
	return effect, err
}

// wait reads the functions that a call hands over to be called when the page is loaded, or
// when a time is over.
func (f *frame) wait(name string, args []js.Arg) {
	switch name {
	case "addEventListener", "attachEvent", "on", "bind":
		if len(args) < 2 || !slices.Contains(loadEvents, strings.TrimPrefix(f.eval(args[0].Value).s, "on")) {
			return
		}
		args = args[1:]
	case "setTimeout", "setInterval", "requestAnimationFrame", "$", "jQuery", "ready", "load":
	default:
		return
	}
	for _, a := range args {
		f.callback(a.Value)
	}
}

var loadEvents = []string{"load", "DOMContentLoaded", "pageshow", "readystatechange"}

// callback reads a function that is handed over: its code, its name, or a text of code.
func (f *frame) callback(n js.IExpr) {
	switch n := bare(n).(type) {
	case *js.FuncDecl:
		f.apply(literalFunction(&n.Params, n.Body.List), nil)
	case *js.ArrowFunc:
		f.apply(literalFunction(&n.Params, n.Body.List), nil)
	case *js.LiteralExpr:
		if v := literalValue(n); v.kind == text && v.s != "" {
			f.apply(literalFunction(&js.Params{}, parseScript(v.s, &f.r.steps)), nil)
		}
	case *js.Var:
		if fn := f.r.find(textOf(n.Data)); fn.defined {
			f.apply(fn, nil)
		}
	}
}

func literalFunction(params *js.Params, body []js.IStmt) *function {
	fn := &function{defined: true}
	fn.read(params, body)
	return fn
}
