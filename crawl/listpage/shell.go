package listpage

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of a list without visible entries.
const (
	maxShellText  = 6 << 10 // bytes of text; a page with more has other content
	maxLoginText  = 4 << 10
	minScriptRows = 4 // entries that open by a script
	minRowChars   = 8 // characters of one

	maxEmptyNodes = 3 // nodes of an empty element
	minNameBytes  = 3 // of a name that is searched for in scripts

	minTextSentences = 3 // sentences of a text; a text is no list without entries

	maxShapes = 64
)

// findHiddenList reports signs of hidden entries on a page that shows hardly any.
func (f *missingFinder) findHiddenList() {
	if f.sentences() >= minTextSentences {
		return
	}
	var password, proof string
	var frame, mustache, empty int32 = -1, -1, -1
	t := f.Tree
	rows := clickRows{}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText {
			if mustache < 0 && n.To-n.From < 200 {
				if s := t.Text[n.From:n.To]; strings.Contains(s, "{{") && strings.Contains(s, "}}") {
					mustache = int32(i)
				}
			}
			continue
		}
		switch n.Tag {
		case atom.Input:
			switch {
			case n.Hidden:
			case strings.EqualFold(htmldoc.Attr(n.HTML, "type"), "password"):
				password = "password"
			case proof == "" && isCaptchaField(n.HTML):
				proof = fieldLabel(n.HTML)
			}
		case atom.Frame, atom.Iframe:
			if frame < 0 && !n.Hidden && !isTiny(n.HTML) && f.leadsTo(int32(i)) != "" {
				frame = int32(i)
			}
		case atom.Ul, atom.Ol, atom.Tbody, atom.Div, atom.Table, atom.Dl, atom.Section:
			if n.Chars > 0 || n.Hidden || n.End-int32(i) > maxEmptyNodes {
				continue
			}
			if f.emptyCount < maxEmptyElements && len(htmldoc.Attr(n.HTML, "id")) >= minNameBytes {
				f.emptyElements[f.emptyCount] = int32(i)
				f.emptyCount++
			}
			if (empty < 0 || n.Tag == atom.Ul || n.Tag == atom.Tbody) && holdsRows(n.HTML, n.Tag) {
				empty = int32(i)
			}
		}
		if !n.Negative && !n.Hidden {
			rows.count(f, int32(i))
		}
	}
	switch {
	case password != "" && len(t.Text) < maxLoginText:
		f.report(KindLogin, t.Head, "the page asks for a password")
		return
	case proof != "":
		f.report(KindCaptcha, proof, "the page asks for proof of a person")
	}
	if frame >= 0 && !f.Text { // else the text stands in it
		f.report(KindFrame, f.leadsTo(frame), "the list stands in a frame")
	}
	if r := rows.best(); r != nil {
		f.report(KindRows, r.title, "its entries call "+r.script)
		return
	}
	if !f.Text {
		f.findScripted(mustache, empty)
	}
}

// sentences counts the paragraphs of the page that are sentences.
func (f *missingFinder) sentences() (n int) {
	for i := range f.Tree.Runs {
		if r := &f.Tree.Runs[i]; !r.Negative && r.IsSentence() {
			n++
		}
	}
	return n
}

// leadsTo returns the address that an element links to; "" for none.
func (f *missingFinder) leadsTo(i int32) string {
	n := &f.Tree.Nodes[i]
	if n.Ref < n.RefEnd && int(n.Ref) < len(f.Links) {
		return f.Links[n.Ref].URL
	}
	return ""
}

// isTiny reports whether a frame is too small to show anything.
func isTiny(h *html.Node) bool {
	nothing := []string{"0", "1", "0px", "1px"}
	return slices.Contains(nothing, htmldoc.Attr(h, "width")) || slices.Contains(nothing, htmldoc.Attr(h, "height"))
}

// captchaWords are parts of the names of captcha fields.
var captchaWords = []string{"captcha", "verifycode", "validatecode", "checkcode", "authcode", "yzm", "vcode", "验证码"}

func isCaptchaField(h *html.Node) bool {
	return slices.ContainsFunc([]string{"name", "id", "placeholder"}, func(key string) bool {
		return htmldoc.AnyWord(htmldoc.Attr(h, key), htmldoc.ContainsFold, captchaWords...)
	})
}

// fieldLabel returns the label or name of a field.
func fieldLabel(h *html.Node) string {
	return cmp.Or(htmldoc.Attr(h, "placeholder"), htmldoc.Attr(h, "name"), htmldoc.Attr(h, "id"))
}

// rowNames are parts of the class or id of an element that holds entries.
var rowNames = []string{"list", "rows", "table", "news", "notice", "data", "tbody", "result", "item"}

// holdsRows reports whether the tag or name of an empty element is that of an element for entries.
func holdsRows(h *html.Node, tag atom.Atom) bool {
	if tag == atom.Tbody {
		return true
	}
	id := htmldoc.Attr(h, "id")
	return slices.Contains([]string{"app", "root", "__nuxt", "main-app"}, id) ||
		htmldoc.AnyWord(id, htmldoc.ContainsFold, rowNames...) ||
		htmldoc.AnyWord(htmldoc.Attr(h, "class"), htmldoc.ContainsFold, rowNames...)
}

// rowShape is a group of elements with one tag that call one function.
type rowShape struct {
	tag      atom.Atom
	function string // its name
	n        int
	dated    int
	title    string // of the first element
	script   string // of the first element
}

// clickRows counts elements that open something by a script.
type clickRows struct{ shapes []rowShape }

// count counts an element.
func (r *clickRows) count(f *missingFinder, i int32) {
	t := f.Tree
	n := &t.Nodes[i]
	if n.Chars < minRowChars || n.Chars > 400 {
		return
	}
	does := ""
	for k := range n.HTML.Attr {
		switch a := &n.HTML.Attr[k]; a.Key {
		case "onclick":
			if !isNoOp(a.Val) {
				does = strings.TrimSpace(a.Val)
			}
		case "href":
			if n.Tag == atom.A && does == "" {
				does = scriptOf(strings.TrimSpace(a.Val))
			}
		}
	}
	open := strings.IndexByte(does, '(')
	if open <= 0 || !strings.ContainsAny(does[open:], "'\"0123456789") {
		return // the call has no argument that identifies an entry
	}
	switch labelKindOf(strings.Trim(t.Text[n.From:min(n.To, n.From+maxLabelBytes)], " \n")) {
	case nextLabel, moreLabel:
		return
	}
	calls := strings.TrimSpace(does[:open])
	k := 0
	for k < len(r.shapes) && (r.shapes[k].tag != n.Tag || r.shapes[k].function != calls) {
		k++
	}
	if k == len(r.shapes) {
		if k == maxShapes {
			return
		}
		r.shapes = append(r.shapes, rowShape{tag: n.Tag, function: calls, title: t.Text[n.From:min(n.To, n.From+200)],
			script: does})
	}
	s := &r.shapes[k]
	if s.n++; s.n <= minScriptRows*2 && datedNearby(t, i) {
		s.dated++
	}
}

// datedNearby reports whether a date is in an element or right beside it.
func datedNearby(t *htmldoc.Tree, i int32) bool {
	for range 3 {
		if i < 0 {
			return false
		}
		n := &t.Nodes[i]
		if n.To-n.From > 600 {
			return false
		}
		if _, _, _, ok := article.FindDate(t.Text[n.From:n.To], time.Time{}); ok {
			return true
		}
		i = n.Parent
	}
	return false
}

// best returns the most frequent shape of entries; nil for none. Half of the counted elements of
// such a shape stand beside a date.
func (r *clickRows) best() *rowShape {
	var best *rowShape
	for k := range r.shapes {
		s := &r.shapes[k]
		if s.n >= minScriptRows && s.dated*2 >= min(s.n, minScriptRows*2) && (best == nil || s.n > best.n) {
			best = s
		}
	}
	return best
}
