//go:build unix

package tuitest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// terminal is a tmux session that runs the workbench.
type terminal struct {
	t    *testing.T
	sock string
}

var terminals atomic.Int64 // one test may have several

// A screen that stays unchanged for this time shows a hanging program. A condition not met after
// this time is never met.
const (
	still    = time.Minute
	patience = 4 * time.Minute
)

func startTerminal(t *testing.T, cols, rows int, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is missing: .ci/run installs it")
		}
		t.Skip("tmux is not installed; .ci/run installs it")
	}
	x := &terminal{t, fmt.Sprintf("angler-e2e-%d-%d-%s", os.Getpid(), terminals.Add(1), strings.ReplaceAll(t.Name(), "/", "-"))}
	alive := filepath.Join(t.TempDir(), "alive")
	must(t, syscall.Mkfifo(alive, 0o600))
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", x.sock, "kill-server").Run() })
	x.tmux("-u", "-f", "/dev/null", "new-session", "-d", "-s", "a", "-x", fmt.Sprint(cols), "-y", fmt.Sprint(rows),
		"exec 9> "+alive+"; "+command+"; echo left with status $?; exec cat") // cat keeps the pane until it is read
	held, err := os.Open(alive) // waits until the pane's shell has opened it
	must(t, err)
	t.Cleanup(func() { x.gone(held) })
	x.tmux("set-option", "-sg", "escape-time", "0")
	return x
}

// gone ends the terminal and waits for its programs. They hold the other end of a pipe while they
// live, and may write to folders that the test is about to remove.
func (x *terminal) gone(held *os.File) {
	defer held.Close()
	_ = exec.Command("tmux", "-L", x.sock, "kill-server").Run()
	if err := held.SetReadDeadline(time.Now().Add(patience)); err != nil {
		x.t.Error(err)
	}
	if _, err := io.Copy(io.Discard, held); err != nil {
		x.t.Errorf("what ran in the terminal has not ended: %v", err)
	}
}

func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", x.sock}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// press types keys by tmux's names.
func (x *terminal) press(keys ...string) {
	x.t.Helper()
	for _, k := range keys {
		x.tmux("send-keys", "-t", "a", k)
	}
}

func (x *terminal) screen() string { return x.tmux("capture-pane", "-p", "-J", "-t", "a", "-S", "-20") }

// wait returns the first screen with all the wanted texts.
func (x *terminal) wait(wanted ...string) string {
	x.t.Helper()
	return x.until(fmt.Sprintf("%q", wanted), func(s string) bool {
		for _, w := range wanted {
			if !strings.Contains(s, w) {
				return false
			}
		}
		return true
	})
}

// samples goes from Home, the first screen, to the samples, and waits for the wanted texts.
func (x *terminal) samples(wanted ...string) string {
	x.t.Helper()
	x.until("the first screen", func(s string) bool { // Home, or the last screen of a person of this name
		return strings.Contains(s, "[0 Home]") || strings.Contains(s, "[1 Samples]")
	})
	x.press("1")
	return x.wait(append(wanted, "[1 Samples]")...)
}

func (x *terminal) until(what string, ok func(string) bool) string {
	x.t.Helper()
	deadline, hangs := time.After(patience), time.After(still)
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for before := ""; ; {
		s := x.screen()
		if ok(s) {
			return s
		}
		if s != before {
			before, hangs = s, time.After(still)
		}
		select {
		case <-again.C:
		case <-hangs:
			x.t.Fatalf("the screen stands still for %v and does not show %s:\n%s", still, what, s)
		case <-deadline:
			x.t.Fatalf("the screen never showed %s; it shows:\n%s", what, s)
		}
	}
}

func TestWorkbenchSaysWhyItCannotOpen(t *testing.T) {
	x := startTerminal(t, 100, 30, Path+" /no/such/folder")
	s := x.wait("left with status")
	if !strings.Contains(s, "angler new") || !strings.Contains(s, "status 1") {
		t.Errorf("screen:\n%s", s)
	}
}
