package sshd

import (
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
)

// The rate of an ended run is not shown as current.
func TestNothingIsFetchedASecondWhileIdle(t *testing.T) {
	s := &view.Snapshot{State: view.Idle, Why: "discovery ended"}
	s.Take(view.Tally{Task: view.Discovery, End: view.Through, Took: 10 * time.Second, Fetched: 12})
	for _, asJSON := range []bool{false, true} {
		var out strings.Builder
		must(t, writeStatus(&out, s, asJSON))
		if strings.Contains(out.String(), "pages/s") || strings.Contains(out.String(), "1.2") {
			t.Errorf("status: %s", out.String())
		}
	}
}
