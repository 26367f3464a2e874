package fields

import (
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// Moment is a printed point in time.
type Moment struct {
	Time     time.Time // in PrintedZone; midnight without a clock time
	Clock    bool      // it has a time of day
	From, To int       // range in bytes
}

// PrintedZone is the zone of times in Chinese notices.
var PrintedZone = article.Shanghai

// ParseTime reads the first time in s that has a year: 2026年8月10日上午9时30分, 2026-08-20 14:30, 18 July
// 2026 09:30. It is safe for concurrent use.
func ParseTime(s string) (Moment, bool) {
	all := moments(s, 1)
	if len(all) == 0 {
		return Moment{}, false
	}
	return all[0], true
}

// moments returns at most limit times in s that have a year. It is safe for concurrent use.
func moments(s string, limit int) []Moment {
	var out []Moment
	for from := 0; len(out) < limit; {
		d, start, end, ok := article.FindTime(s[from:])
		if !ok {
			break
		}
		if d.Time.Year() >= firstYear {
			out = append(out, Moment{Time: d.Time.In(PrintedZone), Clock: d.Precision == article.Minute,
				From: from + start, To: from + end})
		}
		from += end
	}
	return out
}

// firstYear is the first accepted year.
const firstYear = 2000

// untilForm matches the text after a time of day that starts a span: 9时00分至9时30分.
var untilForm = htmldoc.NewPattern(`^\s*(?:\([^()\d]{0,12}\)\s*)?(?:至|到|[-—–~]{1,2})\s*`)

// periodEnd returns the end of a span on the same day that m starts in s; false without one. It is
// safe for concurrent use.
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
		end.Time = end.Time.Add(12 * time.Hour) // 下午 is printed once
	}
	return end, end.Time.After(m.Time)
}

// isDay reports whether a word is a day, not a number that contains one: GZZT-2026-06-360.
func isDay(s string) bool {
	m := moments(s, 1)
	return len(m) > 0 && m[0].From < 2 && len(s)-m[0].To < 8
}
