package htmldoc

import (
	"strings"

	"golang.org/x/net/html"
)

// Bounds of the style sheets of a page.
const (
	maxSheet     = 64 << 10 // bytes read of a sheet
	maxRules     = 200      // rules kept
	maxSelector  = 64       // bytes of a selector
	maxParts     = 6        // elements and combinators of a selector
	maxOuter     = 32       // ancestors compared with a selector
	maxMatchWork = 1 << 20  // bytes of classes compared on a page
)

// styleRule is one rule of the page's style sheet that hides or shows.
type styleRule struct {
	parts  []string // elements and ">", from outside
	weight int      // classes and ids: the rule with more of them wins
	sight  sight
}

// readSheet records the rules of the page's own style sheet that hide or show elements, outside
// @media. It reads selectors of classes and ids: .a, div.a, .a.b, #a .b, .a > .b.
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
		style, rest, _ := strings.Cut(rest, "}")
		sheet = rest
		s := sightOf(style)
		if s == 0 && !AnyWord(style, strings.Contains, "display", "opacity", "visibility", "font-size", "text-decoration") {
			continue
		}
		for selector := range strings.SplitSeq(selectors, ",") {
			if key, r, ok := parseSelector(strings.TrimSpace(selector)); ok && b.rules < maxRules {
				if b.sheet == nil {
					b.sheet = map[string][]styleRule{}
				}
				r.sight = s
				b.sheet[key] = append(b.sheet[key], r)
				b.rules++
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

// parseSelector splits a selector of classes and ids; key is the first class or id of its last element.
func parseSelector(s string) (key string, r styleRule, ok bool) {
	if len(s) > maxSelector || strings.ContainsAny(s, "+~:[*\\") {
		return "", r, false
	}
	r.parts = strings.Fields(strings.ReplaceAll(s, ">", " > "))
	last := len(r.parts) - 1
	if last < 0 || last >= maxParts {
		return "", r, false
	}
	i := strings.IndexAny(r.parts[last], ".#")
	if i < 0 {
		return "", r, false
	}
	key = r.parts[last][i:]
	if j := strings.IndexAny(key[1:], ".#"); j >= 0 {
		key = key[:j+1]
	}
	r.weight = strings.Count(s, ".") + 10*strings.Count(s, "#")
	return key, r, len(key) > 1
}

// sightByRule returns how the rules of the page's style sheet hide an element: the last of those
// with the most classes and ids. A display in its style attribute outranks them.
func (b *flattener) sightByRule(h *html.Node) sight {
	var best *styleRule
	meet := func(key string) {
		for i := range b.sheet[key] {
			r := &b.sheet[key][i]
			if best != nil && r.weight < best.weight || len(r.parts) > 1 && b.compared > maxMatchWork {
				continue
			}
			if b.selects(r.parts, h) {
				best = r
			}
		}
	}
	for _, a := range h.Attr {
		switch a.Key {
		case "id":
			meet("#" + a.Val)
		case "class":
			for class := range strings.FieldsSeq(a.Val) {
				meet("." + class)
			}
		}
	}
	if best == nil || strings.Contains(Attr(h, "style"), "display") {
		return 0
	}
	return best.sight
}

// selects reports whether the elements of a selector match an element and its ancestors.
func (b *flattener) selects(parts []string, h *html.Node) bool {
	i := len(parts) - 1
	if !b.isNamed(h, parts[i]) {
		return false
	}
	child := false
	for n := 0; i > 0 && n < maxOuter; n++ {
		if parts[i-1] == ">" {
			child = true
			i--
			continue
		}
		if h = h.Parent; h == nil {
			return false
		}
		if b.isNamed(h, parts[i-1]) {
			child = false
			i--
		} else if child {
			return false
		}
	}
	return i == 0
}

// isNamed reports whether an element has the tag, classes and ids of a part of a selector.
func (b *flattener) isNamed(h *html.Node, part string) bool {
	end := strings.IndexAny(part, ".#")
	if end < 0 {
		end = len(part)
	}
	if end > 0 && h.Data != part[:end] {
		return false
	}
	for part = part[end:]; part != ""; {
		mark, name := part[0], part[1:]
		if part = ""; strings.ContainsAny(name, ".#") {
			end := strings.IndexAny(name, ".#")
			name, part = name[:end], name[end:]
		}
		key := "class"
		if mark == '#' {
			key = "id"
		}
		value := Attr(h, key)
		b.compared += len(value) + 1
		if value != name && (mark == '#' || !hasWord(value, name)) {
			return false
		}
	}
	return true
}

// hasWord reports whether one of the words of a text, such as the classes of an element, is a word.
func hasWord(text, word string) bool {
	for w := range strings.FieldsSeq(text) {
		if w == word {
			return true
		}
	}
	return false
}
