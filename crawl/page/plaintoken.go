package page

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plainAttrs bounds the attributes of a tag.
const plainAttrs = 64

func white(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r' }

// tag reads a tag from its name on. The attributes of a start tag are left in
// b.attrs.
func (b *plainBuilder) tag(start bool) (*tagInfo, error) {
	s, i := b.s, 0
	lower := true
	for ; i < len(s) && !white(s[i]) && s[i] != '/' && s[i] != '>'; i++ {
		lower = lower && (s[i] < 'A' || s[i] > 'Z')
	}
	name := s[:i]
	if !lower {
		name = lowerASCII(name)
	}
	b.attrs = b.attrs[:0]
	for {
		for i < len(s) && white(s[i]) {
			i++
		}
		if i >= len(s) {
			return nil, errNotPlain
		}
		if s[i] == '>' {
			b.s = s[i+1:]
			return tagOf(name), nil
		}
		var err error
		if i, err = b.attr(s, i, start); err != nil {
			return nil, err
		}
	}
}

// attr reads one attribute at s[i:] and returns where it ends.
func (b *plainBuilder) attr(s string, i int, keep bool) (int, error) {
	from, lower := i, true
	for ; i < len(s); i++ {
		c := s[i]
		if c == '=' && i > from || c == '/' || c == '>' || white(c) {
			break
		}
		lower = lower && (c < 'A' || c > 'Z')
	}
	key := s[from:i]
	for i < len(s) && white(s[i]) {
		i++
	}
	if i >= len(s) {
		return 0, errNotPlain
	}
	val := ""
	switch s[i] {
	case '/':
		i++
	case '=':
		i++
		for i < len(s) && white(s[i]) {
			i++
		}
		if i >= len(s) {
			return 0, errNotPlain
		}
		switch q := s[i]; q {
		case '>':
		case '"', '\'':
			n := strings.IndexByte(s[i+1:], q)
			if n < 0 {
				return 0, errNotPlain
			}
			val = s[i+1 : i+1+n]
			i += n + 2
		default:
			from := i
			for i < len(s) && !white(s[i]) && s[i] != '>' {
				i++
			}
			val = s[from:i]
		}
	}
	if !keep || key == "" {
		return i, nil
	}
	if !lower {
		key = lowerASCII(key)
	}
	for k := range b.attrs {
		if b.attrs[k].Key == key {
			return i, nil
		}
	}
	if strings.IndexByte(val, '&') >= 0 {
		var ok bool
		if val, ok = unescapeValue(val); !ok {
			return 0, errNotPlain
		}
	}
	if len(b.attrs) >= plainAttrs {
		return 0, errNotPlain // looking for doubles is quadratic
	}
	b.attrs = append(b.attrs, html.Attribute{Key: key, Val: val})
	return i, nil
}

// unescapeValue resolves character references as attribute values have them,
// where &copy=1 is no ©. html exports that by its tokenizer only. A value that
// cannot be quoted is refused.
func unescapeValue(val string) (string, bool) {
	quote := `"`
	if strings.IndexByte(val, '"') >= 0 {
		quote = "'"
		if strings.IndexByte(val, '\'') >= 0 {
			return "", false
		}
	}
	z := html.NewTokenizer(strings.NewReader("<a b=" + quote + val + quote + ">"))
	z.Next()
	_, v, _ := z.TagAttr()
	return string(v), true
}

// raw adds an element whose content is text up to its end tag.
func (b *plainBuilder) raw(tag *tagInfo) error {
	n := b.add(tag)
	end := 0
	for {
		i := strings.Index(b.s[end:], "</")
		if i < 0 {
			return errNotPlain
		}
		end += i
		rest := b.s[end+2:]
		if len(rest) > len(tag.name) && strings.EqualFold(rest[:len(tag.name)], tag.name) {
			if c := rest[len(tag.name)]; white(c) || c == '/' || c == '>' {
				break
			}
		}
		end += 2
	}
	text := b.s[:end]
	if tag.atom == atom.Script && strings.Contains(text, "<!--") || tag.atom == atom.Textarea && strings.HasPrefix(text, "\n") {
		return errNotPlain
	}
	if tag.atom == atom.Title || tag.atom == atom.Textarea {
		text = html.UnescapeString(text)
	}
	if text != "" {
		if err := b.addText(n, text); err != nil {
			return err
		}
	}
	b.s = b.s[end+2:]
	_, err := b.tag(false)
	return err
}

func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// arena holds nodes and attributes in slabs that are used again.
type arena struct {
	slabs [][]html.Node
	slab  int // in use
	used  int // nodes of it
	lists [][]html.Attribute
	list  int
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

// reset forgets the page and keeps the space, unless a giant page made it
// giant.
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
