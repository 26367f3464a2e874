package article

import (
	"strings"
	"time"
	"unicode/utf8"
)

// The forms in which pages write dates, each read by hand at a number.

// yearFirst reads "2024-05-12" and its kin; s[i:j] is the year.
func yearFirst(s string, i, j int, short bool) (civil, int) {
	c := civil{year: atoi(s[i:j]), hour: -1}
	if c.year < 1980 || c.year > 2049 {
		return c, 0
	}
	k := separator(s, j, "年")
	if k == 0 {
		return c, 0
	}
	month, k := digits(s, k)
	if k == 0 || month < 1 || month > 12 {
		return c, 0
	}
	c.month = month
	if m := separator(s, k, "月"); m > 0 {
		if day, end := digits(s, m); end > 0 {
			c.day = day
			if strings.HasPrefix(s[end:], "日") || strings.HasPrefix(s[end:], "号") {
				end += len("日")
			}
			return c, end
		}
		return c, 0
	}
	// "2024-05" in one element, "12" in the next
	if short && k < len(s) && (s[k] == ' ' || s[k] == '\n') {
		if day, end := digits(s, blanks(s, k)); end > 0 && apart(s, end) {
			c.day = day
			return c, end
		}
	}
	return c, 0
}

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

// dayFirst reads the forms that begin with a day or month; s[i:j] are one or
// two digits.
func dayFirst(s string, i, j int, now time.Time, short bool) (civil, int) {
	c := civil{hour: -1}
	if i > 0 && !apart(s, i-lastRune(s, i)) {
		return c, 0
	}
	if c, end := american(s, i, j); end > 0 {
		return c, end
	}
	if !short {
		return c, 0
	}
	first := atoi(s[i:j])
	// "12 2024-05": a big day over a small month
	if k := blanks(s, j); k > j {
		if year, m := year4(s, k); m > 0 {
			if m = separator(s, m, "年"); m > 0 {
				if month, end := digits(s, m); end > 0 && separator(s, end, "月") == 0 {
					c.year, c.month, c.day = year, month, first
					return c, end
				} else if end > 0 && strings.HasPrefix(s[end:], "月") {
					c.year, c.month, c.day = year, month, first
					return c, end + len("月")
				}
			}
		}
	}
	k := separator(s, j, "月")
	if k == 0 {
		return c, 0
	}
	second, end := digits(s, k)
	if end == 0 {
		return c, 0
	}
	slash := strings.IndexByte(s[j:k], '/') >= 0
	if strings.IndexByte(s[j:k], '.') >= 0 && !strings.Contains(s[j:k], "月") && (j-i < 2 || end-k < 2) {
		return c, 0 // "1.2" is a chapter
	}
	c.month, c.day = first, second
	if strings.HasPrefix(s[end:], "日") || strings.HasPrefix(s[end:], "号") {
		end += len("日")
	}
	// "05-12 2024", "05-12-2024"
	m := blanks(s, end)
	if m < len(s) && s[m] == '-' {
		m++
	}
	if year, stop := year4(s, m); stop > 0 && m > end && (stop == len(s) || apart(s, stop)) {
		c.year = year
		if c.month > 12 {
			c.month, c.day = c.day, c.month
		}
		return c, stop
	}
	// "05-12" alone: the latest such day. A pager's "1/2" is none.
	if !apart(s, end) || slash && (j-i < 2 || end-k < 2) || pagerWord(s) || now.IsZero() {
		return c, 0
	}
	c.year, c.guessed = now.In(Shanghai).Year(), true
	if d, ok := c.date(time.Time{}); ok && d.Time.After(now.Add(DateHorizon)) {
		c.year--
	}
	return c, end
}

// american reads "9/17/2004", the month first; a first number above 12 is the
// day.
func american(s string, i, j int) (civil, int) {
	c := civil{hour: -1, month: atoi(s[i:j])}
	if j >= len(s) || s[j] != '/' {
		return c, 0
	}
	day, k := digits(s, j+1)
	if k == 0 || k >= len(s) || s[k] != '/' {
		return c, 0
	}
	year, end := year4(s, k+1)
	if end == 0 || !apart(s, end) {
		return c, 0
	}
	c.day, c.year = day, year
	if c.month > 12 {
		c.month, c.day = c.day, c.month
	}
	return c, end
}

func pagerWord(s string) bool {
	return strings.Contains(s, "页") || strings.Contains(s, "頁")
}

// lastRune returns the length of the rune that ends at i.
func lastRune(s string, i int) int {
	_, n := utf8.DecodeLastRuneInString(s[:i])
	return n
}

// year4 reads a year of exactly four digits at i.
func year4(s string, i int) (year, end int) {
	if i+4 > len(s) {
		return 0, 0
	}
	for k := i; k < i+4; k++ {
		if s[k] < '0' || s[k] > '9' {
			return 0, 0
		}
	}
	if i+4 < len(s) && s[i+4] >= '0' && s[i+4] <= '9' {
		return 0, 0
	}
	return atoi(s[i : i+4]), i + 4
}

// apart tells whether what stands at s[i:] sets a short date off from other
// text: the end, a space or a bracket.
func apart(s string, i int) bool {
	if i >= len(s) {
		return true
	}
	switch s[i] {
	case ' ', '\n', '\t', '[', ']', '(', ')', '|':
		return true
	}
	for _, p := range [...]string{"【", "】", "（", "）", "｜", "　"} {
		if strings.HasPrefix(s[i:], p) {
			return true
		}
	}
	return false
}

// clock reads a time of day right behind a date: "10:30", "T10:30:05+08:00",
// "10时30分".
func clock(s string, i int, c civil) (civil, int) {
	k := i
	iso := k < len(s) && s[k] == 'T'
	if iso {
		k++
	} else {
		k = blanks(s, k)
		if k-i > 4 {
			return c, i
		}
	}
	h, j := digits(s, k)
	if j == 0 || h > 23 {
		return c, i
	}
	var m int
	switch {
	case s[j:] == "":
		return c, i
	case s[j] == ':':
		m, j = digits(s, j+1)
	case strings.HasPrefix(s[j:], "："), strings.HasPrefix(s[j:], "时"), strings.HasPrefix(s[j:], "時"), strings.HasPrefix(s[j:], "点"):
		m, j = digits(s, j+3)
	default:
		return c, i
	}
	if j == 0 || m > 59 {
		return c, i
	}
	c.hour, c.minute = h, m
	if j < len(s) && s[j] == ':' {
		if sec, e := digits(s, j+1); e > 0 && sec < 60 {
			c.sec, j = sec, e
		}
	}
	if iso {
		c.zone, j = zone(s, j)
	} else if k := blanks(s, j); k+2 <= len(s) && s[k+1]|0x20 == 'm' && (k+2 == len(s) || !wordByte(s[k+2])) {
		switch {
		case s[k]|0x20 == 'p' && c.hour < 12:
			c.hour, j = c.hour+12, k+2
		case s[k]|0x20 == 'a' && c.hour == 12:
			c.hour, j = 0, k+2
		case s[k]|0x20 == 'a':
			j = k + 2
		}
	}
	return c, j
}

// zone reads "Z", "+08:00" or "+0800", after fractions of a second.
func zone(s string, i int) (*time.Location, int) {
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		}
	}
	if i >= len(s) {
		return nil, i
	}
	if s[i] == 'Z' {
		return time.UTC, i + 1
	}
	if s[i] != '+' && s[i] != '-' || i+5 > len(s) {
		return nil, i
	}
	rest := s[i+1:]
	h, m := rest[:2], rest[2:]
	if m[0] == ':' {
		m = m[1:]
	}
	if len(m) < 2 {
		return nil, i
	}
	m = m[:2]
	for _, part := range [...]string{h, m} {
		if part[0] < '0' || part[0] > '9' || part[1] < '0' || part[1] > '9' {
			return nil, i
		}
	}
	offset := atoi(h)*3600 + atoi(m)*60
	if offset > 14*3600 {
		return nil, i
	}
	end := i + 1 + len(rest) - len(rest[2:]) + (len(rest[2:]) - len(strings.TrimPrefix(rest[2:], ":"))) + 2
	if offset == 8*3600 && s[i] == '+' {
		return nil, end
	}
	if s[i] == '-' {
		offset = -offset
	}
	return time.FixedZone("", offset), end
}

var monthNames = [...]string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// month reads an English month name, short or long, from a word.
func month(word string) int {
	if len(word) < 3 || len(word) > 9 {
		return 0
	}
	for m, name := range monthNames {
		if strings.EqualFold(word[:3], name) {
			if len(word) == 3 || strings.EqualFold(word, time.Month(m+1).String()) || strings.EqualFold(word, "sept") {
				return m + 1
			}
		}
	}
	return 0
}

// nearLetter tells whether an ASCII letter stands beside s[i:j], at most two
// bytes away.
func nearLetter(s string, i, j int) bool {
	for k := max(0, i-2); k < min(len(s), j+2); k++ {
		if c := s[k] | 0x20; (k < i || k >= j) && c >= 'a' && c <= 'z' {
			return true
		}
	}
	return false
}

// monthName reads "May 12, 2024" and "12 May 2024"; s[i:j] is the day.
func monthName(s string, i, j int) (c civil, begin, end int) {
	c = civil{day: atoi(s[i:j]), hour: -1}
	if !nearLetter(s, i, j) {
		return c, 0, 0
	}
	after := j
	if j+2 <= len(s) {
		switch strings.ToLower(s[j : j+2]) {
		case "st", "nd", "rd", "th":
			after = j + 2
		}
	}
	k := i
	for k > 0 && (s[k-1] == ' ' || s[k-1] == '.') {
		k--
	}
	w := k
	for w > 0 && k-w < 10 && s[w-1]|0x20 >= 'a' && s[w-1]|0x20 <= 'z' {
		w--
	}
	if w < k {
		if c.month = month(s[w:k]); c.month > 0 {
			m := blanks(s, after)
			if m < len(s) && s[m] == ',' {
				m = blanks(s, m+1)
			}
			if year, stop := year4(s, m); stop > 0 && m > after {
				c.year = year
				return c, w, stop
			}
			return c, 0, 0
		}
	}
	k = after
	for k < len(s) && (s[k] == ' ' || s[k] == '-') {
		k++
	}
	w = k
	for w < len(s) && w-k < 10 && s[w]|0x20 >= 'a' && s[w]|0x20 <= 'z' {
		w++
	}
	if w > k {
		if c.month = month(s[k:w]); c.month > 0 {
			for w < len(s) && (s[w] == ' ' || s[w] == ',' || s[w] == '.' || s[w] == '-') {
				w++
			}
			if year, stop := year4(s, w); stop > 0 {
				c.year = year
				return c, i, stop
			}
		}
	}
	return c, 0, 0
}
