package listpage

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// A list states year and month in headings between its rows (2026年3月), and each row only the day (05). A number may
// as well count the rows, or be one of a calendar: such rows have no date.

const (
	monthChars  = 20 // characters of a heading of a month, at most
	monthLevels = 3  // elements around a row, the last of which holds its heading
	monthTabs   = 3  // nodes between two months that stand side by side, as tabs do
	maxMonths   = 512
	dayRest     = 4 // characters of a row beside its day, at least
)

// monthAt is a heading of a month.
type monthAt struct {
	node  int32
	month article.Date
}

// dayRow is the day that a row states.
type dayRow struct {
	day    int    // 0: it has a date of its own, or none
	month  int32  // index of its heading in RecordFinder.months
	named  bool   // followed by a sign, such as 日
	prefix string // of the anchor, up to the title
}

// meetMonth keeps a text that is a heading of a month.
func (f *RecordFinder) meetMonth(i int32) {
	n := &f.tree.Nodes[i]
	if n.InLink || n.Hidden || n.Chars < 6 || n.Chars > monthChars || len(f.months) >= maxMonths {
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

// monthOver returns the index of the heading over a row; -1 for none, and for several side by side.
func (f *RecordFinder) monthOver(item int32) int32 {
	t := f.tree
	around := item
	for range monthLevels {
		if p := t.Nodes[around].Parent; p >= 0 {
			around = p
		}
	}
	k := len(f.months) - 1 // collect goes through the nodes in their order
	if k < 0 || f.months[k].node <= around ||
		k > 0 && f.months[k].node-f.months[k-1].node <= monthTabs && f.months[k].month != f.months[k-1].month {
		return -1
	}
	return int32(k)
}

// dayDate reads the day of a row under a heading of a month.
func (f *RecordFinder) dayDate(item, link int32, now time.Time) (d article.Date, row dayRow) {
	if len(f.months) == 0 {
		return d, row
	}
	month := f.monthOver(item)
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
	if utf8.RuneCountInString(title) < dayRest || strings.IndexFunc(title, unicode.IsLetter) < 0 {
		return d, dayRow{}
	}
	if d, ok = article.DayOf(f.months[month].month, day, now); !ok {
		return article.Date{}, dayRow{}
	}
	return d, row
}

// lastDay reads the day that is the last text of a row outside its links, with a sign: "title 5日".
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

// settleDays takes back the dates of rows whose numbers may count them, and returns how many. It cuts the day off the
// titles of the others. items are the candidates of the records.
func (f *RecordFinder) settleDays(out []Record, items []int32) (taken int) {
	if len(f.months) == 0 {
		return 0
	}
	unclear := f.countsRows(items)
	for i := range out {
		switch row := &f.cands[items[i]].day; {
		case row.day == 0:
		case unclear && !row.named:
			out[i].Date = article.Date{}
			taken++
		case row.prefix != "" && strings.HasPrefix(out[i].Title, row.prefix):
			out[i].Title = htmldoc.CleanLine(out[i].Title[len(row.prefix):], htmldoc.MaxAnchor)
		}
	}
	return taken
}

// countsRows reports whether the days of a list's rows may be the numbers of its rows: they go up or down by one, or
// they are in no order under a heading.
func (f *RecordFinder) countsRows(items []int32) bool {
	n, up, down, steps := 0, false, false, 0
	ordinal := true // every number differs by one from that before
	var before *dayRow
	for _, c := range items {
		row := &f.cands[c].day
		if row.day == 0 || row.named {
			continue
		}
		if n++; before != nil {
			by := row.day - before.day
			ordinal = ordinal && (by == 1 || by == -1) && (steps == 0 || by == steps)
			steps = by
			if row.month == before.month {
				up, down = up || by > 0, down || by < 0
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
