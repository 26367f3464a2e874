package crawl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/query"
)

// gauge is what the metrics of an engine say under a name.
func gauge(t *testing.T, e *crawl.Engine, name string) int {
	t.Helper()
	var b bytes.Buffer
	must(t, e.WriteMetrics(&b))
	for line := range strings.Lines(b.String()) {
		var v float64
		if n, _ := fmt.Sscanf(line, name+" %g", &v); n == 1 {
			return int(v)
		}
	}
	t.Fatalf("the metrics say nothing of %s", name)
	return 0
}

// kinOf are all notices as the inbox lists them, and the explanation of one.
func kinOf(t *testing.T, e *crawl.Engine) (rows []inbox.ListedNotice, explain func(id uint64) *query.ExplainedRelations) {
	t.Helper()
	b, err := e.Inbox.List(t.Context(), inbox.Request{})
	must(t, err)
	return b.Rows, func(id uint64) *query.ExplainedRelations {
		u, err := e.Workspace().URL(id)
		if err != nil || u == nil {
			t.Fatalf("%v, %v", u, err)
		}
		x, err := e.Pages.Explain(t.Context(), u.URL)
		if err != nil || x.Kin == nil {
			t.Fatalf("%s: %+v, %v", u.URL, x, err)
		}
		return x.Kin
	}
}

// TestCountersOfCopiesAndVersions: a notice that comes to say what another one says is a
// copy, and one that says something else has a version; both are counted and explained.
func TestCountersOfCopiesAndVersions(t *testing.T) {
	site, e, now := serveNotices(t, 3, 12)
	rows, _ := kinOf(t, e)
	if len(rows) != 12 || gauge(t, e, "angler_notice_copies") != 0 || gauge(t, e, "angler_notices_changed") != 0 {
		t.Fatalf("%d notices, %d copies, %d changed at the beginning", len(rows), gauge(t, e, "angler_notice_copies"), gauge(t, e, "angler_notices_changed"))
	}
	site.change(func() {
		site.texts[7] = site.texts[3]
		site.texts[5] = strings.Replace(site.texts[5], "7月15日", "7月25日", 1)
	})
	now.jump(25 * time.Hour)
	if s := harvest(t, e.Runs); s.Changed != 2 {
		t.Fatalf("%d changed", s.Changed)
	}
	must(t, e.Facts.Idle(t.Context()))
	rows, explain := kinOf(t, e)
	if copies, changed := gauge(t, e, "angler_notice_copies"), gauge(t, e, "angler_notices_changed"); copies != 1 || changed != 2 {
		t.Errorf("%d copies, %d changed; want 1 and 2", copies, changed)
	}
	for i := range rows {
		r := &rows[i]
		x := explain(r.ID)
		switch {
		case strings.HasSuffix(r.URL, "/n/3.htm"), strings.HasSuffix(r.URL, "/n/7.htm"):
			if len(x.Others) != 1 || x.SameBy == "" {
				t.Errorf("%s: its other address has no reason: %+v", r.URL, x)
			}
		case len(x.Others) > 0:
			t.Errorf("%s is a copy of %v", r.URL, x.Others)
		}
		if want := strings.HasSuffix(r.URL, "/n/5.htm") || strings.HasSuffix(r.URL, "/n/7.htm"); want != (len(x.Versions) == 1) {
			t.Errorf("%s has %d versions", r.URL, len(x.Versions))
		} else if want && len(x.Versions[0].Lines) == 0 {
			t.Errorf("%s: nothing says what changed", r.URL)
		}
	}
}
