//go:build unix && heavy

package tuitest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestHealthOfAFullDisk fills the disk of a server: /healthz reports it, and its end.
func TestHealthOfAFullDisk(t *testing.T) {
	x := startServerAt(t, "20ms", "--http", "127.0.0.1:0")
	must(t, x.cmd.Process.Signal(os.Interrupt))
	<-x.over
	small := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", small).Run() })
	ballast := small + "/ballast"
	must(t, os.WriteFile(ballast, make([]byte, 190<<20), 0o600))
	x.again(small + "/ws")
	eventually(t, "the check fails", func() bool {
		s := x.get("/healthz")
		return strings.HasPrefix(s, "503 failing\n") && strings.Contains(s, "database: failing: the disk is full")
	})
	if s := x.metrics(); !strings.Contains(s, "\nangler_healthy{check=\"database\"} 0\n") {
		t.Errorf("the metrics are\n%s", s)
	}
	must(t, os.Remove(ballast))
	eventually(t, "the check passes again", func() bool { return strings.HasPrefix(x.get("/healthz"), "200 ok\n") })
}
