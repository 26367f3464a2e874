package article

import (
	"slices"
	"strings"
	"time"
)

// Lists of news and forums have relative dates: 3小时前, 昨天 10:30, 刚刚. A sentence may contain the
// same words, so such a date must be a text of its own.

// agoUnits are the units of "n … ago", in minutes or months. Units of hours and days give a day,
// units of months and years a month.
var agoUnits = [...]struct {
	word            string
	minutes, months int
}{
	{"秒", 0, 0}, {"秒钟", 0, 0}, {"分", 1, 0}, {"分钟", 1, 0}, {"小时", 60, 0}, {"个小时", 60, 0}, {"钟头", 60, 0}, {"个钟头", 60, 0},
	{"天", 1440, 0}, {"日", 1440, 0}, {"周", 7 * 1440, 0}, {"星期", 7 * 1440, 0}, {"个星期", 7 * 1440, 0}, {"礼拜", 7 * 1440, 0},
	{"月", 0, 1}, {"个月", 0, 1}, {"年", 0, 12},
	{"second", 0, 0}, {"sec", 0, 0}, {"minute", 1, 0}, {"min", 1, 0}, {"m", 1, 0}, {"hour", 60, 0}, {"hr", 60, 0},
	{"h", 60, 0},
	{"day", 1440, 0}, {"d", 1440, 0}, {"week", 7 * 1440, 0}, {"w", 7 * 1440, 0}, {"month", 0, 1}, {"year", 0, 12},
}

// agoDays are the words for days, by how many days ago they are.
var agoDays = [...]struct {
	word string
	days int
}{{"今天", 0}, {"今日", 0}, {"昨天", 1}, {"昨日", 1}, {"前天", 2}, {"前日", 2}, {"大前天", 3}, {"today", 0}, {"yesterday", 1}}

// agoLabels are labels of relative dates, besides dateLabels.
var agoLabels = [...]string{"发布", "更新", "发表"}

// maxAgo is the largest count of a relative date.
const maxAgo = 999

// RelativeDate reads a text that is only a date relative to now, the time of the fetch, with or
// without a label ("发布于 3小时前").
func RelativeDate(s string, now time.Time) (Date, bool) {
	s = strings.TrimFunc(s, aroundDate)
	if len(s) < 5 || len(s) > 60 || !mayBeRelative(s) {
		return Date{}, false
	}
	if i := strings.LastIndexByte(s, ' '); i > 0 && strings.HasSuffix(s, "前") && s[i+1] <= '9' {
		s = s[i+1:] // a source stands before it
	}
	s = withoutLabel(s)
	now = now.In(Shanghai)
	if slices.Contains([]string{"刚刚", "刚才", "just now"}, strings.ToLower(s)) {
		return Date{Time: now.Truncate(time.Minute), Precision: Minute}, true
	}
	if d, ok := ago(s, now); ok {
		return d, true
	}
	for _, w := range agoDays {
		if len(s) < len(w.word) || !strings.EqualFold(s[:len(w.word)], w.word) {
			continue
		}
		day := now.AddDate(0, 0, -w.days)
		rest := strings.TrimPrefix(s[len(w.word):], " at")
		c, end := clock(rest, 0, civil{year: day.Year(), month: int(day.Month()), day: day.Day(), hour: -1})
		if end < len(rest) {
			return Date{}, false // a sentence that begins with the word
		}
		return c.date(now)
	}
	return Date{}, false
}

// aroundDate reports whether a character is a space, bracket or separator around a date.
func aroundDate(r rune) bool {
	switch r {
	case ' ', '\n', '\t', '[', ']', '(', ')', '（', '）', '【', '】', '|', '·':
		return true
	}
	return false
}

// mayBeRelative reports by the end of a text whether it may be a relative date. It is a cheap test. The text
// must have at least five bytes.
func mayBeRelative(s string) bool {
	return strings.IndexByte("0123456789oOwWyYmM", s[len(s)-1]) >= 0 ||
		strings.Contains("前天日刚才分时点半", s[len(s)-3:])
}

// withoutLabel cuts a label of publication from before a date.
func withoutLabel(s string) string {
	for _, labels := range [...][]string{dateLabels[:], agoLabels[:]} {
		for _, label := range labels {
			if rest, ok := strings.CutPrefix(s, label); ok {
				return strings.TrimLeft(rest, " :：")
			}
		}
	}
	return s
}

// ago reads "3小时前", "半年前", "2 hours ago" and similar texts.
func ago(s string, now time.Time) (Date, bool) {
	rest := ""
	for _, word := range [...]string{"以前", "之前", "前", " ago"} {
		if before, ok := strings.CutSuffix(s, word); ok {
			rest = before
			break
		}
	}
	halves, n, end := 2, 0, 0
	switch first, after, _ := strings.Cut(rest, " "); {
	case strings.HasPrefix(rest, "半"):
		halves, rest = 1, rest[len("半"):]
	case strings.HasPrefix(rest, "两"):
		halves, rest = 4, rest[len("两"):]
	case strings.EqualFold(first, "a") || strings.EqualFold(first, "an"):
		rest = after
	default:
		if n, _, end = number(rest, 0); end == 0 || n < 1 || n > maxAgo {
			return Date{}, false
		}
		halves, rest = 2*n, rest[end:]
	}
	rest = strings.ToLower(strings.TrimLeft(rest, " "))
	for _, u := range agoUnits {
		if rest != u.word && (u.word[0] >= 0x80 || rest != u.word+"s") {
			continue
		}
		if u.months > 0 && halves*u.months%2 == 0 {
			day := now.AddDate(0, 0, 1-now.Day()).AddDate(0, -halves*u.months/2, 0)
			return civil{year: day.Year(), month: int(day.Month()), day: 1, hour: -1, monthOnly: true}.date(now)
		}
		minutes := u.minutes + u.months*30*1440
		t := now.Add(-time.Duration(halves*minutes/2) * time.Minute)
		c := civil{year: t.Year(), month: int(t.Month()), day: t.Day(), hour: -1}
		if halves*minutes < 120 {
			c.hour, c.minute = t.Hour(), t.Minute()
		}
		return c.date(now)
	}
	return Date{}, false
}
