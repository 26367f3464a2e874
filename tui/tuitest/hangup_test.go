//go:build unix

package tuitest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
)

// closed waits until no process holds a workspace, and reports the result of a check.
func closed(t *testing.T, dir string) {
	t.Helper()
	eventually(t, "the workspace is closed", func() bool {
		_, err := os.Stat(filepath.Join(dir, "crawl.db.holder"))
		return os.IsNotExist(err)
	})
	if r := Must(t, "workspace", "check", dir); !strings.Contains(r.Err, "0 problems") {
		t.Errorf("check says %s%s", r.Out, r.Err)
	}
}

// TestWorkbenchWindowClosed closes the window of a crawling workbench, once normally and once with
// ignored hangups, where only the end of the keyboard shows it.
func TestWorkbenchWindowClosed(t *testing.T) {
	for name, before := range map[string]string{"hung up": "", "no more keys": "trap '' HUP; "} {
		t.Run(name, func(t *testing.T) {
			c := newCrawl(t, webtest.Options{})
			x := startTerminal(t, 100, 30, before+Path+" "+c.dir+" "+strings.Join(c.proxy, " "))
			x.wait("■ idle")
			x.press("S", "4")
			x.until("pages", func(s string) bool { return strings.Contains(s, "▶ discovery") && !strings.Contains(s, " 0 pages") })
			pid := strings.TrimSpace(x.tmux("display-message", "-p", "-t", "a", "#{pane_pid}"))
			program := child(t, pid, "angler")
			x.tmux("kill-window", "-t", "a")
			closed(t, c.dir)
			eventually(t, "the process has ended", func() bool { return syscall.Kill(program, 0) != nil })
		})
	}
}

// TestNohup: a crawl started with nohup ignores hangups.
func TestNohup(t *testing.T) {
	web, server := Serve(t, webtest.Options{})
	dir := Workspace(t, web)
	c := exec.Command("nohup", Path, "crawl", dir, "--proxy", server.ProxyURL().String(), "--delay", "0", "--json", "--max-pages", "300")
	out, err := c.StdoutPipe()
	must(t, err)
	must(t, c.Start())
	n := 0
	for sc := bufio.NewScanner(out); sc.Scan(); n++ {
		if n == 10 {
			must(t, c.Process.Signal(syscall.SIGHUP))
		}
	}
	if err := c.Wait(); err != nil || n < 200 {
		t.Errorf("the crawl ended with %v after %d pages of 300", err, n)
	}
}

// TestServeHangup rotates the log and changes the settings of a server.
func TestServeHangup(t *testing.T) {
	asked := filepath.Join(t.TempDir(), "notify")
	manager := listenDatagrams(t, asked)
	t.Setenv("NOTIFY_SOCKET", asked)
	t.Setenv("WATCHDOG_USEC", "40000000")
	x := startServer(t, "--http", "127.0.0.1:0")
	manager.wait("READY=1\nSTATUS=serving on 127.0.0.1:" + x.port)
	manager.wait("WATCHDOG=1")
	log := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(b)
	}
	health := func() string { return x.get("/healthz") }
	if s := health(); !strings.HasPrefix(s, "200 ok\n") || !strings.Contains(s, "database: ok") {
		t.Errorf("/healthz: %s", s)
	}
	toml := filepath.Join(x.dir, "angler.toml")
	must(t, os.Chmod(toml, 0o640))
	hangup := func(was, is string) {
		t.Helper()
		Set(t, x.dir, was, is)
		must(t, x.cmd.Process.Signal(syscall.SIGHUP))
		if got := manager.wait("RELOADING=1\n"); !strings.Contains(got, "MONOTONIC_USEC=") {
			t.Errorf("the manager heard %q", got)
		}
		manager.wait("READY=1\n")
	}
	rotated := x.log + ".1"
	must(t, os.Rename(x.log, rotated))
	hangup("delay = '0s'", "delay = '1234ms'")
	eventually(t, "the new log tells what was taken up", func() bool { return strings.Contains(log(x.log), "crawl.delay = 1.234s") })
	if strings.Contains(log(rotated), "reload") || !strings.Contains(log(rotated), "msg=serving") {
		t.Errorf("the old log is:\n%s", log(rotated))
	}
	if st, err := os.Stat(x.log); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("the new log: %v, %v", st, err)
	}
	hangup("delay = '1234ms'", "delay = 'soon'")
	eventually(t, "the log tells that the file is broken", func() bool {
		return strings.Contains(log(x.log), "settings stay as they were") && strings.Contains(log(x.log), "soon")
	})
	hangup("delay = 'soon'", "delay = '1234ms'")
	eventually(t, "nothing has changed", func() bool { return strings.Contains(log(x.log), "nothing has changed") })
	if r := x.ssh("zhou", "127.0.0.1", "status"); r.Status != 0 {
		t.Errorf("the server does not serve any more: %d %s", r.Status, r.Err)
	}
	must(t, x.cmd.Process.Signal(syscall.SIGTERM))
	manager.wait("STOPPING=1\n")
	if err := <-x.over; err != nil {
		t.Errorf("the server ended with %v", err)
	}
	closed(t, x.dir)
	if st, err := os.Stat(toml); err != nil || st.Mode().Perm() != 0o640 {
		t.Errorf("the settings: %v, %v", st, err)
	}
	if store.Served(x.dir) != "" {
		t.Error("the workspace is still served")
	}
}
