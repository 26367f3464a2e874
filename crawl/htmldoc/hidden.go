package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxStyle bounds the bytes read of a style attribute.
const maxStyle = 1024

// farOff is the displacement in pixels from which an element is out of sight. A hundred characters
// (em, rem, %) count as much.
const farOff = 500

// farMargin is the same for a margin, because half the width of a page (left:50%;margin-left:-600px)
// centres an element.
const farMargin = 2000

// hides reports whether a style attribute hides its element: display:none, visibility:hidden, no
// size, no colour, or a place outside the window. Opacity does not count, because scripts fade whole
// pages in.
//
// noFont is true for font-size:0, which hides only the direct text: lists close the gaps between
// their items with it.
func hides(style string) (hidden, noFont bool) {
	var flat, clipped, placed, away bool // no height or width; no scroll bars; out of the flow; far away
	var clear, painted bool              // without colour; the background shows through the letters
	for one := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(one, ":")
		value, _, _ = strings.Cut(value, "!")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "display":
			hidden = hidden || value == "none"
		case "visibility":
			hidden = hidden || value == "hidden" || value == "collapse"
		case "font-size":
			noFont = zeroLength(value)
		case "text-indent":
			hidden = hidden || farAway(value, farOff)
		case "height", "max-height", "width":
			flat = flat || zeroLength(value)
		case "overflow":
			clipped = value == "hidden" || value == "clip"
		case "position":
			placed = value == "absolute" || value == "fixed"
		case "left", "top", "right", "bottom":
			away = away || farAway(value, farOff)
		case "margin-left", "margin-top":
			hidden = hidden || farAway(value, farMargin)
		case "color":
			clear = value == "transparent"
		case "background-clip", "-webkit-background-clip":
			painted = value == "text"
		case "transform":
			hidden = hidden || strings.HasPrefix(value, "scale(0)") || strings.HasPrefix(value, "scale(0,")
		case "clip":
			hidden = hidden || strings.Contains(value, "rect(0") && !strings.ContainsAny(value, "23456789")
		case "clip-path":
			hidden = hidden || strings.Contains(value, "inset(50%") || strings.Contains(value, "inset(100%")
		}
	}
	return hidden || flat && clipped || placed && away || clear && !painted, noFont
}

// zeroLength reports whether a CSS length is zero: 0, 0px, .0em.
func zeroLength(value string) bool {
	n, unit := cssLength(value)
	return n == 0 && unit != value
}

// farAway reports whether a CSS length moves an element at least far pixels to the left or top.
func farAway(value string, far float64) bool {
	n, unit := cssLength(value)
	switch unit {
	case "px", "pt":
		return n <= -far
	case "em", "rem", "%", "vw", "vh":
		return n <= -far/5
	}
	return false
}

// cssLength splits a CSS length into number and unit. The unit is the whole value if it starts with
// no number.
func cssLength(value string) (n float64, unit string) {
	end := 0
	for end < len(value) && (value[end] >= '0' && value[end] <= '9' || value[end] == '.' || value[end] == '-' &&
		end == 0) {
		end++
	}
	n, err := strconv.ParseFloat(value[:end], 64)
	if err != nil {
		return 0, value
	}
	return n, value[end:]
}

// Bounds of the style sheets of a page.
const (
	maxSheet  = 64 << 10 // bytes read of a sheet
	maxHiding = 200      // hidden selectors kept
)

// readSheet records the classes and ids that the page's own style sheet hides. It reads rules with
// one simple selector (.a, #a, div.a) outside @media. A later display for the same selector ends
// the hiding.
func (b *flattener) readSheet(h *html.Node) {
	if h.FirstChild == nil {
		return
	}
	sheet := h.FirstChild.Data
	sheet = sheet[:min(len(sheet), maxSheet)]
	for {
		selectors, rest, ok := strings.Cut(sheet, "{")
		if !ok {
			return
		}
		if i := strings.LastIndexAny(selectors, ";/"); i >= 0 {
			selectors = selectors[i+1:] // after @import and comments
		}
		if selectors = strings.TrimSpace(selectors); strings.HasPrefix(selectors, "@") {
			sheet = afterBlock(rest)
			continue
		}
		rule, rest, _ := strings.Cut(rest, "}")
		sheet = rest
		hidden, _ := hides(rule)
		if !hidden && !strings.Contains(rule, "display") {
			continue
		}
		for _, s := range strings.Split(selectors, ",") {
			if s = strings.TrimSpace(s); !simpleSelector(s) {
				continue
			}
			if !hidden {
				delete(b.hiding, s)
			} else if len(b.hiding) < maxHiding {
				if b.hiding == nil {
					b.hiding = map[string]bool{}
				}
				b.hiding[s] = true
			}
		}
	}
}

// afterBlock returns the text after the block of an at-rule whose opening brace was read.
func afterBlock(s string) string {
	open := 1
	for i := range len(s) {
		switch s[i] {
		case '{':
			open++
		case '}':
			if open--; open == 0 {
				return s[i+1:]
			}
		}
	}
	return ""
}

// simpleSelector reports whether a selector is a class or an id, after the name of an
// element or alone.
func simpleSelector(s string) bool {
	i := strings.IndexAny(s, ".#")
	return i >= 0 && len(s) < 64 && !strings.ContainsAny(s[i+1:], ".# \t\r\n\f>+~:[*") &&
		!strings.ContainsAny(s[:i], " \t\r\n\f>+~:[*")
}

// hiddenByRule reports whether a rule of the page's style sheet hides an element. A display in its
// style attribute overrides the rule.
func (b *flattener) hiddenByRule(h *html.Node) bool {
	named := func(mark, name string) bool { return b.hiding[mark+name] || b.hiding[h.Data+mark+name] }
	for _, a := range h.Attr {
		switch a.Key {
		case "id":
			if named("#", a.Val) {
				return !strings.Contains(Attr(h, "style"), "display")
			}
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				if named(".", class) {
					return !strings.Contains(Attr(h, "style"), "display")
				}
			}
		}
	}
	return false
}

// maxAside bounds the nodes of a hidden piece of a line.
const maxAside = 16

// hiddenAside reports whether a hidden element is a piece of a line: words that copied text
// contains and readers do not see. It holds neither blocks nor links nor pictures.
func hiddenAside(h *html.Node) bool {
	left := maxAside
	aside := true
	Walk(h, func(n *html.Node) WalkStep {
		if left--; left < 0 || n.Type == html.ElementNode &&
			(breaks(n.DataAtom) || n.DataAtom == atom.A || n.DataAtom == atom.Img || n.DataAtom == atom.Iframe) {
			aside = false
			return WalkStop
		}
		return WalkInto
	})
	return aside
}

// maxUnsized bounds the nodes searched for a size of their own.
const maxUnsized = 64

// unsized reports whether no descendant can make the text visible again: none has a class or a
// style with a font.
func unsized(h *html.Node) bool {
	left := maxUnsized
	plain := true
	Walk(h, func(n *html.Node) WalkStep {
		left--
		if left < 0 || n != h && (Has(n, "class") || ContainsFold(Attr(n, "style"), "font")) {
			plain = false
			return WalkStop
		}
		return WalkInto
	})
	return plain
}
