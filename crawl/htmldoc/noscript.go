package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// Some applications send a page without text to browsers, which build it by script,
// and its text in <noscript> to everybody else. A crawler runs no scripts, so it is
// everybody else. Mostly, though, <noscript> holds an image or a plea to turn scripts
// on, which is not for readers.

// noscriptChars is how many characters must stand in <noscript> to be a text.
const noscriptChars = 200

// readNoscript counts the characters of a <noscript> of the body, whose markup the
// parsers leave as text.
func (b *flattener) readNoscript(h *html.Node) {
	if c := h.FirstChild; c != nil && c.Type == html.TextNode && b.open >= 0 && len(c.Data) > noscriptChars {
		b.noscript += textChars(c.Data)
	}
}

// scriptsHideText tells whether more text stands in the <noscript> elements of the
// page than in the rest of it.
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

// textChars counts the characters of markup that stand outside tags and are no space.
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
