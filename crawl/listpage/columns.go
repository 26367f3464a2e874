package listpage

import (
	"strconv"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// dateColumns holds which columns of a table hold dates, according to its head.
type dateColumns struct {
	column   int  // of the publication date, -1 if the head names none
	title    int  // of the titles, -1 if the head names none
	hasOther bool // another column holds other dates, such as 开标时间
}

// maxHeadChars bounds the characters of a cell of a table head.
const maxHeadChars = 16

// readTableHead reads the head of the table whose row an item is. column stays -1 if the head names
// dates of one kind only: such a head adds nothing to the rows.
func (f *RecordFinder) readTableHead(item int32) dateColumns {
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
		if n.Chars == 0 || n.Chars > maxHeadChars {
			continue
		}
		publication, other := article.NamesPublication(t.Text[n.From:n.To])
		if publication && c.column < 0 {
			c.column = k
		}
		c.hasOther = c.hasOther || other
		if c.title < 0 && namesTitles(t.Text[n.From:n.To]) {
			c.title = k
		}
	}
	if !c.hasOther {
		c.column = -1
	}
	return c
}

// cellAt returns the cell of a row in a column; nil without it.
func (f *RecordFinder) cellAt(row int32, column int) *htmldoc.Node {
	t := f.tree
	for cell, k := row+1, 0; k <= column && cell < t.Nodes[row].End; cell, k = t.Nodes[cell].End, k+1 {
		if k == column {
			return &t.Nodes[cell]
		}
	}
	return nil
}

// columnDate reads the publication date of a row, zero if it has none.
func (f *RecordFinder) columnDate(row int32, c dateColumns, now time.Time) (d article.Date) {
	if n := f.cellAt(row, c.column); n != nil {
		d, _, _, _ = article.FindShortDate(f.tree.Text[n.From:n.To], now)
	}
	return d
}

// settleSpannedDates dates the undated rows of a table whose date cell spans several rows
// (rowspan=).
func (f *RecordFinder) settleSpannedDates(out []Record, items []int32, now time.Time) {
	t := f.tree
	var date article.Date
	left := 0 // further rows that the cell spans
	for i := range out {
		row := f.cands[items[i]].node
		if t.Nodes[row].Tag != atom.Tr {
			return
		}
		if left--; left >= 0 && out[i].Date.IsZero() && !f.cands[items[i]].otherDate {
			out[i].Date = date
		}
		for cell := row + 1; cell < t.Nodes[row].End; cell = t.Nodes[cell].End {
			n := &t.Nodes[cell]
			if n.IsText || !n.Numbered || n.Chars > maxHeadChars {
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
