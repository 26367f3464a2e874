package view

import (
	"testing"

	"angler/crawl/fetch"
	"angler/store"
)

// Before pages have scores the number of lists is unknown.
func TestListsAreCountedOnceThereAreScores(t *testing.T) {
	s := Snapshot{Counts: Counts{Samples: 2}}
	if got := s.Lists(); got != "scores are being read" {
		t.Errorf("without scores: %q", got)
	}
	s.ModelRev, s.Counts.Aggregations = 7, 31
	if got := s.Lists(); got != "31 aggregation pages" {
		t.Errorf("with scores: %q", got)
	}
	if none := (&Snapshot{}); none.Lists() != "0 aggregation pages" {
		t.Errorf("without samples: %q", none.Lists())
	}
}

// Every reason for which a fetch brought no page is of the kind that says what helps.
func TestKindsOfReasons(t *testing.T) {
	for reason, want := range map[string]string{
		"HTTP status 404": Gone, "HTTP status 403": Refused, "HTTP status 503": Faulty, "HTTP status 204": NoPage,
		"soft 404: 页面不存在": Gone, "its list does not hold the row any more": Gone,
		"captcha": Refused, "robots: robots.txt forbids it": Barred, "robots: Disallow: /a": Barred, "robots.txt forbids it (Disallow: /a)": Barred, "dns: no such host": Unreachable,
		string(fetch.Robots): Barred, string(fetch.Guard): Barred, string(fetch.BadURL): Barred, string(fetch.Redirect): Barred,
		string(fetch.RobotsUnavailable): Unreachable, string(fetch.TLS): Unreachable, "http 404": Gone,
		"no page: image/png": NoPage, "recipe does not fit: jy: the reply has no data.records": NoPage,
	} {
		if got := KindOf(store.ReadFailure(reason).Kind); got != want {
			t.Errorf("%q is of the kind %s, want %s", reason, got, want)
		}
	}
}
