package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// divide opens a division for an element that divides the page. A table cell divides the page only
// if it holds another division. So cells of layout tables divide it, and data tables stay whole.
func (b *flattener) divide(i int32, h *html.Node) {
	n := &b.Nodes[i]
	if !divides(n.Tag) {
		if n.Tag != atom.Td || !holdsDivision(h) {
			return
		}
	}
	if len(b.Divisions) >= MaxDivisions {
		b.Limit("blocks", MaxDivisions)
		return
	}
	b.Divisions = append(b.Divisions, division{Node: i, Parent: n.Division})
	n.Division = int32(len(b.Divisions) - 1)
}

func holdsDivision(h *html.Node) bool {
	for c := h.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && divides(c.DataAtom) {
			return true
		}
	}
	return false
}
