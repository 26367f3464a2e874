package listpage

import (
	"time"
	"unsafe"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// A row of a table may hold the entries of two lists, or of one list in two columns. It then shows
// a title with its date, and a second title with another date.

// minTitleRunes is the least length of a title, such as the anchor of an entry among several of a
// row.
const minTitleRunes = 4

// entry is a title of a row that may hold several, with the dates on both sides of it.
type entry struct {
	node, link    int32
	behind, ahead article.Date
}

// split replaces chosen groups whose items hold several titles with a date each by groups of these
// titles.
func (f *RecordFinder) split(now time.Time) {
	for k, g := range f.chosen {
		old := &f.list[g]
		if old.targets*2 < old.n*3 {
			continue
		}
		var entries []entry
		for _, x := range f.items(g) {
			if !x.dropped {
				entries = f.rowEntries(entries, x.node, now)
			}
		}
		datedBehind, datedAbove := 0, 0
		for i := range entries {
			if !entries[i].behind.IsZero() {
				datedBehind++
			}
			if !entries[i].ahead.IsZero() {
				datedAbove++
			}
		}
		dated := max(datedBehind, datedAbove)
		if dated*2 < 3*int(old.n) || dated*3 < 2*len(entries) {
			continue
		}
		n := group{first: int32(len(f.cands)), n: int32(len(entries)), targets: int32(len(entries)),
			dated: int32(dated), links: old.links, chars: old.chars, score: old.score}
		for i, e := range entries {
			c := candidate{node: e.node, link: e.link, group: int32(len(f.list)), targets: 1, date: e.behind,
				next: n.first + int32(i) + 1}
			if datedAbove > datedBehind {
				c.date = e.ahead
			}
			f.cands = append(f.cands, c)
		}
		n.last = int32(len(f.cands)) - 1
		f.cands[n.last].next = -1
		old.n = 0
		f.list = append(f.list, n)
		f.chosen[k] = int32(len(f.list)) - 1
	}
}

// rowEntries appends the titles of an item that all does not have yet.
func (f *RecordFinder) rowEntries(all []entry, item int32, now time.Time) []entry {
	t := f.tree
	n := &t.Nodes[item]
	begin, from := len(all), item+1
next:
	for r := n.Ref; r < n.RefEnd; r++ {
		l, node := &f.links[r], t.Refs[r].Node
		if l.URL == "" || l.Pager || node < from || htmldoc.RunesUpTo(l.Anchor, minTitleRunes) < minTitleRunes {
			continue
		}
		for i := range all {
			if f.links[all[i].link].URL == l.URL {
				continue next
			}
		}
		d := f.dateBetween(from, node, now)
		if len(all) > begin {
			all[len(all)-1].behind = d
		}
		all = append(all, entry{node: node, link: r, ahead: d})
		from = t.Nodes[node].End
	}
	if len(all) > begin {
		all[len(all)-1].behind = f.dateBetween(from, n.End, now)
	}
	return all
}

// dateBetween finds a date outside links among the nodes from … to.
func (f *RecordFinder) dateBetween(from, to int32, now time.Time) article.Date {
	d, _, _, _ := article.FindShortDate(f.textBetween(from, to), now)
	return d
}

// textBetween returns the text outside links among the nodes from … to. It is valid until the next
// text is read.
func (f *RecordFinder) textBetween(from, to int32) string {
	t := f.tree
	f.buf = f.buf[:0]
	for j := from; j < to && len(f.buf) < maxItemText; j++ {
		if n := &t.Nodes[j]; n.IsText && !n.InLink {
			f.buf = append(append(f.buf, t.Text[n.From:min(n.To, n.From+maxItemText)]...), ' ')
		}
	}
	return unsafe.String(unsafe.SliceData(f.buf), len(f.buf))
}
