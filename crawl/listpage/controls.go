package listpage

import (
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// word says what a control does, by its text.
type word uint8

const (
	silent   word = iota
	next          // 下一页, 末页
	arrow         // > »: also of slide shows
	numbered      // 2, 3 …: also of calendars
	more          // 加载更多
)

// longestLabel of a control, in bytes.
const longestLabel = 32

// control is an element that would turn the page.
type control struct {
	node int32 // -1 = none
	does string
	form bool // it sends a form
	void bool // it has neither address nor script that can be seen
}

// controls are those of a page, the first of each word.
type controls struct {
	first [more + 1]control
	count [more + 1]int
}

// look goes through the elements for controls that are no links and lead beyond a page,
// -1 when it is not known which one this is.
func (c *controls) look(f *missingFinder, page int) {
	t := f.Tree
	for i := range c.first {
		c.first[i].node = -1
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || n.To-n.From > longestLabel || n.Hidden || n.InLink &&
			(n.Tag != atom.A || f.leadsTo(int32(i)) != "") {
			continue
		}
		label := t.Text[n.From:n.To]
		if n.Tag == atom.Input {
			label = htmldoc.Attr(n.HTML, "value")
		}
		w := wordOf(label)
		if w == silent || w == numbered && number(strings.Trim(label, trimmed)) <= page {
			continue
		}
		x, ok := f.acts(int32(i))
		if !ok || (w == arrow || w == numbered) && !f.inPager(int32(i)) {
			continue
		}
		c.count[w]++
		if at := &c.first[w]; at.node < 0 || at.void && !x.void {
			*at = x
		}
	}
}

// trimmed stands around what a control says.
const trimmed = " \n[]【】()（）+.…"

// wordOf reads the label of a control.
func wordOf(label string) word {
	if len(label) > longestLabel {
		return silent
	}
	for label != "" && (label[0] == ' ' || label[0] == '\n' || label[0] == '[' || label[0] == '(' || label[0] == '+') {
		label = label[1:]
	}
	if label == "" || !startsWithWord(label) {
		return silent
	}
	s := strings.Trim(label, trimmed)
	if s == "" {
		return silent
	}
	if isDigit(s[0]) {
		if n := number(s); n >= 2 && len(s) <= 4 {
			return numbered
		}
		return silent
	}
	return words[strings.ToLower(strings.Trim(s, " >»›"))]
}

// words are the labels of controls in lower case, without arrows; "" is a label of arrows alone.
var words = map[string]word{"": arrow, "下一页": next, "下页": next, "后一页": next, "后页": next, "下一頁": next, "下頁": next,
	"末页": next, "尾页": next, "最后一页": next, "最后页": next, "最末页": next, "末頁": next, "最後一頁": next,
	"next": next, "next page": next, "last": next, "last page": next, "加载更多": more, "点击加载更多": more,
	"查看更多": more, "点击查看更多": more, "显示更多": more, "展开更多": more, "更多数据": more, "載入更多": more,
	"load more": more, "show more": more, "view more": more, "more results": more}

// startsWithWord is a quick look at how a label begins.
func startsWithWord(label string) bool {
	switch c := label[0]; {
	case c < 0x80:
		return isDigit(c) || c == '>' || strings.IndexByte("nNlLsSvVmM", c) >= 0
	case len(label) < 3:
		return label == "»"
	}
	return strings.Contains("下末尾后最加查点显展更載›【（", label[:3]) || strings.HasPrefix(label, "»")
}

// acts says what an element does when it is pressed; false where it does nothing,
// or is a link.
func (f *missingFinder) acts(i int32) (x control, ok bool) {
	n := &f.Tree.Nodes[i]
	h := n.HTML
	if off(h) || n.Parent >= 0 && f.Tree.Nodes[n.Parent].Tag == atom.Li && off(f.Tree.Nodes[n.Parent].HTML) {
		return x, false
	}
	x.node = i
	click := strings.TrimSpace(htmldoc.Attr(h, "onclick"))
	switch n.Tag {
	case atom.A:
		href := strings.TrimSpace(htmldoc.Attr(h, "href"))
		if _, script := CutJavascript(href); !script && href != "" && href[0] != '#' {
			return x, false // a link
		}
		x.does = cutScript(href)
	case atom.Input:
		switch strings.ToLower(htmldoc.Attr(h, "type")) {
		case "submit", "image":
			x.form = true
		case "button":
		default:
			return x, false
		}
	case atom.Button:
		kind := strings.ToLower(htmldoc.Attr(h, "type"))
		x.form = (kind == "" || kind == "submit") && f.within(i, atom.Form)
	}
	if click != "" && !idle(click) {
		x.does = click
	}
	x.void = x.does == "" && !x.form && !paged(h)
	if x.void && n.Tag != atom.A && n.Tag != atom.Button {
		return x, false // a word
	}
	if strings.Contains(x.does, "__doPostBack") {
		x.form = true
	}
	return x, true
}

// CutJavascript returns the code of a javascript: address.
func CutJavascript(href string) (code string, ok bool) {
	const scheme = "javascript:"
	if len(href) < len(scheme) || !strings.EqualFold(href[:len(scheme)], scheme) {
		return "", false
	}
	return href[len(scheme):], true
}

// cutScript is the script of a javascript: address; "" for none that does
// something.
func cutScript(href string) string {
	code, _ := CutJavascript(href)
	if code = strings.TrimSpace(code); idle(code) {
		return ""
	}
	return code
}

// LeadsNowhere reports whether an href is a script that does nothing (javascript:;) or a bare
// mark of the page itself (#).
func LeadsNowhere(href string) bool {
	code, script := CutJavascript(strings.TrimSpace(href))
	return strings.TrimSpace(href) == "#" || script && idle(strings.TrimSpace(code))
}

var idleScripts = []string{"", "void(0)", "void 0", "void()", "return false", "return true", "void(null)", "#"}

// idle reports whether a script does nothing.
func idle(script string) bool {
	return slices.Contains(idleScripts, strings.Trim(script, " ;"))
}

// off reports whether a control is switched off.
func off(h *html.Node) bool {
	for i := range h.Attr {
		switch a := &h.Attr[i]; a.Key {
		case "disabled":
			return true
		case "aria-disabled":
			return a.Val == "true"
		case "class":
			if htmldoc.AnyWord(a.Val, htmldoc.ContainsFold, "disab", "unclick", "noclick", "nolink", "gray", "grey",
				"invalid") {
				return true
			}
		}
	}
	return false
}

// paged reports whether an element names the page that a script is to show.
func paged(h *html.Node) bool {
	return slices.ContainsFunc(h.Attr, func(a html.Attribute) bool {
		return strings.HasPrefix(a.Key, "data-") && strings.Contains(a.Key, "page") || a.Key == "pageno" ||
			a.Key == "pagenum"
	})
}

// levels of elements around a control that are looked at.
const levels = 5

// within reports whether an element stands in one with a tag.
func (f *missingFinder) within(i int32, tag atom.Atom) bool {
	for i = f.Tree.Nodes[i].Parent; i >= 0; i = f.Tree.Nodes[i].Parent {
		if f.Tree.Nodes[i].Tag == tag {
			return true
		}
	}
	return false
}

// inPager reports whether an element, or one around it, is named like a pager.
func (f *missingFinder) inPager(i int32) bool {
	for range levels {
		if i < 0 {
			return false
		}
		h := f.Tree.Nodes[i].HTML
		if htmldoc.ContainsFold(htmldoc.Attr(h, "class"), "pag") || htmldoc.ContainsFold(htmldoc.Attr(h, "id"), "pag") {
			return true
		}
		i = f.Tree.Nodes[i].Parent
	}
	return false
}
