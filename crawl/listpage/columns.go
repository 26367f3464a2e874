package listpage

import (
	"strconv"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// dateColumns says which columns of a table hold dates, by its head.
type dateColumns struct {
	column int  // of the publication, -1 when the head names none
	title  int  // that of the titles, by the head; -1 = it names none
	other  bool // another column holds dates of something else, such as 开标时间
}

// headChars is how many characters a cell of a table's head has at most.
const headChars = 16

// dateColumns reads the head of the table that an item is a row of. It takes no column where the
// head names one alone, for it says nothing that the rows do not.
func (f *RecordFinder) dateColumns(item int32) dateColumns {
	t := f.tree
	c := dateColumns{column: -1, title: -1}
	if t.Nodes[item].Tag != atom.Tr {
		return c
	}
	table := t.Nodes[item].Parent
	for table >= 0 && t.Nodes[table].Tag != atom.Table {
		table = t.Nodes[table].Parent
	}
	if table < 0 {
		return c
	}
	row := table + 1
	for row < item && t.Nodes[row].Tag != atom.Tr {
		row++
	}
	if row >= item {
		return c
	}
	for cell, k := row+1, 0; cell < t.Nodes[row].End; cell, k = t.Nodes[cell].End, k+1 {
		n := &t.Nodes[cell]
		if n.Chars == 0 || n.Chars > headChars {
			continue
		}
		publication, other := article.NamesPublication(t.Text[n.From:n.To])
		if publication && c.column < 0 {
			c.column = k
		}
		c.other = c.other || other
		if c.title < 0 && namesTitles(t.Text[n.From:n.To]) {
			c.title = k
		}
	}
	if !c.other {
		c.column = -1
	}
	return c
}

// columnDate reads the date of publication of a row, zero when it has none.
func (f *RecordFinder) columnDate(row int32, c dateColumns, now time.Time) article.Date {
	t := f.tree
	for cell, k := row+1, 0; cell < t.Nodes[row].End; cell, k = t.Nodes[cell].End, k+1 {
		if k == c.column {
			d, _, _, _ := article.FindShortDate(t.Text[t.Nodes[cell].From:t.Nodes[cell].To], now)
			return d
		}
	}
	return article.Date{}
}

// settleSpans gives the rows of a table without a date the date of a cell that a row above them spans (rowspan=).
func (f *RecordFinder) settleSpans(out []Record, items []int32, now time.Time) {
	t := f.tree
	var date article.Date
	left := 0 // rows that its cell still spans
	for i := range out {
		row := f.cands[items[i]].node
		if t.Nodes[row].Tag != atom.Tr {
			return
		}
		if left--; left >= 0 && out[i].Date.IsZero() && !f.cands[items[i]].other {
			out[i].Date = date
		}
		for cell := row + 1; cell < t.Nodes[row].End; cell = t.Nodes[cell].End {
			n := &t.Nodes[cell]
			if n.IsText || !n.Numbered || n.Chars > headChars {
				continue
			}
			rows, _ := strconv.Atoi(htmldoc.Attr(n.HTML, "rowspan"))
			if rows < 2 {
				continue
			}
			if d, _, _, ok := article.FindShortDate(t.Text[n.From:n.To], now); ok {
				date, left = d, rows-1
			}
		}
	}
}
