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

// html.Parse follows the standard to the letter, and the standard is generous
// to hostile pages: unclosed formatting elements are opened anew in every
// paragraph, texts around ignored tags are joined one by one. So html.Parse
// gets pages of a sane size and a deadline, and refuses more than 512 open
// elements. What it does not finish is left to a linear parser (linear.go).

const (
	strictBytes = 1 << 20                // longer pages go to the linear parser at once
	strictTime  = 150 * time.Millisecond // some ten times what 1 MB takes
	maxDepth    = 512
)

// Parse fills an empty tree from the markup of a page, any text at all. It goes
// the plain way (plaintree.go), else takes html.Parse, else the linear parser. A
// page whose text stands in <noscript> is parsed a second time with that open, and its
// Source is the opened markup.
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

// ParseWithin is html.Parse with a deadline. It returns an error when time is up
// and when too many elements are open at once.
func ParseWithin(text string, most time.Duration) (*html.Node, error) {
	return html.Parse(&deadlineReader{text, time.Now().Add(most)})
}

var errSlow = errors.New("parsing takes too long")

// deadlineReader hands a page out in pieces and stops when time is up.
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

// ParseLines fills an empty tree from a text that is no markup: a paragraph a
// line.
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

// LooksLikeMarkup reports whether one of the usual tags of a page is in its
// beginning.
func LooksLikeMarkup(head []byte) bool {
	low := bytes.ToLower(head)
	for _, tag := range [...]string{"<html", "<!doctype html", "<head", "<body", "<div", "<table", "<p>", "<a "} {
		if bytes.Contains(low, []byte(tag)) {
			return true
		}
	}
	return false
}
