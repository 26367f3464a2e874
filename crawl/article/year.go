package article

import (
	"strings"
	"time"
)

// A list may show a date without a year, "05-12". The year is guessed as that of the latest such
// day. The notice's URL or page may replace the guess.

// yearReach is the maximum distance of a date without a year from a date that gives it the year. A
// notice's folder only names a month, and lists may show the day of the last change.
const yearReach = 31 * 24 * time.Hour

// inYear returns d in the given year instead of its guessed one. ok is false if that year lacks the
// day, or if the result is more than DateHorizon after now. A zero now sets no limit.
func (d Date) inYear(year int, now time.Time) (settled Date, ok bool) {
	at := d.Time.In(Shanghai)
	t := time.Date(year, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, Shanghai)
	if t.Day() != at.Day() || !now.IsZero() && t.After(now.Add(DateHorizon)) {
		return d, false
	}
	return Date{Time: t, Precision: d.Precision - (DayGuessed - Day)}, true
}

// withYearNear returns d with the year in which it is at most yearReach from near and at most
// DateHorizon after now. It returns d itself without such a year, and if d's year is not guessed.
func (d Date) withYearNear(near, now time.Time) Date {
	if !d.Guessed() {
		return d
	}
	for year := near.Year() - 1; year <= near.Year()+1; year++ {
		if settled, ok := d.inYear(year, now); ok && settled.Time.Sub(near).Abs() <= yearReach {
			return settled
		}
	}
	return d
}

// SettleDateByURL takes the guessed year of a date from a URL whose path has a day or month close
// to it: /2023/05/12/, /202305/t1.html, /2023-05/1.html. It returns d itself if its year is not
// guessed, or the URL has no such date.
func SettleDateByURL(d Date, u string, now time.Time) Date {
	if !d.Guessed() {
		return d
	}
	near, ok := urlDate(u, now)
	if !ok {
		near, ok = urlMonth(u)
	}
	if !ok {
		return d
	}
	return d.withYearNear(near.Time, now)
}

// SettleDateByPage completes a list's date d by the date that the notice's page states: a guessed
// year, and the day of a Month. It returns d itself if d is complete, or the page's date is far
// from it.
func SettleDateByPage(d, stated Date, now time.Time) Date {
	if stated.IsZero() || stated.Guessed() || stated.Precision == Month {
		return d
	}
	if d.Precision == Month && stated.Time.Sub(d.Time) >= -yearReach && stated.Time.Sub(d.Time) < 2*yearReach {
		return stated
	}
	return d.withYearNear(stated.Time, now)
}

// SettleDateByYear replaces the guessed year of a date by a year from a heading. It returns d itself
// if its year is not guessed, the heading's year lacks the day, or the result is more than
// DateHorizon after now.
func SettleDateByYear(d Date, year int, now time.Time) Date {
	if !d.Guessed() {
		return d
	}
	settled, _ := d.inYear(year, now)
	return settled
}

// headingTrimmed cuts spaces, brackets and separators around a heading.
func headingTrimmed(s string) string {
	return strings.Trim(s, " \n\t[]()（）【】|·-—:：▼▲")
}

// YearHeading reads a heading of a list that is only a year: 2026, 2026年, 二〇二六年度, 民国115年,
// 2026年3月.
func YearHeading(s string) (year int, ok bool) {
	s = headingTrimmed(s)
	for _, e := range eras {
		if rest, found := strings.CutPrefix(s, e.name); found {
			s, year = strings.TrimLeft(rest, " "), e.first
		}
	}
	v, n, end := number(s, 0)
	if n == 0 || year == 0 && n != 4 {
		return 0, false
	}
	rest := strings.TrimLeft(s[end:], " ")
	if month, found := strings.CutPrefix(rest, "年"); found {
		month = strings.TrimLeft(strings.TrimPrefix(month, "度"), " ")
		if _, stop := digits(month, 0); stop > 0 && strings.HasPrefix(month[stop:], "月") {
			month = strings.TrimPrefix(month[stop+len("月"):], "份")
		}
		rest = month
	} else if year > 0 {
		return 0, false
	}
	year += v
	return year, rest == "" && year >= 1980 && year <= 2049
}

// urlMonth reads a month from a URL's folders: /202305/, /2023/05/, /2023-05/. The
// date is the middle of the month.
func urlMonth(u string) (Date, bool) {
	_, rest, _ := strings.Cut(u, "://")
	_, path, _ := strings.Cut(rest, "/")
	year := 0 // of the folder before, 0 if that is no year
	for {
		folder, rest, ok := strings.Cut(path, "/")
		if !ok {
			return Date{}, false
		}
		path = rest
		month := ""
		switch {
		case year > 0 && len(folder) <= 2:
			month = folder
		case len(folder) == 6:
			year, month = yearOf(folder[:4]), folder[4:]
		case len(folder) == 7 && (folder[4] == '-' || folder[4] == '_'):
			year, month = yearOf(folder[:4]), folder[5:]
		default:
			year = yearOf(folder)
			continue
		}
		if numberEnd(month, 0) == len(month) && month != "" {
			if c := (civil{year: year, month: atoi(month), day: 15, hour: -1}); year > 0 && c.valid() {
				return c.date(time.Time{})
			}
		}
		year = 0
	}
}

// yearOf returns the year of a folder that is a year from 2000 on, 0 for others.
func yearOf(s string) int {
	if len(s) != 4 || !strings.HasPrefix(s, "20") || numberEnd(s, 0) != 4 {
		return 0
	}
	return atoi(s)
}
