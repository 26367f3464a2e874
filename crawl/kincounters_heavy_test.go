//go:build heavy

package crawl_test

import (
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/store/config"
)

// TestCountersOfTheDemoWeb: a crawl of the demo web moves the counters of doubtful notices
// and of projects by what is stored, and every notice counted is explained with its reason.
func TestCountersOfTheDemoWeb(t *testing.T) {
	alone(t)
	b := demotest.OpenFull(t, "", crawl.Options{By: "wang", Override: func(s *config.Settings) { s.Crawl.Depth = 1 }})
	demotest.Sample(t, b, 4)
	discover(t, b.Runs)
	must(t, b.Facts.Idle(t.Context()))
	rows, explain := kinOf(t, b.Engine)
	doubtful, copies, changed, threads := 0, 0, 0, map[uint64]bool{}
	for i := range rows {
		r := &rows[i]
		x := explain(r.ID)
		if x.Doubtful != (r.Doubt != nil) {
			t.Errorf("%s: doubtful %v in the list, %v in its explanation", r.URL, r.Doubt != nil, x.Doubtful)
		}
		if r.Doubt != nil {
			if doubtful++; !strings.Contains(x.Content, "kinds of words") && !strings.Contains(x.Content, "like notice") {
				t.Errorf("%s is doubtful without a reason: %q", r.URL, x.Content)
			}
		}
		if r.Thread != nil {
			if threads[r.Thread.ID] = true; x.By == "" || len(x.Project) < 2 {
				t.Errorf("%s is of a project without a reason: %+v", r.URL, x)
			}
		}
		if r.Under != 0 {
			copies++
		}
		if !r.Changed.IsZero() {
			changed++
		}
	}
	if doubtful == 0 {
		t.Error("none of the demo web's trainings is doubtful")
	}
	for name, want := range map[string]int{"angler_notices": len(rows), "angler_notices_doubtful": doubtful, "angler_notice_threads": len(threads), "angler_notice_copies": copies, "angler_notices_changed": changed} {
		if got := gauge(t, b.Engine, name); got != want {
			t.Errorf("%s is %d, stored are %d", name, got, want)
		}
	}
}
