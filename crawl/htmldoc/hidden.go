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

// sight is a set of the ways in which a style keeps text from readers.
type sight uint8

const (
	unseen sight = 1 << iota // hides the element: display:none, no size, no colour, a place outside the window
	noFont                   // font-size:0 hides only the direct text: lists close the gaps between their items with it
	faded                    // opacity:0 hides only small elements, because scripts fade whole pages in
	struck                   // line-through
)

// sightOf reads how the rules of a style keep text from readers.
func sightOf(style string) sight {
	var out sight
	var flat, clipped, placed, away bool // no height or width; no scroll bars; out of the flow; far away
	var clear, painted, moving bool      // without colour; the background shows through the letters; a script or time changes it
	var ink, paper string                // colours of text and background
	hide := func(hidden bool) {
		if hidden {
			out |= unseen
		}
	}
	for one := range strings.SplitSeq(strings.ToLower(style), ";") {
		name, value, _ := strings.Cut(one, ":")
		value, _, _ = strings.Cut(value, "!")
		value = strings.TrimSpace(value)
		switch name = strings.TrimSpace(name); name {
		case "display":
			hide(value == "none")
		case "visibility":
			hide(value == "hidden" || value == "collapse")
		case "font-size":
			if out &^= noFont; zeroLength(value) {
				out |= noFont
			}
		case "opacity":
			if out &^= faded; zeroLength(value) {
				out |= faded
			}
		case "transition", "animation", "animation-name", "will-change":
			moving = true
		case "text-decoration", "text-decoration-line":
			if out &^= struck; strings.Contains(value, "line-through") {
				out |= struck
			}
		case "text-indent":
			hide(farAway(value, farOff))
		case "height", "max-height", "width":
			flat = flat || zeroLength(value)
		case "overflow":
			clipped = value == "hidden" || value == "clip"
		case "position":
			placed = value == "absolute" || value == "fixed"
		case "left", "top", "right", "bottom":
			away = away || farAway(value, farOff)
		case "margin-left", "margin-top":
			hide(farAway(value, farMargin))
		case "color":
			clear, ink = value == "transparent", colour(value)
		case "background", "background-color":
			paper = colour(value)
		case "background-clip", "-webkit-background-clip":
			painted = value == "text"
		case "transform":
			hide(strings.HasPrefix(value, "scale(0)") || strings.HasPrefix(value, "scale(0,"))
		case "clip":
			hide((strings.Contains(value, "rect(0") || strings.Contains(value, "rect(1px")) &&
				!strings.ContainsAny(value, "23456789"))
		case "clip-path":
			hide(strings.Contains(value, "inset(50%") || strings.Contains(value, "inset(100%"))
		}
	}
	hide(flat && clipped || placed && away || clear && !painted || ink != "" && ink == paper)
	if moving {
		out &^= faded
	}
	return out
}

// colour returns one form for the ways to write a colour: #fff for white, #ffffff, rgb(255, 255, 255).
func colour(value string) string {
	if in, ok := strings.CutPrefix(value, "rgb("); ok {
		value = "#"
		for n := range strings.SplitSeq(strings.TrimSuffix(in, ")"), ",") {
			c, err := strconv.ParseUint(strings.TrimSpace(n), 10, 8)
			if err != nil {
				return ""
			}
			value += string([]byte{hexDigits[c>>4], hexDigits[c&15]})
		}
	}
	switch {
	case value == "white":
		return "#fff"
	case value == "black":
		return "#000"
	case len(value) == 7 && value[1] == value[2] && value[3] == value[4] && value[5] == value[6]:
		return string([]byte{'#', value[1], value[3], value[5]})
	case strings.HasPrefix(value, "#") && (len(value) == 4 || len(value) == 7):
		return value
	}
	return ""
}

const hexDigits = "0123456789abcdef"

// hides reports whether the sight of an element keeps its text from readers.
func (n *Node) hides(s sight) bool {
	return s&unseen != 0 || s&noFont != 0 && unsized(n.HTML) || s&faded != 0 && aside(n.HTML, false) ||
		s&struck != 0 && !n.InLink && n.Tag != atom.Td && n.Tag != atom.Th && aside(n.HTML, true)
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

// maxAside bounds the nodes of a hidden piece of a line.
const maxAside = 16

// aside reports whether an element is a piece of a text: it holds neither links nor pictures nor,
// unless they are allowed, blocks.
func aside(h *html.Node, blocks bool) bool {
	return every(h, maxAside, func(n *html.Node) bool {
		if n.Type != html.ElementNode {
			return true
		}
		block := n != h && breaks(n.DataAtom)
		return (blocks || !block) && n.DataAtom != atom.A && n.DataAtom != atom.Img && n.DataAtom != atom.Iframe
	})
}

// every reports whether a condition holds for an element and its descendants, which are at most most nodes.
func every(h *html.Node, most int, condition func(*html.Node) bool) bool {
	holds := true
	Walk(h, func(n *html.Node) WalkStep {
		if most--; most < 0 || !condition(n) {
			holds = false
			return WalkStop
		}
		return WalkInto
	})
	return holds
}

// maxUnsized bounds the nodes searched for a size of their own.
const maxUnsized = 64

// unsized reports whether no descendant can make the text visible again: none has a class or a
// style with a font.
func unsized(h *html.Node) bool {
	return every(h, maxUnsized, func(n *html.Node) bool {
		return n == h || !Has(n, "class") && !ContainsFold(Attr(n, "style"), "font")
	})
}
