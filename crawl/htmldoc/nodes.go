package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// WalkStep tells a Walk how to continue.
type WalkStep uint8

// WalkInto continues with the children of a node, WalkOver with the node after it; WalkStop ends
// the walk.
const (
	WalkInto WalkStep = iota
	WalkOver
	WalkStop
)

// Walk visits a node and its descendants in document order. It is iterative: pages may nest to any
// depth.
func Walk(root *html.Node, visit func(*html.Node) WalkStep) {
	for n := root; ; {
		switch visit(n) {
		case WalkStop:
			return
		case WalkInto:
			if n.FirstChild != nil {
				n = n.FirstChild
				continue
			}
		}
		for n != root && n.NextSibling == nil {
			n = n.Parent
		}
		if n == root {
			return
		}
		n = n.NextSibling
	}
}

// Attr returns an attribute's value, "" if it is missing.
func Attr(n *html.Node, key string) string {
	v, _ := attribute(n, key)
	return v
}

// attribute returns an attribute's value, and whether it exists.
func attribute(n *html.Node, key string) (value string, ok bool) {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val, true
		}
	}
	return "", false
}

// Has reports whether an element has an attribute with any value: checked, disabled.
func Has(n *html.Node, key string) bool {
	_, ok := attribute(n, key)
	return ok
}

// Chosen returns the initial value of a select: that of the selected option, otherwise of the
// first. An option without a value has its text as value.
func Chosen(sel *html.Node) (value string) {
	first := true
	for o := sel.FirstChild; o != nil; o = o.NextSibling {
		if o.DataAtom != atom.Option {
			continue
		}
		selected := Has(o, "selected")
		if !selected && !first {
			continue
		}
		v, named := attribute(o, "value")
		if !named && o.FirstChild != nil {
			v = strings.TrimSpace(o.FirstChild.Data)
		}
		if selected {
			return v
		}
		value, first = v, false
	}
	return value
}
