package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// The title chain (P2 algorithm 3, widened by DESIGN 3). Each link of it names
// itself in Page.TitleWhy.
const (
	whyList      = "list anchor"
	whyMeta      = "meta"
	whyContained = "block in <title>"
	whySimilar   = "heading like <title>"
	whyOG        = "og:title"
	whyHead      = "<title>"
	whyHeading   = "heading"
)

// titleElement tells which elements may hold the title a reader sees.
func titleElement(tag atom.Atom) bool {
	switch tag {
	case atom.Td, atom.Div, atom.P, atom.Span, atom.Font, atom.Strong, atom.B, atom.Center, atom.Th, atom.Dt, atom.Li:
		return true
	}
	return headingLevel(tag) > 0
}

func headingLevel(tag atom.Atom) int {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// title finds the page's title, the element that shows it (-1 when none does)
// and the link of the chain that found it.
func (t *tree) title(listTitle string, host *Boilerplate) (title string, at int32, why string) {
	tail := ""
	if host != nil {
		tail = host.titleTail()
	}
	head := squeeze(make([]byte, 0, len(t.head)), t.head)
	// 1. the list's anchor text, where the page confirms it
	if listTitle = line(listTitle, maxTitle); utf8.RuneCountInString(listTitle) >= 4 && !truncated(listTitle) {
		want := squeeze(nil, listTitle)
		if at := t.showing(want); at >= 0 || bytes.HasPrefix(head, want) {
			return listTitle, at, whyList
		}
	}
	// 2. what the content system says
	for _, key := range [...]string{"articletitle", "pagetitle"} {
		v := line(t.metaValue(key), maxTitle)
		want := squeeze(nil, v)
		if utf8.RuneCountInString(v) > 3 && (len(head) == 0 || bytes.Contains(head, want)) {
			return v, t.showing(want), whyMeta
		}
	}
	// 3. a visible block that <title> contains
	if at := t.contained(head, squeeze(nil, tail)); at >= 0 {
		return t.oneLine(at), at, whyContained
	}
	// 4. a heading that shares most of its text with <title>
	if at := t.similar(head); at >= 0 {
		return t.oneLine(at), at, whySimilar
	}
	// 5. og:title, 6. <title> without the host's tail
	if og := line(t.metaValue("og:title"), maxTitle); og != "" && (len(head) == 0 || likeness(squeeze(nil, og), head) > 0.6) {
		return stripTail(og, tail), -1, whyOG
	}
	// 7. a heading, where <title> is missing or only names the site
	heading := t.heading()
	if t.head != "" && (heading < 0 || !siteOnly(t.head) || siteOnly(t.oneLine(heading))) {
		return stripTail(t.head, tail), -1, whyHead
	}
	if heading >= 0 {
		return t.oneLine(heading), heading, whyHeading
	}
	return "", -1, ""
}

// heading returns the first h1 to h3 that is no link and no part of the frame,
// -1 when there is none.
func (t *tree) heading() int32 {
	for i := range t.nodes {
		n := &t.nodes[i]
		if level := headingLevel(n.tag); level > 0 && level <= 3 && n.chars >= 2 && n.chars <= 200 && !n.negative && !n.inLink && n.linkChars == 0 {
			return int32(i)
		}
	}
	return -1
}

// oneLine returns the text of an element on one line.
func (t *tree) oneLine(i int32) string {
	n := &t.nodes[i]
	s := strings.Trim(t.text[n.from:n.to], " \n")
	if strings.IndexByte(s, '\n') >= 0 {
		s = strings.ReplaceAll(s, "\n", " ")
	}
	return clip(s, maxTitle)
}

// candidateTitle tells whether an element may be a title: small, and no link.
func (n *node) candidateTitle() bool {
	return !n.text && !n.inLink && n.linkChars == 0 && n.chars >= 2 && n.chars <= 200 &&
		(titleElement(n.tag) || n.traits&titular != 0)
}

// showing returns the first element whose whole text, squeezed, is want.
func (t *tree) showing(want []byte) int32 {
	buf := t.scratch
	defer func() { t.scratch = buf }()
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.candidateTitle() && int(n.to-n.from) >= len(want) && int(n.to-n.from) < len(want)*2+16 {
			if buf = squeeze(buf[:0], t.text[n.from:n.to]); bytes.Equal(buf, want) {
				return int32(i)
			}
		}
	}
	return -1
}

// contained returns the element with the longest text that <title> begins
// with or contains, headings and title classes preferred; -1 when none is
// convincing. The host's tail of <title> is no title.
func (t *tree) contained(head, tail []byte) int32 {
	if len(head) == 0 {
		return -1
	}
	body := bytes.TrimSuffix(head, tail)
	if len(body) == 0 {
		body = head
	}
	bodyText := string(body)
	whole := float64(utf8.RuneCount(body))
	best, top := int32(-1), 4.0
	buf := t.scratch
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.chars < 4 || int(n.chars) > len(body) || !n.candidateTitle() {
			continue
		}
		text := t.text[n.from:n.to]
		if text[0] >= 0xe4 && text[0] <= 0xe9 && !strings.Contains(bodyText, text[:3]) {
			continue // its first character is not in <title>
		}
		buf = squeeze(buf[:0], text)
		k := bytes.Index(body, buf)
		if k < 0 {
			continue
		}
		length := float64(n.chars)
		marked := headingLevel(n.tag) > 0 || n.traits&titular != 0
		score := length
		if k > 0 {
			score *= 0.8
		}
		if marked {
			score += 3
		}
		if length < 0.3*whole {
			if k > 0 {
				score *= 0.3
			} else if !marked {
				continue
			}
		}
		if n.negative {
			score *= 0.5
		}
		if score > top {
			best, top = int32(i), score
		}
	}
	t.scratch = buf
	return best
}

// similar returns the heading or title class that shares at least 60 % of its
// text, in one piece, with <title>.
func (t *tree) similar(head []byte) int32 {
	if len(head) == 0 {
		return -1
	}
	best, top := int32(-1), 0.0
	tried := 0
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.chars < 5 || !n.candidateTitle() || headingLevel(n.tag) == 0 && n.traits&titular == 0 {
			continue
		}
		if tried++; tried > 60 {
			break
		}
		text := squeeze(nil, t.text[n.from:n.to])
		if r := likeness(text, head); r >= 0.6 && r*float64(min(n.chars, 40)) > top {
			best, top = int32(i), r*float64(min(n.chars, 40))
		}
	}
	return best
}

// likeness is the length of the longest common substring divided by the
// length of the shorter text, 0 … 1, over at most 200 runes of each.
func likeness(a, b []byte) float64 {
	x, y := []rune(string(a[:min(len(a), 800)])), []rune(string(b[:min(len(b), 800)]))
	x, y = x[:min(len(x), 200)], y[:min(len(y), 200)]
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	prev, cur := make([]int16, len(y)+1), make([]int16, len(y)+1)
	longest := int16(0)
	for i := range x {
		for j := range y {
			if x[i] == y[j] {
				cur[j+1] = prev[j] + 1
				longest = max(longest, cur[j+1])
			} else {
				cur[j+1] = 0
			}
		}
		prev, cur = cur, prev
	}
	return float64(longest) / float64(min(len(x), len(y)))
}

// nameList gives a list or a front page the name that <title> gives it: its
// headings are those of sidebars and boxes. What a link to it is called stays,
// and what the page shows of its <title>, unless that is the site's name.
func (t *tree) nameList(p *Page, host *Boilerplate) {
	if p.Type != List && p.Type != Hub {
		return
	}
	switch p.TitleWhy {
	case whyList:
		return
	case whyMeta, whyContained:
		if !siteName(p.Title) {
			return
		}
	}
	tail := ""
	if host != nil {
		tail = host.titleTail()
	}
	name := listTitle(t.head, tail)
	if all := titleParts(t.head); name == "" && len(all) > 0 && frontPage(p.URL) {
		name = all[0]
	}
	if utf8.RuneCountInString(name) >= 2 {
		p.Title, p.TitleWhy = name, whyHead
	}
}
