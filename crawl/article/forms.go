package article

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// This file reads the forms of dates on pages. Each function starts at a number.

// compact reads 20240512, 202405121030 and 20240512103000.
func compact(s string) civil {
	c := civil{year: atoi(s[:4]), month: atoi(s[4:6]), day: atoi(s[6:8]), hour: -1}
	if len(s) >= 12 {
		h, m := atoi(s[8:10]), atoi(s[10:12])
		if h < 24 && m < 60 {
			c.hour, c.minute = h, m
		}
	}
	return c
}

// part is one of the numbers of a date.
type part struct {
	v, n int  // value and number of digits
	unit byte // 'y', 'm' or 'd' for 年, 月 or 日 behind it, else 0
	gap  byte // separator before it: '-', '/' or '.', ' ' for blanks alone, 0 behind a unit
	end  int  // index behind its unit
}

// maxParts is the number of parts to read. A fourth part can show that the first three are no date.
const maxParts = 4

// parts reads numbers with separators of dates between them, from s[i:] on. n is their number.
func parts(s string, i int, place datePlace) (p [maxParts]part, n int) {
	gap := byte(0)
	for n < maxParts {
		x := part{gap: gap}
		if x.v, x.n, x.end = number(s, i); x.n == 0 {
			break
		}
		k := skipBlanks(s, x.end)
		if k < len(s) && s[k] >= utf8.RuneSelf {
			if unit, size := unitAt(s[k:]); unit != 'd' && unit != 0 || unit == 'd' && (k == x.end || n == 2) {
				x.unit, x.end = unit, k+size
			}
		}
		p[n] = x
		n++
		if n == maxParts {
			break
		}
		i, gap = gapBehind(s, x.end, n-1, x.unit != 0, place)
		if i == 0 {
			break
		}
	}
	return p, n
}

// unitAt reads the unit of a year, a month or a day at the beginning of s. size is its bytes, 0 without one.
func unitAt(s string) (unit byte, size int) {
	for _, u := range [...]struct {
		sign string
		unit byte
	}{{"年", 'y'}, {"月份", 'm'}, {"月", 'm'}, {"日", 'd'}, {"号", 'd'}, {"號", 'd'}} {
		if strings.HasPrefix(s, u.sign) {
			return u.unit, len(u.sign)
		}
	}
	return 0, 0
}

// gapBehind reads the separator between number n (from 0), which ends at i, and the next one. next is the beginning
// of that number, 0 if no separator joins them. gap is as in part.
func gapBehind(s string, i, n int, unit bool, place datePlace) (next int, gap byte) {
	k := skipBlanks(s, i)
	if k >= len(s) {
		return 0, 0
	}
	if s[k] == '-' || s[k] == '/' || s[k] == '.' {
		return skipBlanks(s, k+1), s[k]
	}
	for w, wide := range [...]string{"－", "／", "．", "–", "—"} {
		if s[k] >= utf8.RuneSelf && strings.HasPrefix(s[k:], wide) {
			return skipBlanks(s, k+len(wide)), "-/.--"[w]
		}
	}
	if place == inRow && n < 2 {
		k = skipAside(s, k)
	}
	switch {
	case unit:
		return k, 0
	case k > i && place == inRow:
		return k, ' '
	}
	return 0, 0
}

// skipAside skips a weekday, a time of day and a bar between a day and its month.
func skipAside(s string, i int) int {
	if k := skipWeekday(s, i); k > i {
		i = skipBlanks(s, k)
	}
	if j := numberEnd(s, i); j > i && j < len(s) && s[j] == ':' {
		if _, k, ok := timeOfDay(s, i); ok {
			i = skipBlanks(s, k)
		}
	}
	if i < len(s) && s[i] == '|' {
		i = skipBlanks(s, i+1)
	}
	return i
}

// isMonth reports whether a part can be a month.
func (p *part) isMonth() bool {
	return p.n <= 2 && p.v >= 1 && p.v <= 12 && (p.unit == 0 || p.unit == 'm')
}

// isDay reports whether a part can be a day of a month.
func (p *part) isDay() bool {
	return p.n <= 2 && p.v >= 1 && p.v <= 31 && (p.unit == 0 || p.unit == 'd')
}

// isYear reports whether a part is a year of four digits.
func (p *part) isYear() bool {
	return p.n == 4 && p.v >= 1980 && p.v <= 2049 && (p.unit == 0 || p.unit == 'y')
}

// joined reports whether a separator or a unit, and not blanks alone, stands before a part.
func (p *part) joined() bool { return p.gap != ' ' }

// tight reports whether a separator stands before a part.
func (p *part) tight() bool { return p.gap == '-' || p.gap == '/' || p.gap == '.' }

// mayContinue reports by the first byte behind a number whether it may be part of a date. It is a cheap
// test, because most numbers are not. signs means that a separator may follow, and not only a unit.
func mayContinue(s string, end int, signs bool, place datePlace) bool {
	k := skipBlanks(s, end)
	if k >= len(s) {
		return false
	}
	switch s[k] {
	case '-', '/', '.', 0xE2, 0xEF: // – — － ／ ．
		return signs
	case 0xE5, 0xE6, 0xE8: // 年 号, 月 日, 號
		return signs || strings.HasPrefix(s[k:], "年") || strings.HasPrefix(s[k:], "月")
	}
	return signs && place == inRow && k > end
}

// numericDate reads a date that begins with the number s[i:end]; stop is 0 without a date.
func numericDate(s string, i, end int, now time.Time, place datePlace) (c civil, stop int) {
	c.hour = -1
	if !mayContinue(s, end, s[i] < utf8.RuneSelf || s[i] == 0xEF, place) {
		return c, 0
	}
	p, n := parts(s, i, place)
	if n < 2 || s[i] >= utf8.RuneSelf && s[i] != 0xEF && p[0].unit == 0 {
		return c, 0
	}
	before := delimitedBefore(s, i)
	if year, ok := yearOfEra(s, i, &p[0]); ok {
		return yearFirst(s, year, p[:n], place, true)
	} else if p[0].isYear() {
		return yearFirst(s, p[0].v, p[:n], place, before)
	}
	if p[0].n == 3 || p[0].unit == 'y' {
		return shortYear(s, p[:n], now, place, before)
	}
	if !before {
		return c, 0
	}
	if c, stop = yearLast(s, p[:n], place); stop > 0 || place != inRow {
		return c, stop
	}
	if c, stop = shortYear(s, p[:n], now, place, before); stop > 0 {
		return c, stop
	}
	return noYear(s, p[:n], now)
}

// yearFirst reads "2024-05-12" with any separators, and "2024-05" in a row.
func yearFirst(s string, year int, p []part, place datePlace, before bool) (c civil, stop int) {
	c = civil{year: year, month: p[1].v, hour: -1}
	if !p[1].isMonth() {
		return c, 0
	}
	if len(p) > 2 && p[2].isDay() &&
		(p[2].joined() || delimits(s, p[2].end) && (p[1].joined() || p[1].n == 2 && p[2].n == 2)) {
		c.day = p[2].v
		return c, p[2].end
	}
	if place != inRow || len(p) > 2 && p[2].joined() || !p[1].joined() || !delimits(s, p[1].end) {
		return c, 0
	}
	if p[1].unit == 'm' || before && p[1].n == 2 {
		c.day, c.monthOnly = 1, true
		return c, p[1].end
	}
	return c, 0
}

// eras are the names before years of an era. first is the year 0 of the era.
var eras = [...]struct {
	name  string
	first int
}{{"民国", 1911}, {"民國", 1911}, {"令和", 2018}, {"平成", 1988}, {"昭和", 1925}}

// yearOfEra returns the year of a part with the name of an era before s[i:], as in 民国113年.
func yearOfEra(s string, i int, p *part) (year int, ok bool) {
	if p.n > 3 || i < 6 || p.unit != 'y' && p.unit != 0 {
		return 0, false
	}
	name := strings.TrimRight(lastBytes(s[:i], 9), " ")
	for _, e := range eras {
		if strings.HasSuffix(name, e.name) {
			return e.first + p.v, true
		}
	}
	return 0, false
}

// shortYear reads a year without its century, 24-05-12 and 24年5月12日, and one of the Republic
// of China without its name, 113/05/12.
func shortYear(s string, p []part, now time.Time, place datePlace, before bool) (c civil, stop int) {
	c.hour = -1
	if len(p) < 3 || !p[1].isMonth() || !p[2].isDay() || p[0].unit != 0 && p[0].unit != 'y' || p[0].n < 2 {
		return c, 0
	}
	if p[0].unit == 0 || p[1].unit == 0 {
		isolated := before && delimits(s, p[2].end) && (len(p) == 3 || !p[3].joined())
		if place != inRow || !isolated || p[1].gap != p[2].gap || !p[1].joined() || p[0].unit != 0 || p[1].unit != 0 {
			return c, 0
		}
	}
	c.month, c.day = p[1].v, p[2].v
	switch year := p[0].v; {
	case p[0].n == 3:
		c.year = 1911 + year
	case year >= 80:
		c.year = 1900 + year
	default:
		c.year = 2000 + year
	}
	if p[0].n == 3 && p[0].v < 80 {
		return c, 0
	}
	if d, ok := c.date(time.Time{}); ok && !now.IsZero() && d.Time.After(now.Add(DateHorizon)) && p[0].v <= 31 &&
		p[2].n == 2 {
		c.day, c.year = p[0].v, 2000+p[2].v // 12/05/24
	}
	return c, p[2].end
}

// yearLast reads the forms with the year behind: 5/12/2024 with the month first, unless that is
// above 12. In a row it also reads 12.05.2024, "05-12 2024", "12 05-2024", "12 2024-05" and 05/2024.
func yearLast(s string, p []part, place datePlace) (c civil, stop int) {
	c.hour = -1
	if len(p) == maxParts {
		if p[3].tight() {
			return c, 0
		}
		p = p[:3]
	}
	last := &p[len(p)-1]
	if place != inRow && (len(p) < 3 || p[1].gap != '/' || p[2].gap != '/') || last.unit == 0 && !delimits(s, last.end) {
		return c, 0
	}
	first, second := &p[0], &p[1]
	switch {
	case len(p) == 2:
		if first.isMonth() && second.isYear() && second.joined() && (first.n == 2 || first.unit == 'm') {
			c.year, c.month, c.day, c.monthOnly = second.v, first.v, 1, true
			return c, last.end
		}
	case last.isYear():
		if first.n > 2 || second.n > 2 || second.gap == ' ' && last.gap == ' ' && (first.n < 2 || second.n < 2) {
			return c, 0
		}
		dayFirst := first.unit == 'd' || second.unit == 'm' || second.gap == ' ' && last.tight() || second.gap == '.'
		if c = (civil{year: last.v, month: first.v, day: second.v, hour: -1}); dayFirst && first.unit != 'm' ||
			c.month > 12 {
			c.month, c.day = c.day, c.month
		}
		return c, last.end
	case second.isYear() && first.isDay() && last.isMonth() && last.joined() && (!second.tight() || !last.tight()):
		return civil{year: second.v, month: last.v, day: first.v, hour: -1}, last.end
	case second.isYear() && first.isMonth() && last.isDay() && second.joined() && last.gap == ' ':
		return civil{year: second.v, month: first.v, day: last.v, hour: -1}, last.end
	}
	return c, 0
}

// noYear reads "05-12", 5月12日 and "12 5月" as the latest such day. It does not read "1/2" of a pager.
func noYear(s string, p []part, now time.Time) (c civil, stop int) {
	first, second := &p[0], &p[1]
	c = civil{month: first.v, day: second.v, hour: -1}
	switch {
	case first.isMonth() && second.isDay() && (second.tight() || first.unit == 'm'):
	case first.isDay() && second.isMonth() && second.unit == 'm':
		c.month, c.day = c.day, c.month
	default:
		return c, 0
	}
	if len(p) > 2 && p[2].tight() || !delimits(s, second.end) || pagerWord(s) || now.IsZero() {
		return c, 0
	}
	if (second.gap == '/' || second.gap == '.') && (first.n < 2 || second.n < 2) && first.unit == 0 &&
		second.unit == 0 {
		return c, 0 // "1.2" is a chapter
	}
	return c.latest(now), second.end
}

// latest guesses the year of a date as that of the latest such day.
func (c civil) latest(now time.Time) civil {
	c.year, c.guessed = now.In(Shanghai).Year(), true
	if d, _ := c.date(time.Time{}); d.Time.After(now.Add(DateHorizon)) {
		c.year--
	}
	return c
}

func pagerWord(s string) bool {
	return strings.Contains(s, "页") || strings.Contains(s, "頁")
}

// delimits reports whether s[i:] separates a short date from other text: it is the end, or begins
// with a space, a bracket or a bar.
func delimits(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[min(i, len(s)):])
	return i >= len(s) || strings.ContainsRune(" \n\t[]()|【】（）｜　", r)
}

// delimitedBefore reports whether s[:i] separates a short date from other text: it is empty, or ends with a
// space, a bracket, a bar or the colon of a label.
func delimitedBefore(s string, i int) bool {
	_, size := utf8.DecodeLastRuneInString(s[:i])
	return i == 0 || delimits(s, i-size) || strings.HasSuffix(s[:i], "：") ||
		s[i-1] == ':' && (i == 1 || s[i-2] < '0' || s[i-2] > '9')
}

// clock reads the time of day right behind a date: "10:30", "T10:30:05+08:00", "10时30分",
// "（星期一）下午2点半", "2:05 pm". It returns 24:00 as 23:59.
func clock(s string, i int, c civil) (civil, int) {
	k, iso := i, i < len(s) && s[i] == 'T'
	if iso {
		k++
	} else if k = skipToClock(s, i); k-i > 40 {
		return c, i
	}
	t, j, ok := timeOfDay(s, k)
	if !ok {
		return c, i
	}
	if t.hour == 24 {
		t.hour, t.minute = 23, 59
	}
	c.hour, c.minute, c.sec = t.hour, t.minute, t.sec
	if iso {
		c.zone, j = zone(s, j)
	} else if k := skipBlanks(s, j); t.seconds && k < len(s) && (s[k] == '+' || s[k] == '-' ||
		strings.HasPrefix(s[k:], "GMT") || strings.HasPrefix(s[k:], "UTC")) {
		if z, e := zone(s, k); e > k {
			c.zone, j = z, e
		}
	}
	return c, j
}

// TimeOfDay reads a time of day at s[i:], which may follow a weekday. at is that time on the given
// day, and end its end. 24:00 is 23:59.
func TimeOfDay(s string, i int, day time.Time) (at time.Time, end int, ok bool) {
	c := civil{year: day.Year(), month: int(day.Month()), day: day.Day(), hour: -1}
	if c, end = clock(s, i, c); c.hour < 0 {
		return day, i, false
	}
	return time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, 0, 0, day.Location()), end, true
}

// skipToClock skips a comma, a weekday and 北京时间 between a date and its time of day.
func skipToClock(s string, i int) int {
	k := skipBlanks(s, i)
	if k < len(s) && s[k] == ',' {
		k = skipBlanks(s, k+1)
	}
	k = skipBlanks(s, skipWeekday(s, k))
	for _, word := range [...]string{"(北京时间)", "（北京时间）", "北京时间"} {
		if k < len(s) && strings.HasPrefix(s[k:], word) {
			return skipBlanks(s, k+len(word))
		}
	}
	return k
}

// skipWeekday skips a weekday at s[i:], which may stand in brackets.
func skipWeekday(s string, i int) int {
	if r, _ := utf8.DecodeRuneInString(s[i:]); !strings.ContainsRune("([（星周週礼mtwfsMTWFS", r) { // fast path
		return i
	}
	return i + len(weekday.FindString(s[i:min(len(s), i+maxWeekday)]))
}

// weekday is a weekday at the beginning of a text, with the brackets around it.
var weekday = htmldoc.NewPattern(`^(?i)(?:[(（\[]\s*` + weekdays + `(?:\s*[)）\]])?|` + weekdays + `)`)

const (
	weekdays   = `(?:(?:星期|周|週|礼拜)[一二三四五六日天]|(?:(?:sun|mon|tues|wednes|thurs|fri|satur)day|sun|mon|tue|wed|thu|fri|sat)\b)`
	maxWeekday = 40 // bytes
)

// dayHalves are the words for a half of the day, before the hour or in English behind it. late adds
// twelve hours.
var dayHalves = [...]struct {
	word string
	late bool
}{{"上午", false}, {"早上", false}, {"凌晨", false}, {"中午", true}, {"下午", true}, {"晚上", true}, {"am", false}, {"pm", true}}

// hours is a time of day. seconds means that the text states sec.
type hours struct {
	hour, minute, sec int
	seconds           bool
}

// timeOfDay reads a time of day at s[i:]: 10:30, 9:05:59, 上午9时30分, 下午2点半, 2:05 pm, 24:00.
func timeOfDay(s string, i int) (t hours, end int, ok bool) {
	half, k := halfOfDay(s, i)
	h, j := digits(s, skipBlanks(s, k))
	if j == 0 {
		return t, 0, false
	}
	t.hour, j = h, skipBlanks(s, j)
	hanzi := false
	for _, sign := range [...]string{":", "：", "时", "時", "点", "點"} {
		if rest, found := strings.CutPrefix(s[j:], sign); found {
			j, hanzi, ok = len(s)-len(rest), sign != ":" && sign != "：", true
			break
		}
	}
	if !ok {
		return t, 0, false
	}
	m, e := digits(s, skipBlanks(s, j))
	switch {
	case e > 0:
		t.minute, j = m, e
		if k := skipBlanks(s, j); strings.HasPrefix(s[k:], "分") {
			j = k + len("分")
		} else if hanzi && strings.HasPrefix(s[k:], "刻") {
			t.minute, j = m*15, k+len("刻")
		}
	case !hanzi:
		return t, 0, false
	case strings.HasPrefix(s[j:], "半"):
		t.minute, j = 30, j+len("半")
	case strings.HasPrefix(s[j:], "整"):
		j += len("整")
	}
	if j < len(s) && s[j] == ':' {
		if sec, e := digits(s, j+1); e > 0 && sec < 60 {
			t.sec, t.seconds, j = sec, true, e
		}
	}
	if half < 0 {
		k := skipBlanks(s, j)
		if h, e := halfOfDay(s, k); e == k+len("am") && (e == len(s) || !wordByte(s[e])) {
			half, j = h, e
		}
	}
	switch {
	case half < 0:
	case dayHalves[half].word == "am" && t.hour == 12:
		t.hour = 0
	case dayHalves[half].late && t.hour < 12 && (dayHalves[half].word != "中午" || t.hour < 3):
		t.hour += 12
	}
	return t, j, t.hour < 24 && t.minute < 60 || t.hour == 24 && t.minute == 0
}

// halfOfDay reads a word of dayHalves at s[i:]. It returns its index, -1 without one, and its end.
func halfOfDay(s string, i int) (half, end int) {
	if i >= len(s) || s[i] < 'A' {
		return -1, i
	}
	for h := range dayHalves {
		if w := dayHalves[h].word; i+len(w) <= len(s) && strings.EqualFold(s[i:i+len(w)], w) {
			return h, i + len(w)
		}
	}
	return -1, i
}

// zone reads "Z", "GMT", "UTC", "+08:00" or "+0800", after fractions of a second. It returns nil for the zone of
// China and for a missing zone.
func zone(s string, i int) (*time.Location, int) {
	if i < len(s) && s[i] == '.' {
		i = numberEnd(s, i+1)
	}
	for _, utc := range [...]string{"Z", "GMT", "UTC"} {
		if strings.HasPrefix(s[i:], utc) {
			return time.UTC, i + len(utc)
		}
	}
	for _, form := range [...]string{"-07:00", "-0700"} {
		t, err := time.Parse(form, s[i:min(len(s), i+len(form))])
		switch _, offset := t.Zone(); {
		case err != nil:
		case offset == 8*3600:
			return nil, i + len(form)
		case offset <= 14*3600 && offset >= -14*3600:
			return time.FixedZone("", offset), i + len(form)
		}
	}
	return nil, i
}

// month returns the number of an English month name, short or long; 0 for other words.
func month(word string) int {
	for m := time.January; m <= time.December; m++ {
		if name := m.String(); strings.EqualFold(word, name) || strings.EqualFold(word, name[:3]) {
			return int(m)
		}
	}
	if strings.EqualFold(word, "sept") {
		return int(time.September)
	}
	return 0
}

// nearLetter reports whether an ASCII letter stands in the three bytes before s[i:j] (Nov. 12) or the two behind it.
func nearLetter(s string, i, j int) bool {
	for k := max(0, i-3); k < min(len(s), j+2); k++ {
		if c := s[k] | 0x20; (k < i || k >= j) && c >= 'a' && c <= 'z' {
			return true
		}
	}
	return false
}

// monthBefore reads the name of a month before s[i:]. m is 0 without one. begin is its beginning.
func monthBefore(s string, i int) (m, begin int) {
	for i > 0 && strings.IndexByte(" .,-", s[i-1]) >= 0 {
		i--
	}
	w := i
	for w > 0 && i-w < 10 && s[w-1]|0x20 >= 'a' && s[w-1]|0x20 <= 'z' {
		w--
	}
	return month(s[w:i]), w
}

// monthYear reads "May 2024"; s[i:j] is the year.
func monthYear(s string, i, j int) (c civil, begin, end int) {
	c = civil{year: atoi(s[i:j]), day: 1, hour: -1, monthOnly: true}
	if c.month, begin = monthBefore(s, i); c.month == 0 || c.year < 1980 || c.year > 2049 || !delimits(s, j) {
		return c, 0, 0
	}
	return c, begin, j
}

// monthName reads "May 12, 2024" and "12 May 2024"; s[i:j] is the day.
func monthName(s string, i, j int) (c civil, begin, end int) {
	c = civil{day: atoi(s[i:j]), hour: -1}
	after := j
	if slices.Contains([]string{"st", "nd", "rd", "th"}, strings.ToLower(s[j:min(len(s), j+2)])) {
		after = j + 2
	}
	begin, end = i, after
	if c.month, begin = monthBefore(s, i); c.month == 0 {
		k := after
		for k < len(s) && (s[k] == ' ' || s[k] == '-' || s[k] == '\n') {
			k++
		}
		begin, end = i, k
		for end < len(s) && s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z' {
			end++
		}
		if c.month = month(s[k:end]); c.month == 0 {
			return c, 0, 0
		}
	}
	k := end
	for k < len(s) && strings.IndexByte(" ,.-\n", s[k]) >= 0 {
		k++
	}
	if stop := numberEnd(s, k); stop == k+4 && k > end {
		c.year = atoi(s[k:stop])
		return c, begin, stop
	}
	return c, 0, 0
}
