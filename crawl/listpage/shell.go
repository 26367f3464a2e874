package listpage

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Bounds of what is a list without entries.
const (
	shellText     = 6 << 10 // bytes of text; a page with more has something to say
	loginText     = 4 << 10
	minScriptRows = 4 // entries that open by a script
	rowChars      = 8 // characters of one

	emptyNodes = 3 // elements and texts of one that is empty
	leastName  = 3 // bytes of a name that may be looked for in a script

	textSentences = 3 // sentences of a text, which is no list without entries

	mostShapes = 64
)

// shell looks at a page that shows hardly any entries: something else may hold
// them.
func (f *missingFinder) shell() {
	if f.sentences() >= textSentences {
		return
	}
	var password, proof string
	var frame, mustache, empty int32 = -1, -1, -1
	t := f.Tree
	rows := rowCounts{}
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
			case proof == "" && asksProof(n.HTML):
				proof = label(n.HTML)
			}
		case atom.Frame, atom.Iframe:
			if frame < 0 && !n.Hidden && !tiny(n.HTML) && f.leadsTo(int32(i)) != "" {
				frame = int32(i)
			}
		case atom.Ul, atom.Ol, atom.Tbody, atom.Div, atom.Table, atom.Dl, atom.Section:
			if n.Chars > 0 || n.Hidden || n.End-int32(i) > emptyNodes {
				continue
			}
			if f.blank < mostEmpty && len(htmldoc.Attr(n.HTML, "id")) >= leastName {
				f.empty[f.blank] = int32(i)
				f.blank++
			}
			if (empty < 0 || n.Tag == atom.Ul || n.Tag == atom.Tbody) && holdsRows(n.HTML, n.Tag) {
				empty = int32(i)
			}
		}
		if !n.Negative && !n.Hidden {
			rows.look(f, int32(i))
		}
	}
	switch {
	case password != "" && len(t.Text) < loginText:
		f.name(KindLogin, t.Head, "the page asks for a password")
		return
	case proof != "":
		f.name(KindCaptcha, proof, "the page asks for proof of a person")
	}
	if frame >= 0 && !f.Text { // else the text stands in it
		f.name(KindFrame, f.leadsTo(frame), "the list stands in a frame")
	}
	if r := rows.best(); r != nil {
		f.name(KindRows, r.title, "its entries call "+r.does)
		return
	}
	if !f.Text {
		f.findScripted(mustache, empty)
	}
}

// sentences counts the paragraphs of a text that says something.
func (f *missingFinder) sentences() (n int) {
	for i := range f.Tree.Runs {
		if r := &f.Tree.Runs[i]; !r.Negative && r.IsSentence() {
			n++
		}
	}
	return n
}

// leadsTo is the address that an element refers to; "" for none.
func (f *missingFinder) leadsTo(i int32) string {
	n := &f.Tree.Nodes[i]
	if n.Ref < n.RefEnd && int(n.Ref) < len(f.Links) {
		return f.Links[n.Ref].URL
	}
	return ""
}

// tiny reports whether a frame shows nothing.
func tiny(h *html.Node) bool {
	nothing := []string{"0", "1", "0px", "1px"}
	return slices.Contains(nothing, htmldoc.Attr(h, "width")) || slices.Contains(nothing, htmldoc.Attr(h, "height"))
}

// proofWords stand in the names of fields for a captcha.
var proofWords = []string{"captcha", "verifycode", "validatecode", "checkcode", "authcode", "yzm", "vcode", "验证码"}

func asksProof(h *html.Node) bool {
	return slices.ContainsFunc([]string{"name", "id", "placeholder"}, func(key string) bool {
		return htmldoc.AnyWord(htmldoc.Attr(h, key), htmldoc.ContainsFold, proofWords...)
	})
}

// label returns the name of a field.
func label(h *html.Node) string {
	return cmp.Or(htmldoc.Attr(h, "placeholder"), htmldoc.Attr(h, "name"), htmldoc.Attr(h, "id"))
}

// rowNames stand in the class or the id of an element that holds entries.
var rowNames = []string{"list", "rows", "table", "news", "notice", "data", "tbody", "result", "item"}

// holdsRows tells by its name that an empty element is to hold entries.
func holdsRows(h *html.Node, tag atom.Atom) bool {
	if tag == atom.Tbody {
		return true
	}
	id := htmldoc.Attr(h, "id")
	return slices.Contains([]string{"app", "root", "__nuxt", "main-app"}, id) ||
		htmldoc.AnyWord(id, htmldoc.ContainsFold, rowNames...) ||
		htmldoc.AnyWord(htmldoc.Attr(h, "class"), htmldoc.ContainsFold, rowNames...)
}

// rowShape is a kind of element that calls one function.
type rowShape struct {
	tag   atom.Atom
	calls string // the name of the function
	n     int
	dated int
	title string
	does  string
}

// rowCounts counts elements that open something by a script.
type rowCounts struct{ shapes []rowShape }

// look counts an element.
func (r *rowCounts) look(f *missingFinder, i int32) {
	t := f.Tree
	n := &t.Nodes[i]
	if n.Chars < rowChars || n.Chars > 400 {
		return
	}
	does := ""
	for k := range n.HTML.Attr {
		switch a := &n.HTML.Attr[k]; a.Key {
		case "onclick":
			if !idle(a.Val) {
				does = strings.TrimSpace(a.Val)
			}
		case "href":
			if n.Tag == atom.A && does == "" {
				does = cutScript(strings.TrimSpace(a.Val))
			}
		}
	}
	open := strings.IndexByte(does, '(')
	if open <= 0 || !strings.ContainsAny(does[open:], "'\"0123456789") {
		return // it is told nothing of what to open
	}
	if w := wordOf(strings.Trim(t.Text[n.From:min(n.To, n.From+longestLabel)], " \n")); w == next || w == more {
		return
	}
	calls := strings.TrimSpace(does[:open])
	k := 0
	for k < len(r.shapes) && (r.shapes[k].tag != n.Tag || r.shapes[k].calls != calls) {
		k++
	}
	if k == len(r.shapes) {
		if k == mostShapes {
			return
		}
		r.shapes = append(r.shapes, rowShape{tag: n.Tag, calls: calls, title: t.Text[n.From:min(n.To, n.From+200)],
			does: does})
	}
	s := &r.shapes[k]
	if s.n++; s.n <= minScriptRows*2 && dated(t, i) {
		s.dated++
	}
}

// dated reports whether a date stands in an element or right beside it.
func dated(t *htmldoc.Tree, i int32) bool {
	for range 3 {
		if i < 0 {
			return false
		}
		n := &t.Nodes[i]
		if n.To-n.From > 600 {
			return false
		}
		if _, _, _, ok := article.FindDate(t.Text[n.From:n.To], noTime); ok {
			return true
		}
		i = n.Parent
	}
	return false
}

// best is the shape of which there are most, if they are entries: half of those
// that were looked at stand beside a date.
func (r *rowCounts) best() *rowShape {
	var best *rowShape
	for k := range r.shapes {
		s := &r.shapes[k]
		if s.n >= minScriptRows && s.dated*2 >= min(s.n, minScriptRows*2) && (best == nil || s.n > best.n) {
			best = s
		}
	}
	return best
}
