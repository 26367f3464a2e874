package listpage

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// This file reads lists with year and month in headings between the rows (2026年3月), and the day
// alone in each row (05). A number may also count the rows, or belong to a calendar. Such rows have
// no date.

const (
	maxMonthChars  = 20 // characters of a month heading
	maxMonthLevels = 3  // elements around a row, the last of which holds its heading
	maxTabNodes    = 3  // nodes between two months that stand side by side, as tabs do
	maxMonths      = 512
	minDayTitle    = 4 // characters of a row beside its day
)

// monthAt is a month heading and its node.
type monthAt struct {
	node  int32
	month article.Date
}

// dayRow is the day that a row states.
type dayRow struct {
	day    int    // 0: the row has a full date, or none
	month  int32  // index of its heading in RecordFinder.months
	named  bool   // a sign such as 日 follows
	prefix string // part of the anchor before the title
}

// collectMonth records a text that is a month heading.
func (f *RecordFinder) collectMonth(i int32) {
	n := &f.tree.Nodes[i]
	if n.InLink || n.Hidden || n.Chars < 6 || n.Chars > maxMonthChars || len(f.months) >= maxMonths {
		return
	}
	s := f.tree.Text[n.From:n.To]
	if !n.Numbered && !strings.Contains(s, "月") {
		return
	}
	if m, ok := article.MonthHeading(s); ok {
		f.months = append(f.months, monthAt{i, m})
	}
}

// monthAbove returns the index of the month heading of a row; -1 for none, and for several side by
// side.
func (f *RecordFinder) monthAbove(item int32) int32 {
	t := f.tree
	around := item
	for range maxMonthLevels {
		if p := t.Nodes[around].Parent; p >= 0 {
			around = p
		}
	}
	k := len(f.months) - 1 // collect visits the nodes in document order
	if k < 0 || f.months[k].node <= around ||
		k > 0 && f.months[k].node-f.months[k-1].node <= maxTabNodes && f.months[k].month != f.months[k-1].month {
		return -1
	}
	return int32(k)
}

// dayDate reads the day of a row below a month heading.
func (f *RecordFinder) dayDate(item, link int32, now time.Time) (d article.Date, row dayRow) {
	if len(f.months) == 0 {
		return d, row
	}
	month := f.monthAbove(item)
	if month < 0 {
		return d, row
	}
	t := f.tree
	j, end := item+1, t.Nodes[item].End
	for j < end && (!t.Nodes[j].IsText || t.Nodes[j].Chars == 0) {
		j++
	}
	if j >= end {
		return d, row
	}
	day, _, named, ok := article.LeadingDay(t.Text[t.Nodes[j].From:t.Nodes[j].To])
	if !ok {
		return f.lastDay(item, month, now)
	}
	anchor := f.links[link].Anchor
	row = dayRow{day: day, month: month, named: named}
	title := anchor
	if lead, end, _, leads := article.LeadingDay(anchor); leads && lead == day {
		row.prefix, title = anchor[:end], anchor[end:]
	}
	if utf8.RuneCountInString(title) < minDayTitle || !strings.ContainsFunc(title, unicode.IsLetter) {
		return d, dayRow{}
	}
	if d, ok = article.DayOf(f.months[month].month, day, now); !ok {
		return article.Date{}, dayRow{}
	}
	return d, row
}

// lastDay reads a day with a sign in the last text of a row outside its links: "title 5日".
func (f *RecordFinder) lastDay(item, month int32, now time.Time) (d article.Date, row dayRow) {
	t := f.tree
	for j := t.Nodes[item].End - 1; j > item; j-- {
		x := &t.Nodes[j]
		if !x.IsText || x.Chars == 0 {
			continue
		}
		s := strings.Trim(t.Text[x.From:x.To], " \n")
		day, end, named, ok := article.LeadingDay(s)
		if !ok || !named || x.InLink || strings.Trim(s[end:], "])）】") != "" {
			return d, row
		}
		if d, ok = article.DayOf(f.months[month].month, day, now); ok {
			row = dayRow{day: day, month: month, named: true}
		}
		return d, row
	}
	return d, row
}

// settleDays removes the dates of rows whose numbers may count the rows, and returns their number.
// It cuts the day off the titles of the other rows. items are the candidates of the records.
func (f *RecordFinder) settleDays(out []Record, items []int32) (removed int) {
	if len(f.months) == 0 {
		return 0
	}
	unclear := f.countsRows(items)
	for i := range out {
		switch row := &f.cands[items[i]].day; {
		case row.day == 0:
		case unclear && !row.named:
			out[i].Date = article.Date{}
			removed++
		case row.prefix != "" && strings.HasPrefix(out[i].Title, row.prefix):
			out[i].Title = htmldoc.CleanLine(out[i].Title[len(row.prefix):], htmldoc.MaxAnchor)
		}
	}
	return removed
}

// countsRows reports whether the days of a list may be the numbers of its rows. Such numbers rise
// or fall by one, or have no order below a heading.
func (f *RecordFinder) countsRows(items []int32) bool {
	n, up, down, lastStep := 0, false, false, 0
	ordinal := true // every number differs by one from the previous one
	var before *dayRow
	for _, c := range items {
		row := &f.cands[c].day
		if row.day == 0 || row.named {
			continue
		}
		if n++; before != nil {
			step := row.day - before.day
			ordinal = ordinal && (step == 1 || step == -1) && (lastStep == 0 || step == lastStep)
			lastStep = step
			if row.month == before.month {
				up, down = up || step > 0, down || step < 0
			} else {
				if up && down {
					return true
				}
				up, down = false, false
			}
		}
		before = row
	}
	return n > 0 && (up && down || ordinal && (n > 2 || before.day <= n))
}
