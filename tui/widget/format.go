package widget

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"angler/tui/i18n"
)

// Either returns yes if on, no otherwise.
func Either[T any](on bool, yes, no T) T {
	if on {
		return yes
	}
	return no
}

// Map returns f of each element.
func Map[S, T any](list []S, f func(S) T) []T {
	var out []T
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}

// OrDash returns the text and style of a cell, – if the value is not known.
func OrDash(known bool, text string, st Style) (string, Style) {
	return Either(known, text, "–"), Either(known, st, Dim)
}

// OrDot returns the text and style of a cell, · if there is none.
func OrDot(some bool, text string, st Style) (string, Style) {
	return Either(some, text, "·"), Either(some, st, Dim)
}

// Count renders n with a space between thousands: 18 204.
func Count(n int) string { return i18n.Count(n) }

// Score renders a number of 0 … 1 with n digits and without the leading zero: .340; 1 stays 1.00.
// NaN is shown as –.
func Score(v float64, n int) string {
	if v != v {
		return "–"
	}
	s := strconv.FormatFloat(v, 'f', n, 64)
	if strings.HasPrefix(s, "0.") {
		return s[1:]
	}
	if strings.HasPrefix(s, "-0.") {
		return "-" + s[2:]
	}
	return s
}

// Percent renders a share of 0 … 1: 2.1 %.
func Percent(v float64) string {
	if v != v {
		return "–"
	}
	return strconv.FormatFloat(v*100, 'f', 1, 64) + " %"
}

// Span renders a duration for a status line: 0.2 s, 12 s, 9 min, 3 h, 9 d.
func Span(d time.Duration) string {
	switch d = max(0, d); {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < 2*time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 72*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d d", int(d.Hours()/24))
}

// Left renders a remaining time, by the second: 43 s, 3 min, 2 h. It shows at least a second.
func Left(d time.Duration) string {
	return Whole(d + time.Second - 1)
}

// Whole is Span without tenths of a second, so that it changes at most once a second.
func Whole(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%d s", int(max(0, d).Seconds()))
	}
	return Span(d)
}

// When renders a moment in the past in at most five cells: the time if today, the day if this year,
// or the year; "–" for the zero time.
func When(at, now time.Time) string {
	at, now = at.Local(), now.Local()
	switch {
	case at.IsZero():
		return "–"
	case at.Year() != now.Year():
		return at.Format("2006")
	case at.YearDay() != now.YearDay():
		return at.Format("01-02")
	}
	return at.Format("15:04")
}

// Until renders the time until an event: "now", or the remaining span, by the second.
func Until(at, now time.Time) string {
	if at.IsZero() || !at.After(now) {
		return "now"
	}
	return Left(at.Sub(now))
}

// soonAfter is the longest wait shown as "soon".
const soonAfter = 5 * time.Second

// Next renders when a host or an address may be fetched: "soon" within five seconds, the usual
// pause of a polite crawl, or the time of day, which does not change while many rows are shown.
func Next(at, now time.Time) string {
	switch {
	case at.Sub(now) <= soonAfter:
		return "soon"
	case at.Sub(now) < 20*time.Hour:
		return at.Format(time.TimeOnly)
	}
	return at.Format("01-02")
}

// Bytes renders a size: 812 B, 3.4 KB, 120 MB, 1.2 GB.
func Bytes(n int64) string {
	v, unit := float64(max(0, n)), "B"
	for _, next := range []string{"KB", "MB", "GB", "TB"} {
		if v < 1000 {
			break
		}
		v, unit = v/1000, next
	}
	if v < 10 && unit != "B" {
		return strconv.FormatFloat(v, 'f', 1, 64) + " " + unit
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + " " + unit
}
