package htmldoc

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// html.Parse follows the standard, which hostile pages can exploit: unclosed formatting elements
// are opened again in every paragraph, and texts around ignored tags are joined one by one. So
// html.Parse gets pages of bounded size and a deadline, and refuses more than 512 open elements.
// The linear parser (linear.go) reads pages that it does not finish.

const (
	strictBytes = 1 << 20                // longer pages go to the linear parser at once
	strictTime  = 150 * time.Millisecond // about ten times the time for 1 MB
	maxDepth    = 512
)

// Parse fills an empty tree from any text as the markup of a page. It tries the plain builder
// (plaintree.go), then html.Parse, then the linear parser. A page whose text is in <noscript> is
// parsed again with that opened, and its Source is the opened markup.
func (t *Tree) Parse(text string) {
	t.Source = text
	t.Flatten(t.parse(text))
	if t.scriptsHideText() {
		url, limits := t.URL, t.Limits
		t.empty()
		t.URL, t.Limits, t.Source = url, limits, openNoscript(text)
		t.Flatten(t.parse(t.Source))
	}
}

func (t *Tree) parse(text string) *html.Node {
	if len(text) <= strictBytes {
		root, err := t.plain.parse(text)
		if err != nil {
			root, err = ParseWithin(text, strictTime)
		}
		if err == nil {
			t.root = root
			return root
		}
		if errors.Is(err, errSlow) {
			t.LimitHit("parse time")
		} else {
			t.Limit("depth", maxDepth)
		}
	}
	return t.parseLinear(text)
}

// ParseWithin is html.Parse with a deadline. It returns an error when the time is up or too many
// elements are open.
func ParseWithin(text string, most time.Duration) (*html.Node, error) {
	return html.Parse(&deadlineReader{text, time.Now().Add(most)})
}

var errSlow = errors.New("parsing takes too long")

// deadlineReader returns a page in pieces and stops at the deadline.
type deadlineReader struct {
	s     string
	until time.Time
}

func (r *deadlineReader) Read(p []byte) (int, error) {
	if r.s == "" {
		return 0, io.EOF
	}
	if time.Now().After(r.until) {
		return 0, errSlow
	}
	n := copy(p[:min(len(p), 1024)], r.s)
	r.s = r.s[n:]
	return n, nil
}

// ParseLines fills an empty tree from plain text: each line is a paragraph.
func (t *Tree) ParseLines(text string) {
	root := &html.Node{Type: html.DocumentNode}
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	root.AppendChild(body)
	lines := 0
	for s := range strings.SplitSeq(text, "\n") {
		if lines++; lines > maxNodes/2 {
			break
		}
		if strings.TrimSpace(s) == "" {
			continue
		}
		p := &html.Node{Type: html.ElementNode, Data: "p", DataAtom: atom.P}
		p.AppendChild(&html.Node{Type: html.TextNode, Data: s})
		body.AppendChild(p)
	}
	t.Flatten(root)
}

// LooksLikeMarkup reports whether head contains a usual tag of a page.
func LooksLikeMarkup(head []byte) bool {
	low := bytes.ToLower(head)
	for _, tag := range [...]string{"<html", "<!doctype html", "<head", "<body", "<div", "<table", "<p>", "<a "} {
		if bytes.Contains(low, []byte(tag)) {
			return true
		}
	}
	return false
}
