package htmldoc

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// open is an element on the stack.
type open struct {
	node *html.Node
	tag  *tagInfo
}

// openStack holds the open elements, innermost last; the first is the document. Its methods return
// an index, or -1.
type openStack []open

// find searches for an open element inside the default scope. stop, if not nil, ends the scope
// earlier.
func (s openStack) find(match func(*tagInfo) bool, stop func(*tagInfo) bool) int {
	for i := len(s) - 1; i > 0; i-- {
		tag := s[i].tag
		if match(tag) {
			return i
		}
		if tag.stop || stop != nil && stop(tag) {
			break
		}
	}
	return -1
}

// findAtom is find for the elements of one name.
func (s openStack) findAtom(a atom.Atom) int {
	for i := len(s) - 1; i > 0; i-- {
		tag := s[i].tag
		if tag.atom == a {
			return i
		}
		if tag.stop {
			break
		}
	}
	return -1
}

// findFormat finds an open formatting element within the innermost cell or object.
func (s openStack) findFormat(tag *tagInfo) int {
	for i := len(s) - 1; i > 0; i-- {
		t := s[i].tag
		if t == tag {
			return i
		}
		if t.kind == tagCell || t.kind == tagMarker {
			break
		}
	}
	return -1
}

// findCell finds the cell around the innermost element within its table.
func (s openStack) findCell() int {
	for i := len(s) - 1; i > 0; i-- {
		switch k := s[i].tag; {
		case k.kind == tagCell:
			return i
		case k.kind == tagTable, k.atom == atom.Html:
			return -1
		}
	}
	return -1
}

// findPart finds a part of the innermost table among s[:from].
func (s openStack) findPart(tag *tagInfo, from int) int {
	for i := from - 1; i > 0; i-- {
		t := s[i].tag
		if t == tag {
			return i
		}
		if !tabular(t.kind) || t.kind == tagTable {
			break
		}
	}
	return -1
}

func isParagraph(t *tagInfo) bool { return t.atom == atom.P }
func isButton(t *tagInfo) bool    { return t.kind == tagButton }
func isHeading(t *tagInfo) bool   { return t.kind == tagHeading }
func isListBox(t *tagInfo) bool   { return t.atom == atom.Ul || t.atom == atom.Ol }
