package listpage

import (
	"strings"
	"time"
	"unsafe"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// minLineRunes is the least length of a text that joinTexts puts on its own line.
const minLineRunes = 8

// beforeDates are endings of texts that a date continues.
var beforeDates = [...]string{"为", "是", "于", "在", "自", "从", "至"}

// maxItemText bounds the bytes of an item's text that are searched for a date.
const maxItemText = 4_096

// itemDate returns an item's date. It searches the text outside links for any form, then the text
// inside them for full dates. other reports whether the item has a date, but not of publication.
func (f *RecordFinder) itemDate(i int32, now time.Time) (date article.Date, otherDate bool) {
	t := f.tree
	n := &t.Nodes[i]
	if n.Numbered {
		text := f.joinTexts(i+1, n.End, func(x *htmldoc.Node) string {
			if x.InLink {
				return ""
			}
			return t.Text[x.From:min(x.To, x.From+maxItemText)]
		})
		if d, ok, otherDate := article.FindRowDate(text, now); ok || otherDate {
			if d.Guessed() {
				d = f.datedTip(i, d)
			}
			return d, otherDate
		}
	}
	if n.Chars > n.LinkChars || n.RefEnd-n.Ref <= 2 && n.End-i > 3 {
		if d, ok := f.relativeDate(i, now); ok {
			return d, false
		}
	}
	if s := t.Text[n.From:min(n.To, n.From+maxItemText)]; hasDigit(s) {
		if d, _, _, ok := article.FindDate(s, now); ok {
			return d, false
		}
		if d := f.linkedDate(i, now); !d.IsZero() {
			return d, false
		}
	}
	return f.tipDate(i, now), false
}

// maxTipText bounds the bytes of a tip that is searched for a date.
const maxTipText = 512

// tipDate returns the date in the lines of a link's tip: 标题：…, 发布时间：….
func (f *RecordFinder) tipDate(i int32, now time.Time) article.Date {
	for _, ref := range f.tree.Refs[f.tree.Nodes[i].Ref:f.tree.Nodes[i].RefEnd] {
		if ref.Node < 0 {
			continue
		}
		tip := htmldoc.Attr(f.tree.Nodes[ref.Node].HTML, "title")
		if len(tip) <= maxTipText && strings.Contains(tip, "\n") {
			if d, ok, _ := article.FindRowDate(tip, now); ok {
				return d
			}
		}
	}
	return article.Date{}
}

// hasDigit reports whether a text holds an ASCII digit.
func hasDigit(s string) bool {
	for i := range len(s) {
		if isDigit(s[i]) {
			return true
		}
	}
	return false
}

// datedTip returns the full date in the tip (title=) of an element of an item. It returns d, whose
// year is guessed, if no tip has the month and day of d.
func (f *RecordFinder) datedTip(item int32, d article.Date) article.Date {
	t := f.tree
	for i := item + 1; i < min(t.Nodes[item].End, item+maxItemNodes); i++ {
		x := &t.Nodes[i]
		if x.IsText || x.InLink || !x.Numbered {
			continue
		}
		whole, _, _, ok := article.FindDate(htmldoc.Attr(x.HTML, "title"), time.Time{})
		if ok && !whole.Guessed() && whole.Time.Month() == d.Time.Month() && whole.Time.Day() == d.Time.Day() {
			return whole
		}
	}
	return d
}

// maxSpelledChars bounds the characters of a text that is a date without ASCII digits.
const maxSpelledChars = 24

// relativeDate finds a relative date, or one without ASCII digits. It reads the texts of an item
// outside links, or those of a link that is the whole item.
func (f *RecordFinder) relativeDate(i int32, now time.Time) (article.Date, bool) {
	t := f.tree
	if now.IsZero() {
		return article.Date{}, false
	}
	seen := int32(0)
	wholeLink := t.Nodes[i].Chars == t.Nodes[i].LinkChars // a link is the whole item
	for j := i + 1; j < t.Nodes[i].End && seen < maxItemText; j++ {
		x := &t.Nodes[j]
		if x.Tag == atom.Time && !x.IsText {
			if d, _, _, ok := article.FindDate(htmldoc.Attr(x.HTML, "datetime"), now); ok {
				return d, true
			}
		}
		if !x.IsText || x.InLink && !wholeLink {
			continue
		}
		seen += x.To - x.From
		if x.Chars > 40 {
			continue
		}
		text := t.Text[x.From:x.To]
		if d, ok := article.RelativeDate(text, now); ok {
			return d, true
		}
		if !x.Numbered && x.Chars <= maxSpelledChars &&
			(strings.Contains(text, "月") || strings.Contains(text, "－")) { // 三月一日, ２０２５－０３－０１
			if d, _, _, ok := article.FindShortDate(text, now); ok {
				return d, true
			}
		}
	}
	return article.Date{}, false
}

// linkedDate finds a date split over elements inside a link that is the whole item:
// <a><b>12</b><i>2024-05</i>title</a>.
func (f *RecordFinder) linkedDate(i int32, now time.Time) article.Date {
	t := f.tree
	n := &t.Nodes[i]
	if n.RefEnd-n.Ref > 2 || n.End-i > 40 {
		return article.Date{}
	}
	short := false
	text := f.joinTexts(i+1, n.End, func(x *htmldoc.Node) string {
		if x.To-x.From > 16 || !x.Numbered {
			return "#"
		}
		short = true
		return t.Text[x.From:x.To]
	})
	if !short {
		return article.Date{}
	}
	d, _, _, _ := article.FindShortDate(text, now)
	return d
}

// joinTexts returns parts of the texts among the nodes from … to. A line break follows a title, a
// space other texts. The result is valid until the next text is read.
func (f *RecordFinder) joinTexts(from, to int32, part func(x *htmldoc.Node) string) string {
	f.buf = f.buf[:0]
	for j := from; j < to && len(f.buf) < maxItemText; j++ {
		if x := &f.tree.Nodes[j]; x.IsText {
			text := part(x)
			f.buf = append(append(f.buf, text...), separatorAfter(text))
		}
	}
	return unsafe.String(unsafe.SliceData(f.buf), len(f.buf))
}

// separatorAfter returns the separator between a text and the next one. It is a line break after a
// title, whose words do not describe a date behind it.
func separatorAfter(text string) byte {
	if htmldoc.RunesUpTo(text, minLineRunes) < minLineRunes ||
		htmldoc.AnyWord(strings.TrimRight(text, " \n"), strings.HasSuffix, beforeDates[:]...) {
		return ' '
	}
	return '\n'
}

// Bounds of the text beside an item that may be its date.
const (
	maxBesideNodes = 8  // nodes between two items
	maxBesideBytes = 90 // of their text
	minBesideItems = 3  // items of the group
)

// datesBeside dates the undated groups whose dates stand between the items. They are in the <dd>
// below a <dt>, or in the text between two links of one paragraph.
func (f *RecordFinder) datesBeside(now time.Time) {
	t := f.tree
	var behind, above []article.Date
	for i := range f.list {
		g := int32(i)
		behind, above = behind[:0], above[:0]
		last := int32(-1) // end of the previous item
		for _, x := range f.items(g) {
			if !x.date.IsZero() || x.otherDate || !f.titled(x) {
				behind, above = behind[:0], above[:0]
				break
			}
			parent := t.Nodes[x.node].Parent
			from := t.Nodes[x.node].End
			to := t.Nodes[parent].End
			if x.next >= 0 {
				to = f.cands[x.next].node
			}
			if last < 0 {
				last = parent + 1
			}
			behind = append(behind, f.shortDateBetween(from, to, now))
			above = append(above, f.shortDateBetween(last, x.node, now))
			last = from
		}
		dates, n := behind, countKnown(behind)
		if k := countKnown(above); k > n {
			dates, n = above, k
		}
		if n < minBesideItems || n*3 < len(dates)*2 {
			continue
		}
		for _, x := range f.items(g) {
			x.date, dates = dates[0], dates[1:]
		}
	}
}

// countKnown counts the dates that are not zero.
func countKnown(dates []article.Date) (n int) {
	for _, d := range dates {
		if !d.IsZero() {
			n++
		}
	}
	return n
}

// shortDateBetween finds a publication date outside links among the nodes from … to. It returns
// zero if they are many or hold much text.
func (f *RecordFinder) shortDateBetween(from, to int32, now time.Time) article.Date {
	t := f.tree
	if to <= from || to-from > maxBesideNodes || t.Nodes[to-1].To-t.Nodes[from].From > maxBesideBytes {
		return article.Date{}
	}
	d, _, _ := article.FindRowDate(f.textBetween(from, to), now)
	return d
}
