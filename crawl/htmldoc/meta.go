package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

type metaPair struct{ key, value string }

// readMeta reads the page's metadata and its refresh.
func (b *flattener) readMeta(h *html.Node) {
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
		b.refresh(content)
		return
	}
	b.meta = append(b.meta, metaPair{key, content})
}

// readFeed makes a link of a feed that the page names.
func (b *flattener) readFeed(h *html.Node) {
	kind, _, _ := strings.Cut(strings.ToLower(Attr(h, "type")), ";")
	switch strings.TrimSpace(kind) {
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml", "application/feed+json":
		if href := Attr(h, "href"); href != "" && ContainsFold(Attr(h, "rel"), "alternate") {
			if n := len(b.Refs); n < MaxRefs {
				b.appendRef(b.open, href)
				b.Refs[n].Feed = true
			}
		}
	}
}

// readScript stores scripts and JSON-LD.
func (b *flattener) readScript(h *html.Node) {
	if len(b.Scripts) < maxScripts {
		b.Scripts = append(b.Scripts, h)
	}
	if h.FirstChild == nil || len(b.LD) >= 4 || len(h.Attr) == 0 {
		return
	}
	if data := h.FirstChild.Data; Attr(h, "type") == "application/ld+json" && len(data) < 64<<10 {
		b.LD = append(b.LD, data)
	}
}

// maxWritten bounds the bytes of a script that writes one text.
const maxWritten = 160

// addWritten adds the text that a script writes in its place and does nothing else:
// document.write("2026-11-20"). Lists write their dates so.
func (b *flattener) addWritten(h *html.Node) {
	if h.FirstChild == nil || len(h.FirstChild.Data) > maxWritten {
		return
	}
	code := strings.TrimRight(strings.TrimSpace(h.FirstChild.Data), "; \r\n")
	code, write := strings.CutPrefix(code, "document.write(")
	code, closed := strings.CutSuffix(code, ")")
	if code = strings.TrimSpace(code); !write || !closed || len(code) < 2 {
		return
	}
	quote, text := code[:1], code[1:len(code)-1]
	if (quote == "'" || quote == `"`) && strings.HasSuffix(code, quote) && !strings.ContainsAny(text, quote+"\\\n") {
		b.addText(&html.Node{Type: html.TextNode, Data: WithoutTags(text), Parent: h})
	}
}

// Meta returns the content of the first meta with that lower-case name, or "".
func (t *Tree) Meta(key string) string {
	for i := range t.meta {
		if t.meta[i].key == key {
			return t.meta[i].value
		}
	}
	return ""
}
