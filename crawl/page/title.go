package page

import (
	"bytes"
	"sort"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The rules of the title chain, which is P2 algorithm 3 with more rules. Page.TitleWhy names the
// rule that found the title.
const (
	whyList      = "list anchor"
	whyMeta      = "meta"
	whyContained = "block in <title>"
	whySimilar   = "heading like <title>"
	whyOG        = "og:title"
	whyHead      = "<title>"
	whyHeading   = "heading"
	whyBold      = "bold text"
)

// titleElement reports whether an element may show the title.
func titleElement(tag atom.Atom) bool {
	switch tag {
	case atom.Td, atom.Div, atom.P, atom.Span, atom.Font, atom.Strong, atom.B, atom.Center, atom.Th, atom.Dt, atom.Li:
		return true
	}
	return htmldoc.HeadingLevel(tag) > 0
}

// findTitle sets the page's title and the element that shows it.
func (a *analysis) findTitle(p *Page, opt *Options, host repetitions) {
	p.Title, a.title, p.TitleWhy = a.titleChain(opt.ListTitle, host.titleTail())
}

// titleChain returns the title, the element that shows it (-1 without one) and the rule that
// found it. tail is the ending of the host's titles.
func (a *analysis) titleChain(listTitle, tail string) (title string, at int32, why string) {
	t := a.tree
	head := htmldoc.Squeeze(make([]byte, 0, len(t.Head)), t.Head)
	short := shortTitle(t.Head)
	// 1. the list's anchor text, where the page confirms it
	if listTitle = htmldoc.CleanLine(listTitle, htmldoc.MaxHead); utf8.RuneCountInString(listTitle) >= 4 &&
		!htmldoc.IsTruncated(listTitle) {
		want := htmldoc.Squeeze(nil, listTitle)
		if at := a.elementShowing(want); at >= 0 || bytes.HasPrefix(head, want) {
			return listTitle, at, whyList
		}
	}
	// 2. <meta> of the content system
	for _, key := range [...]string{"articletitle", "pagetitle"} {
		v := htmldoc.CleanLine(t.Meta(key), htmldoc.MaxHead)
		if utf8.RuneCountInString(v) <= 3 && (v == "" || v != short) {
			continue
		}
		want := htmldoc.Squeeze(nil, v)
		confirmed := len(head) == 0 || bytes.Contains(head, want)
		if !confirmed && !siteOnly(t.Head) {
			continue
		}
		if at := a.elementShowing(want); confirmed || at >= 0 {
			return v, at, whyMeta
		}
	}
	// 3. a prominent element, if <title> names only a column or the site
	shown, weight := int32(-1), 0
	if columnOnly(t.Head) {
		shown, weight = prominent(t)
		long := shown >= 0 && utf8.RuneCountInString(oneLine(t, shown)) > maxColumn
		switch {
		case !long || t.Head == "":
		case weight >= headingWeight:
			return oneLine(t, shown), shown, whyHeading
		case opensPage(t, shown) && (siteOnly(t.Head) || utf8.RuneCountInString(t.Head) <= maxColumn):
			return oneLine(t, shown), shown, whyBold
		}
	}
	// 4. a visible block that <title> contains
	if at := a.elementInHead(head, htmldoc.Squeeze(nil, tail), short); at >= 0 {
		return oneLine(t, at), at, whyContained
	}
	// 5. a heading that shares most of its text with <title>
	if at := headingLikeHead(t, head); at >= 0 && !siteName(oneLine(t, at)) {
		return oneLine(t, at), at, whySimilar
	}
	// 6. og:title
	if og := htmldoc.CleanLine(t.Meta("og:title"), htmldoc.MaxHead); og != "" &&
		(len(head) == 0 || likeness(htmldoc.Squeeze(nil, og), head) > 0.6) {
		return stripTail(og, tail), -1, whyOG
	}
	// 7. a prominent element, if <title> is missing or only names the site, 8. <title>
	enough := sureTitle // weight of bold text that is a title, at least
	if t.Head != "" {
		enough = boldWeight + 1
	}
	if shown >= 0 && (weight >= enough || htmldoc.HeadingLevel(t.Nodes[shown].Tag) > 0) &&
		(t.Head == "" || siteOnly(t.Head)) {
		return oneLine(t, shown), shown, whyHeading
	}
	if t.Head != "" && (listTitle == "" || !vague[t.Head]) {
		return stripTail(t.Head, tail), -1, whyHead
	}
	return "", -1, "" // the list has the better title
}

// Weights of an element that may be the title of an article.
const (
	headingWeight = 4 // h1 to h3, or a class of titles
	boldWeight    = 2 // h4 to h6, or bold, large or centred text
	datedWeight   = 4 // added above a date of publication
	columnWeight  = 3 // subtracted if it is as short as the name of a column
	sureTitle     = 6 // of bold text above a date
)

// maxColumn is the maximum length of the name of a column (采购公告, 通知公告), in characters.
const maxColumn = 6

// prominent returns the element with the largest weight as a title, and its weight. It returns -1
// and 0 if no element has a positive weight.
func prominent(t *htmldoc.Tree) (best int32, weight int) {
	best = -1
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Negative || n.Hidden || !candidateTitle(n) {
			continue
		}
		w := 0
		switch level := htmldoc.HeadingLevel(n.Tag); {
		case level > 0 && level <= 3 || n.Traits&htmldoc.Titular != 0:
			w = headingWeight
		case level > 0 || standsOut(t, n):
			w = boldWeight
		default:
			continue
		}
		line := oneLine(t, int32(i))
		chars := utf8.RuneCountInString(line)
		if htmldoc.HeadingLevel(n.Tag) == 0 && chars > maxTitle || w == boldWeight &&
			(chars <= maxColumn || strings.ContainsAny(line, "：:。；")) {
			continue // bold text in an article is a label or a sentence
		}
		if article.Numbered(line) || t.Head != "" && siteOnly(line) {
			continue
		}
		if chars <= maxColumn {
			w -= columnWeight
		}
		if dateBelow(t, n) {
			w += datedWeight
		}
		if w > weight {
			best, weight = int32(i), w
		}
	}
	return best, weight
}

// minBold is the minimum length of a bold title without a date or a class, in characters.
const minBold = 10

// opensPage reports whether an element has the length of a title and stands above all sentences.
func opensPage(t *htmldoc.Tree, i int32) bool {
	if utf8.RuneCountInString(oneLine(t, i)) < minBold {
		return false
	}
	for k := range t.Runs {
		if r := &t.Runs[k]; r.From >= t.Nodes[i].From {
			break
		} else if r.IsSentence() {
			return false
		}
	}
	return true
}

// maxTitle is the maximum length of a title that is no heading, in characters.
const maxTitle = 80

// standsOut reports whether an element is bold, large or centred, or one of the two around it
// without other text.
func standsOut(t *htmldoc.Tree, n *htmldoc.Node) bool {
	for range 3 {
		switch n.Tag {
		case atom.B, atom.Strong, atom.Center, atom.Font, atom.Big:
			return true
		case atom.Th: // one that heads the whole table
			if htmldoc.Has(n.HTML, "colspan") {
				return true
			}
		}
		style := htmldoc.Attr(n.HTML, "style")
		if strings.Contains(style, "font-size") || strings.Contains(style, "bold") ||
			strings.Contains(style, "center") ||
			htmldoc.Attr(n.HTML, "align") == "center" {
			return true
		}
		if n.Parent < 0 || t.Nodes[n.Parent].Chars != n.Chars {
			return false
		}
		n = &t.Nodes[n.Parent]
	}
	return false
}

// dateBelow reports whether one of the two lines below an element is short and has a date. That is
// the line of publication date, source and reader count.
func dateBelow(t *htmldoc.Tree, n *htmldoc.Node) bool {
	at := sort.Search(len(t.Runs), func(i int) bool { return t.Runs[i].From >= n.To })
	for _, r := range t.Runs[at:min(at+2, len(t.Runs))] {
		if r.Chars > maxTitle {
			continue
		}
		if _, _, _, ok := article.FindDate(t.Text[r.From:r.To], time.Time{}); ok {
			return true
		}
	}
	return false
}

// oneLine returns the text of an element on one line. It joins two lines of Chinese without a space.
func oneLine(t *htmldoc.Tree, i int32) string {
	n := &t.Nodes[i]
	s := strings.Trim(t.Text[n.From:n.To], " \n")
	if strings.IndexByte(s, '\n') < 0 {
		return htmldoc.Clip(s, htmldoc.MaxHead)
	}
	lines := strings.Split(s, "\n")
	joined := lines[0]
	for _, line := range lines[1:] {
		last, _ := utf8.DecodeLastRuneInString(joined)
		first, _ := utf8.DecodeRuneInString(line)
		if !unicode.Is(unicode.Han, last) || !unicode.Is(unicode.Han, first) {
			joined += " "
		}
		joined += line
	}
	return htmldoc.Clip(joined, htmldoc.MaxHead)
}

// candidateTitle reports whether an element may be a title: small, and no link.
func candidateTitle(n *htmldoc.Node) bool {
	return !n.IsText && !n.InLink && n.LinkChars == 0 && n.Chars >= 2 && n.Chars <= 200 &&
		(titleElement(n.Tag) || n.Traits&htmldoc.Titular != 0)
}

// elementShowing returns the first element whose squeezed text equals want, -1 without one.
func (a *analysis) elementShowing(want []byte) int32 {
	t := a.tree
	buf := a.buf
	defer func() { a.buf = buf }()
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if candidateTitle(n) && int(n.To-n.From) >= len(want) && int(n.To-n.From) < len(want)*2+16 {
			if buf = htmldoc.Squeeze(buf[:0], t.Text[n.From:n.To]); bytes.Equal(buf, want) {
				return int32(i)
			}
		}
	}
	return -1
}

// elementInHead returns the element with the longest text that <title> begins with or contains. It
// returns -1 if no element scores above 4. Headings and title classes score higher. tail, the
// ending of the host's titles, does not count. short is the shortTitle of the page. Unless it is
// "", names of sites do not count, and an element with exactly this text does.
func (a *analysis) elementInHead(head, tail []byte, short string) int32 {
	t := a.tree
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
	buf := a.buf
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Chars < 4 && short == "" || int(n.Chars) > len(body) || !candidateTitle(n) {
			continue
		}
		text := t.Text[n.From:n.To]
		if short != "" {
			if line := oneLine(t, int32(i)); n.Chars < 4 && line != short || n.Chars >= 4 && siteName(line) {
				continue
			}
		}
		if text[0] >= 0xe4 && text[0] <= 0xe9 && !strings.Contains(bodyText, text[:3]) {
			continue // its first character is not in <title>
		}
		buf = htmldoc.Squeeze(buf[:0], text)
		k := bytes.Index(body, buf)
		if k < 0 || k > 0 && siteName(oneLine(t, int32(i))) { // <title> ends with the site's name
			continue
		}
		length := float64(n.Chars)
		marked := htmldoc.HeadingLevel(n.Tag) > 0 || n.Traits&htmldoc.Titular != 0
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
		if n.Negative {
			score *= 0.5
		}
		if score > top {
			best, top = int32(i), score
		}
	}
	a.buf = buf
	return best
}

// headingLikeHead returns the heading or title class with the best likeness to <title>, of 0.6 at
// least. It returns -1 without one.
func headingLikeHead(t *htmldoc.Tree, head []byte) int32 {
	if len(head) == 0 {
		return -1
	}
	best, top := int32(-1), 0.0
	tried := 0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Chars < 5 || !candidateTitle(n) || htmldoc.HeadingLevel(n.Tag) == 0 && n.Traits&htmldoc.Titular == 0 {
			continue
		}
		if tried++; tried > 60 {
			break
		}
		text := htmldoc.Squeeze(nil, t.Text[n.From:n.To])
		if r := likeness(text, head); r >= 0.6 && r*float64(min(n.Chars, 40)) > top {
			best, top = int32(i), r*float64(min(n.Chars, 40))
		}
	}
	return best
}

// likeness returns the length of the longest common substring divided by the length of the
// shorter text, 0 … 1. It compares at most 200 runes of each.
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

// nameList takes the title of a list or a home page from <title>, because its headings belong to
// sidebars and boxes. Two kinds of title stay: the anchor of a list's link to the page, and an
// element that repeats a part of <title> other than the site's name.
func nameList(p *Page, host repetitions) {
	if p.Type != List && p.Type != Hub {
		return
	}
	switch p.TitleWhy {
	case whyList:
		return
	case whyBold:
		p.Title, p.TitleWhy = stripTail(p.Head, ""), whyHead
	case whyMeta, whyContained:
		if !siteName(p.Title) {
			return
		}
	}
	name := listTitle(p.Head, host.titleTail())
	if all := titleParts(p.Head); name == "" && len(all) > 0 && IsHomePage(p.URL) {
		name = all[0]
	}
	if utf8.RuneCountInString(name) >= 2 {
		p.Title, p.TitleWhy = name, whyHead
	}
}
