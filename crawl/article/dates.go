package article

import (
	"strings"
	"time"
	"unicode/utf8"
)

// DatePrecision says how much of a Date is known.
type DatePrecision uint8

// Known precisions; NoDate is the zero value. The guessed ones are those of a date
// whose page states day and month, and no year.
const (
	NoDate DatePrecision = iota
	Day
	Minute
	DayGuessed
	MinuteGuessed
)

// Date is a point in time as a page states it, in Asia/Shanghai unless the
// page says otherwise.
type Date struct {
	Time      time.Time
	Precision DatePrecision
}

// IsZero reports whether no date is known.
func (d Date) IsZero() bool { return d.Precision == NoDate }

// Guessed reports whether the year is guessed.
func (d Date) Guessed() bool { return d.Precision == DayGuessed || d.Precision == MinuteGuessed }

// String renders 2006-01-02, with " 15:04" when the minute is known, "" when
// nothing is. A guessed year has a question mark, 2006?-01-02, as in ISO 8601-2.
func (d Date) String() string {
	switch d.Precision {
	case Day:
		return d.Time.Format("2006-01-02")
	case Minute:
		return d.Time.Format("2006-01-02 15:04")
	case DayGuessed:
		return d.Time.Format("2006?-01-02")
	case MinuteGuessed:
		return d.Time.Format("2006?-01-02 15:04")
	}
	return ""
}

// Shanghai is the zone of a page that states none. China has kept UTC+8
// without daylight saving since 1991.
var Shanghai = time.FixedZone("Asia/Shanghai", 8*3600)

// DateHorizon is how far in the future a date may lie. A notice is dated ahead by a
// day at most; a later date is a deadline or a mistake.
const DateHorizon = 48 * time.Hour

// FindDate returns the first date of s that is complete (year, month, day) and not
// more than two days after now, with the time of day when it stands right
// behind, and the bytes s[start:end] that it takes. now may be zero: no date
// is too late then. Years 1980 to 2049. ok is false when there is none. It does
// not allocate.
func FindDate(s string, now time.Time) (d Date, start, end int, ok bool) {
	return scan(s, now, false)
}

// FindShortDate is FindDate with the forms that are only trusted in the small text of a
// list item: "05-12", "12 2024-05", "2024-05 12", "05-12 2024", too. The year of the
// first is guessed as that of the latest such day.
func FindShortDate(s string, now time.Time) (d Date, start, end int, ok bool) {
	return scan(s, now, true)
}

// scan reads s from number to number; short allows the forms of FindShortDate.
func scan(s string, now time.Time, short bool) (d Date, start, end int, ok bool) {
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			i++
			continue
		}
		j := i
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		var ymd civil
		begin, stop := i, 0
		switch n := j - i; {
		case n == 4:
			ymd, stop = yearFirst(s, i, j, short)
		case n == 8 || n == 12 || n == 14:
			if (i == 0 || !wordByte(s[i-1])) && (j == len(s) || !wordByte(s[j]) || s[j] == 'T') {
				ymd, stop = compact(s[i:j]), j
			}
		case n <= 2:
			if ymd, begin, stop = monthName(s, i, j); stop == 0 {
				begin = i
				ymd, stop = dayFirst(s, i, j, now, short)
			}
		}
		if stop > 0 && ymd.valid() {
			if ymd.hour < 0 {
				ymd, stop = clock(s, stop, ymd)
			}
			if d, ok := ymd.date(now); ok {
				return d, begin, stop, true
			}
			i = stop
			continue
		}
		i = j
	}
	return Date{}, 0, 0, false
}

// civil is a date as written; hour is -1 when no time is given.
type civil struct {
	year, month, day  int
	hour, minute, sec int
	zone              *time.Location
	guessed           bool // the year
}

func (c civil) valid() bool {
	if c.year < 1980 || c.year > 2049 || c.month < 1 || c.month > 12 || c.day < 1 || c.day > 31 {
		return false
	}
	return c.day <= 28 || c.day <= time.Date(c.year, time.Month(c.month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func (c civil) date(now time.Time) (Date, bool) {
	zone := c.zone
	if zone == nil {
		zone = Shanghai
	}
	d := Date{Precision: Day}
	if c.hour >= 0 {
		d.Precision = Minute
		d.Time = time.Date(c.year, time.Month(c.month), c.day, c.hour, c.minute, c.sec, 0, zone)
		if zone != Shanghai {
			d.Time = d.Time.In(Shanghai)
		}
	} else {
		d.Time = time.Date(c.year, time.Month(c.month), c.day, 0, 0, 0, 0, zone)
	}
	if !now.IsZero() && d.Time.After(now.Add(DateHorizon)) {
		return Date{}, false
	}
	if c.guessed {
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

// blanks returns the index of the first byte at or after i that is no space.
func blanks(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\r') {
		i++
	}
	return i
}

// digits reads a number of one or two digits at i that no third digit follows;
// end is 0 when there is none.
func digits(s string, i int) (v, end int) {
	j := i
	for j < len(s) && j-i < 3 && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	if j == i || j-i > 2 {
		return 0, 0
	}
	return atoi(s[i:j]), j
}

// separator reads a date separator at i: - / . or the given Chinese sign, in
// either width, spaces around it allowed.
func separator(s string, i int, sign string) int {
	i = blanks(s, i)
	if i >= len(s) {
		return 0
	}
	if s[i] == '-' || s[i] == '/' || s[i] == '.' {
		return blanks(s, i+1)
	}
	if s[i] >= utf8.RuneSelf {
		if strings.HasPrefix(s[i:], sign) {
			return blanks(s, i+len(sign))
		}
		for _, wide := range [...]string{"－", "／", "．", "–", "—"} {
			if strings.HasPrefix(s[i:], wide) {
				return blanks(s, i+len(wide))
			}
		}
	}
	return 0
}

// numberEnd returns the end of the digits at i.
func numberEnd(s string, i int) int {
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return i
}
