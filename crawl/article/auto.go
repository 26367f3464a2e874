package article

import (
	"fmt"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

const (
	minReaderPage    = 300 // characters of a page for Readability, at least
	minReaderChars   = 200 // characters of an accepted text of Readability, at least
	minReaderPunct   = 8   // punctuation marks of an accepted text of Readability, at least
	maxSmallShare    = 0.3 // share of Readability's characters in mass's text, below which mass has missed the text
	maxLostTables    = 0.3 // share of mass's text in table rows that Readability may omit, at most
	maxForeignShare  = 0.2 // share of CJK letters below which a page is foreign
	maxSourcePerChar = 100 // bytes of source per visible character, above which a page hides its text
	minUnseenText    = 60  // characters of a text that only trafilatura finds, at least
)

// auto is the default rule. In an archive it takes the post that the title names. On foreign
// pages and threads the methods vote on every line (byLines). On other pages it takes mass,
// except in two cases. Readability wins if its text is long and mass has more or hardly any text.
// Its text must not omit rows of a table.
//
// Readability runs once, and up to three times more with weaker rules if it finds little. If mass
// took much of the page, auto first runs firstLook, which mostly shows that Readability has no
// less. On a page with a long source and hardly any visible text, auto tries go-trafilatura,
// which reads elements that a browser does not show.
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
	if chars < minReaderPage && len(t.Source) > maxSourcePerChar*max(1, chars) {
		m := x.byReader(MethodTrafilatura)
		seen, _ := countText(mass.Text)
		if unseen, _ := countText(m.Text); unseen > minUnseenText+2*seen {
			m.From, m.To, m.Why = mass.From, mass.To, fmt.Sprintf("the page shows %d characters and holds more", chars)
			return m, MethodTrafilatura
		}
	}
	if t.Source == "" || chars < minReaderPage {
		return takeMass("the page is too short for another method")
	}
	if x.Posts.Kind == Thread || foreign(t) {
		if m := x.byLines(mass); m.Text != "" {
			return m, MethodVote
		}
	}
	if punct < minReaderPunct { // Readability's text cannot have more
		return takeMass("the page has hardly any punctuation")
	}
	own, _ := countText(mass.Text)
	if float64(own) >= maxSmallShare*float64(chars) { // Readability then wins only with less text than mass
		if own <= minReaderChars {
			return takeMass(fmt.Sprintf("mass found %d of %d characters", own, chars))
		}
		limits := len(t.Limits)
		n, _ := countText(x.byReader(firstLook).Text)
		switch {
		case len(t.Limits) > limits: // a full run would take longer
			return takeMass("readability reached a limit")
		case n >= own:
			return takeMass(fmt.Sprintf("mass found %d characters, readability at first sight %d", own, n))
		}
	}
	m := x.byReader(MethodReadability)
	n, marks := countText(m.Text)
	why := fmt.Sprintf("mass found %d characters, readability %d with %d punctuation marks", own, n, marks)
	if lost := tableChars(mass.Text) - tableChars(m.Text); float64(lost) > maxLostTables*float64(own) {
		return takeMass(why + fmt.Sprintf(", which lost %d characters of tables", lost))
	}
	if readabilityWins(n, marks, own) {
		m.From, m.To, m.Why = mass.From, mass.To, why
		return m, MethodReadability
	}
	return takeMass(why)
}

// readabilityWins reports whether a text of Readability replaces that of mass. It has n characters
// with marks punctuation marks, and that of mass has own characters.
func readabilityWins(n, marks, own int) bool {
	return n >= minReaderChars && marks >= minReaderPunct && (own > n || float64(own) < maxSmallShare*float64(n))
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

// countText counts the characters of a text without white space, and its punctuation marks.
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
	return letters > 0 && float64(cjk) < maxForeignShare*float64(letters)
}
