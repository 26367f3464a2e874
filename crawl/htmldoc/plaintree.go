package htmldoc

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Most pages are plain: their tags are closed in order, and the parse tree of the standard is the
// obvious one. plainBuilder builds that tree in a quarter of html.Parse's time. Texts and attribute
// values are slices of the page, nodes come from a pooled arena. It has only the rules of the
// standard that plain pages need, each as in html.Parse.
//
// Other pages are refused and left to html.Parse: those with misnested formatting, content between
// table cells, a missing head and so on. A fuzz target compares the trees of both. They differ only
// in unused parts: comments, the doctype and the order of attributes.
//
// One rule causes most refusals: only its own end tag may close a formatting element (a, b, font
// …). Then no element must be opened again, which is the costly part of the standard.

// errNotPlain means that a page is refused.
var errNotPlain = errors.New("page: not plain")

// stage is the part of the document being read.
type stage uint8

const (
	beforeHTML stage = iota
	beforeHead
	inHead
	afterHead
	inBody
)

const (
	plainDepth = 128     // open elements: the rules search all of them
	plainJoin  = 1 << 10 // bytes of a text to which another is joined: joining is quadratic
)

// plainBuilder holds the current page and the arena of its nodes, which are valid until reset.
type plainBuilder struct {
	arena
	s     string // the rest of the page
	stack openStack
	stage stage
	ended bool       // </body> was read: comments that follow are not in the body
	form  *html.Node // the open form
	after *html.Node // a comment follows this text, so the next text is not joined to it
	paras int        // number of open p
	attrs []html.Attribute
}

// parse builds the tree of a page, or refuses it.
func (b *plainBuilder) parse(text string) (root *html.Node, err error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, errNotPlain
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	b.s, b.stack, b.stage, b.ended, b.form, b.after, b.paras = text, b.stack[:0], beforeHTML, false, nil, nil, 0
	root = b.node()
	root.Type = html.DocumentNode
	b.stack = append(b.stack, open{root, &tagInfo{special: true, stop: true}})
	for b.s != "" {
		if err := b.step(); err != nil {
			return nil, err
		}
	}
	if b.stage != inBody {
		return nil, errNotPlain
	}
	return root, nil
}

// top returns the innermost open element. As a method of openStack it costs a
// page five percent.
func (b *plainBuilder) top() *open { return &b.stack[len(b.stack)-1] }

// step reads one token.
func (b *plainBuilder) step() error {
	n := 0
	for {
		i := strings.IndexByte(b.s[n:], '<')
		if i < 0 {
			n = len(b.s)
			break
		}
		n += i
		if n+1 == len(b.s) {
			n++
			break
		}
		if c := b.s[n+1]; letter(c) || c == '/' || c == '!' || c == '?' {
			break
		}
		n++
	}
	if n > 0 {
		s := b.s[:n]
		b.s = b.s[n:]
		return b.text(html.UnescapeString(s))
	}
	switch c := b.s[1]; {
	case letter(c):
		b.s = b.s[1:]
		tag, err := b.tag(true)
		if err != nil {
			return err
		}
		return b.start(tag)
	case c == '/' && len(b.s) > 2 && letter(b.s[2]):
		b.s = b.s[2:]
		tag, err := b.tag(false)
		if err != nil {
			return err
		}
		return b.end(tag)
	default:
		return b.comment()
	}
}

// comment skips a comment, a doctype, or markup that the standard reads as a comment.
func (b *plainBuilder) comment() error {
	end := "-->"
	rest, proper := strings.CutPrefix(b.s, "<!--")
	if !proper {
		end = ">"
	}
	i := strings.Index(rest, end)
	if i < 0 || proper && (rest[0] == '>' || strings.HasPrefix(rest, "->") || strings.Contains(rest[:i+1], "--!")) {
		return errNotPlain
	}
	if len(b.s) > 9 && !proper && strings.EqualFold(b.s[:9], "<!doctype") && b.stage > beforeHTML {
		return errNotPlain
	}
	b.s = rest[i+len(end):]
	if b.stage >= inHead && !b.ended {
		b.after = b.top().node.LastChild
	}
	return nil
}

const whiteSpace = " \t\r\n\f"

func blank(s string) bool { return s == "" || s[0] <= ' ' && strings.TrimLeft(s, whiteSpace) == "" }

// text adds a text to the innermost open element, if the standard keeps it there.
func (b *plainBuilder) text(s string) error {
	white := blank(s)
	top := b.top()
	switch {
	case b.stage < inHead && white:
		return nil
	case b.stage < inBody && !white, !white && tabular(top.tag.kind), top.tag.kind == tagPre && s[0] == '\n' &&
		top.node.FirstChild == nil:
		return errNotPlain
	}
	if !white {
		b.ended = false
	}
	return b.addText(top.node, s)
}

func (b *plainBuilder) addText(parent *html.Node, s string) error {
	if last := parent.LastChild; last != nil && last.Type == html.TextNode && last != b.after {
		// A tag between them was ignored.
		if len(last.Data) > plainJoin {
			return errNotPlain
		}
		last.Data += s
		return nil
	}
	n := b.node()
	n.Type, n.Data = html.TextNode, s
	adopt(parent, n)
	return nil
}

// adopt is AppendChild without its checks.
func adopt(parent, n *html.Node) {
	n.Parent, n.PrevSibling = parent, parent.LastChild
	if parent.LastChild != nil {
		parent.LastChild.NextSibling = n
	} else {
		parent.FirstChild = n
	}
	parent.LastChild = n
}

// add appends an element without opening it.
func (b *plainBuilder) add(tag *tagInfo) *html.Node {
	n := b.node()
	n.Type, n.DataAtom, n.Data, n.Attr = html.ElementNode, tag.atom, tag.name, b.keepAttrs()
	adopt(b.top().node, n)
	return n
}

func (b *plainBuilder) push(tag *tagInfo) error {
	if len(b.stack) >= plainDepth {
		return errNotPlain
	}
	b.stack = append(b.stack, open{b.add(tag), tag})
	if tag.atom == atom.P {
		b.paras++
	}
	return nil
}

// pushImplied opens an element whose tag was omitted.
func (b *plainBuilder) pushImplied(name string) error {
	held := b.attrs
	b.attrs = nil
	err := b.push(plainTags[name])
	b.attrs = held
	return err
}

// pop closes stack[i:]. It refuses to close a formatting element, except stack[i] if own says that
// its own end tag does.
func (b *plainBuilder) pop(i int, own bool) error {
	for k := len(b.stack) - 1; k >= i; k-- {
		switch tag := b.stack[k].tag; {
		case tag.kind == tagFormat && !(own && k == i):
			return errNotPlain
		case tag.atom == atom.P:
			b.paras--
		}
	}
	b.stack = b.stack[:i]
	return nil
}

// closeParagraph closes the p in button scope, if any.
func (b *plainBuilder) closeParagraph() error {
	if b.paras == 0 {
		return nil
	}
	if i := b.stack.find(isParagraph, isButton); i > 0 {
		return b.pop(i, false)
	}
	return nil
}

// implyEnds closes elements whose end tag may be omitted.
func (b *plainBuilder) implyEnds(except atom.Atom) error {
	i := len(b.stack)
	for b.stack[i-1].tag.ended && b.stack[i-1].tag.atom != except {
		i--
	}
	return b.pop(i, false)
}

// tabular reports whether an element may hold only parts of a table.
func tabular(k tagKind) bool { return k == tagTable || k == tagSection || k == tagRow }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
