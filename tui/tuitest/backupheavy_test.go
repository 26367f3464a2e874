//go:build unix && heavy

package tuitest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackupOfAServer backs up a workspace while a server crawls: from another process on its
// machine, over SSH, and only for admins.
func TestBackupOfAServer(t *testing.T) {
	x := startServerAt(t, "20ms", "--http", "127.0.0.1:0")
	eventually(t, "the crawl is under way", func() bool { return strings.Contains(x.state(), `"state":"running"`) })
	folder := t.TempDir()
	file := filepath.Join(folder, "b.tar")
	r := Run(t, "workspace", "backup", "-i", filepath.Join(x.keys, "wang"), x.dir, file)
	if _, err := os.Stat(file); r.Status != 1 || !strings.Contains(r.Err, "takes role=admin") || err == nil {
		t.Errorf("an analyst: status %d, said %q, %v", r.Status, r.Err, err)
	}
	if r := x.ssh("wang", "127.0.0.1", "backup"); r.Status != 1 || r.Out != "" || !strings.Contains(r.Err, "takes role=admin") {
		t.Errorf("an analyst over SSH: status %d, said %q", r.Status, r.Err)
	}
	r = Must(t, "workspace", "backup", "-i", filepath.Join(x.keys, "zhou"), x.dir, file)
	if !strings.Contains(r.Err, "verified; written by the server") {
		t.Errorf("an admin: said %q", r.Err)
	}
	over := x.ssh("zhou", "127.0.0.1", "backup")
	if over.Status != 0 {
		t.Fatalf("over SSH: status %d, said %q", over.Status, over.Err)
	}
	second := filepath.Join(folder, "c.tar")
	must(t, os.WriteFile(second, []byte(over.Out), 0o600))
	expect(t, 1, "--force", "workspace", "backup", "-i", filepath.Join(x.keys, "zhou"), x.dir, file)
	for i, name := range []string{file, second} {
		if r := Must(t, "workspace", "backups", name); !strings.Contains(r.Out, "  crawl.db\n") || strings.Contains(r.Out, "  ssh/host_ed25519\n") != (name == file) {
			t.Errorf("%s lists\n%s", name, r.Out)
		}
		to := filepath.Join(folder, []string{"one", "two"}[i])
		Must(t, "workspace", "restore", to, name)
		closed(t, to)
		if n := len(Addresses(t, to, "pages")); n == 0 {
			t.Error("no pages were restored")
		}
		expect(t, 1, "--force", "workspace", "restore", to, name)
		if r := Must(t, "workspace", "restore", to, name, "--force"); !strings.Contains(r.Err, "the replaced folder is kept as "+to+".old-") {
			t.Errorf("put aside: said %q", r.Err)
		}
	}
	expect(t, 1, "in use by process", "workspace", "restore", x.dir, file, "--force")
	text := x.metrics()
	for _, want := range []string{"\nangler_last_success_seconds{kind=\"backup\"} ", "\nangler_last_success_seconds{kind=\"commit\"} "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the metrics", want)
		}
	}
}
