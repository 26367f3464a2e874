package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// refer records an element with an address. Its anchor text is known only after the whole page has
// been walked.
func (b *flattener) refer(i int32, h *html.Node) {
	var href string
	switch b.Nodes[i].Tag {
	case atom.A, atom.Area:
		found := false
		if href, found = attribute(h, "href"); !found {
			return
		}
	case atom.Frame, atom.Iframe:
		if href = Attr(h, "src"); href == "" {
			return
		}
	default:
		return
	}
	b.appendRef(i, href)
	if scripted(href) && b.handler == "" {
		b.addClick(i, int32(len(b.Refs))-1, href)
	}
}

func (b *flattener) appendRef(node int32, href string) {
	if len(b.Refs) >= MaxRefs {
		b.Limit("links", MaxRefs)
		return
	}
	r := resourceRef{Href: strings.TrimSpace(href), Node: node, Division: -1}
	if len(r.Href) > MaxHref {
		r.Href = strings.ToValidUTF8(r.Href[:MaxHref], "")
	}
	if node >= 0 {
		r.Hidden, r.Division = b.Nodes[node].Hidden, b.Nodes[node].Division
	}
	b.Refs = append(b.Refs, r)
}

// refresh stores the target and the delay of the first <meta http-equiv=refresh>.
func (b *flattener) refresh(content string) {
	if len(content) > MaxHref {
		return
	}
	if after, url := ParseRefresh(content); url != "" {
		b.appendRef(b.open, url)
		if b.Refresh == "" {
			b.Refresh, b.RefreshAfter = url, after
		}
	}
}

// ParseRefresh parses the content of a refresh, or a Refresh header, like browsers: 3; url='/a.htm'. Without a time it
// returns 0 seconds, without an address url "".
func ParseRefresh(content string) (seconds int, url string) {
	s := strings.TrimSpace(content)
	rest := strings.TrimLeft(s, "0123456789")
	seconds, _ = strconv.Atoi(s[:len(s)-len(rest)]) // the largest int if it is out of range
	s = strings.TrimLeft(rest, ".0123456789;, \t\r\n")
	if len(s) >= 3 && strings.EqualFold(s[:3], "url") {
		if after, ok := strings.CutPrefix(strings.TrimLeft(s[3:], " \t\r\n"), "="); ok {
			s = strings.TrimSpace(after)
		}
	}
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		s, _, _ = strings.Cut(s[1:], s[:1])
	}
	return seconds, strings.TrimSpace(strings.TrimRight(s, `"'`))
}
