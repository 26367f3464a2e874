package listpage

import (
	"strconv"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// A row "10/11/2026" does not say whether its month or its day stands first. The other rows of its list do.

// numericDate is a date with the year behind.
var numericDate = htmldoc.NewPattern(`(?:^|\D)(\d{1,2})([-/.])(\d{1,2})([-/.])(20\d\d)(?:\D|$)`)

// orderRows is the number of rows of a list that are searched for a date with the year behind.
const orderRows = 3

// settleDayFirst reads the dates of a list with the day first if a row has a day above 12 there, or with the month
// first would lie in the future, and no row has one in the second place.
func (f *RecordFinder) settleDayFirst(out []Record, items []int32, now time.Time) {
	first, found := make([]time.Time, 0, len(out)), false
	dayFirst := false
	for i := range out {
		if i == orderRows && !found {
			return
		}
		n := &f.tree.Nodes[f.cands[items[i]].node]
		a, b, year := numbersOfDate(f.joined(f.cands[items[i]].node+1, n.End, func(x *htmldoc.Node) string {
			return f.tree.Text[x.From:min(x.To, x.From+itemText)]
		}))
		if b > 12 {
			return
		}
		day := time.Time{}
		if year > 0 {
			found = true
			day = time.Date(year, time.Month(b), a, 0, 0, 0, 0, article.Shanghai)
			dayFirst = dayFirst || a > 12 ||
				time.Date(year, time.Month(a), b, 0, 0, 0, 0, article.Shanghai).After(now.Add(article.DateHorizon))
		}
		first = append(first, day)
	}
	if !dayFirst || now.IsZero() {
		return
	}
	for i, day := range first {
		d, at := &out[i].Date, out[i].Date.Time.In(article.Shanghai)
		switch {
		case day.IsZero() || day.After(now.Add(article.DateHorizon)):
		case d.IsZero() && !f.cands[items[i]].other:
			*d = article.Date{Time: day, Precision: article.Day}
		case at.Year() == day.Year() && int(at.Month()) == day.Day() && at.Day() == int(day.Month()):
			d.Time = day.Add(time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute)
		}
	}
}

// numbersOfDate returns the numbers of the first date with the year behind; the year is 0 without one.
func numbersOfDate(s string) (a, b, year int) {
	m := numericDate.FindStringSubmatch(s)
	if m == nil || m[2] != m[4] {
		return 0, 0, 0
	}
	a, _ = strconv.Atoi(m[1])
	b, _ = strconv.Atoi(m[3])
	if year, _ = strconv.Atoi(m[5]); a < 1 || a > 31 || b < 1 || b > 31 || a > 12 && b > 12 {
		return 0, 0, 0
	}
	return a, b, year
}
