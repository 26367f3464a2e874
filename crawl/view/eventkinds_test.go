package view

import (
	"fmt"
	"testing"
	"time"
)

func TestEventsOfOneKindFold(t *testing.T) {
	at := time.Unix(0, 0)
	l := EventLog{Now: func() time.Time { at = at.Add(time.Second); return at }}
	for i := range 312 {
		l.Note("warn", "HTTP status 404 · http://a.test/%d.htm · asked again in %d days", i, i%9)
	}
	l.Note("warn", "HTTP status 503 · http://a.test/ · asked again in 4s")
	l.Note("warn", "dns: lookup x.test: no such host · http://x.test/ · asked again in 1h")
	l.Note("warn", "dns: lookup y.test: no such host · http://y.test/ · asked again in 1h")
	l.Did("wang", "budget 100 pages")
	l.Did("wang", "budget 900 pages")
	l.Did("li", "budget 900 pages")
	l.Note("info", "sitemap http://a.test/sitemap.xml: 3 addresses, 0 sitemaps")
	l.Note("error", "HTTP status 404 · http://a.test/ · asked again in 1s") // another rank
	kinds := l.Kinds()
	want := []struct {
		n      int
		newest string
	}{
		{1, "HTTP status 404 · http://a.test/ · asked again in 1s"}, {1, "sitemap http://a.test/sitemap.xml: 3 addresses, 0 sitemaps"}, {1, "li: budget 900 pages"},
		{2, "wang: budget 900 pages"}, {2, "dns: lookup y.test: no such host · http://y.test/ · asked again in 1h"}, {1, "HTTP status 503 · http://a.test/ · asked again in 4s"},
		{312, "HTTP status 404 · http://a.test/311.htm · asked again in 5 days"},
	}
	if len(kinds) != len(want) {
		t.Fatalf("%d kinds, want %d: %+v", len(kinds), len(want), kinds)
	}
	for i, w := range want {
		if kinds[i].N != w.n || kinds[i].Newest.Text.String() != w.newest {
			t.Errorf("kind %d is ×%d %q, want ×%d %q", i, kinds[i].N, kinds[i].Newest.Text, w.n, w.newest)
		}
	}
	all := l.Of(kinds[6].Key)
	if len(all) != maxPerKind || all[0].Text.String() != want[6].newest || !all[0].At.After(all[1].At) {
		t.Errorf("of ×312 %d are kept, the first is %+v", len(all), all[0])
	}
	if again := l.Kinds(); &again[0] != &kinds[0] {
		t.Error("nothing happened and the kinds were made anew")
	}
	if l.Of("no such kind") != nil {
		t.Error("a kind that never was has events")
	}
}

// The number of kinds and events is bounded; the newest stay.
func TestKindsAreBounded(t *testing.T) {
	var l EventLog
	for i := range 10 * maxKinds {
		l.Note("info", "%s happened", string(rune('a'+i%26))+string(rune('a'+i/26)))
	}
	kinds := l.Kinds()
	if len(kinds) != maxKinds || kinds[0].Newest.Text.String() != fmt.Sprintf("%s happened", string(rune('a'+(10*maxKinds-1)%26))+string(rune('a'+(10*maxKinds-1)/26))) {
		t.Errorf("%d kinds, the newest %+v", len(kinds), kinds[0])
	}
}
