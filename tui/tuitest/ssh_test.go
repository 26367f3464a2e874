//go:build unix

package tuitest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"angler/crawl/webtest"
	"angler/store"
	"angler/store/secrets"
)

// server is a running angler serve and the keys of some people.
type server struct {
	t     *testing.T
	dir   string
	keys  string // folder with a key file for each
	port  string
	cmd   *exec.Cmd
	flags []string // after serve DIR
	log   string
	over  chan error
}

// startServer serves a workspace over a synthetic web to wang (analyst), zhou
// (admin), li and chen (viewers).
func startServer(t *testing.T, flags ...string) *server {
	t.Helper()
	return startServerAt(t, "0s", flags...)
}

// startServerAt is the same with a delay between two fetches of a host.
func startServerAt(t *testing.T, delay string, flags ...string) *server {
	t.Helper()
	for _, tool := range []string{"ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal(tool + " is missing: .ci/run installs it")
			}
			t.Skip(tool + " is not installed; .ci/run installs it")
		}
	}
	web, proxy := Serve(t, webtest.Options{})
	x := &server{t: t, dir: Workspace(t, web), keys: t.TempDir(), over: make(chan error, 1)}
	x.log = filepath.Join(x.keys, "log")
	Set(t, x.dir, "delay = '1s'", "delay = '"+delay+"'")
	must(t, os.MkdirAll(filepath.Join(x.dir, "ssh"), 0o755))
	authorized := ""
	for _, p := range [][2]string{{"wang", "role=analyst "}, {"zhou", "role=admin "}, {"li", "role=viewer "}, {"chen", ""}, {"stranger", "#"}} {
		key := filepath.Join(x.keys, p[0])
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", p[0], "-f", key).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		public, err := os.ReadFile(key + ".pub")
		must(t, err)
		authorized += p[1] + string(public)
	}
	must(t, os.WriteFile(secrets.AuthorizedKeysPath(x.dir), []byte(authorized), 0o600))
	args := append([]string{"serve", x.dir, "--listen", "127.0.0.1:0", "--proxy", proxy.ProxyURL().String(), "--log", x.log}, flags...)
	x.flags = args[2:]
	x.start()
	return x
}

// start starts the server and waits until it is ready.
func (x *server) start() {
	x.t.Helper()
	x.cmd = exec.Command(Path, append([]string{"serve", x.dir}, x.flags...)...)
	must(x.t, x.cmd.Start())
	c := x.cmd
	go func() { x.over <- c.Wait() }()
	x.t.Cleanup(func() {
		if c.ProcessState == nil {
			_ = c.Process.Kill()
			<-x.over
		}
	})
	eventually(x.t, "the server says where it is", func() bool {
		_, port, found := strings.Cut(store.Served(x.dir), ":")
		x.port = port
		return found
	})
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(patience)
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for !ok() {
		select {
		case <-again.C:
		case <-deadline:
			t.Fatalf("never: %s", what)
		}
	}
}

// args returns the arguments of ssh for a person, without a user configuration.
func (x *server) args(who string, more ...string) []string {
	return append([]string{"-F", "/dev/null", "-p", x.port, "-i", filepath.Join(x.keys, who), "-o", "IdentitiesOnly=yes", "-o", "IdentityAgent=none",
		"-o", "HostKeyAlias=angler", "-o", "UserKnownHostsFile=" + secrets.KnownHostsPath(x.dir), "-o", "StrictHostKeyChecking=yes"}, more...)
}

// ssh runs the client to its end.
func (x *server) ssh(who string, more ...string) Result {
	x.t.Helper()
	var out, errs bytes.Buffer
	c := exec.Command("ssh", x.args(who, more...)...)
	c.Stdout, c.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := c.Run(); err != nil && !errors.As(err, &exit) {
		x.t.Fatal(err)
	}
	return Result{Out: out.String(), Err: errs.String(), Status: c.ProcessState.ExitCode()}
}

// attach opens a person's workbench in a terminal.
func (x *server) attach(who string, cols, rows int) *terminal {
	x.t.Helper()
	return startTerminal(x.t, cols, rows, "ssh "+strings.Join(x.args(who, "-t", "127.0.0.1"), " "))
}

func (x *server) state() string {
	x.t.Helper()
	return x.ssh("li", "127.0.0.1", "status", "--json").Out
}

// get returns status and body of a page of the HTTP server.
func (x *server) get(path string) string {
	x.t.Helper()
	log, err := os.ReadFile(x.log)
	must(x.t, err)
	_, rest, _ := strings.Cut(string(log), "msg=http url=")
	url, _, _ := strings.Cut(rest, "\n")
	answer, err := http.Get(strings.TrimSuffix(url, "/") + path)
	must(x.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	must(x.t, err)
	return fmt.Sprint(answer.StatusCode, " ", string(text))
}

// TestSSHTogether runs a day of an analyst and two viewers.
func TestSSHTogether(t *testing.T) {
	t.Parallel()
	x := startServer(t, "--http", "127.0.0.1:0")
	if st, err := os.Stat(filepath.Join(x.dir, "ssh", "host_ed25519")); err != nil || st.Mode().Perm() != 0o600 {
		t.Errorf("host key: %v, %v", st.Mode(), err)
	}
	wang, li, chen := x.attach("wang", 150, 40), x.attach("li", 100, 30), x.attach("chen", 80, 24)
	wang.samples("wang", "li (viewer)", "chen (viewer)")
	li.samples("read only")
	chen.samples("read only")
	eventually(t, "the first round's discovery has ended", func() bool { return strings.Contains(x.state(), `"state":"idle"`) })

	// The analyst makes samples; the others get the message and see them.
	wang.press("/", "招标公告", "Enter")
	wang.wait("/招标公告")
	for n := 1; n <= 3; n++ {
		wang.press("s")
		wang.wait(fmt.Sprintf("%d sample", n))
		wang.press("j")
	}
	li.wait("by wang, ", "s ago", "3 samples")

	// A viewer has their own cursor and screens, and may change nothing.
	li.press("5")
	li.wait("[5 Harvest]")
	chen.press("3")
	chen.wait("[3 Threshold]", "in force θ")
	chen.press("[", "[", "a")
	chen.wait("role=viewer")
	li.press("H")
	li.wait("role=viewer")
	if s := x.state(); !strings.Contains(s, `"threshold_auto":true`) || !strings.Contains(s, `"state":"idle"`) {
		t.Errorf("a viewer changed something: %s", s)
	}

	// All see θ, with person and time.
	wang.press("3")
	wang.wait("in force θ")
	wang.press("]", "]", "]", "a")
	li.wait("(was .", "by wang, ")

	// A mouse report in single bytes sets no label and moves the list.
	wang.press("1")
	wang.wait("[1 Samples]")
	for _, c := range []byte("\x1b[<65;20;12M") {
		wang.tmux("send-keys", "-t", "a", "-H", strconv.FormatInt(int64(c), 16))
	}
	wang.press("6")
	wang.wait("[6 Label]", "0 labelled")

	// The session follows the terminal's size.
	li.tmux("resize-window", "-t", "a", "-x", "70", "-y", "22")
	li.until("a screen of 70×22", func(s string) bool {
		lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
		return strings.Contains(lines[0], "[5") && strings.Contains(lines[len(lines)-1], "help") && len(lines) == 22
	})

	wang.press("q")
	wang.wait("left with status 0")
	li.until("wang is gone", func(s string) bool { return !strings.Contains(s, "wang ·") })
}

// child returns the process with a name below a shell.
func child(t *testing.T, parent, name string) int {
	t.Helper()
	list, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		f := strings.Fields(string(b))
		if len(f) > 3 && f[1] == "("+name+")" && f[3] == parent {
			pid, _ := strconv.Atoi(f[0])
			return pid
		}
	}
	t.Fatalf("no %s below %s", name, parent)
	return 0
}

func TestSSHServerEndsWithSessionsAttached(t *testing.T) {
	t.Parallel()
	x := startServer(t)
	wang, li, chen := x.attach("wang", 120, 40), x.attach("li", 80, 24), x.attach("chen", 80, 24)
	for _, w := range []*terminal{wang, li, chen} {
		w.samples()
	}
	tail := exec.Command("ssh", x.args("li", "127.0.0.1", "tail")...)
	must(t, tail.Start())
	pid := child(t, strings.TrimSpace(chen.tmux("display-message", "-p", "-t", "a", "#{pane_pid}")), "ssh")
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer syscall.Kill(pid, syscall.SIGKILL)
	must(t, x.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-x.over:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
	case <-time.After(still): // the server gives its sessions a second
		t.Fatal("the server waits for a session that has stopped")
	}
	wang.wait("server is ending", "left with status 0")
	li.wait("server is ending", "left with status 0")
	_ = tail.Wait() // its status is whatever the race gave it
	log, err := os.ReadFile(x.log)
	if err != nil || !strings.Contains(string(log), "session begins") || !strings.Contains(string(log), "msg=ending") {
		t.Errorf("the log: %v\n%s", err, log)
	}
	if _, err := os.Stat(filepath.Join(x.dir, "crawl.db.holder")); err == nil {
		t.Error("the workspace is not closed")
	}
}

func TestSSHRefusals(t *testing.T) {
	x := startServer(t, "--every", "0")
	cases := []struct {
		name   string
		who    string
		args   []string
		status int
		says   string
	}{
		{"a stranger", "stranger", []string{"127.0.0.1"}, 255, "no key of yours is known here"},
		{"a stranger learns the line to add", "stranger", []string{"127.0.0.1"}, 255, "ssh-ed25519 AAAA"},
		{"a password", "stranger", []string{"-o", "PreferredAuthentications=password", "127.0.0.1"}, 255, "Permission denied"},
		{"another command", "wang", []string{"127.0.0.1", "/bin/sh", "-c", "id"}, 2, "unknown command"},
		{"sftp", "wang", []string{"-s", "127.0.0.1", "sftp"}, 255, "subsystem request failed"},
		{"a connection through it", "wang", []string{"-W", "127.0.0.1:22", "127.0.0.1"}, 255, "unknown channel type"},
		{"a forwarding to it", "wang", []string{"-o", "ExitOnForwardFailure=yes", "-N", "-R", "0:127.0.0.1:22", "127.0.0.1"}, 255, "remote port forwarding failed"},
		{"a session without a terminal", "wang", []string{"-T", "127.0.0.1"}, 2, "needs a terminal"},
		{"the workspace is locked", "", nil, 1, "join it with: angler attach"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var r Result
			if c.who == "" {
				r = Run(t, "crawl", x.dir)
			} else {
				r = x.ssh(c.who, c.args...)
			}
			if r.Status != c.status || !strings.Contains(r.Err, c.says) || r.Out != "" {
				t.Errorf("status %d, want %d; said %q, want %q; wrote %q", r.Status, c.status, r.Err, c.says, r.Out)
			}
		})
	}
}
