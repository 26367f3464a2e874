package article

import (
	"cmp"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// DatePrecision is the precision of a Date.
type DatePrecision uint8

// The precisions; NoDate is the zero value. DayGuessed and MinuteGuessed mean that the page
// states day and month but no year. The time of a Month is its first day.
const (
	NoDate DatePrecision = iota
	Day
	Minute
	DayGuessed
	MinuteGuessed
	Month
)

// Date is a point in time on a page, in Asia/Shanghai unless the page states another zone.
type Date struct {
	Time      time.Time
	Precision DatePrecision
}

// IsZero reports whether no date is known.
func (d Date) IsZero() bool { return d.Precision == NoDate }

// Guessed reports whether the year is guessed.
func (d Date) Guessed() bool { return d.Precision == DayGuessed || d.Precision == MinuteGuessed }

// dateForms are the layouts of String by precision.
var dateForms = [...]string{NoDate: "", Day: "2006-01-02", Minute: "2006-01-02 15:04", DayGuessed: "2006?-01-02",
	MinuteGuessed: "2006?-01-02 15:04", Month: "2006-01"}

// String formats a Day as 2006-01-02, a Minute as 2006-01-02 15:04, a Month as 2006-01 and NoDate
// as "". A guessed year has a question mark, 2006?-01-02, as in ISO 8601-2.
func (d Date) String() string { return d.Time.Format(dateForms[d.Precision]) }

// Shanghai is the zone of dates without one. China has had UTC+8 without daylight saving since
// 1991.
var Shanghai = time.FixedZone("Asia/Shanghai", 8*3600)

// DateHorizon is the maximum distance of a date after now. A notice is dated ahead by a day at
// most. A later date is a deadline or a mistake.
const DateHorizon = 48 * time.Hour

// FindDate returns the first complete date (year, month, day) of s that is at most DateHorizon
// after now, and its bytes s[start:end]. It includes a time of day right behind the date. A zero
// now allows all dates from 1980 to 2049. ok is false without a date. It does not allocate.
//
// It reads 2024-05-12, the same with dots, slashes or 年月日, in ASCII and full-width digits
// and Chinese numerals (二〇二四年五月十二日), years of eras (民国113年, 令和6年), May 12, 2024,
// 5/12/2024 and 20240512.
func FindDate(s string, now time.Time) (d Date, start, end int, ok bool) {
	return scan(s, now, inText)
}

// FindShortDate is FindDate with more forms, which only count in the short text of a list item:
// "05-12", "24-05-12", "113/05/12", and parts in elements of their own, such as "12 2024-05",
// "2024-05 12", "05-12 2024". It guesses a missing year as that of the latest such day. A month
// alone (2024-05) is a date if s has no other.
func FindShortDate(s string, now time.Time) (d Date, start, end int, ok bool) {
	return scan(s, now, inRow)
}

// findFull is FindDate for a text after a label of a date, where a year may have two digits.
func findFull(s string, now time.Time) (d Date, start, end int, ok bool) {
	d, start, end, ok = scan(s, now, inRow)
	if d.Guessed() || d.Precision == Month {
		return FindDate(s, now)
	}
	return d, start, end, ok
}

// FindTime is FindDate for the text of a notice. A date may lie in the future, and eight digits
// are a project number.
func FindTime(s string) (d Date, start, end int, ok bool) {
	return scan(s, time.Time{}, inField)
}

// datePlace is the kind of text around a date. It selects the forms of dates that scan reads.
type datePlace uint8

const (
	inText datePlace = iota
	inRow
	inField
)

// scan returns the first date of s. See FindDate, FindShortDate and FindTime.
func scan(s string, now time.Time, place datePlace) (d Date, start, end int, ok bool) {
	var month Date
	var monthAt, monthEnd int
	han := htmldoc.ContainsHan(s, "年") || htmldoc.ContainsHan(s, "月") // else no numeral is a part of a date
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c < '0' || c > '9' && c < 0xE3:
			i++
			continue
		case c >= utf8.RuneSelf && (c != 0xEF && !han || numeral(s, i) < 0):
			if i++; i+1 < len(s) && s[i] >= utf8.RuneSelf && s[i+1] >= utf8.RuneSelf && c < 0xF0 {
				i += 2
			}
			continue
		}
		_, n, j := number(s, i)
		var c civil
		begin, stop := i, 0
		switch {
		case s[i] <= '9' && (n == 8 || n == 12 || n == 14):
			if place != inField && (i == 0 || !wordByte(s[i-1])) && (j == len(s) || !wordByte(s[j]) || s[j] == 'T') {
				c, stop = compact(s[i:j]), j
			}
		case n <= 2 && s[i] <= '9' && nearLetter(s, i, j):
			if c, begin, stop = monthName(s, i, j); stop > 0 {
				break
			}
			begin = i
			fallthrough
		case n <= 4:
			if c, stop = numericDate(s, i, j, now, place); stop == 0 && n == 4 && place == inRow {
				c, begin, stop = monthYear(s, i, j)
			}
		}
		if stop > 0 && c.monthOnly {
			if d, ok := c.date(now); ok && month.IsZero() {
				month, monthAt, monthEnd = d, begin, stop
			}
		} else if stop > 0 && c.valid() {
			if c.hour < 0 {
				c, stop = clock(s, stop, c)
			}
			if d, ok := c.date(now); ok {
				return d, begin, stop, true
			}
			i = stop
			continue
		}
		i = j
	}
	return month, monthAt, monthEnd, !month.IsZero()
}

// civil is a date in the form of a text. hour is -1 without a time of day.
type civil struct {
	year, month, day  int
	hour, minute, sec int
	zone              *time.Location
	guessed           bool // the year is guessed
	monthOnly         bool // the day is unknown; day is 1
}

func (c civil) valid() bool {
	return c.year >= 1980 && c.year <= 2049 && c.month >= 1 && c.month <= 12 && c.day >= 1 && c.day <= 31 &&
		(c.day <= 28 || c.day <= time.Date(c.year, time.Month(c.month)+1, 0, 0, 0, 0, 0, time.UTC).Day())
}

func (c civil) date(now time.Time) (Date, bool) {
	zone := cmp.Or(c.zone, Shanghai)
	d := Date{time.Date(c.year, time.Month(c.month), c.day, max(0, c.hour), c.minute, c.sec, 0, zone), Day}
	if c.hour >= 0 {
		d.Precision = Minute
		if zone != Shanghai {
			d.Time = d.Time.In(Shanghai)
		}
	}
	if !now.IsZero() && d.Time.After(now.Add(DateHorizon)) {
		return Date{}, false
	}
	switch {
	case c.monthOnly:
		d.Precision = Month
	case c.guessed:
		d.Precision += DayGuessed - Day
	}
	return d, true
}

func wordByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
}

func atoi(s string) int {
	n := 0
	for i := 0; i < len(s); i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// skipBlanks returns the index of the first byte from i on that is no white space.
func skipBlanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// digits reads a number of one or two digits at i. end is 0 without one.
func digits(s string, i int) (v, end int) {
	v, n, end := number(s, i)
	if n < 1 || n > 2 {
		return 0, 0
	}
	return v, end
}

// number reads the number at s[i:] in ASCII digits, full-width digits or Chinese numerals. It
// returns its value, its number of digits and its end. The value of more than four digits is 0.
func number(s string, i int) (v, n, end int) {
	j := numberEnd(s, i)
	if n = j - i; n > 4 {
		return 0, n, j
	} else if n > 0 {
		return atoi(s[i:j]), n, j
	}
	return spelled(s, i)
}

// maxFigures bounds the characters of a number in Chinese numerals.
const maxFigures = 9

// spelled is number for full-width digits and Chinese numerals: 二〇二四, 二0二四, 十二, 廿九, 一百一十四.
func spelled(s string, i int) (v, n, end int) {
	last, sum, tens := 0, 0, false // value of the digits since the last ten, and value before them
	for end = i; n < maxFigures && end < len(s); n++ {
		d, size := numeral(s, end), 3
		if d < 0 && n > 0 {
			d, size = figureAmongNumerals(s, end)
		}
		if d < 0 {
			break
		}
		switch {
		case d == 10 || d == 100:
			sum, last, tens = sum+max(1, last)*d, 0, true
		case d > 10:
			sum, tens = sum+d, true
		default:
			last = last*10 + d
		}
		end += size
	}
	if v = sum + last; tens {
		n = len("0")
		for k := v; k >= 10; k /= 10 {
			n++
		}
	}
	if n > 4 {
		v = 0
	}
	return v, n, end
}

// numerals are the Chinese numerals of dates, three bytes each. numeralValues are their values.
const numerals = "〇零一二三四五六七八九十廿卅百"

var numeralValues = [...]int{0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 100}

// numeral returns the value of the full-width digit or Chinese numeral s[i:i+3], -1 for other text.
func numeral(s string, i int) int {
	if i+3 > len(s) || s[i] < 0xE3 {
		return -1
	}
	sign := s[i : i+3]
	if at := strings.Index(numerals, sign); at >= 0 {
		return numeralValues[at/3]
	}
	switch {
	case sign >= "０" && sign <= "９":
		return int(s[i+2] - 0x90)
	case sign == "元" && (strings.HasPrefix(s[i+3:], "年") || strings.HasPrefix(s[i+3:], "月")):
		return 1
	}
	return -1
}

// figureAmongNumerals returns the value and the bytes of an ASCII digit among Chinese numerals, or of
// a circle or letter that looks like 〇. The value is -1 for other text.
func figureAmongNumerals(s string, i int) (v, size int) {
	if c := s[i]; c >= '0' && c <= '9' {
		return int(c - '0'), 1
	}
	for _, zero := range [...]string{"○", "O", "o", "О", "Ο", "Ｏ", "◯"} {
		if strings.HasPrefix(s[i:], zero) {
			return 0, len(zero)
		}
	}
	return -1, 0
}

// numberEnd returns the end of the digits at i.
func numberEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}
