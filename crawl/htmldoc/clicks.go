package htmldoc

import (
	"slices"
	"sort"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Click is an element whose script opens an address: its onclick, or its javascript: address.
// LinkClicks sets the address.
type Click struct {
	Node int32
	Ref  int32  // existing reference of the element, -1: none
	Code string // at most MaxHref bytes
}

// Bounds of the scripts read on one page.
const (
	maxClicks = 1_000
	maxForms  = 50
)

// click records an element with a handler, unless it has an address.
func (b *flattener) click(i int32, code string) {
	ref := int32(len(b.Refs)) - 1
	if ref >= 0 && b.Refs[ref].Node == i {
		if href := b.Refs[ref].Href; b.Nodes[i].Tag != atom.A || href != "" && href[0] != '#' && !scripted(href) {
			return
		}
	} else {
		ref = -1
	}
	b.addClick(i, ref, code)
}

// addClick records code that may open an address: code with a call or an assignment.
func (b *flattener) addClick(i, ref int32, code string) {
	if len(code) > MaxHref || len(b.Clicks) >= maxClicks || strings.IndexByte(code, '(') < 0 &&
		strings.IndexByte(code, '=') < 0 || strings.Contains(code, "void(0)") && len(code) < 24 {
		return
	}
	b.Clicks = append(b.Clicks, Click{Node: i, Ref: ref, Code: code})
}

func scripted(href string) bool {
	return len(href) >= 11 && href[0]|0x20 == 'j' && strings.EqualFold(href[:11], "javascript:")
}

// LinkClicks sets the addresses of clicks: hrefs[i] is the address of Clicks[i] as it would be
// written, "" for none. Clicks without a reference get one, in document order, and their Ref is
// set.
func (t *Tree) LinkClicks(hrefs []string) {
	type made struct {
		at    int32 // number of references before it
		ref   int32 // its own reference
		click int
	}
	var add []made
	for i, href := range hrefs {
		c := &t.Clicks[i]
		switch {
		case href == "":
		case c.Ref >= 0:
			t.Refs[c.Ref].Href = href
		case len(t.Refs)+len(add) < MaxRefs:
			add = append(add, made{at: t.Nodes[c.Node].Ref, click: i})
		}
	}
	if len(add) == 0 {
		return
	}
	refs := make([]resourceRef, 0, len(t.Refs)+len(add))
	next := 0
	moved := make([]int32, len(t.Refs)) // new index of each old reference
	for i := 0; i <= len(t.Refs); i++ {
		for ; next < len(add) && int(add[next].at) == i; next++ {
			node := t.Clicks[add[next].click].Node
			n := &t.Nodes[node]
			add[next].ref = int32(len(refs))
			refs = append(refs, resourceRef{Href: hrefs[add[next].click], Node: node, Division: n.Division,
				Hidden: n.Hidden, Click: true})
		}
		if i < len(t.Refs) {
			moved[i] = int32(len(refs))
			refs = append(refs, t.Refs[i])
		}
	}
	for i := range t.Clicks {
		if c := &t.Clicks[i]; c.Ref >= 0 {
			c.Ref = moved[c.Ref]
		}
	}
	nodes := make([]int32, len(add)) // elements that became links, in document order
	for i, m := range add {
		c := &t.Clicks[m.click]
		c.Ref, nodes[i] = m.ref, c.Node
	}
	before := func(node int32) int32 {
		return int32(sort.Search(len(nodes), func(i int) bool { return nodes[i] >= node }))
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Ref, n.RefEnd = n.Ref+before(int32(i)), n.RefEnd+before(n.End)
	}
	t.Refs = refs
}

// InForm returns the fields of a form in document order: those inside its element, or, if markup
// has closed it early, those up to the next form.
func (t *Tree) InForm(form int32) (fields []*html.Node) {
	Walk(t.Nodes[form].HTML, func(h *html.Node) WalkStep {
		if len(fields) >= 500 {
			return WalkStop
		}
		switch h.DataAtom {
		case atom.Input, atom.Select, atom.Textarea, atom.Button:
			if h.Type == html.ElementNode {
				fields = append(fields, h)
			}
		}
		if h.DataAtom == atom.Select || h.DataAtom == atom.Script {
			return WalkOver
		}
		return WalkInto
	})
	if len(fields) > 0 {
		return fields
	}
	i, _ := slices.BinarySearch(t.Forms, form)
	last := int32(len(t.Nodes))
	if i+1 < len(t.Forms) {
		last = t.Forms[i+1]
	}
	for j := form + 1; j < last && len(fields) < 500; j++ {
		if n := &t.Nodes[j]; !n.IsText && (n.Tag == atom.Input || n.Tag == atom.Button) {
			fields = append(fields, n.HTML)
		}
	}
	return fields
}
