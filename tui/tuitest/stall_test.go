//go:build unix && heavy

package tuitest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSSHStoppedForAMinute stops a client for a minute of a crawl and measures the output of
// another one. It runs if ANGLER_STALL holds a duration, such as 60s.
func TestSSHStoppedForAMinute(t *testing.T) {
	stall, err := time.ParseDuration(os.Getenv("ANGLER_STALL"))
	if err != nil {
		t.Skip("set ANGLER_STALL=60s to stop a client for so long")
	}
	x := startServerAt(t, "1s", "--http", "127.0.0.1:0")
	li := x.attach("li", 120, 40)
	li.samples()
	li.press("4")
	li.wait("[4 Crawl]")
	// The other client's output goes into a file; its terminal is a real one.
	file := filepath.Join(t.TempDir(), "seen")
	watch := startTerminal(t, 120, 40, "ssh "+strings.Join(x.args("wang", "-tt", "127.0.0.1"), " ")+" > "+file)
	size := func() int64 {
		st, err := os.Stat(file)
		if err != nil {
			return 0
		}
		return st.Size()
	}
	eventually(t, "a first frame", func() bool { return size() > 1000 })
	watch.press("4")
	begun := size()
	eventually(t, "something of the crawl", func() bool { return size() > begun+5000 })

	pid := child(t, strings.TrimSpace(li.tmux("display-message", "-p", "-t", "a", "#{pane_pid}")), "ssh")
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer syscall.Kill(pid, syscall.SIGCONT)
	stopped := time.Now()
	begun = size()
	last, n, gap, seen := stopped, 0, time.Duration(0), begun
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for time.Since(stopped) < stall {
		<-again.C
		if now := size(); now != seen {
			seen = now
			gap, last, n = max(gap, time.Since(last)), time.Now(), n+1
		}
	}
	bytes := seen - begun
	if s := x.state(); !strings.Contains(s, `"state":"running"`) {
		t.Fatalf("the crawl ended before: %s", s)
	}
	must(t, syscall.Kill(pid, syscall.SIGCONT))
	_, rest, _ := strings.Cut(x.metrics(), "\nangler_publish_seconds_max ")
	worst, _, _ := strings.Cut(rest, "\n")
	rate := float64(n) / stall.Seconds()
	t.Logf("a client stopped for %v: another got %.1f frames/s, %.1f KB/s, the longest pause %v; the slowest publish took %s s", stall, rate, float64(bytes)/stall.Seconds()/1e3, gap.Round(time.Millisecond), worst)
	if rate < 3 || gap > time.Second {
		t.Errorf("another viewer got %.1f frames/s, want 4 to 5; the longest pause was %v", rate, gap)
	}
	// The stopped one continues with the current state.
	li.press("5")
	li.wait("[5 Harvest]")
	li.press("q")
	li.wait("left with status 0")
}
