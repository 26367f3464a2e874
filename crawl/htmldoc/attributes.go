package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// readAttributes takes from an element's attributes what later passes ask for.
func (b *flattener) readAttributes(n *Node, h *html.Node) {
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
			if !n.Hidden && len(a.Val) < 1024 && hides(a.Val) {
				n.Hidden = true
			}
		case "hidden":
			n.Hidden = true
		case "onclick":
			b.handler = a.Val
		case "href":
			if n.Tag == atom.A {
				n.InLink = true
			}
		}
	}
	switch n.Tag {
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

// hides tells whether a style attribute hides its element.
func hides(style string) bool {
	for _, w := range [...]string{"display", "visibility"} {
		for s := style; ; {
			i := strings.Index(s, w)
			if i < 0 {
				break
			}
			s = strings.TrimLeft(s[i+len(w):], " ")
			if v, ok := strings.CutPrefix(s, ":"); ok {
				v = strings.TrimLeft(v, " ")
				if strings.HasPrefix(v, "none") || strings.HasPrefix(v, "hidden") {
					return true
				}
			}
		}
	}
	return ContainsFold(style, "display:none") || ContainsFold(style, "display: none")
}
