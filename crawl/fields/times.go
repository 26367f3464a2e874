package fields

import (
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// Moment is a point in time as it is printed.
type Moment struct {
	Time     time.Time // in PrintedZone; midnight when no clock time was given
	Clock    bool      // a clock time was given
	From, To int       // the bytes that it takes
}

// PrintedZone is that of the times of Chinese notices.
var PrintedZone = article.Shanghai

// String is ISO 8601 without a zone: 2026-07-18T09:30, or the day alone.
func (m Moment) String() string {
	if !m.Clock {
		return m.Time.Format("2006-01-02")
	}
	return m.Time.Format("2006-01-02T15:04")
}

// ParseTime reads the first point in time of s that has a year: 2026年8月10日上午9时30分,
// 2026-08-20 14:30, 18 July 2026 09:30. Safe for concurrent use.
func ParseTime(s string) (Moment, bool) {
	all := moments(s, 1)
	if len(all) == 0 {
		return Moment{}, false
	}
	return all[0], true
}

// moments reads the points in time of s that have a year, at most limit. Safe for
// concurrent use.
func moments(s string, limit int) []Moment {
	var out []Moment
	for from := 0; len(out) < limit; {
		d, start, end, ok := article.FindTime(s[from:])
		if !ok {
			break
		}
		if d.Time.Year() >= firstYear {
			out = append(out, Moment{Time: d.Time.In(PrintedZone), Clock: d.Precision == article.Minute, From: from + start, To: from + end})
		}
		from += end
	}
	return out
}

// firstYear is that of the first notices whose times are read.
const firstYear = 2000

// untilForm stands behind a time of day when it is the first of a span: 9时00分至9时30分.
var untilForm = htmldoc.NewPattern(`^\s*(?:\([^()\d]{0,12}\)\s*)?(?:至|到|[-—–~]{1,2})\s*`)

// periodEnd is the end of the span of the same day that m begins in s, false when it begins none.
// Safe for concurrent use.
func periodEnd(s string, m Moment) (Moment, bool) {
	dash := untilForm.FindStringIndex(s[m.To:])
	if !m.Clock || dash == nil {
		return Moment{}, false
	}
	at, to, ok := article.TimeOfDay(s, m.To+dash[1], m.Time)
	if !ok {
		return Moment{}, false
	}
	end := Moment{Time: at, Clock: true, From: m.From, To: to}
	if end.Time.Before(m.Time) && end.Time.Hour() < 12 {
		end.Time = end.Time.Add(12 * time.Hour) // 下午 is said once
	}
	return end, end.Time.After(m.Time)
}

// isDay tells whether a word is a day and no number that holds one: GZZT-2026-06-360.
func isDay(s string) bool {
	m := moments(s, 1)
	return len(m) > 0 && m[0].From < 2 && len(s)-m[0].To < 8
}
