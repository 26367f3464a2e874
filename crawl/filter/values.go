package filter

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// This file parses the values of fields. Each function returns a matcher, or the reason why the value is invalid.

func text[T any](f *Field[T], p piece) (func(*T) bool, string) {
	holds, why := textual(p)
	if f.Some != nil {
		return f.Some(holds), why
	}
	return func(row *T) bool { return slices.ContainsFunc(f.Text(row), holds) }, why
}

func textual(p piece) (holds func(string) bool, why string) {
	if p.op != ":" && p.op != "=" {
		return nil, "it is a text and takes : only"
	}
	want := strings.ToLower(p.value)
	return func(s string) bool { return holdsWord(s, want) }, ""
}

// holdsWord reports whether s contains a lower-case word, ignoring the case of s.
func holdsWord(s, word string) bool {
	for i := 0; i < len(s); i++ {
		// Chinese in UTF-8 has no byte below 0x80, and other letters are rare here.
		if c := s[i]; c >= 'A' && c <= 'Z' || c >= 0xc3 && c < 0xe3 {
			return strings.Contains(strings.ToLower(s), word)
		}
	}
	return strings.Contains(s, word)
}

func flag[T any](f *Field[T], p piece) (func(*T) bool, string) {
	name := strings.ToLower(p.value)
	if other, ok := f.Shown[name]; ok {
		name = other
	}
	match, ok := f.Flags[name]
	if !ok || p.op != ":" && p.op != "=" {
		return nil, "it is none of what can be asked"
	}
	return match, ""
}

var scales = []struct {
	suffix string
	by     float64
}{{"万亿", 1e12}, {"亿", 1e8}, {"万", 1e4}, {"w", 1e4}, {"k", 1e3}}

func number[T any](f *Field[T], p piece) (func(*T) bool, string) {
	holds, why := numeric(p)
	return func(row *T) bool {
		v, known := f.Number(row)
		return known && holds(v)
	}, why
}

func numeric(p piece) (holds func(float64) bool, why string) {
	s, by := strings.ToLower(strings.TrimSuffix(p.value, "元")), 1.
	for _, x := range scales {
		if rest, ok := strings.CutSuffix(s, x.suffix); ok {
			s, by = rest, x.by
			break
		}
	}
	want, err := strconv.ParseFloat(strings.ReplaceAll(s, ",", ""), 64)
	if err != nil {
		return nil, "it is no number"
	}
	want *= by
	return func(v float64) bool {
		switch p.op {
		case "<":
			return v < want
		case "<=":
			return v <= want
		case ">":
			return v > want
		case ">=":
			return v >= want
		}
		return v == want
	}, ""
}

// day compares with a whole day, month or year.
func day[T any](f *Field[T], p piece, now time.Time) (func(*T) bool, string) {
	from, to, ok := period(p.value, now)
	if !ok {
		return nil, "it is no day"
	}
	return func(row *T) bool {
		t := f.Day(row)
		if t.IsZero() {
			return false
		}
		switch p.op {
		case "<":
			return t.Before(from)
		case "<=":
			return t.Before(to)
		case ">":
			return !t.Before(to)
		case ">=":
			return !t.Before(from)
		}
		return !t.Before(from) && t.Before(to)
	}, ""
}

func period(s string, now time.Time) (from, to time.Time, ok bool) {
	today := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch s {
	case "today", "今天":
		return today, today.AddDate(0, 0, 1), true
	case "yesterday", "昨天":
		return today.AddDate(0, 0, -1), today, true
	}
	s = strings.NewReplacer("/", "-", ".", "-").Replace(s)
	for _, x := range []struct {
		form          string
		years, months int
		days          int
	}{{"2006-1-2", 0, 0, 1}, {"2006-1", 0, 1, 0}, {"2006", 1, 0, 0}} {
		if t, err := time.ParseInLocation(x.form, s, now.Location()); err == nil {
			return t, t.AddDate(x.years, x.months, x.days), true
		}
	}
	return from, to, false
}

var units = []struct {
	suffix string
	by     time.Duration
}{{"小时", time.Hour}, {"个月", month}, {"天", dayLong}, {"日", dayLong}, {"周", 7 * dayLong},
	{"月", month}, {"年", 365 * dayLong},
	{"h", time.Hour}, {"d", dayLong}, {"w", 7 * dayLong}, {"m", month}, {"y", 365 * dayLong}}

const (
	dayLong = 24 * time.Hour
	month   = 30 * dayLong
	maxSpan = 200 * 365 // days
)

func span[T any](f *Field[T], p piece, now time.Time) (func(*T) bool, string) {
	for _, u := range units {
		head, ok := strings.CutSuffix(strings.ToLower(p.value), u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(head, 64)
		if err != nil || n < 0 || n*float64(u.by) > float64(maxSpan*dayLong) {
			break
		}
		want := time.Duration(n * float64(u.by))
		return func(row *T) bool {
			t := f.Until(row)
			if t.IsZero() {
				return false
			}
			d := now.Sub(t)
			if f.Ahead {
				if d = -d; d < 0 && p.op != ">" && p.op != ">=" {
					return false // in the past
				}
			}
			switch p.op {
			case "<":
				return d < want
			case "<=", ":", "=":
				return d <= want
			case ">":
				return d > want
			}
			return d >= want
		}, ""
	}
	return nil, "it is no span of time"
}
