package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// opensRow reports whether scripts make elements with this tag into rows that open an address.
func opensRow(tag atom.Atom) bool { return tag == atom.Li || tag == atom.Tr || tag == atom.A }

// readAttributes reads from an element's attributes the values that later passes need.
func (b *flattener) readAttributes(n *Node, h *html.Node) {
	if b.rules > 0 && !n.Hidden {
		n.Hidden = n.hides(b.sightByRule(h))
	}
	for i := range h.Attr {
		a := &h.Attr[i]
		switch a.Key {
		case "class", "id":
			t, ok := b.seen[a.Val]
			if !ok {
				t = traitsOf(a.Val)
				if len(b.seen) < 4096 {
					b.seen[a.Val] = t
				}
			}
			n.Traits |= t
		case "style":
			if !n.Hidden && len(a.Val) < maxStyle {
				n.Hidden = n.hides(sightOf(a.Val))
			}
		case "hidden":
			n.Hidden = true
		case "onclick":
			b.handler = a.Val
		case "data-url", "data-href", "data-link":
			if b.handler == "" && opensRow(n.Tag) && strings.ContainsAny(a.Val, "/.?") &&
				!strings.ContainsAny(a.Val, `'\`) {
				b.handler = "location.href='" + a.Val + "'"
			}
		case "href":
			if n.Tag == atom.A {
				n.InLink = true
			}
		}
	}
	switch n.Tag {
	case atom.S, atom.Del, atom.Strike:
		n.Hidden = n.Hidden || n.hides(struck)
	case atom.Nav, atom.Aside:
		n.Traits |= Negative
	case atom.Footer:
		n.Traits |= Negative | Footing
	case atom.Body:
		n.Traits &^= Negative | Footing
	}
	if n.Traits&Negative != 0 {
		n.Negative = true
	}
}
