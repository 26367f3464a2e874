//go:build unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/crawl/bench"
)

func TestBench(t *testing.T) {
	r := angler(t, "bench", "--pages", "2000", "--only", "angler,bare", "--json")
	var report bench.Report
	if err := json.Unmarshal([]byte(r.out), &report); err != nil || r.status != 0 {
		t.Fatalf("status %d, %v: %s%s", r.status, err, r.out, r.err)
	}
	if len(report.Tables) != 1 || len(report.Tables[0].Rows) != 2 || report.Tables[0].Rows[0].RateRatio <= 0 || report.Machine.Cores == 0 {
		t.Errorf("%+v", report)
	}
	for _, args := range [][]string{{"--pages", "3"}, {"--workers", "0"}, {"--only", "nobody"}, {"DIR"}} {
		if r := angler(t, append([]string{"bench"}, args...)...); r.status == 0 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("bench %v: status %d: %s", args, r.status, r.err)
		}
	}
	if r := angler(t, "--help"); strings.Contains(r.out, "bench-run") {
		t.Error("the process of a benchmark is offered to people")
	}
}
