package article

import (
	"strings"
	"time"
	"unicode/utf8"
)

// Lists of news and forums date by distance: 3小时前, 昨天 10:30, 刚刚. A sentence
// may hold the same words, so such a date must be a text of its own.

// agoUnits are the units of "n … ago". What is counted in hours or more is
// known to the day.
var agoUnits = []struct {
	word      string
	span      time.Duration
	precision DatePrecision
}{
	{"分钟前", time.Minute, Minute},
	{"小时前", time.Hour, Day},
	{"天前", 24 * time.Hour, Day},
	{"日前", 24 * time.Hour, Day},
	{"周前", 7 * 24 * time.Hour, Day},
}

// agoDays are the words for days, by how many days ago they are.
var agoDays = []struct {
	word string
	days int
}{{"今天", 0}, {"今日", 0}, {"昨天", 1}, {"昨日", 1}, {"前天", 2}}

// RelativeDate reads a text that is a date by its distance from now, the time the
// page was fetched. A label before it is allowed ("发布于 3小时前").
func RelativeDate(s string, now time.Time) (Date, bool) {
	s = strings.Trim(s, " \n\t[]()（）【】|·")
	if len(s) < 6 || len(s) > 60 {
		return Date{}, false
	}
	if !strings.Contains(s, "前") && !strings.Contains(s, "天") && !strings.Contains(s, "日") && !strings.Contains(s, "刚") {
		return Date{}, false
	}
	if i := strings.LastIndexByte(s, ' '); i > 0 && strings.HasSuffix(s, "前") && s[i+1] <= '9' {
		s = s[i+1:] // a source stands before it
	}
	for _, label := range dateLabels {
		if rest, ok := strings.CutPrefix(s, label); ok {
			s = strings.TrimLeft(rest, " :：")
			break
		}
	}
	now = now.In(Shanghai)
	if s == "刚刚" || s == "刚才" {
		return Date{Time: now.Truncate(time.Minute), Precision: Minute}, true
	}
	if n, end := digits(s, 0); end > 0 {
		rest := strings.TrimLeft(s[end:], " ")
		for _, u := range agoUnits {
			if rest == u.word {
				return rounded(now.Add(-time.Duration(n)*u.span), u.precision), true
			}
		}
		return Date{}, false
	}
	for _, w := range agoDays {
		rest, ok := strings.CutPrefix(s, w.word)
		if !ok {
			continue
		}
		day := now.AddDate(0, 0, -w.days)
		c := civil{year: day.Year(), month: int(day.Month()), day: day.Day(), hour: -1}
		end := 0
		if c, end = clock(rest, 0, c); utf8.RuneCountInString(rest[end:]) > 0 {
			return Date{}, false // a sentence that begins with the word
		}
		return c.date(now)
	}
	return Date{}, false
}

// rounded cuts a time to what is known of it.
func rounded(t time.Time, p DatePrecision) Date {
	if p == Day {
		return Date{Time: time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, Shanghai), Precision: Day}
	}
	return Date{Time: t.Truncate(time.Minute), Precision: Minute}
}
