package listpage

import (
	"strings"
	"time"
	"unsafe"

	"angler/crawl/article"
)

// itemText is how many bytes of an item's text are searched for a date.
const itemText = 4_096

// itemDate finds an item's date: in its text outside links in any form, else
// inside them in full. other tells that it has a date that is of something else than publication.
func (f *RecordFinder) itemDate(i int32, now time.Time) (date article.Date, other bool) {
	t := f.tree
	n := &t.Nodes[i]
	if n.Numbered {
		buf := f.buf[:0]
		for j := i + 1; j < n.End && len(buf) < itemText; j++ {
			x := &t.Nodes[j]
			if !x.IsText {
				continue
			}
			if x.InLink {
				buf = append(buf, ' ')
				continue
			}
			if len(buf) > 0 {
				buf = append(buf, ' ')
			}
			buf = append(buf, t.Text[x.From:min(x.To, x.From+itemText)]...)
		}
		f.buf = buf
		if d, ok, other := article.FindRowDate(unsafe.String(unsafe.SliceData(buf), len(buf)), now); ok || other {
			return d, other
		}
	}
	if n.Chars > n.LinkChars || n.RefEnd-n.Ref <= 2 && n.End-i > 3 {
		if d, ok := f.relativeDate(i, now); ok {
			return d, false
		}
	}
	if s := t.Text[n.From:min(n.To, n.From+itemText)]; strings.ContainsAny(s, "0123456789") {
		if d, _, _, ok := article.FindDate(s, now); ok {
			return d, false
		}
		return f.linkedDate(i, now), false
	}
	return article.Date{}, false
}

// spelledChars is how many characters a text without ASCII digits has at most that is a date.
const spelledChars = 24

// relativeDate finds a date by distance or without ASCII digits among the texts of an item that
// stand outside links, or of a link that is the whole item.
func (f *RecordFinder) relativeDate(i int32, now time.Time) (article.Date, bool) {
	t := f.tree
	if now.IsZero() {
		return article.Date{}, false
	}
	seen := int32(0)
	whole := t.Nodes[i].Chars == t.Nodes[i].LinkChars // a link is the whole item
	for j := i + 1; j < t.Nodes[i].End && seen < itemText; j++ {
		x := &t.Nodes[j]
		if !x.IsText || x.InLink && !whole {
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
		if !x.Numbered && x.Chars <= spelledChars && (strings.Contains(text, "月") || strings.Contains(text, "－")) { // 三月一日, ２０２５－０３－０１
			if d, _, _, ok := article.FindShortDate(text, now); ok {
				return d, true
			}
		}
	}
	return article.Date{}, false
}

// linkedDate looks for a date split over elements inside a link that is the
// whole item: <a><b>12</b><i>2024-05</i>title</a>.
func (f *RecordFinder) linkedDate(i int32, now time.Time) article.Date {
	t := f.tree
	n := &t.Nodes[i]
	if n.RefEnd-n.Ref > 2 || n.End-i > 40 {
		return article.Date{}
	}
	short := 0
	for j := i + 1; j < n.End; j++ {
		if x := &t.Nodes[j]; x.IsText && x.Numbered && x.To-x.From <= 16 {
			short++
		}
	}
	if short == 0 {
		return article.Date{}
	}
	buf := f.buf[:0]
	for j := i + 1; j < n.End && len(buf) < itemText; j++ {
		x := &t.Nodes[j]
		if x.IsText && x.To-x.From <= 16 && x.Numbered {
			buf = append(append(buf, t.Text[x.From:x.To]...), ' ')
		} else if x.IsText {
			buf = append(buf, '#', ' ')
		}
	}
	f.buf = buf
	d, _, _, _ := article.FindShortDate(unsafe.String(unsafe.SliceData(buf), len(buf)), now)
	return d
}

// Bounds of the text beside an item that may be its date.
const (
	besideNodes = 8  // nodes between two items
	besideBytes = 90 // of their text
	besideItems = 3  // of the group, at least
)

// datesBeside dates the groups without dates whose dates stand between the items: in the <dd> below
// a <dt>, or in the text between two links of one paragraph.
func (f *RecordFinder) datesBeside(now time.Time) {
	t := f.tree
	var behind, above []article.Date
	for g := range f.list {
		behind, above = behind[:0], above[:0]
		nBehind, nAbove := 0, 0
		last := int32(-1) // where the item before ends
		for c := f.list[g].first; c >= 0; c = f.cands[c].next {
			x := &f.cands[c]
			if !x.date.IsZero() || x.other || !f.titled(x) {
				nBehind, nAbove = 0, 0
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
			b, a := f.shortDateBetween(from, to, now), f.shortDateBetween(last, x.node, now)
			last = from
			if !b.IsZero() {
				nBehind++
			}
			if !a.IsZero() {
				nAbove++
			}
			behind, above = append(behind, b), append(above, a)
		}
		dates, n := behind, nBehind
		if nAbove > nBehind {
			dates, n = above, nAbove
		}
		if n < besideItems || n*3 < len(dates)*2 {
			continue
		}
		i := 0
		for c := f.list[g].first; c >= 0; c = f.cands[c].next {
			f.cands[c].date = dates[i]
			i++
		}
	}
}

// shortDateBetween finds a publication date outside links among a few nodes from … to with little
// text.
func (f *RecordFinder) shortDateBetween(from, to int32, now time.Time) article.Date {
	t := f.tree
	if to <= from || to-from > besideNodes || t.Nodes[to-1].To-t.Nodes[from].From > besideBytes {
		return article.Date{}
	}
	d, _, _ := article.FindRowDate(f.textBetween(from, to), now)
	return d
}
