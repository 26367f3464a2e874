//go:build unix

package tuitest

import (
	"path/filepath"
	"strings"
	"testing"

	"angler/store/records"
)

// TestDemo runs the whole demo: three samples lead to lists and notices, and the stored data are
// sound.
func TestDemo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	Must(t, "demo", "--headless", "--dir", dir)
	if got := OutcomeOf(t, dir); len(got.Lists) < 20 || len(got.Notices) < 200 {
		t.Errorf("%d lists and %d notices of %d pages", len(got.Lists), len(got.Notices), len(got.Pages))
	}
	if n := len(Lines[map[string]any](t, Must(t, "samples", "list", dir).Out)); n != 3 {
		t.Errorf("%d samples, want 3", n)
	}
	Must(t, "workspace", "check", dir)
}

// With --until the discovery of the demo stops early and says how much it found; the harvest follows.
func TestDemoUntilAShare(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	r := Must(t, "demo", "--headless", "--until", "60%", "--dir", dir)
	runs := Lines[records.Run](t, Must(t, "history", "runs", dir, "--json").Out)
	if len(runs) != 2 || runs[0].Task != "harvest" || runs[1].Why != "about 60 % of the lists are found" {
		t.Fatalf("runs %+v\n%s", runs, r.Err)
	}
	if x := runs[1].Recall; x == nil || x.Share < .6 || x.Waiting == 0 || !strings.Contains(r.Err, "; about "+x.Percent()+" of the lists are found, ") {
		t.Errorf("the estimate %+v\n%s", x, r.Err)
	}
}
