//go:build unix

package e2e

import (
	"path/filepath"
	"testing"

	"angler/tui/e2e/program"
)

// TestDemo runs the demo from end to end: three samples lead to lists and notices, and
// what it stored is whole.
func TestDemo(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "demo")
	program.Must(t, "demo", "--headless", "--dir", dir)
	if got := program.OutcomeOf(t, dir); len(got.Lists) < 20 || len(got.Notices) < 200 {
		t.Errorf("%d lists and %d notices of %d pages", len(got.Lists), len(got.Notices), len(got.Pages))
	}
	if n := len(program.Lines[map[string]any](t, program.Must(t, "samples", "list", dir).Out)); n != 3 {
		t.Errorf("%d samples, want 3", n)
	}
	program.Must(t, "workspace", "check", dir)
}
