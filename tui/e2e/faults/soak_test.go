//go:build unix && heavy

package faults

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/crawl/soak"
	"angler/tui/e2e/program"
)

// TestSoak soaks the program with every kind of event for one crawl or two.
func TestSoak(t *testing.T) {
	r := program.Run(t, "soak", "--for", "1s", "--json")
	var report soak.Report
	if err := json.Unmarshal([]byte(r.Out), &report); err != nil {
		t.Fatalf("%v\n%s", err, r.Err)
	}
	if r.Status != 0 || len(report.Differences) > 0 {
		t.Errorf("status %d, %q\n%s", r.Status, report.Differences, r.Err)
	}
	if report.Crawls == 0 || len(report.Rows) == 0 || report.Processes < 5 || report.Calm.Notices < 200 {
		t.Errorf("%+v", report)
	}
	t.Log(r.Err)
}

func TestSoakMisuse(t *testing.T) {
	for _, args := range [][]string{{"--events", "flood"}, {"--for", "-1s"}, {"now"}} {
		if r := program.Run(t, append([]string{"soak"}, args...)...); r.Status != 2 || strings.Count(r.Err, "\n") != 1 {
			t.Errorf("%q: status %d, %q", args, r.Status, r.Err)
		}
	}
	if r := program.Run(t, "--help"); strings.Contains(r.Out, "soak-run") {
		t.Error("help names a command that is not for people")
	}
	dir := t.TempDir() + "/x"
	program.Must(t, "new", dir, "--seed", "http://a.test/")
	if r := program.Run(t, "soak", "--keep", dir); r.Status != 1 || !strings.Contains(r.Err, "is not empty") {
		t.Errorf("status %d, %q", r.Status, r.Err)
	}
}
