package article

import (
	"strings"
	"time"
)

// A list may state year and month in a heading and only the day in its rows: "2026年3月", then "05 title". The number
// may as well count the rows, so the list decides.

// MonthHeading reads a text that is a year with a month and nothing else: 2026年3月, 二〇二六年三月份, 2026-03, March 2026.
func MonthHeading(s string) (month Date, ok bool) {
	s = headingTrimmed(s)
	d, start, end, ok := FindShortDate(s, time.Time{})
	if !ok || d.Precision != Month || end != len(s) || start > 0 && strings.Trim(s[:start], "民国令和平成昭 ") != "" {
		return Date{}, false
	}
	return d, true
}

// LeadingDay reads the day that begins a row's text: "05", "[5] title", "5日 title", "5th". named means that a sign
// follows, such as 日. end is where the rest begins. A number before another sign, such as "5、", counts the rows.
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

// DayOf returns a day of a month, to be within two days after now. now may be zero. ok is false if the month has no
// such day.
func DayOf(month Date, day int, now time.Time) (d Date, ok bool) {
	at := month.Time.In(Shanghai)
	c := civil{year: at.Year(), month: int(at.Month()), day: day, hour: -1}
	if !c.valid() {
		return Date{}, false
	}
	return c.date(now)
}
