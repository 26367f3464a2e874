package listpage

import (
	"slices"
	"time"

	"angler/crawl/article"
)

// A list may omit the years of its rows. The year stands in its heading (2026年), or follows from
// the order: after 01-03, the row 12-28 is of the previous year.

const (
	maxYearNodes = 12                  // nodes before the first item that may hold its year
	maxYearChars = 16                  // characters of a text between the year and the item
	orderSlack   = 31 * 24 * time.Hour // tolerance for rows of an ordered list that are out of order
)

// settleYears sets guessed years to the year of the heading above their record. It also corrects
// those of a list whose newest record stands first, by their place. items are the candidates of the
// records.
func (f *RecordFinder) settleYears(out []Record, items []int32, now time.Time) {
	if !slices.ContainsFunc(out, func(r Record) bool { return r.Date.Guessed() }) {
		return
	}
	first := f.cands[items[0]].node
	year, at := f.yearBefore(first), first
	for i := range out {
		node := f.cands[items[i]].node
		for ; at < node; at++ {
			if y, ok := f.yearAt(at); ok {
				year = y
			}
		}
		at = max(at, f.tree.Nodes[node].End)
		if year > 0 {
			out[i].Date = article.SettleDateByYear(out[i].Date, year, now)
		}
	}
	settleOrder(out)
}

// yearAt reads a text that is a year, outside links.
func (f *RecordFinder) yearAt(i int32) (int, bool) {
	n := &f.tree.Nodes[i]
	if !n.IsText || n.InLink || n.Chars > maxYearChars || n.Chars < 4 {
		return 0, false
	}
	return article.YearHeading(f.tree.Text[n.From:n.To])
}

// yearBefore returns the year right above an item; 0 without one, and for several, such as tabs of
// years.
func (f *RecordFinder) yearBefore(item int32) (year int) {
	for i := item - 1; i >= max(0, item-maxYearNodes); i-- {
		if n := &f.tree.Nodes[i]; n.IsText && n.Chars > maxYearChars {
			break
		}
		if y, ok := f.yearAt(i); ok && year > 0 && y != year {
			return 0
		} else if ok {
			year = y
		}
	}
	return year
}

// settleOrder sets guessed years to earlier ones if the dates of a list with the newest first would
// rise otherwise. It leaves a list in another order, and one pinned row above the others.
func settleOrder(out []Record) {
	rises, dates, firstRise := 0, 0, 0
	var before article.Date
	for i := range out {
		d := out[i].Date
		if d.IsZero() {
			continue
		}
		if dates++; !before.IsZero() && d.Time.Sub(before.Time) > orderSlack {
			if rises++; rises == 1 {
				firstRise = dates
			}
		}
		before = d
	}
	if rises == 0 || rises > max(1, dates/4) || rises == 1 && firstRise == 2 {
		return
	}
	before = article.Date{}
	for i := range out {
		d := &out[i].Date
		if d.IsZero() {
			continue
		}
		for n := 0; n < 10 && d.Guessed() && !before.IsZero() && d.Time.Sub(before.Time) > orderSlack; n++ {
			d.Time = d.Time.AddDate(-1, 0, 0)
		}
		before = *d
	}
}
