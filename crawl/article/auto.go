package article

import (
	"fmt"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

const (
	readerChars   = 300 // characters below which a page is too short for Readability
	believedChars = 200 // characters that a text of Readability must have to be believed
	readerPunct   = 8   // punctuation marks that it must have, too
	readerSmall   = 0.3 // share of its characters below which mass has missed the text
	readerTable   = 0.3 // share of mass that it must not lose in tables, for they are the notice then
	foreignShare  = 0.2 // share of CJK letters below which a page is not Chinese
	unseenSource  = 100 // bytes of source for a character of a page that shows less than it holds
	unseenText    = 60  // characters of a text that only trafilatura sees
)

// auto is the default rule. Of an archive it takes the post that the title names. On
// pages that are not Chinese, and on threads, the methods vote on every line (byLines).
// On the others it takes mass, but Readability in two cases: where that found a real
// text and mass took more, and where mass took hardly any. What Readability left out
// must not be rows of a table. Readability looks once, and if it found little three times
// more, for more. So where mass took much of the page, its first look tells most often
// that it has no less, and the others are left out. Where a page shows hardly anything of a long source,
// go-trafilatura is asked, which reads places that a browser does not show.
func (x *TextExtractor) auto() (TextResult, string) {
	if x.Posts.Kind == Archive && x.Posts.Named {
		if m := x.byPost(); m.Text != "" {
			m.Why = "the title names one of many posts"
			return m, MethodPost
		}
	}
	t := x.Tree
	mass := x.byMass()
	takeMass := func(why string) (TextResult, string) {
		mass.Why = why
		return mass, MethodMass
	}
	chars, punct := totals(t)
	if chars < readerChars && len(t.Source) > unseenSource*max(1, chars) {
		m := x.byReader(MethodTrafilatura)
		seen, _ := countText(mass.Text)
		if unseen, _ := countText(m.Text); unseen > unseenText+2*seen {
			m.From, m.To, m.Why = mass.From, mass.To, fmt.Sprintf("the page shows %d characters and holds more", chars)
			return m, MethodTrafilatura
		}
	}
	if t.Source == "" || chars < readerChars {
		return takeMass("the page is too short for another method")
	}
	if x.Posts.Kind == Thread || foreign(t) {
		if m := x.byLines(mass); m.Text != "" {
			return m, MethodVote
		}
	}
	if punct < readerPunct { // whatever Readability finds cannot have more
		return takeMass("the page has hardly any punctuation")
	}
	own, _ := countText(mass.Text)
	if float64(own) >= readerSmall*float64(chars) { // only less than mass would be believed, and not too little
		if own <= believedChars {
			return takeMass(fmt.Sprintf("mass found %d of %d characters", own, chars))
		}
		limits := len(t.Limits)
		n, _ := countText(x.byReader(firstLook).Text)
		switch {
		case len(t.Limits) > limits: // its later looks would take longer
			return takeMass("readability reached a limit")
		case n >= own:
			return takeMass(fmt.Sprintf("mass found %d characters, readability at first sight %d", own, n))
		}
	}
	m := x.byReader(MethodReadability)
	n, marks := countText(m.Text)
	why := fmt.Sprintf("mass found %d characters, readability %d with %d punctuation marks", own, n, marks)
	if lost := tableChars(mass.Text) - tableChars(m.Text); float64(lost) > readerTable*float64(own) {
		return takeMass(why + fmt.Sprintf(", which lost %d characters of tables", lost))
	}
	if takesOver(n, marks, own) {
		m.From, m.To, m.Why = mass.From, mass.To, why
		return m, MethodReadability
	}
	return takeMass(why)
}

// takesOver reports whether n characters with marks that Readability found are taken in
// the place of those that mass found, unless rows of a table would be lost.
func takesOver(n, marks, own int) bool {
	return n >= believedChars && marks >= readerPunct && (own > n || float64(own) < readerSmall*float64(n))
}

// tableChars counts the characters of a text that stand in rows of tables.
func tableChars(s string) int {
	n := 0
	for row := range strings.SplitSeq(s, "\n") {
		if strings.IndexByte(row, '\t') >= 0 {
			chars, _ := countText(row)
			n += chars
		}
	}
	return n
}

// totals counts the characters and punctuation marks of the whole page.
func totals(t *htmldoc.Tree) (chars, punct int) {
	for i := range t.Runs {
		chars += int(t.Runs[i].Chars)
		punct += int(t.Runs[i].Punct)
	}
	return chars, punct
}

// countText counts the characters of a text that are no space and, of those,
// its punctuation marks.
func countText(s string) (chars, punct int) {
	for _, r := range s {
		if htmldoc.IsSpace(r) {
			continue
		}
		chars++
		if strings.ContainsRune(",!?;，。！？；：、“”《》", r) {
			punct++
		}
	}
	return chars, punct
}

// foreign reports whether less than a fifth of the page's letters are Chinese,
// Japanese or Korean.
func foreign(t *htmldoc.Tree) bool {
	letters, cjk := 0, 0
	for _, r := range t.Text[:min(len(t.Text), 64<<10)] {
		switch {
		case r < 0x80:
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				letters++
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			cjk++
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 0 && float64(cjk) < foreignShare*float64(letters)
}
