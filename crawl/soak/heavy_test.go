//go:build heavy

package soak

import (
	"context"
	"os"
	"strings"
	"testing"
)

// TestSoakFindsWhatIsLost soaks a program that forgets labels after its undisturbed
// crawl: the report must name them and the workspace, and every event that happened.
func TestSoakFindsWhatIsLost(t *testing.T) {
	if testing.Short() {
		t.Skip("two crawls of the demo web: not in -short")
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(roleVar, "child")
	o := Options{Seed: 1, Dir: t.TempDir(), Events: []string{"kill"}, Child: []string{program}}
	o.Log = func(format string, args ...any) {
		if strings.HasPrefix(format, "undisturbed") {
			os.Setenv(roleVar, "forgetful")
		}
		t.Logf(format, args...)
	}
	r, err := Run(context.Background(), material(t), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Differences) == 0 || !strings.Contains(r.Differences[0], "labels: 6 missing, 0 extra, 0 other, of 6") {
		t.Errorf("differences %q, want six labels", r.Differences)
	}
	if len(r.Kept) != 1 || r.Crawls != 1 || len(r.Rows) != 1 || r.Rows[0].Event != "kill" || r.Rows[0].Differing != 1 {
		t.Errorf("%+v", r)
	}
	for _, dir := range append(r.Kept, o.Dir+"/undisturbed") {
		if _, err := os.Stat(dir + "/crawl.db"); err != nil {
			t.Errorf("a workspace to compare is gone: %v", err)
		}
	}
}
