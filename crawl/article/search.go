package article

import (
	"net/url"
	"strings"
	"time"

	"angler/crawl/htmldoc"

	"github.com/markusmobius/go-htmldate"
	"golang.org/x/net/html"
)

// DateSearched is the place of a date that SearchDate found.
const DateSearched = "htmldate"

// SearchDate asks go-htmldate, which knows forms and places of foreign content
// systems that PublicationDate does not. It costs milliseconds, so it is for a notice
// without any other date, and it runs in the sandbox. go-htmldate completes a
// year in a copyright line to a first of January, so only a date whose source
// names a day is believed.
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
	if onlyOtherDates(t.Text, Date{Time: at}, now) || strings.ContainsRune(r.SrcString, '<') && !states(r.SrcString, at) {
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

// states reports whether a piece of markup states a day in full: a number of a project,
// such as C2016-J1, is no date.
func states(markup string, day time.Time) bool {
	for {
		d, _, end, ok := FindDate(markup, time.Time{})
		if !ok || d.Time.Month() == day.Month() && d.Time.Day() == day.Day() && d.Time.Year() == day.Year() {
			return ok
		}
		markup = markup[end:]
	}
}

// namesDay reports whether a text holds the day as a number of its own or the
// eight digits of a whole date.
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
