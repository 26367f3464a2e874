package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// arrivals notes when output came, and the longest time that none did.
type arrivals struct {
	mu    sync.Mutex
	last  time.Time
	gap   time.Duration
	n     int
	bytes int
}

func (a *arrivals) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if !a.last.IsZero() {
		a.gap = max(a.gap, now.Sub(a.last))
	}
	a.last, a.n, a.bytes = now, a.n+1, a.bytes+len(p)
	return len(p), nil
}

// reset begins a measurement and returns what the last one found.
func (a *arrivals) reset() (gap time.Duration, n, bytes int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	gap, n, bytes = a.gap, a.n, a.bytes
	a.gap, a.n, a.bytes = 0, 0, 0
	return gap, n, bytes
}

// TestSSHStoppedForAMinute stops a client for a minute of a crawl and measures
// what another one gets meanwhile. It runs when ANGLER_STALL names the time,
// such as 60s.
func TestSSHStoppedForAMinute(t *testing.T) {
	stall, err := time.ParseDuration(os.Getenv("ANGLER_STALL"))
	if err != nil {
		t.Skip("set ANGLER_STALL=60s to stop a client for so long")
	}
	x := startServerAt(t, "1s", "--metrics", "127.0.0.1:0")
	li := x.attach("li", 120, 40)
	li.wait("[1 Samples]")
	li.press("4")
	li.wait("[4 Crawl]")
	watch := exec.Command("ssh", x.args("wang", "-tt", "127.0.0.1")...)
	seen := &arrivals{}
	watch.Stdout = seen
	keys, err := watch.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { keys.Close(); _ = watch.Wait() }()
	fmt.Fprint(keys, "4")
	eventually(t, "a second of the crawl", func() bool { seen.mu.Lock(); defer seen.mu.Unlock(); return seen.n > 5 })
	seen.reset()

	pid := child(t, strings.TrimSpace(li.tmux("display-message", "-p", "-t", "a", "#{pane_pid}")), "ssh")
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer syscall.Kill(pid, syscall.SIGCONT)
	stopped := time.Now()
	again := time.NewTicker(time.Second)
	defer again.Stop()
	for time.Since(stopped) < stall {
		<-again.C
	}
	gap, n, bytes := seen.reset()
	if s := x.state(); !strings.Contains(s, `"state":"running"`) {
		t.Fatalf("the crawl ended before: %s", s)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(x.metrics(), "\nangler_publish_seconds_max ")
	worst, _, _ := strings.Cut(rest, "\n")
	rate := float64(n) / stall.Seconds()
	t.Logf("a client stopped for %v: another got %.1f frames/s, %.1f KB/s, the longest pause %v; the slowest publish took %s s", stall, rate, float64(bytes)/stall.Seconds()/1e3, gap.Round(time.Millisecond), worst)
	if rate < 3 || gap > time.Second {
		t.Errorf("another viewer got %.1f frames/s, want 4 to 5; the longest pause was %v", rate, gap)
	}
	// The stopped one goes on where everyone is.
	li.press("5")
	li.wait("[5 Harvest]")
	li.press("q")
	li.wait("left with status 0")
}
