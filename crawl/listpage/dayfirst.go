package listpage

import (
	"strconv"
	"strings"
	"time"

	"angler/crawl/article"
)

// A row "10/11/2026" does not say whether its month or its day stands first. The other rows of its list do.

// Bounds of the search for dates with the year behind.
const (
	orderRows = 3   // rows of a list, of which one has such a date
	orderText = 512 // bytes of a row
)

// settleDayFirst reads the dates of a list with the day first if a row has a day above 12 there, or with the month
// first would lie in the future, and no row has one in the second place.
func (f *RecordFinder) settleDayFirst(out []Record, items []int32, now time.Time) {
	var first []time.Time
	found, dayFirst := false, false
	for i := range out {
		if i == orderRows && !found {
			return
		}
		n := &f.tree.Nodes[f.cands[items[i]].node]
		a, b, year := numbersOfDate(f.tree.Text[n.From:min(n.To, n.From+orderText)])
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

// numbersOfDate returns the numbers of the first date with the year behind, 10/11/2026; the year is 0 without one.
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
			(i+4 == len(s) || s[i+4] < '0' || s[i+4] > '9') {
			return a, b, y
		}
	}
}

// numberBefore returns the number 1 … 31 that ends before s[end:] and where it starts; 0 for another number.
func numberBefore(s string, end int) (n, start int) {
	start = end
	for start > 0 && end-start < 3 && s[start-1] >= '0' && s[start-1] <= '9' {
		start--
	}
	if n, _ = strconv.Atoi(s[start:end]); end-start > 2 || n > 31 {
		n = 0
	}
	return n, start
}
