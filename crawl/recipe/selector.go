package recipe

import (
	"bytes"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"angler/crawl/htmldoc"
)

// selector is the subset of CSS that identifies one element: tag, id, class and attribute values.
type selector struct {
	tag   string
	attrs [][2]string
}

var selectorForm = htmldoc.NewPattern(
	`^([a-zA-Z][a-zA-Z0-9]*)?((?:[#.][A-Za-z0-9_\-]+|\[[A-Za-z_:\-]+(?:=(?:"[^"\]]*"|'[^'\]]*'|[^\]"']*))?\])*)$`)

var selectorPart = htmldoc.NewPattern(`[#.][A-Za-z0-9_\-]+|\[[^\]]*\]`)

// selectorOf parses a selector.
func selectorOf(s string) (*selector, error) {
	m := selectorForm.FindStringSubmatch(strings.TrimSpace(s))
	if m == nil || m[0] == "" {
		return nil, fmt.Errorf("selector %q: a tag, #id, .class, [name=value] or all of them in a row are known", s)
	}
	sel := &selector{tag: strings.ToLower(m[1])}
	for _, part := range selectorPart.FindAllString(m[2], -1) {
		switch part[0] {
		case '#':
			sel.attrs = append(sel.attrs, [2]string{"id", part[1:]})
		case '.':
			sel.attrs = append(sel.attrs, [2]string{".", part[1:]})
		default:
			k, v, ok := strings.Cut(part[1:len(part)-1], "=")
			if !ok {
				v = "*"
			}
			sel.attrs = append(sel.attrs, [2]string{strings.ToLower(k), strings.Trim(v, `"'`)})
		}
	}
	return sel, nil
}

// Value returns an attribute of the first matching element, or its text.
func (s *selector) Value(body []byte, attr string) string {
	z := html.NewTokenizer(bytes.NewReader(body))
	z.SetMaxBuf(1 << 20)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			t := z.Token()
			if !s.fits(&t) {
				continue
			}
			if attr != "" {
				return attrOf(&t, attr)
			}
			for _, k := range []string{"value", "content"} {
				if v := attrOf(&t, k); v != "" {
					return v
				}
			}
			if z.Next() == html.TextToken {
				return strings.TrimSpace(string(z.Text()))
			}
			return ""
		}
	}
}

func (s *selector) fits(t *html.Token) bool {
	if s.tag != "" && t.Data != s.tag {
		return false
	}
	for _, a := range s.attrs {
		switch {
		case a[0] == ".":
			if !hasWord(attrOf(t, "class"), a[1]) {
				return false
			}
		case a[1] == "*":
			if attrOf(t, a[0]) == "" {
				return false
			}
		case attrOf(t, a[0]) != a[1]:
			return false
		}
	}
	return true
}

func hasWord(s, word string) bool {
	for w := range strings.FieldsSeq(s) {
		if w == word {
			return true
		}
	}
	return false
}

func attrOf(t *html.Token, key string) string {
	for _, a := range t.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
