//go:build unix

package tuitest

import (
	"path/filepath"
	"testing"
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
