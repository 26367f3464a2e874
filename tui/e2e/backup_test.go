//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
	"angler/tui/e2e/program"
)

func TestBackupAlone(t *testing.T) {
	t.Parallel()
	web, server := program.Serve(t, webtest.Options{})
	dir := program.Workspace(t, web)
	program.Must(t, "crawl", dir, "--proxy", server.ProxyURL().String(), "--delay", "0", "--max-pages", "200")
	file := filepath.Join(t.TempDir(), "b.tar")
	program.Must(t, "backup", dir, file)
	to := filepath.Join(t.TempDir(), "ws")
	program.Must(t, "restore", file, to)
	closed(t, to)
	want, got := program.Addresses(t, dir, "pages"), program.Addresses(t, to, "pages")
	if len(program.Missing(want, got))+len(program.Missing(got, want)) > 0 || len(got) == 0 {
		t.Errorf("%d pages were restored of %d", len(got), len(want))
	}
	if out := program.Must(t, "backup", dir, "-").Out; len(out) < 10_000 {
		t.Errorf("standard output got %d bytes", len(out))
	}
	ws, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if r := program.Run(t, "backup", dir, file, "--force"); r.Status != 1 || !strings.Contains(r.Err, "in use by process") {
		t.Errorf("a workspace in use: status %d, said %q", r.Status, r.Err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("a failed backup took the old one away")
	}
}
