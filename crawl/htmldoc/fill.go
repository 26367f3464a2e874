package htmldoc

import (
	"iter"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Elements returns the elements of the page in document order, including those without visible
// text. It returns none if the linear parser read the page.
func (t *Tree) Elements() iter.Seq[*html.Node] {
	return func(yield func(*html.Node) bool) {
		for n := t.root; n != nil; n = following(n, t.root) {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

// Fill parses markup into a new element of the page: the last child of an element, or before that
// element. The tree is rebuilt, and its Source is that of the new page. Earlier indexes of nodes
// become invalid; parse nodes stay. Markup that cannot be parsed within bounds changes nothing.
func (t *Tree) Fill(markup string, at *html.Node, before bool) bool {
	div := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	if len(markup) > strictBytes {
		return false
	}
	page, err := ParseWithin("<!DOCTYPE html><body>"+markup, strictTime)
	if err != nil || at == nil || before && at.Parent == nil {
		return false
	}
	body := page.LastChild.LastChild
	for c := body.FirstChild; c != nil; c = body.FirstChild {
		body.RemoveChild(c)
		div.AppendChild(c)
	}
	if before {
		at.Parent.InsertBefore(div, at)
	} else {
		at.AppendChild(div)
	}
	url, limits, root, source := t.URL, t.Limits, t.root, t.Source
	t.clear()
	t.URL, t.Limits, t.root, t.Source = url, limits, root, source
	t.Flatten(root)
	var b strings.Builder
	if html.Render(&b, root) == nil {
		t.Source = b.String()
	}
	return true
}
