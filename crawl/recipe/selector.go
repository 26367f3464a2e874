package recipe

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"angler/crawl/htmldoc"
)

// selectorForm is the subset of CSS that identifies one element: tag, id, class and attribute values.
var selectorForm = htmldoc.NewPattern(
	`^([a-zA-Z][a-zA-Z0-9]*)?((?:[#.][A-Za-z0-9_\-]+|\[[A-Za-z_:\-]+(?:=(?:"[^"\]]*"|'[^'\]]*'|[^\]"']*))?\])*)$`)

// bareValue matches an attribute value without quotes, which CSS allows for identifiers only.
var bareValue = htmldoc.NewPattern(`=([^"'\]]*)\]`)

// selectorOf parses a selector.
func selectorOf(s string) (cascadia.Sel, error) {
	s = strings.TrimSpace(s)
	sel, err := cascadia.Parse(bareValue.ReplaceAllString(s, `="$1"]`))
	if err != nil || !selectorForm.MatchString(s) {
		return nil, fmt.Errorf("selector %q: a tag, #id, .class, [name=value] or all of them in a row are known", s)
	}
	return sel, nil
}

// selected returns an attribute of the first matching element; "" means its value, content or text.
func selected(sel cascadia.Sel, body []byte, attr string) string {
	doc, err := htmldoc.ParseWithin(string(body), parseTime)
	if err != nil {
		return ""
	}
	n := cascadia.Query(doc, sel)
	switch {
	case n == nil:
		return ""
	case attr != "":
		return htmldoc.Attr(n, attr)
	}
	v := cmp.Or(htmldoc.Attr(n, "value"), htmldoc.Attr(n, "content"))
	if text := n.FirstChild; v == "" && text != nil && text.Type == html.TextNode {
		return strings.TrimSpace(text.Data)
	}
	return v
}
