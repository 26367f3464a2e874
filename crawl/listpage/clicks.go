package listpage

import (
	"errors"
	"path"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"golang.org/x/net/html/atom"
)

// PaginationFinder reads the handlers and forms of one page. It serves one page and one goroutine
// at a time; Reset makes it one for another page, and keeps its space. It is not to be
// copied once it has been used.
type PaginationFinder struct {
	Tree     *htmldoc.Tree
	Charset  string // that the page was written in: forms are sent in it
	Resolver *urls.Resolver
	Script   func(address string) (text string, known bool) // text of a script file, if it was fetched; nil = none was

	reader  ScriptReader
	base    string
	sends   []send
	wanted  []string
	inputs  map[string]string
	outside bool // the script files were looked at

	hrefs  []string       // of the clicks
	again  []int          // clicks whose function is missing
	called map[string]int // how many rows call a missing function
}

// Reset forgets the page.
func (f *PaginationFinder) Reset() {
	f.reader.reset()
	clear(f.sends)
	clear(f.hrefs)
	clear(f.called)
	*f = PaginationFinder{reader: f.reader, sends: f.sends[:0], hrefs: f.hrefs[:0], again: f.again[:0],
		called: f.called}
}

// send is an element that sends a form.
type send struct {
	node   int32
	anchor string
	effect *ScriptEffect
}

// Bounds of what is read of one page.
const (
	scriptBytes = 256 << 10 // of all scripts together
	mostFiles   = 5         // script files
	fewRows     = 3         // rows that call a function before its file is asked for
)

// Clicks makes links of the elements that lead somewhere by script. Call it before the
// links of the page are read.
func (f *PaginationFinder) Clicks() {
	t := f.Tree
	if len(t.Clicks) == 0 {
		return
	}
	f.settle()
	f.reader.Sources = inlineScripts(f.reader.Sources, t)
	if f.reader.Value == nil {
		f.reader.Value = f.value
	}
	f.hrefs = append(f.hrefs[:0], make([]string, len(t.Clicks))...)
	for i := range t.Clicks {
		if name := f.read(i); name != "" {
			f.miss(i, name)
		}
	}
	for _, n := range f.called {
		if n >= fewRows && !f.outside {
			f.outside = true
			if f.files() {
				for _, i := range f.again {
					f.read(i)
				}
			}
		}
	}
	t.LinkClicks(f.hrefs)
}

// settle finds the address that links of the page count from.
func (f *PaginationFinder) settle() {
	t := f.Tree
	f.base, f.reader.URL = t.URL, t.URL
	if t.Base != "" {
		if u, err := f.Resolver.Resolve(t.URL, t.Base); err == nil {
			f.base = u
		}
	}
}

// miss notes a click whose function is missing.
func (f *PaginationFinder) miss(i int, name string) {
	if f.called == nil {
		f.called = map[string]int{}
	}
	f.again = append(f.again, i)
	f.called[name]++
	if turns(f.anchor(i)) {
		f.called[name] += fewRows
	}
}

// read reads one click. It returns the name of the function that is missing.
func (f *PaginationFinder) read(i int) (missing string) {
	c := &f.Tree.Clicks[i]
	e, err := f.reader.Read(c.Code)
	switch {
	case err != nil:
		if u, ok := errors.AsType[*unreadableScript](err); ok {
			return u.Function
		}
	case e.URL == "":
		f.sends = append(f.sends, send{c.Node, f.anchor(i), e})
	default:
		if u, err := f.Resolver.ResolveIn(f.Charset, f.base, e.URL); err == nil && u != f.Tree.URL &&
			!f.leads(c, e.URL) {
			f.hrefs[i] = e.URL
		}
	}
	return ""
}

// leads reports whether a link inside an element leads on already; one without an address
// is given that of the element.
func (f *PaginationFinder) leads(c *htmldoc.Click, href string) bool {
	n := &f.Tree.Nodes[c.Node]
	if c.Ref >= 0 {
		return false
	}
	inner := false
	for j := n.Ref; j < n.RefEnd; j++ {
		r := &f.Tree.Refs[j]
		if r.Node == c.Node {
			continue
		}
		if _, err := f.Resolver.Resolve(f.base, r.Href); err == nil {
			return true
		}
		if f.Tree.Nodes[r.Node].Tag == atom.A && !inner {
			r.Href, inner = href, true
		}
	}
	return inner
}

// anchor returns the text that the element of a click shows.
func (f *PaginationFinder) anchor(i int) string {
	return htmldoc.ClickText(f.Tree, f.Tree.Clicks[i].Node)
}

// inlineScripts appends the scripts in a page to out.
func inlineScripts(out []string, t *htmldoc.Tree) []string {
	room := scriptBytes
	for _, h := range t.Scripts {
		if h.FirstChild == nil || len(h.FirstChild.Data) > room {
			continue
		}
		room -= len(h.FirstChild.Data)
		out = append(out, h.FirstChild.Data)
	}
	return out
}

// files adds the script files of the page's own host to what is read, and reports whether
// any is known. The others are wanted.
func (f *PaginationFinder) files() (any bool) {
	n := 0
	for _, h := range f.Tree.Scripts {
		src := htmldoc.Attr(h, "src")
		if src == "" || library(src) {
			continue
		}
		u, err := f.Resolver.Resolve(f.base, src)
		if err != nil || urls.HostOf(u) != urls.HostOf(f.Tree.URL) {
			continue
		}
		if n++; n > mostFiles {
			break
		}
		text, known := "", false
		if f.Script != nil {
			text, known = f.Script(u)
		}
		if !known {
			f.wanted = append(f.wanted, u)
			continue
		}
		any = any || text != ""
		f.reader.add(text[:min(len(text), scriptBytes)])
	}
	return any
}

// libraries are files whose functions no list is turned by.
var libraries = []string{"jquery", "bootstrap", "swiper", "layui", "layer", "vue", "react", "angular", "echarts",
	"superslide", "datepicker", "calendar", "wdate", "modernizr", "respond", "html5", "polyfill", "share", "analytics",
	"stat", "tongji", "hm.js"}

// library tells by its name that a script file is none of the site's own.
func library(src string) bool {
	src, _, _ = strings.Cut(src, "?")
	return htmldoc.AnyWord(strings.ToLower(path.Base(src)), strings.HasPrefix, libraries...)
}

// value is the value of a field of the page by its id or name.
func (f *PaginationFinder) value(name string) (string, bool) {
	if f.inputs == nil {
		f.inputs = map[string]string{}
		for i := range f.Tree.Nodes {
			n := &f.Tree.Nodes[i]
			if n.Tag != atom.Input || n.IsText {
				continue
			}
			for _, key := range [...]string{"name", "id"} {
				if k := htmldoc.Attr(n.HTML, key); k != "" && len(f.inputs) < 500 {
					f.inputs[k] = htmldoc.Attr(n.HTML, "value")
				}
			}
		}
	}
	v, ok := f.inputs[name]
	return v, ok
}

// turns reports whether an anchor turns a page: a word for the next one, or a number.
func turns(anchor string) bool {
	anchor = strings.TrimSpace(anchor)
	return IsNextAnchor(anchor) || anchor != "" && len(anchor) <= 4 && strings.Trim(anchor, "0123456789") == ""
}

// nextWords lead to the next page.
var nextWords = map[string]bool{"下一页": true, "下页": true, "后一页": true, "下一頁": true, "后页": true, "next": true,
	"next page": true, "older": true, "›": true, "»": true, ">": true, ">>": true, "下一页>": true, "下一页>>": true,
	"下页>": true, "more": true, "加载更多": true, "查看更多": true, "点击加载更多": true}

// IsNextAnchor reports whether an anchor says that it leads to the next page.
func IsNextAnchor(anchor string) bool {
	return len(anchor) <= 30 && nextWords[strings.ToLower(strings.Trim(anchor, " []【】()（）"))]
}

// cleaned is a short clean line.
func cleaned(s string) string { return htmldoc.CleanLine(s, 60) }
