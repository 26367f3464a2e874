package article

import (
	"strings"
	"time"
)

// A list may state year and month in a heading and only the day in its rows: "2026年3月", then "05 title". The number
// may also be the number of the row, so the caller decides.

// MonthHeading reads a text that is only a year with a month: 2026年3月, 二〇二六年三月份, 2026-03, March 2026.
func MonthHeading(s string) (month Date, ok bool) {
	s = headingTrimmed(s)
	d, start, end, ok := FindShortDate(s, time.Time{})
	if !ok || d.Precision != Month || end != len(s) || start > 0 && strings.Trim(s[:start], "民国令和平成昭 ") != "" {
		return Date{}, false
	}
	return d, true
}

// LeadingDay reads the day at the beginning of a row: "05", "[5] title", "5日 title", "5th". named means that a word
// such as 日 follows. end is the beginning of the rest. A number with another sign, such as "5、", is no day.
func LeadingDay(s string) (day, end int, named, ok bool) {
	from := len(s) - len(strings.TrimLeft(s, " \n\t[(（【"))
	day, end = digits(s, from)
	if day < 1 || day > 31 {
		return 0, 0, false, false
	}
	rest := s[end:]
	for _, sign := range [...]string{"日", "号", "號", "st ", "nd ", "rd ", "th "} {
		if after, found := strings.CutPrefix(rest+" ", sign); found {
			rest, named = strings.TrimSuffix(after, " "), true
			break
		}
	}
	after := strings.TrimLeft(rest, " \n\t])）】|")
	if !named && rest != "" && len(after) == len(rest) || from == 0 && numberEnd(s, 0) == 0 && !named {
		return 0, 0, false, false // part of a word, or a numeral that begins a title
	}
	return day, len(s) - len(after), named, true
}

// DayOf returns the date of a day of a month. ok is false if the month has no such day, or if it is more than
// DateHorizon after now. A zero now allows all dates.
func DayOf(month Date, day int, now time.Time) (d Date, ok bool) {
	at := month.Time.In(Shanghai)
	c := civil{year: at.Year(), month: int(at.Month()), day: day, hour: -1}
	if !c.valid() {
		return Date{}, false
	}
	return c.date(now)
}
