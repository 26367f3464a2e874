package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// refer notes an element that leads somewhere. Its anchor text is known only
// when the whole page has been walked.
func (b *flattener) refer(i int32, h *html.Node) {
	var href string
	switch b.Nodes[i].Tag {
	case atom.A, atom.Area:
		found := false
		for k := range h.Attr {
			if h.Attr[k].Key == "href" {
				href, found = h.Attr[k].Val, true
				break
			}
		}
		if !found {
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
	r := ResourceRef{Href: strings.TrimSpace(href), Node: node, Division: -1}
	if len(r.Href) > MaxHref {
		r.Href = strings.ToValidUTF8(r.Href[:MaxHref], "")
	}
	if node >= 0 {
		r.Hidden, r.Division = b.Nodes[node].Hidden, b.Nodes[node].Division
	}
	b.Refs = append(b.Refs, r)
}

// refresh notes where a <meta http-equiv=refresh> leads.
func (b *flattener) refresh(content string) {
	if len(content) > MaxHref {
		return
	}
	if _, url, ok := strings.Cut(content, "="); ok {
		if url = strings.Trim(strings.TrimSpace(url), `"'`); url != "" {
			b.appendRef(b.open, url)
		}
	}
}
