//go:build unix

package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"angler/crawl/soak"
)

// TestSoak soaks the program with every kind of event for one crawl or two.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls of the demo web until each kind of event has happened: not in -short")
	}
	r := angler(t, "soak", "--for", "1s", "--json")
	var report soak.Report
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("%v\n%s", err, r.err)
	}
	if r.status != 0 || len(report.Differences) > 0 {
		t.Errorf("status %d, %q\n%s", r.status, report.Differences, r.err)
	}
	if report.Crawls == 0 || len(report.Rows) == 0 || report.Processes < 5 || report.Calm.Notices < 200 {
		t.Errorf("%+v", report)
	}
	t.Log(r.err)
}

func TestSoakMisuse(t *testing.T) {
	for _, args := range [][]string{{"--events", "flood"}, {"--for", "-1s"}, {"now"}} {
		if r := angler(t, append([]string{"soak"}, args...)...); r.status != 2 || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%q: status %d, %q", args, r.status, r.err)
		}
	}
	if r := angler(t, "--help"); strings.Contains(r.out, "soak-run") {
		t.Error("help names a command that is not for people")
	}
	dir := t.TempDir() + "/x"
	must(t, "new", dir, "--seed", "http://a.test/")
	if r := angler(t, "soak", "--keep", dir); r.status != 1 || !strings.Contains(r.err, "is not empty") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
}
