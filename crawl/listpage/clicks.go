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
// at a time. Reset prepares it for another page and keeps its memory. Do not copy it after first
// use.
type PaginationFinder struct {
	Tree     *htmldoc.Tree
	Charset  string // charset of the page; its forms are sent in it
	Resolver *urls.Resolver
	Script   func(address string) (text string, known bool) // text of a fetched script file; nil means none

	reader      ScriptReader
	base        string // address that relative links resolve against
	formClicks  []formClick
	wantedFiles []string          // script files that were not fetched yet
	inputs      map[string]string // value of a field by its name or id
	filesRead   bool              // the script files were looked up

	hrefs        []string       // address by index of the click; "" for none
	unresolved   []int          // indexes of clicks whose function is missing
	missingCalls map[string]int // weight of the rows that call a missing function, by its name
}

// Reset clears the page and keeps the memory.
func (f *PaginationFinder) Reset() {
	f.reader.reset()
	clear(f.formClicks)
	clear(f.hrefs)
	clear(f.missingCalls)
	*f = PaginationFinder{reader: f.reader, formClicks: f.formClicks[:0], hrefs: f.hrefs[:0],
		unresolved: f.unresolved[:0], missingCalls: f.missingCalls}
}

// formClick is an element whose handler sends a form.
type formClick struct {
	node   int32
	anchor string
	effect *ScriptEffect
}

// Bounds of one page.
const (
	maxScriptBytes = 256 << 10 // of all scripts of a page
	maxScriptFiles = 5
	minAlikeRows   = 3 // rows that call one missing function, or share an anchor, before they count as a list
)

// Clicks turns elements whose handler opens an address into links. Call it before the links of the
// page are read.
func (f *PaginationFinder) Clicks() {
	t := f.Tree
	if len(t.Clicks) == 0 {
		return
	}
	f.resolveBase()
	f.reader.Sources = inlineScripts(f.reader.Sources, t)
	if f.reader.Value == nil {
		f.reader.Value = f.fieldValue
	}
	f.hrefs = append(f.hrefs[:0], make([]string, len(t.Clicks))...)
	for i := range t.Clicks {
		if name := f.readClick(i); name != "" {
			f.noteMissing(i, name)
		}
	}
	for _, n := range f.missingCalls {
		if n >= minAlikeRows && !f.filesRead {
			f.filesRead = true
			if f.readFiles() {
				for _, i := range f.unresolved {
					f.readClick(i)
				}
			}
		}
	}
	t.LinkClicks(f.hrefs)
}

// resolveBase sets the address that links of the page resolve against.
func (f *PaginationFinder) resolveBase() {
	t := f.Tree
	f.base, f.reader.URL = t.URL, t.URL
	if t.Base != "" {
		if u, err := f.Resolver.Resolve(t.URL, t.Base); err == nil {
			f.base = u
		}
	}
}

// noteMissing records a click whose function is missing.
func (f *PaginationFinder) noteMissing(i int, name string) {
	if f.missingCalls == nil {
		f.missingCalls = map[string]int{}
	}
	f.unresolved = append(f.unresolved, i)
	f.missingCalls[name]++
	if isPagerAnchor(f.anchor(i)) {
		f.missingCalls[name] += minAlikeRows
	}
}

// readClick reads one click. It returns the name of the missing function, "" if none is.
func (f *PaginationFinder) readClick(i int) (missing string) {
	c := &f.Tree.Clicks[i]
	e, err := f.reader.Read(c.Code)
	switch {
	case err != nil:
		if u, ok := errors.AsType[*unreadableScript](err); ok {
			return u.Function
		}
	case e.URL == "":
		f.formClicks = append(f.formClicks, formClick{c.Node, f.anchor(i), e})
	default:
		if u, err := f.Resolver.ResolveIn(f.Charset, f.base, e.URL); err == nil && u != f.Tree.URL &&
			!f.linkInside(c, e.URL) {
			f.hrefs[i] = e.URL
		}
	}
	return ""
}

// linkInside reports whether an element holds a link. A link without an address gets the address of
// the element.
func (f *PaginationFinder) linkInside(c *htmldoc.Click, href string) bool {
	n := &f.Tree.Nodes[c.Node]
	if c.Ref >= 0 {
		return false
	}
	found := false
	for j := n.Ref; j < n.RefEnd; j++ {
		r := &f.Tree.Refs[j]
		if r.Node == c.Node {
			continue
		}
		if _, err := f.Resolver.Resolve(f.base, r.Href); err == nil {
			return true
		}
		if f.Tree.Nodes[r.Node].Tag == atom.A && !found {
			r.Href, found = href, true
		}
	}
	return found
}

// anchor returns the text that the element of a click shows.
func (f *PaginationFinder) anchor(i int) string {
	return htmldoc.ClickText(f.Tree, f.Tree.Clicks[i].Node)
}

// inlineScripts appends the scripts inside a page to out.
func inlineScripts(out []string, t *htmldoc.Tree) []string {
	room := maxScriptBytes
	for _, h := range t.Scripts {
		if h.FirstChild == nil || len(h.FirstChild.Data) > room {
			continue
		}
		room -= len(h.FirstChild.Data)
		out = append(out, h.FirstChild.Data)
	}
	return out
}

// readFiles adds the script files of the page's own host to the sources. It reports whether any was
// fetched and is not empty. It adds the missing ones to wantedFiles.
func (f *PaginationFinder) readFiles() (any bool) {
	n := 0
	for _, h := range f.Tree.Scripts {
		src := htmldoc.Attr(h, "src")
		if src == "" || isLibrary(src) {
			continue
		}
		u, err := f.Resolver.Resolve(f.base, src)
		if err != nil || urls.HostOf(u) != urls.HostOf(f.Tree.URL) {
			continue
		}
		if n++; n > maxScriptFiles {
			break
		}
		text, known := "", false
		if f.Script != nil {
			text, known = f.Script(u)
		}
		if !known {
			f.wantedFiles = append(f.wantedFiles, u)
			continue
		}
		any = any || text != ""
		f.reader.addSource(text[:min(len(text), maxScriptBytes)])
	}
	return any
}

// libraries are the beginnings of file names of libraries. They hold no function of a pager.
var libraries = []string{"jquery", "bootstrap", "swiper", "layui", "layer", "vue", "react", "angular", "echarts",
	"superslide", "datepicker", "calendar", "wdate", "modernizr", "respond", "html5", "polyfill", "share", "analytics",
	"stat", "tongji", "hm.js"}

// isLibrary reports whether the name of a script file is that of a library.
func isLibrary(src string) bool {
	src, _, _ = strings.Cut(src, "?")
	return htmldoc.AnyWord(strings.ToLower(path.Base(src)), strings.HasPrefix, libraries...)
}

// fieldValue returns the value of a field of the page by its id or name.
func (f *PaginationFinder) fieldValue(name string) (string, bool) {
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

// isPagerAnchor reports whether an anchor turns a page: a word for the next page, or a number.
func isPagerAnchor(anchor string) bool {
	anchor = strings.TrimSpace(anchor)
	return IsNextAnchor(anchor) || anchor != "" && len(anchor) <= 4 && strings.Trim(anchor, "0123456789") == ""
}

// nextLabels are the anchors of links to the next page, in lower case.
var nextLabels = map[string]bool{"下一页": true, "下页": true, "后一页": true, "下一頁": true, "后页": true, "next": true,
	"next page": true, "older": true, "›": true, "»": true, ">": true, ">>": true, "下一页>": true, "下一页>>": true,
	"下页>": true, "more": true, "加载更多": true, "查看更多": true, "点击加载更多": true}

// IsNextAnchor reports whether an anchor is a label for the next page.
func IsNextAnchor(anchor string) bool {
	return len(anchor) <= 30 && nextLabels[strings.ToLower(strings.Trim(anchor, " []【】()（）"))]
}
