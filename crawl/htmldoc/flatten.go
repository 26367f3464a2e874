package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// flattener is the state of one walk over a parse tree.
type flattener struct {
	*Tree
	open int32   // innermost open element, -1 above <body>
	host int32   // innermost open element that breaks text
	run  TextRun // the current text run
	cut  bool

	handler  string                 // the onclick of the element being opened
	sheet    map[string][]styleRule // rules of the page's style sheets, by a class or id
	rules    int                    // in sheet
	compared int                    // bytes of classes compared with rules
}

// Flatten fills an empty tree from a parse tree, which it does not change. The
// walk follows sibling and parent pointers and needs no stack, however deep the
// parse tree is.
func (t *Tree) Flatten(root *html.Node) {
	b := flattener{Tree: t, open: -1, host: -1}
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
			if b.open >= 0 && t.Nodes[b.open].HTML == h {
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
		if len(t.Nodes) >= maxNodes {
			t.Limit("nodes", maxNodes)
		} else {
			t.Limit("text", MaxText)
		}
	}
	t.Text = string(t.buf)
}

// flush ends the current run.
func (b *flattener) flush() {
	if b.run.Chars > 0 {
		b.run.To = int32(len(b.buf))
		b.run.Host = b.host
		b.run.Negative = b.host >= 0 && b.Nodes[b.host].Negative
		b.Runs = append(b.Runs, b.run)
	}
	b.run = TextRun{From: int32(len(b.buf))}
}

// newline ends the current line.
func (b *flattener) newline() {
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

func (b *flattener) addText(h *html.Node) {
	if b.open < 0 {
		return
	}
	if len(b.Nodes) >= maxNodes || len(b.buf) >= MaxText {
		b.cut = true
		return
	}
	data := h.Data
	if room := MaxText - len(b.buf); len(data) > room {
		data, b.cut = data[:room], true
	}
	from := len(b.buf)
	var n textCounts
	b.buf, n = Fold(b.buf, data)
	if n.Chars == 0 {
		return
	}
	p := &b.Nodes[b.open]
	nd := Node{HTML: h, Parent: b.open, End: int32(len(b.Nodes) + 1), From: int32(from), To: int32(len(b.buf)),
		Chars: n.Chars, Punct: n.Punct, IsText: true, Numbered: n.Digits, Ref: int32(len(b.Refs)),
		RefEnd:   int32(len(b.Refs)),
		Division: p.Division, InLink: p.InLink, Hidden: p.Hidden, Negative: p.Negative}
	p.Chars += n.Chars
	p.Punct += n.Punct
	b.run.Chars += n.Chars
	b.run.Punct += n.Punct
	if nd.InLink {
		nd.LinkChars = n.Chars
		p.LinkChars += n.Chars
		b.run.LinkChars += n.Chars
	} else if n.Digits {
		p.Numbered = true
	}
	b.Nodes = append(b.Nodes, nd)
}

// enter opens an element and reports whether to walk into it. Of an element without visible text it
// only reads the metadata.
func (b *flattener) enter(h *html.Node) bool {
	tag := h.DataAtom
	switch tag {
	case atom.Html, atom.Head:
		return true
	case atom.Meta:
		b.readMeta(h)
		return false
	case atom.Link:
		b.readFeed(h)
		return false
	case atom.Base:
		if b.Base == "" {
			b.Base = Attr(h, "href")
		}
		return false
	case atom.Title:
		if b.Head == "" && h.Namespace == "" && h.FirstChild != nil {
			b.Head = CleanLine(h.FirstChild.Data, MaxHead)
		}
		return false
	case atom.Script:
		b.readScript(h)
		b.addWritten(h)
		return false
	case atom.Noscript:
		b.readNoscript(h)
		return false
	case atom.Style:
		b.readSheet(h)
		return false
	case atom.Select:
		if Has(h, "onchange") && len(b.Selects) < maxForms {
			b.Selects = append(b.Selects, h)
		}
		return false
	case atom.Xmp:
		if c := h.FirstChild; c != nil && strings.Contains(c.Data, "</") {
			return false // markup for a script, not for a reader
		}
	}
	if skipped(tag) {
		return false
	}
	if len(b.Nodes) >= maxNodes {
		b.cut = true
		return false
	}
	i := int32(len(b.Nodes))
	n := Node{HTML: h, Parent: b.open, Tag: tag, Ref: int32(len(b.Refs)), Division: -1}
	if b.open >= 0 {
		p := &b.Nodes[b.open]
		n.InLink, n.Hidden, n.Negative, n.Division = p.InLink, p.Hidden, p.Negative, p.Division
	}
	b.readAttributes(&n, h)
	n.BreaksText = breaks(tag)
	if n.Hidden && !n.BreaksText && b.open >= 0 && !b.Nodes[b.open].Hidden && aside(h, false) {
		return false
	}
	switch {
	case n.BreaksText:
		b.flush()
		b.newline()
		b.run.From = int32(len(b.buf))
		b.host = i
	case tag == atom.Br:
		b.newline()
	}
	n.From = int32(len(b.buf))
	b.Nodes = append(b.Nodes, n)
	b.open = i
	b.refer(i, h)
	if b.handler != "" {
		b.click(i, b.handler)
		b.handler = ""
	}
	if tag == atom.Form && len(b.Forms) < maxForms {
		b.Forms = append(b.Forms, i)
	}
	b.divide(i, h)
	if h.FirstChild == nil || tag == atom.Iframe {
		return false
	}
	return true
}

// leave closes the innermost open element and adds its sums to its parent's.
func (b *flattener) leave() {
	i := b.open
	n := &b.Nodes[i]
	if n.BreaksText {
		b.flush()
		n.To = int32(len(b.buf))
		b.newline()
		b.run.From = int32(len(b.buf))
	} else {
		n.To = int32(len(b.buf))
	}
	n.End = int32(len(b.Nodes))
	n.RefEnd = int32(len(b.Refs))
	b.open = n.Parent
	if n.Parent >= 0 {
		p := &b.Nodes[n.Parent]
		p.Chars += n.Chars
		p.LinkChars += n.LinkChars
		p.Punct += n.Punct
		p.Numbered = p.Numbered || n.Numbered && !n.IsText
	}
	if n.BreaksText {
		for b.host = b.open; b.host >= 0 && !b.Nodes[b.host].BreaksText; {
			b.host = b.Nodes[b.host].Parent
		}
	}
}
