package page

import (
	"net/url"
	"time"

	"github.com/markusmobius/go-htmldate"
	"golang.org/x/net/html"
)

// dateSearch is the last link of the date chain.
const dateSearch = "htmldate"

// searchDate asks go-htmldate, which knows forms and places of foreign content
// systems that the chain does not. It costs milliseconds, so only a notice
// without any other date comes here, under the guards of every reader. It also
// completes a year in a copyright line to a first of January: only a date
// whose source names a day is believed.
func searchDate(in mainInput, now time.Time) (Date, string) {
	r, ok := guarded(in, dateSearch, func(doc *html.Node, u *url.URL) (htmldate.Result, error) {
		return htmldate.FromDocument(doc, htmldate.Options{UseOriginalDate: true, ExtractTime: true, URL: u.String(),
			MinDate: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC), MaxDate: now.Add(horizon)})
	})
	if !ok || r.IsZero() || !namesDay(r.SrcString, r.DateTime.Day()) {
		return Date{}, ""
	}
	t := r.DateTime
	if !r.HasTime {
		return Date{Time: time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, shanghai), Precision: Day}, dateSearch
	}
	if !r.HasTimezone {
		t = time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, shanghai)
	}
	if t = t.In(shanghai); t.After(now.Add(horizon)) {
		return Date{}, ""
	}
	return Date{Time: t, Precision: Minute}, dateSearch
}

// namesDay tells whether a text holds the day as a number of its own or the
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
