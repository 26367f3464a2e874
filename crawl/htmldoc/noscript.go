package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// Some applications send browsers a page without text, which a script builds, and put the text into
// <noscript> for other clients. A crawler runs no scripts, so it reads that text. But usually
// <noscript> holds an image or a request to enable scripts.

// noscriptChars is the least number of characters in <noscript> that count as a text.
const noscriptChars = 200

// readNoscript counts the characters of a <noscript> in the body, whose markup the parsers leave as
// text.
func (b *flattener) readNoscript(h *html.Node) {
	if c := h.FirstChild; c != nil && c.Type == html.TextNode && b.open >= 0 && len(c.Data) > noscriptChars {
		b.noscript += textChars(c.Data)
	}
}

// scriptsHideText reports whether the <noscript> elements hold more text than the rest of the page.
func (t *Tree) scriptsHideText() bool {
	if t.noscript < noscriptChars {
		return false
	}
	shown := 0
	for i := range t.Runs {
		shown += int(t.Runs[i].Chars)
	}
	return t.noscript > shown
}

// openNoscript returns markup in which every <noscript> of the body is a <div>.
func openNoscript(text string) string {
	const from, to = "noscript", "div"
	var b strings.Builder
	b.Grow(len(text))
	body := false
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		b.WriteString(text[:i+1])
		text = text[i+1:]
		if strings.HasPrefix(text, "/") {
			b.WriteByte('/')
			text = text[1:]
		}
		body = body || len(text) >= 4 && strings.EqualFold(text[:4], "body")
		if body && len(text) >= len(from) && strings.EqualFold(text[:len(from)], from) {
			b.WriteString(to)
			text = text[len(from):]
		}
	}
	b.WriteString(text)
	return b.String()
}

// textChars counts the characters of markup outside tags, except spaces.
func textChars(markup string) int {
	n, tag := 0, false
	for _, r := range markup {
		switch {
		case r == '<':
			tag = true
		case r == '>':
			tag = false
		case !tag && !IsSpace(r):
			n++
		}
	}
	return n
}
