//go:build unix && heavy

package tuitest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// again moves the workspace of an ended server, and serves it again.
func (x *server) again(dir string) {
	x.t.Helper()
	if out, err := exec.Command("cp", "-r", x.dir, dir).CombinedOutput(); err != nil {
		x.t.Fatalf("%v %s", err, out)
	}
	must(x.t, os.Remove(x.log))
	x.dir = dir
	x.start()
}

// metrics reads the metrics at the address in the log.
func (x *server) metrics() string {
	x.t.Helper()
	_, text, _ := strings.Cut(x.get("/metrics"), " ")
	return text
}

// TestSSHStalledClient stops a client; other clients are not affected, and it continues with the
// current state.
func TestSSHStalledClient(t *testing.T) {
	x := startServer(t)
	li, wang := x.attach("li", 120, 40), x.attach("wang", 120, 40)
	li.samples()
	wang.samples("li (viewer)")
	pid := child(t, strings.TrimSpace(li.tmux("display-message", "-p", "-t", "a", "#{pane_pid}")), "ssh")
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	defer syscall.Kill(pid, syscall.SIGCONT)
	wang.press("4")
	wang.wait("[4 Crawl]")
	eventually(t, "a crawl to its end beside the stopped client", func() bool { return strings.Contains(x.state(), `"state":"idle"`) })
	wang.press("w") // only an admin may do it
	wang.wait("role=admin")
	wang.press("u")
	wang.wait("nothing to undo")
	if s := li.screen(); strings.Contains(s, "read only ✓ ") {
		t.Log("the stopped client had seen the end already")
	}
	must(t, syscall.Kill(pid, syscall.SIGCONT))
	li.until("the run has ended", rests)
	li.press("q")
	li.wait("left with status 0")
}

func TestSSHForScripts(t *testing.T) {
	x := startServer(t, "--http", "127.0.0.1:0")
	type status struct {
		Workspace string `json:"workspace"`
		Pages     int    `json:"pages"`
		State     string `json:"state"`
	}
	var last status
	eventually(t, "the round ends", func() bool {
		last = Lines[status](t, x.state())[0]
		return last.State == "idle" && last.Pages > 0
	})
	if n := len(Lines[Page](t, x.ssh("li", "127.0.0.1", "export", "pages").Out)); n != last.Pages {
		t.Errorf("%d pages were exported of %d", n, last.Pages)
	}
	for _, c := range []struct{ begins, args string }{
		{"url,status,type,", "export pages --format csv"}, {"\ufeffurl,title,", "export --bom notices --format csv"}, {"<?xml version", "export aggregations --format atom --newest 3"},
	} {
		if r := x.ssh("li", append([]string{"127.0.0.1"}, strings.Fields(c.args)...)...); r.Status != 0 || !strings.HasPrefix(r.Out, c.begins) {
			t.Errorf("%s: %d, %.60q, %q", c.args, r.Status, r.Out, r.Err)
		}
	}
	r := Run(t, "attach", "-i", filepath.Join(x.keys, "chen"), x.dir, "status")
	if r.Status != 0 || !strings.HasPrefix(r.Out, "ws · ") {
		t.Errorf("attach DIR status: %d, %q, %q", r.Status, r.Out, r.Err)
	}
	for name, c := range map[string]struct {
		who, to string
		args    []string
		status  int
		says    string
	}{
		"the server's refusal": {"chen", x.dir, []string{"rm"}, 2, "unknown command"},
		"a stranger":           {"stranger", x.dir, []string{"status"}, 255, "check that angler serve runs there"},
		"no server there":      {"chen", "127.0.0.1:1", []string{"status"}, 255, "check that angler serve runs there"},
	} {
		r := Run(t, append([]string{"attach", "-i", filepath.Join(x.keys, c.who), c.to}, c.args...)...)
		if r.Status != c.status || !strings.Contains(r.Err, c.says) || r.Out != "" {
			t.Errorf("attach, %s: status %d, want %d; said %q, want %q", name, r.Status, c.status, r.Err, c.says)
		}
	}
	text := x.metrics()
	if want := fmt.Sprintf("\nangler_pages %d\n", last.Pages); !strings.Contains(text, want) {
		t.Errorf("no %q in the metrics:\n%s", want, text)
	}
}
