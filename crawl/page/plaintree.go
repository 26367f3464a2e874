package page

import (
	"errors"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The plain way to a tree: most pages are written the way their authors meant
// them, tags closed in the order in which they were opened, and for those the
// tree of the standard is the obvious one. plainBuilder builds it in a quarter
// of html.Parse's time: texts and attribute values are slices of the page,
// nodes come from a pooled arena, and of the standard's rules only those that
// such pages meet are here, each as html.Parse has it. Whatever is not plainly
// plain (misnested formatting, content between table cells, a missing head …)
// is refused and goes the whole way. A fuzz target holds both ways equal but
// for comments, the doctype and the order of attributes, which nothing here
// asks for.
//
// The rule behind most refusals: an active formatting element (a, b, font …)
// is never closed by anything but its own end tag, so that there is never one
// to reconstruct.

// errNotPlain refuses a page; html.Parse takes it.
var errNotPlain = errors.New("page: not plain")

// stage is the part of the document that is being read.
type stage uint8

const (
	beforeHTML stage = iota
	beforeHead
	inHead
	afterHead
	inBody
)

// Bounds of what is built here: rules look through all open elements, and
// joining texts is quadratic.
const (
	plainDepth = 128
	plainJoin  = 1 << 10
)

// open is an element on the stack.
type open struct {
	node *html.Node
	tag  *tagInfo
}

// plainBuilder holds one page under way and the arena its nodes live in. They
// are valid until reset.
type plainBuilder struct {
	arena
	s     string // what is left of the page
	stack []open
	stage stage
	ended bool       // </body> was read: comments go elsewhere
	form  *html.Node // the open form
	after *html.Node // a comment stood behind this text: the next text is another
	paras int        // open p
	attrs []html.Attribute
}

// parse builds the tree of a page, or refuses.
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

// comment skips a comment, a doctype or what the standard reads as one.
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

func blank(s string) bool { return s == "" || s[0] <= ' ' && strings.Trim(s, whiteSpace) == "" }

// text adds text to the innermost open element.
func (b *plainBuilder) text(s string) error {
	white := blank(s)
	top := b.top()
	switch {
	case b.stage < inHead && white:
		return nil
	case b.stage < inBody && !white, !white && tabular(top.tag.kind), top.tag.kind == tagPre && s[0] == '\n' && top.node.FirstChild == nil:
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

// pushImplied opens an element whose tag was left out.
func (b *plainBuilder) pushImplied(name string) error {
	held := b.attrs
	b.attrs = nil
	err := b.push(plainTags[name])
	b.attrs = held
	return err
}

// pop closes stack[i:]. A formatting element among what it closes is refused,
// but for stack[i] when its own end tag closes it.
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

// find looks for an open element inside the default scope, -1 when there is
// none. stop, when not nil, ends the scope earlier.
func (b *plainBuilder) find(match func(*tagInfo) bool, stop func(*tagInfo) bool) int {
	for i := len(b.stack) - 1; i > 0; i-- {
		tag := b.stack[i].tag
		if match(tag) {
			return i
		}
		if tag.stop || stop != nil && stop(tag) {
			break
		}
	}
	return -1
}

func (b *plainBuilder) findAtom(a atom.Atom) int {
	for i := len(b.stack) - 1; i > 0; i-- {
		tag := b.stack[i].tag
		if tag.atom == a {
			return i
		}
		if tag.stop {
			break
		}
	}
	return -1
}

// closeParagraph closes the p in button scope, if there is one.
func (b *plainBuilder) closeParagraph() error {
	if b.paras == 0 {
		return nil
	}
	if i := b.find(isParagraph, isButton); i > 0 {
		return b.pop(i, false)
	}
	return nil
}

func isParagraph(t *tagInfo) bool { return t.atom == atom.P }
func isButton(t *tagInfo) bool    { return t.kind == tagButton }
func isHeading(t *tagInfo) bool   { return t.kind == tagHeading }
func isListBox(t *tagInfo) bool   { return t.atom == atom.Ul || t.atom == atom.Ol }

// implyEnds closes elements whose end tag may be left out.
func (b *plainBuilder) implyEnds(except atom.Atom) error {
	i := len(b.stack)
	for b.stack[i-1].tag.ended && b.stack[i-1].tag.atom != except {
		i--
	}
	return b.pop(i, false)
}

// tabular tells the elements between which only parts of a table may stand.
func tabular(k tagKind) bool { return k == tagTable || k == tagSection || k == tagRow }

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
