package htmldoc

import "golang.org/x/net/html"

// arena holds nodes and attributes in reused slabs.
type arena struct {
	slabs [][]html.Node
	slab  int // index of the current slab
	used  int // number of its used nodes
	lists [][]html.Attribute
	list  int // index of the current list
}

const slabNodes, slabAttrs = 256, 512

func (a *arena) node() *html.Node {
	if len(a.slabs) == 0 || a.used == slabNodes {
		if len(a.slabs) > 0 {
			a.slab++
		}
		a.used = 0
		if a.slab == len(a.slabs) {
			a.slabs = append(a.slabs, make([]html.Node, slabNodes))
		}
	}
	a.used++
	return &a.slabs[a.slab][a.used-1]
}

// keepAttrs copies the attributes of the tag just read into the arena.
func (b *plainBuilder) keepAttrs() []html.Attribute {
	n := len(b.attrs)
	if n == 0 {
		return nil
	}
	if n > slabAttrs {
		return append([]html.Attribute(nil), b.attrs...)
	}
	if len(b.lists) == 0 {
		b.lists = append(b.lists, make([]html.Attribute, 0, slabAttrs))
	}
	if l := b.lists[b.list]; len(l)+n > cap(l) {
		b.list++
		if b.list == len(b.lists) {
			b.lists = append(b.lists, make([]html.Attribute, 0, slabAttrs))
		}
	}
	l := b.lists[b.list]
	from := len(l)
	l = append(l, b.attrs...)
	b.lists[b.list] = l
	return l[from:len(l):len(l)]
}

// reset drops the page and keeps the memory, except that of a giant page.
func (b *plainBuilder) reset() {
	if len(b.slabs) > 64 || len(b.lists) > 64 {
		*b = plainBuilder{}
		return
	}
	for i := 0; i <= b.slab && i < len(b.slabs); i++ {
		clear(b.slabs[i])
	}
	for i := 0; i <= b.list && i < len(b.lists); i++ {
		clear(b.lists[i])
		b.lists[i] = b.lists[i][:0]
	}
	clear(b.stack[:cap(b.stack)])
	clear(b.attrs[:cap(b.attrs)])
	*b = plainBuilder{arena: arena{slabs: b.slabs, lists: b.lists}, stack: b.stack[:0], attrs: b.attrs[:0]}
}
