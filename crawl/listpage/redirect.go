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

// This file finds the target of a page that only redirects its reader.

// Bounds of a page that only redirects. Text counts characters outside links.
const (
	maxRefreshText        = 400 // of a page with a refresh after 0 seconds
	maxDelayedRefreshText = 200 // of a page with a later refresh
	maxScriptText         = 60  // of a page with a redirect in a script
	maxRefreshSeconds     = 15
	maxScriptLinks        = 5 // links of such a page; they serve readers without scripts
)

// Redirect returns the canonical address of a refresh or of a script that runs when the page is
// loaded. It is "" for a page with other content. unread is the reason for an unknown address in a
// script; "" without such a script. Call it after Clicks.
func (f *PaginationFinder) Redirect() (address, unread string) {
	t := f.Tree
	if t.Refresh == "" && len(t.Scripts) == 0 && len(t.Text) > maxRefreshText {
		return "", ""
	}
	shown := 0
	for i := range t.Runs {
		if shown += int(t.Runs[i].Chars - t.Runs[i].LinkChars); shown > maxRefreshText {
			return "", ""
		}
	}
	if t.Refresh != "" &&
		(t.RefreshAfter == 0 || t.RefreshAfter <= maxRefreshSeconds && shown <= maxDelayedRefreshText) {
		return f.otherAddress(t.Refresh), ""
	}
	if shown > maxScriptText || len(t.Refs) > maxScriptLinks {
		return "", ""
	}
	codes, onload := f.loadScripts()
	if onload == "" && len(codes) == 0 {
		return "", ""
	}
	f.resolveBase()
	if len(f.reader.Sources) == 0 {
		f.reader.Sources = inlineScripts(f.reader.Sources, f.Tree)
	}
	for _, code := range append(codes, onload) {
		e, err := f.reader.readOnLoad(code)
		why, bad := errors.AsType[*unreadableScript](err)
		switch {
		case bad && why.Function == "":
			return "", why.why
		case e == nil:
		case e.URL == "":
			return "", "it sends a form"
		default:
			return f.otherAddress(e.URL), ""
		}
	}
	return "", ""
}

// loadScripts returns the scripts that run when the page is loaded, and the onload handler of its
// body. It returns nothing if a script file may write the page.
func (f *PaginationFinder) loadScripts() (codes []string, onload string) {
	room := maxCode
	for _, h := range f.Tree.Scripts {
		if src := htmldoc.Attr(h, "src"); src != "" && !isLibrary(src) {
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

// otherAddress returns the canonical address of an href; "" for the page itself and for an address
// that cannot be fetched.
func (f *PaginationFinder) otherAddress(href string) string {
	f.resolveBase()
	u, err := f.Resolver.ResolveIn(f.Charset, f.base, href)
	if err != nil || u == f.Tree.URL {
		return ""
	}
	return strings.Clone(u)
}

// otherFrames are parts of the addresses of frames that hold no text of the page.
var otherFrames = [...]string{"count", "click", "hits", "visit", "weather", "share", "login", "search", "comment",
	"/map"}

// TextFrame returns the address of the only frame of a page if it is a page of the same host; ""
// otherwise.
func (f *PaginationFinder) TextFrame() (address string) {
	for i := range f.Tree.Nodes {
		n := &f.Tree.Nodes[i]
		if n.Tag != atom.Iframe && n.Tag != atom.Frame || n.Hidden || isTiny(n.HTML) {
			continue
		}
		u := f.otherAddress(htmldoc.Attr(n.HTML, "src"))
		if htmldoc.AnyWord(u, htmldoc.ContainsFold, otherFrames[:]...) {
			continue
		}
		if address != "" || u == "" || urls.ClassOf(u) != urls.Page || urls.HostOf(u) != urls.HostOf(f.Tree.URL) {
			return ""
		}
		address = u
	}
	return address
}

// readOnLoad is Read for a script that runs when its page is loaded. It also evaluates callbacks of
// the load event and of timers. It first skips the code behind unknown conditions.
func (r *ScriptReader) readOnLoad(code string) (effect *ScriptEffect, err error) {
	code = strings.TrimSpace(code)
	if code == "" {
		return nil, errNoEffect
	}
	defer func() { r.loading, r.certainOnly = false, false }()
	r.loading, r.certainOnly = true, true
	if effect, err = r.evaluate(code, plainCall{}); effect == nil {
		r.certainOnly = false
		if e, again := r.evaluate(code, plainCall{}); e != nil || errors.Is(err, errNoEffect) {
			effect, err = e, again
		}
	}
	return effect, err
}

// readCallbacks evaluates the functions that a call registers for the load event or for a timer.
func (f *frame) readCallbacks(name string, args []js.Arg) {
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
		f.readCallback(a.Value)
	}
}

// loadEvents are the names of events at the end of loading.
var loadEvents = []string{"load", "DOMContentLoaded", "pageshow", "readystatechange"}

// readCallback evaluates a function that is an argument: its code, its name, or a string of code.
func (f *frame) readCallback(n js.IExpr) {
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
		if fn := f.r.findFunction(textOf(n.Data)); fn.defined {
			f.apply(fn, nil)
		}
	}
}

func literalFunction(params *js.Params, body []js.IStmt) *function {
	fn := &function{defined: true}
	fn.setCode(params, body)
	return fn
}
