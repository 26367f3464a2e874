//go:build unix && heavy

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/crawl/bench"
	"angler/tui/e2e/program"
)

func TestBench(t *testing.T) {
	r := program.Run(t, "bench", "--pages", "2000", "--only", "angler,bare", "--json")
	var report bench.Report
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil || r.Status != 0 {
		t.Fatalf("status %d, %v: %s%s", r.Status, err, r.Out, r.Err)
	}
	if len(report.Tables) != 1 || len(report.Tables[0].Rows) != 2 || report.Tables[0].Rows[0].RateRatio <= 0 || report.Machine.Cores == 0 {
		t.Errorf("%+v", report)
	}
	for _, args := range [][]string{{"--pages", "3"}, {"--workers", "0"}, {"--only", "nobody"}, {"DIR"}} {
		if r := program.Run(t, append([]string{"bench"}, args...)...); r.Status == 0 || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("bench %v: status %d: %s", args, r.Status, r.Err)
		}
	}
	if r := program.Run(t, "--help"); strings.Contains(r.Out, "bench-run") {
		t.Error("the process of a benchmark is offered to people")
	}
}
