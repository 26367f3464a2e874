package listpage

import (
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// labelKind is the kind of a control's label.
type labelKind uint8

const (
	otherLabel  labelKind = iota
	nextLabel             // 下一页, 末页
	arrowLabel            // > »: also in slide shows
	numberLabel           // 2, 3 …: also in calendars
	moreLabel             // 加载更多
)

// maxLabelBytes bounds the label of a control.
const maxLabelBytes = 32

// control is an element that may turn the page.
type control struct {
	node      int32  // -1 means none
	script    string // script that it runs; "" for none
	sendsForm bool
	inert     bool // it has neither an address nor a visible script
}

// controls holds the first control of a page by kind of label, and their number.
type controls struct {
	first [moreLabel + 1]control
	count [moreLabel + 1]int
}

// collect finds the controls that are no links and lead beyond a page. page is -1 if the current
// page is unknown.
func (c *controls) collect(f *missingFinder, page int) {
	t := f.Tree
	for i := range c.first {
		c.first[i].node = -1
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || n.To-n.From > maxLabelBytes || n.Hidden || n.InLink &&
			(n.Tag != atom.A || f.leadsTo(int32(i)) != "") {
			continue
		}
		label := t.Text[n.From:n.To]
		if n.Tag == atom.Input {
			label = htmldoc.Attr(n.HTML, "value")
		}
		w := labelKindOf(label)
		if w == otherLabel || w == numberLabel && parseNumber(strings.Trim(label, labelMargin)) <= page {
			continue
		}
		x, ok := f.controlAt(int32(i))
		if !ok || (w == arrowLabel || w == numberLabel) && !f.inPager(int32(i)) {
			continue
		}
		c.count[w]++
		if at := &c.first[w]; at.node < 0 || at.inert && !x.inert {
			*at = x
		}
	}
}

// labelMargin are the characters trimmed from a label.
const labelMargin = " \n[]【】()（）+.…"

// labelKindOf returns the kind of a label.
func labelKindOf(label string) labelKind {
	if len(label) > maxLabelBytes {
		return otherLabel
	}
	for label != "" && (label[0] == ' ' || label[0] == '\n' || label[0] == '[' || label[0] == '(' || label[0] == '+') {
		label = label[1:]
	}
	if label == "" || !mayBeLabel(label) {
		return otherLabel
	}
	s := strings.Trim(label, labelMargin)
	if s == "" {
		return otherLabel
	}
	if isDigit(s[0]) {
		if n := parseNumber(s); n >= 2 && len(s) <= 4 {
			return numberLabel
		}
		return otherLabel
	}
	switch strings.ToLower(strings.Trim(s, " >»›")) {
	case "": // arrows alone
		return arrowLabel
	case "下一页", "下页", "后一页", "后页", "下一頁", "下頁", "末页", "尾页", "最后一页", "最后页", "最末页", "末頁", "最後一頁",
		"next", "next page", "last", "last page":
		return nextLabel
	case "加载更多", "点击加载更多", "查看更多", "点击查看更多", "显示更多", "展开更多", "更多数据", "載入更多",
		"load more", "show more", "view more", "more results":
		return moreLabel
	}
	return otherLabel
}

// mayBeLabel checks the first character of a label. It rejects most texts at low cost.
func mayBeLabel(label string) bool {
	switch c := label[0]; {
	case c < 0x80:
		return isDigit(c) || c == '>' || strings.IndexByte("nNlLsSvVmM", c) >= 0
	case len(label) < 3:
		return label == "»"
	}
	return strings.Contains("下末尾后最加查点显展更載›【（", label[:3]) || strings.HasPrefix(label, "»")
}

// controlAt returns the control that an element is. ok is false for a link and for an element that
// does nothing.
func (f *missingFinder) controlAt(i int32) (x control, ok bool) {
	n := &f.Tree.Nodes[i]
	h := n.HTML
	if isDisabled(h) || n.Parent >= 0 && f.Tree.Nodes[n.Parent].Tag == atom.Li &&
		isDisabled(f.Tree.Nodes[n.Parent].HTML) {
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
		x.script = scriptOf(href)
	case atom.Input:
		switch strings.ToLower(htmldoc.Attr(h, "type")) {
		case "submit", "image":
			x.sendsForm = true
		case "button":
		default:
			return x, false
		}
	case atom.Button:
		kind := strings.ToLower(htmldoc.Attr(h, "type"))
		x.sendsForm = (kind == "" || kind == "submit") && f.isWithin(i, atom.Form)
	}
	if click != "" && !isNoOp(click) {
		x.script = click
	}
	x.inert = x.script == "" && !x.sendsForm && !namesPage(h)
	if x.inert && n.Tag != atom.A && n.Tag != atom.Button {
		return x, false // plain text
	}
	if strings.Contains(x.script, "__doPostBack") {
		x.sendsForm = true
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

// scriptOf returns the code of a javascript: address; "" for another address or code without
// effect.
func scriptOf(href string) string {
	code, _ := CutJavascript(href)
	if code = strings.TrimSpace(code); isNoOp(code) {
		return ""
	}
	return code
}

// LeadsNowhere reports whether an href is a script without effect (javascript:;) or a bare #.
func LeadsNowhere(href string) bool {
	code, script := CutJavascript(strings.TrimSpace(href))
	return strings.TrimSpace(href) == "#" || script && isNoOp(strings.TrimSpace(code))
}

var noOpScripts = []string{"", "void(0)", "void 0", "void()", "return false", "return true", "void(null)", "#"}

// isNoOp reports whether a script does nothing.
func isNoOp(script string) bool {
	return slices.Contains(noOpScripts, strings.Trim(script, " ;"))
}

// isDisabled reports whether a control is disabled.
func isDisabled(h *html.Node) bool {
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

// namesPage reports whether an element has an attribute with the page that a script shows.
func namesPage(h *html.Node) bool {
	return slices.ContainsFunc(h.Attr, func(a html.Attribute) bool {
		return strings.HasPrefix(a.Key, "data-") && strings.Contains(a.Key, "page") || a.Key == "pageno" ||
			a.Key == "pagenum"
	})
}

// maxPagerLevels bounds the elements around a control that are searched for a pager.
const maxPagerLevels = 5

// isWithin reports whether an element is inside one with a tag.
func (f *missingFinder) isWithin(i int32, tag atom.Atom) bool {
	for i = f.Tree.Nodes[i].Parent; i >= 0; i = f.Tree.Nodes[i].Parent {
		if f.Tree.Nodes[i].Tag == tag {
			return true
		}
	}
	return false
}

// inPager reports whether the class or id of an element, or of one around it, names a pager.
func (f *missingFinder) inPager(i int32) bool {
	for range maxPagerLevels {
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
