package listpage

import (
	"strconv"
	"strings"
	"time"

	"angler/crawl/article"
)

// This file reads dates such as 10/11/2026. The other rows of the list show whether the month or
// the day stands first.

// Bounds of the search for dates that end with the year.
const (
	maxOrderRows = 3   // rows of a list; one of them must have such a date
	maxOrderText = 512 // bytes of a row
)

// settleDayFirst reads the dates of a list with the day first if one row shows that order. Such a
// row has a day above 12 in front, or lies in the future if read with the month first. It changes
// nothing if a row has a number above 12 in the second place.
func (f *RecordFinder) settleDayFirst(out []Record, items []int32, now time.Time) {
	var first []time.Time
	found, dayFirst := false, false
	for i := range out {
		if i == maxOrderRows && !found {
			return
		}
		n := &f.tree.Nodes[f.cands[items[i]].node]
		a, b, year := numbersOfDate(f.tree.Text[n.From:min(n.To, n.From+maxOrderText)])
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
		case d.IsZero() && !f.cands[items[i]].otherDate:
			*d = article.Date{Time: day, Precision: article.Day}
		case at.Year() == day.Year() && int(at.Month()) == day.Day() && at.Day() == int(day.Month()):
			d.Time = day.Add(time.Duration(at.Hour())*time.Hour + time.Duration(at.Minute())*time.Minute)
		}
	}
}

// numbersOfDate returns the numbers of the first date that ends with the year: 10/11/2026. year is
// 0 without one.
func numbersOfDate(s string) (a, b, year int) {
	for from := 0; ; {
		i := strings.Index(s[from:], "20")
		if i < 0 {
			return 0, 0, 0
		}
		i += from
		from = i + len("20")
		if i < len("1/1/") || i+4 > len(s) || strings.IndexByte("-/.", s[i-1]) < 0 {
			continue
		}
		b, start := numberBefore(s, i-1)
		if start < 2 || s[start-1] != s[i-1] {
			continue
		}
		a, _ = numberBefore(s, start-1)
		if y, err := strconv.Atoi(s[i : i+4]); err == nil && a > 0 && b > 0 && (a <= 12 || b <= 12) &&
			(i+4 == len(s) || !isDigit(s[i+4])) {
			return a, b, y
		}
	}
}

// numberBefore returns the number 1 … 31 that ends before s[end:], and its start; 0 for another
// number.
func numberBefore(s string, end int) (n, start int) {
	start = end
	for start > 0 && end-start < 3 && isDigit(s[start-1]) {
		start--
	}
	if n, _ = strconv.Atoi(s[start:end]); end-start > 2 || n > 31 {
		n = 0
	}
	return n, start
}
