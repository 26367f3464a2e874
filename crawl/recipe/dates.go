package recipe

import (
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"angler/crawl/article"
)

// This file reads the dates of rows.

// Years of credible dates; epoch 0 and similar values mean none.
const (
	firstYear = 1980
	lastYear  = 2049
)

// date parses a value as a date: text in any form of article.FindDate, 14, 12 or 8 digits, RFC 3339, or seconds or
// milliseconds since 1970. The zero Date means none.
func (r *Recipe) date(v gjson.Result) article.Date {
	s := strings.TrimSpace(textOf(v))
	if s == "" || len(s) > 200 {
		return article.Date{}
	}
	zone := r.zone()
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		for _, form := range [...]string{"20060102", "200601021504", "20060102150405"} {
			if t, err := time.ParseInLocation(form, s, zone); err == nil && credible(t) {
				return dateOf(t)
			}
		}
		switch len(s) {
		case 9, 10:
			return dateOf(time.Unix(n, 0).In(zone))
		case 12, 13:
			return dateOf(time.UnixMilli(n).In(zone))
		case 16:
			return dateOf(time.UnixMicro(n).In(zone))
		}
		return article.Date{}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil && f > 3e8 && f < 4e12 { // 1.7e12
		if f > 1e11 {
			return dateOf(time.UnixMilli(int64(f)).In(zone))
		}
		return dateOf(time.Unix(int64(f), 0).In(zone))
	}
	// /Date(1700000000000+0800)/
	if rest, ok := strings.CutPrefix(s, "/Date("); ok {
		n, err := strconv.ParseInt(rest[:max(0, strings.IndexAny(rest, "+)"))], 10, 64)
		if err != nil {
			return article.Date{}
		}
		return dateOf(time.UnixMilli(n).In(zone))
	}
	for _, form := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999999Z0700"} {
		if t, err := time.Parse(form, s); err == nil {
			return dateOf(t.In(zone))
		}
	}
	s = strings.Replace(s, "T", " ", 1)
	if d, _, _, ok := article.FindDate(s, time.Time{}); ok && credible(d.Time) {
		if zone != article.Shanghai {
			t := d.Time
			d.Time = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
		}
		if d.Precision == article.Minute && d.Time.Hour() == 0 && d.Time.Minute() == 0 {
			d.Precision = article.Day
		}
		return d
	}
	return article.Date{}
}

// dateOf returns a date with minutes, or a day at midnight.
func dateOf(t time.Time) article.Date {
	if !credible(t) {
		return article.Date{}
	}
	if t.Hour() == 0 && t.Minute() == 0 {
		return article.Date{Time: t, Precision: article.Day}
	}
	return article.Date{Time: t, Precision: article.Minute}
}

func credible(t time.Time) bool { return t.Year() >= firstYear && t.Year() <= lastYear }

func allDigits(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0
}
