package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// builder carries the state of one walk over a parse tree.
type builder struct {
	*tree
	open int32 // innermost open element, -1 above <body>
	host int32 // innermost open element that breaks text
	run  run   // the stretch of text under way
	cut  bool
}

// build flattens a parse tree. The walk follows sibling and parent pointers
// and needs no stack, however deep the tree.
func (t *tree) build(root *html.Node) {
	b := builder{tree: t, open: -1, host: -1}
	for h := root; h != nil; {
		descend := false
		switch h.Type {
		case html.TextNode:
			b.addText(h)
		case html.ElementNode:
			descend = b.enter(h)
		case html.DocumentNode:
			descend = true
		}
		if descend && h.FirstChild != nil {
			h = h.FirstChild
			continue
		}
		for {
			if b.open >= 0 && t.nodes[b.open].html == h {
				b.leave()
			}
			if h == root || h.NextSibling != nil {
				break
			}
			h = h.Parent
		}
		if h == root {
			break
		}
		h = h.NextSibling
	}
	b.flush()
	if b.cut {
		if len(t.nodes) >= maxNodes {
			t.limit("nodes", maxNodes)
		} else {
			t.limit("text", maxText)
		}
	}
	t.text = string(t.buf)
}

// flush ends the run under way.
func (b *builder) flush() {
	if b.run.chars > 0 {
		b.run.to = int32(len(b.buf))
		b.run.host = b.host
		b.run.negative = b.host >= 0 && b.nodes[b.host].negative
		b.runs = append(b.runs, b.run)
	}
	b.run = run{from: int32(len(b.buf))}
}

// newline ends the line under way.
func (b *builder) newline() {
	if n := len(b.buf); n > 0 {
		switch b.buf[n-1] {
		case '\n':
		case ' ':
			b.buf[n-1] = '\n'
		default:
			b.buf = append(b.buf, '\n')
		}
	}
}

func (b *builder) addText(h *html.Node) {
	if b.open < 0 {
		return
	}
	if len(b.nodes) >= maxNodes || len(b.buf) >= maxText {
		b.cut = true
		return
	}
	data := h.Data
	if room := maxText - len(b.buf); len(data) > room {
		data, b.cut = data[:room], true
	}
	from := len(b.buf)
	var n tally
	b.buf, n = fold(b.buf, data)
	if n.chars == 0 {
		return
	}
	p := &b.nodes[b.open]
	nd := node{html: h, parent: b.open, end: int32(len(b.nodes) + 1), from: int32(from), to: int32(len(b.buf)),
		chars: n.chars, punct: n.punct, text: true, numbered: n.digits, link: int32(len(b.links)), linkEnd: int32(len(b.links)),
		block: p.block, inLink: p.inLink, hidden: p.hidden, negative: p.negative}
	p.chars += n.chars
	p.punct += n.punct
	b.run.chars += n.chars
	b.run.punct += n.punct
	if nd.inLink {
		nd.linkChars = n.chars
		p.linkChars += n.chars
		b.run.link += n.chars
	} else if n.digits {
		p.numbered = true
	}
	b.nodes = append(b.nodes, nd)
}

// enter opens an element, or reads what it has to say and refuses it.
func (b *builder) enter(h *html.Node) bool {
	tag := h.DataAtom
	switch tag {
	case atom.Html:
		b.lang = attr(h, "lang")
		return true
	case atom.Head:
		return true
	case atom.Meta:
		b.readMeta(h)
		return false
	case atom.Base:
		if b.base == "" {
			b.base = attr(h, "href")
		}
		return false
	case atom.Title:
		if b.head == "" && h.Namespace == "" && h.FirstChild != nil {
			b.head = line(h.FirstChild.Data, maxTitle)
		}
		return false
	case atom.Script:
		b.readScript(h)
		return false
	case atom.Link:
		return false
	}
	if skipped(tag) {
		return false
	}
	if len(b.nodes) >= maxNodes {
		b.cut = true
		return false
	}
	i := int32(len(b.nodes))
	n := node{html: h, parent: b.open, tag: tag, link: int32(len(b.links)), block: -1}
	if b.open >= 0 {
		p := &b.nodes[b.open]
		n.inLink, n.hidden, n.negative, n.block = p.inLink, p.hidden, p.negative, p.block
	}
	b.readAttributes(&n, h)
	n.breaksText = breaks(tag)
	switch {
	case n.breaksText:
		b.flush()
		b.newline()
		b.run.from = int32(len(b.buf))
		b.host = i
	case tag == atom.Br:
		b.newline()
	}
	n.from = int32(len(b.buf))
	b.nodes = append(b.nodes, n)
	b.open = i
	b.addLink(i, h)
	b.addBlock(i, h)
	if h.FirstChild == nil || tag == atom.Iframe {
		return false
	}
	return true
}

// leave closes the innermost open element and adds its sums to its parent's.
func (b *builder) leave() {
	i := b.open
	n := &b.nodes[i]
	if n.breaksText {
		b.flush()
		n.to = int32(len(b.buf))
		b.newline()
		b.run.from = int32(len(b.buf))
	} else {
		n.to = int32(len(b.buf))
	}
	n.end = int32(len(b.nodes))
	n.linkEnd = int32(len(b.links))
	b.open = n.parent
	if n.parent >= 0 {
		p := &b.nodes[n.parent]
		p.chars += n.chars
		p.linkChars += n.linkChars
		p.punct += n.punct
		p.numbered = p.numbered || n.numbered && !n.text
	}
	if n.breaksText {
		for b.host = b.open; b.host >= 0 && !b.nodes[b.host].breaksText; {
			b.host = b.nodes[b.host].parent
		}
	}
}

// readAttributes takes from an element's attributes what later passes ask for.
func (b *builder) readAttributes(n *node, h *html.Node) {
	for i := range h.Attr {
		a := &h.Attr[i]
		switch a.Key {
		case "class", "id":
			t, ok := b.seenTraits[a.Val]
			if !ok {
				t = traitsOf(a.Val)
				if len(b.seenTraits) < 4096 {
					b.seenTraits[a.Val] = t
				}
			}
			n.traits |= t
		case "style":
			if !n.hidden && len(a.Val) < 1024 && hides(a.Val) {
				n.hidden = true
			}
		case "hidden":
			n.hidden = true
		case "href":
			if n.tag == atom.A {
				n.inLink = true
			}
		}
	}
	switch n.tag {
	case atom.Nav, atom.Aside:
		n.traits |= negative
	case atom.Footer:
		n.traits |= negative | footing
	case atom.Body:
		n.traits &^= negative | footing
	}
	if n.traits&negative != 0 {
		n.negative = true
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
	return containsFold(style, "display:none") || containsFold(style, "display: none")
}

// readMeta keeps the metadata the title and date chains ask for and what the
// page says of its own address.
func (b *builder) readMeta(h *html.Node) {
	if len(b.meta) >= 100 {
		return
	}
	var key, content string
	for i := range h.Attr {
		switch a := &h.Attr[i]; a.Key {
		case "name", "property", "itemprop", "http-equiv":
			if key == "" && len(a.Val) < 64 {
				key = strings.ToLower(strings.TrimSpace(a.Val))
			}
		case "content":
			content = a.Val
		}
	}
	if key == "" || content == "" {
		return
	}
	if key == "refresh" {
		b.refresh(h, content)
		return
	}
	b.meta = append(b.meta, metaPair{key, content})
}

// readScript keeps JSON-LD.
func (b *builder) readScript(h *html.Node) {
	if h.FirstChild == nil || len(b.ld) >= 4 || len(h.Attr) == 0 {
		return
	}
	if data := h.FirstChild.Data; attr(h, "type") == "application/ld+json" && len(data) < 64<<10 {
		b.ld = append(b.ld, data)
	}
}

// metaValue returns the content of the first meta with that lower-case name.
func (t *tree) metaValue(key string) string {
	for i := range t.meta {
		if t.meta[i].key == key {
			return t.meta[i].value
		}
	}
	return ""
}
