//go:build unix

package tuitest

import (
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// descendant finds a process with a name at any depth below another.
func descendant(t *testing.T, parent, name, through string) int {
	t.Helper()
	return child(t, strconv.Itoa(child(t, parent, through)), name)
}

// TestAttachGivesTheTerminalBack kills ssh, and the server, during a session: the shell gets its
// terminal back unchanged.
func TestAttachGivesTheTerminalBack(t *testing.T) {
	for _, c := range []struct {
		name string
		kill func(*server, *terminal) error
		says string
	}{
		{"ssh is killed", func(_ *server, w *terminal) error {
			pid := descendant(w.t, strings.TrimSpace(w.tmux("display-message", "-p", "-t", "a", "#{pane_pid}")), "ssh", "angler")
			return syscall.Kill(pid, syscall.SIGKILL)
		}, "a signal ended ssh"},
		{"the server is killed", func(x *server, _ *terminal) error { return x.cmd.Process.Kill() }, "lost the connection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := startServer(t, "--every", "0")
			w := startTerminal(t, 100, 30, "echo before; "+Path+" attach -i "+filepath.Join(x.keys, "wang")+" "+x.dir)
			w.samples("■ idle")
			modes := func() string {
				return strings.TrimSpace(w.tmux("display-message", "-p", "-t", "a", "#{alternate_on} #{mouse_any_flag} #{cursor_flag}"))
			}
			if got := modes(); got != "1 1 0" {
				t.Fatalf("in the workbench the alternate screen, the mouse and the cursor are %q: the test sees nothing", got)
			}
			must(t, c.kill(x, w))
			w.wait("before", "left with status", c.says)
			if got := modes(); got != "0 0 1" {
				t.Errorf("the alternate screen, the mouse and the cursor are %q", got)
			}
			// Typed text is echoed line by line, and pasted text unchanged.
			w.press("echoed")
			w.wait("echoed")
			w.press("Enter")
			w.until("the line, once by the terminal and once by cat", func(s string) bool { return strings.Count(s, "echoed\n") == 2 })
			w.tmux("set-buffer", "pasted")
			w.tmux("paste-buffer", "-p", "-t", "a")
			if s := w.wait("pasted"); strings.Contains(s, "200~") {
				t.Errorf("pasted text comes in brackets:\n%s", s)
			}
		})
	}
}

// Without a workbench, nothing on the screen is overwritten.
func TestAttachLeavesTheScreenAlone(t *testing.T) {
	x := startServer(t, "--every", "0")
	w := startTerminal(t, 100, 30, "echo before; "+Path+" attach -i "+filepath.Join(x.keys, "stranger")+" "+x.dir)
	s := w.wait("left with status 255", "check that angler serve runs there")
	at := -1
	for _, text := range []string{"before", "no key of yours is known here", "Permission denied", "angler: ssh could not attach", "left with status 255"} {
		n := strings.Index(s, text)
		if n <= at {
			t.Errorf("%q is overwritten or not in its place:\n%s", text, s)
		}
		at = n
	}
}
