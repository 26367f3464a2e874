//go:build unix

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
)

// TestBackupOfAServer backs a workspace up while a server crawls: from another
// process of its machine, over SSH, and not for everybody.
func TestBackupOfAServer(t *testing.T) {
	x := startServerAt(t, "20ms", "--metrics", "127.0.0.1:0")
	eventually(t, "the crawl is under way", func() bool { return strings.Contains(x.state(), `"state":"running"`) })
	folder := t.TempDir()
	file := filepath.Join(folder, "b.tar")
	r := angler(t, "backup", "-i", filepath.Join(x.keys, "wang"), x.dir, file)
	if _, err := os.Stat(file); r.status != 1 || !strings.Contains(r.err, "takes role=admin") || err == nil {
		t.Errorf("an analyst: status %d, said %q, %v", r.status, r.err, err)
	}
	if r := x.ssh("wang", "127.0.0.1", "backup"); r.status != 1 || r.out != "" || !strings.Contains(r.err, "takes role=admin") {
		t.Errorf("an analyst over SSH: status %d, said %q", r.status, r.err)
	}
	r = must(t, "backup", "-i", filepath.Join(x.keys, "zhou"), x.dir, file)
	if !strings.Contains(r.err, "verified; written by the server") {
		t.Errorf("an admin: said %q", r.err)
	}
	over := x.ssh("zhou", "127.0.0.1", "backup")
	if over.status != 0 {
		t.Fatalf("over SSH: status %d, said %q", over.status, over.err)
	}
	second := filepath.Join(folder, "c.tar")
	if err := os.WriteFile(second, []byte(over.out), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := angler(t, "backup", "-i", filepath.Join(x.keys, "zhou"), x.dir, file); r.status != 1 || !strings.Contains(r.err, "--force") {
		t.Errorf("a file that is there: status %d, said %q", r.status, r.err)
	}
	for i, name := range []string{file, second} {
		if r := must(t, "restore", "--list", name); !strings.Contains(r.out, "  crawl.db\n") || strings.Contains(r.out, "  ssh/host_ed25519\n") != (name == file) {
			t.Errorf("%s lists\n%s", name, r.out)
		}
		to := filepath.Join(folder, []string{"one", "two"}[i])
		must(t, "restore", name, to)
		closed(t, to)
		if n := len(exported(t, to, "pages")); n == 0 {
			t.Error("no pages were restored")
		}
		if r := angler(t, "restore", name, to); r.status != 1 || !strings.Contains(r.err, "--force") {
			t.Errorf("in the way: status %d, said %q", r.status, r.err)
		}
		if r := must(t, "restore", name, to, "--force"); !strings.Contains(r.err, "what was there is in "+to+".old-") {
			t.Errorf("put aside: said %q", r.err)
		}
	}
	if r := angler(t, "restore", file, x.dir, "--force"); r.status != 1 || !strings.Contains(r.err, "in use by process") {
		t.Errorf("over a workspace in use: status %d, said %q", r.status, r.err)
	}
	text := x.metrics()
	for _, want := range []string{"\nangler_last_success_seconds{kind=\"backup\"} ", "\nangler_last_success_seconds{kind=\"commit\"} "} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in the metrics", want)
		}
	}
}

func TestBackupAlone(t *testing.T) {
	web, server := serve(t, webtest.Options{})
	dir := workspace(t, web)
	must(t, "crawl", dir, "--proxy", server.ProxyURL().String(), "--delay", "0", "--max-pages", "200")
	file := filepath.Join(t.TempDir(), "b.tar")
	must(t, "backup", dir, file)
	to := filepath.Join(t.TempDir(), "ws")
	must(t, "restore", file, to)
	closed(t, to)
	want, got := exported(t, dir, "pages"), exported(t, to, "pages")
	if len(difference(want, got))+len(difference(got, want)) > 0 || len(got) == 0 {
		t.Errorf("%d pages were restored of %d", len(got), len(want))
	}
	if out := must(t, "backup", dir, "-").out; len(out) < 10_000 {
		t.Errorf("standard output got %d bytes", len(out))
	}
	ws, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if r := angler(t, "backup", dir, file, "--force"); r.status != 1 || !strings.Contains(r.err, "in use by process") {
		t.Errorf("a workspace in use: status %d, said %q", r.status, r.err)
	}
	if _, err := os.Stat(file); err != nil {
		t.Error("a failed backup took the old one away")
	}
}
