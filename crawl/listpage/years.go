package listpage

import (
	"slices"
	"time"

	"angler/crawl/article"
)

// A list leaves the year to its heading (2026年), or to its order: of the rows 01-03 and 12-28
// the second is of the year before.

const (
	headingReach = 12                  // nodes before the first item that may hold its year
	headingChars = 16                  // characters of a text that may stand between it and the item
	orderSlack   = 31 * 24 * time.Hour // how far rows of an ordered list lie out of order
)

// settleYears gives the records whose year is guessed the year of the heading above them, or that
// of their place in a list whose newest record stands first. items are the candidates of the
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
	settleOrder(out, now)
}

// yearAt reads a text that is a year and stands in no link.
func (f *RecordFinder) yearAt(i int32) (int, bool) {
	n := &f.tree.Nodes[i]
	if !n.IsText || n.InLink || n.Chars > headingChars || n.Chars < 4 {
		return 0, false
	}
	return article.YearHeading(f.tree.Text[n.From:n.To])
}

// yearBefore is the year right above an item, 0 without a year, or several as tabs of years
// show them.
func (f *RecordFinder) yearBefore(item int32) (year int) {
	for i := item - 1; i >= max(0, item-headingReach); i-- {
		if n := &f.tree.Nodes[i]; n.IsText && n.Chars > headingChars {
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

// settleOrder moves guessed years back where the dates of a list, the newest first, would
// rise otherwise. A list in another order and one pinned row above the others stay as they are.
func settleOrder(out []Record, now time.Time) {
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
