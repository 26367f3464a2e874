package fields

import (
	"strconv"
	"strings"
	"time"

	"angler/crawl/htmldoc"
)

var (
	dayForm = htmldoc.NewPattern(`(20\d\d)\s*(?:年|[-/.])\s*(\d{1,2})\s*(?:月|[-/.])\s*(\d{1,2})(?:\s*[日号])?`)
	// clockForm stands right behind a day.
	clockForm = htmldoc.NewPattern(`^[\sT,，]*(?:\(\s*(?:星期|周|北京)[^)]{0,12}\)|(?:星期|周)[一二三四五六日天])?\s*(?:北京时间)?\s*(上午|下午|中午|晚上|早上|凌晨|AM|PM)?\s*(\d{1,2})\s*(?:[:时点])\s*(?:(\d{1,2})\s*分?|[整半])?(?::\d{2})?\s*(?i:(am|pm)\b)?`)
	english   = htmldoc.NewPattern(`(?i)\b(?:(\d{1,2})(?:st|nd|rd|th)?\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s+(20\d\d)|(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(20\d\d))`)
	months    = "janfebmaraprmayjunjulaugsepoctnovdec"
)

// Moment is a point in time as it is printed.
type Moment struct {
	Time     time.Time // in PrintedZone; midnight when no clock time was given
	Clock    bool      // a clock time was given
	From, To int       // the bytes that it takes
}

// PrintedZone is that of the times of Chinese notices.
var PrintedZone = time.FixedZone("CST", 8*3600)

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
	for _, m := range dayForm.FindAllStringSubmatchIndex(s, 32) {
		if m[0] > 0 && digit(s[m[0]-1]) || m[1] < len(s) && digit(s[m[1]-1]) && digit(s[m[1]]) {
			continue // a part of a longer number
		}
		if t, ok := moment(s, m[0], m[1], s[m[2]:m[3]], s[m[4]:m[5]], s[m[6]:m[7]]); ok {
			if out = append(out, t); len(out) == limit {
				return out
			}
		}
	}
	if len(out) > 0 || !strings.Contains(s, "20") {
		return out
	}
	for _, m := range english.FindAllStringSubmatchIndex(s, limit) {
		a := 2
		if m[2] < 0 {
			a = 8
		}
		parts := [3]string{s[m[a]:m[a+1]], s[m[a+2]:m[a+3]], s[m[a+4]:m[a+5]]}
		if m[2] < 0 {
			parts[0], parts[1] = parts[1], parts[0]
		}
		month := strings.Index(months, strings.ToLower(parts[1][:3]))/3 + 1
		if t, ok := moment(s, m[0], m[1], parts[2], strconv.Itoa(month), parts[0]); ok {
			out = append(out, t)
		}
	}
	return out
}

// moment puts a day and the clock time behind it together.
func moment(s string, from, to int, year, month, day string) (Moment, bool) {
	y, _ := strconv.Atoi(year)
	mo, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	t := time.Date(y, time.Month(mo), d, 0, 0, 0, 0, PrintedZone)
	if mo < 1 || mo > 12 || t.Day() != d || d < 1 {
		return Moment{}, false
	}
	out := Moment{Time: t, From: from, To: to}
	c := clockForm.FindStringSubmatchIndex(s[to:])
	if c == nil {
		return out, true
	}
	group := func(n int) string {
		if c[2*n] < 0 {
			return ""
		}
		return s[to+c[2*n] : to+c[2*n+1]]
	}
	hour, _ := strconv.Atoi(group(2))
	minute, _ := strconv.Atoi(group(3))
	if strings.Contains(s[to+c[4]:to+c[1]], "半") {
		minute = 30
	}
	half := strings.ToUpper(group(1) + group(4))
	if (half == "下午" || half == "晚上" || half == "PM" || half == "中午" && hour < 3) && hour < 12 {
		hour += 12
	}
	if hour > 24 || minute > 59 || hour == 24 && minute > 0 {
		return out, true
	}
	if hour == 24 { // the end of that day, not the begin of the next
		hour, minute = 23, 59
	}
	out.Time, out.Clock, out.To = t.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute), true, to+c[1]
	for strings.IndexByte(" \n\t", s[out.To-1]) >= 0 {
		out.To--
	}
	return out, true
}

// untilForm stands behind a time of day when it is the first of a span: 9时00分至9时30分.
var untilForm = htmldoc.NewPattern(`^\s*(?:\([^()\d]{0,12}\)\s*)?(?:至|到|[-—–~]{1,2})\s*`)

// periodEnd is the end of the span of the same day that m begins in s, false when it begins none.
// Safe for concurrent use.
func periodEnd(s string, m Moment) (Moment, bool) {
	dash := untilForm.FindStringIndex(s[m.To:])
	if !m.Clock || dash == nil {
		return Moment{}, false
	}
	y, mo, d := m.Time.Date()
	end, ok := moment(s, m.From, m.To+dash[1], strconv.Itoa(y), strconv.Itoa(int(mo)), strconv.Itoa(d))
	if !ok || !end.Clock {
		return Moment{}, false
	}
	if end.Time.Before(m.Time) && end.Time.Hour() < 12 {
		end.Time = end.Time.Add(12 * time.Hour) // 下午 is said once
	}
	return end, end.Time.After(m.Time)
}

// isDay tells whether a word is a day and no number that holds one: GZZT-2026-06-360.
func isDay(s string) bool {
	m := dayForm.FindStringIndex(s)
	return m != nil && m[0] < 2 && len(s)-m[1] < 8
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
