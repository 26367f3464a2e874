package article

import (
	"net/url"
	"strings"
	"time"

	"angler/crawl/htmldoc"

	"github.com/markusmobius/go-htmldate"
	"golang.org/x/net/html"
)

// DateSearched is the Page.DateWhy of a date of SearchDate.
const DateSearched = "htmldate"

// SearchDate runs go-htmldate in the sandbox. It finds forms and places of foreign content systems
// that PublicationDate does not know. It costs milliseconds, so it is for notices without another
// date. go-htmldate completes the year of a copyright line to 1 January, so SearchDate only
// accepts a date whose source has a day. why is "" without a date.
func SearchDate(t *htmldoc.Tree, now time.Time) (d Date, why string) {
	r, ok := htmldoc.RunParser(t, DateSearched, htmldoc.WholeDocument,
		func(doc *html.Node, u *url.URL) (htmldate.Result, error) {
			return htmldate.FromDocument(doc, htmldate.Options{UseOriginalDate: true, ExtractTime: true, URL: u.String(),
				MinDate: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), MaxDate: now.Add(DateHorizon)})
		})
	if !ok || r.IsZero() || !namesDay(r.SrcString, r.DateTime.Day()) {
		return Date{}, ""
	}
	at := r.DateTime
	if onlyOtherDates(t.Text, Date{Time: at}, now) || strings.ContainsRune(r.SrcString, '<') && !statesDay(r.SrcString, at) {
		return Date{}, ""
	}
	if !r.HasTime {
		return Date{Time: time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, Shanghai), Precision: Day},
			DateSearched
	}
	if !r.HasTimezone {
		at = time.Date(at.Year(), at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), 0, Shanghai)
	}
	if at = at.In(Shanghai); at.After(now.Add(DateHorizon)) {
		return Date{}, ""
	}
	return Date{Time: at, Precision: Minute}, DateSearched
}

// statesDay reports whether a piece of markup contains the complete date of a day. A project
// number, such as C2016-J1, is no date.
func statesDay(markup string, day time.Time) bool {
	for d := range eachDate(markup, time.Time{}, inText, len(markup)) {
		if sameDay(d.Time, day) {
			return true
		}
	}
	return false
}

// sameDay reports whether two times have the same date, each in its own zone.
func sameDay(a, b time.Time) bool { return a.Year() == b.Year() && a.YearDay() == b.YearDay() }

// namesDay reports whether a text contains the day as a number, or eight digits.
func namesDay(s string, day int) bool {
	for i := 0; i < len(s); {
		if s[i] < '0' || s[i] > '9' {
			i++
			continue
		}
		j := numberEnd(s, i)
		if j-i <= 2 && atoi(s[i:j]) == day || j-i >= 8 {
			return true
		}
		i = j
	}
	return false
}
