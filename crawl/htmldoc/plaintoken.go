package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// plainAttrs bounds the attributes of a tag.
const plainAttrs = 64

func white(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r' }

// tag reads a tag from its name on, and stores the attributes of a start tag in b.attrs.
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

// attr reads one attribute at s[i:] and returns its end.
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
		return 0, errNotPlain // the search for duplicates is quadratic
	}
	b.attrs = append(b.attrs, html.Attribute{Key: key, Val: val})
	return i, nil
}

// unescapeValue resolves the character references of an attribute value, where &copy=1 is not ©.
// Only the tokenizer of the html package does that, so it gets a tag with the value, unless no
// reference is possible (most addresses). ok is false for a value with both kinds of quotes.
func unescapeValue(val string) (s string, ok bool) {
	if parameters(val) {
		return strings.ReplaceAll(val, "&amp;", "&"), true
	}
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

// parameters reports whether every & of a value is &amp; or begins a parameter (a name and an
// equals sign), which is never a reference.
func parameters(val string) bool {
	for rest := val; ; {
		_, after, more := strings.Cut(rest, "&")
		if !more {
			return strings.IndexByte(val, '\r') < 0 && strings.IndexByte(val, 0) < 0
		}
		n := 0
		for n < len(after) && alphanumeric(after[n]) {
			n++
		}
		if rest = after[n:]; rest == "" || rest[0] != '=' && (rest[0] != ';' || after[:n] != "amp") || n == 0 {
			return false
		}
	}
}

func alphanumeric(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
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
	if tag.atom == atom.Script && strings.Contains(text, "<!--") || tag.atom == atom.Textarea &&
		strings.HasPrefix(text, "\n") {
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
