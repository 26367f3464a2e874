//go:build unix && heavy

package tuitest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
)

// asStranger runs the program as a user without rights: root ignores modes, so tests run by root
// drop their rights.
func asStranger(t *testing.T, args ...string) Result {
	t.Helper()
	var out, errs strings.Builder
	c := exec.Command(Path, args...)
	c.Stdout, c.Stderr = &out, &errs
	if os.Getuid() == 0 {
		c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, NoSetGroups: true}}
	}
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "XDG_") }), "HOME="+t.TempDir())
	_ = c.Run() // the status is checked
	return Result{Out: out.String(), Err: errs.String(), Status: c.ProcessState.ExitCode()}
}

// TestReadingWithoutWriting runs every reading command, and some that write, on a workspace that is
// read-only by its modes or its file system.
func TestReadingWithoutWriting(t *testing.T) {
	x := newCrawl(t, webtest.Options{})
	dir, lists := x.dir, demo.TenderLists(x.web, 3)
	x.sample(lists...)
	x.run("crawl")
	x.run("harvest")
	Must(t, "labels", "set", dir, lists[0]+"=yes", lists[1]+"=no")
	reading := [][]string{
		{"export", dir, "pages"}, {"export", dir, "aggregations"}, {"export", dir, "notices"}, {"export", dir, "frontier"}, {"export", dir, "links"},
		{"topic", "words", dir}, {"topic", dir, "--json"}, {"topic", "score", dir, lists[0]}, {"topic", "explain", dir, lists[0]}, {"topic", "eval", dir}, {"terms", dir, "--top", "5"}, {"frontier", dir},
		{"samples", "list", dir}, {"workspace", "check", dir}, {"labels", "list", dir, "--csv"}, {"text", "segment", "--dir", dir, "招标公告"},
		{"lab", dir, "--strategies", "bfs"}, {"workspace", "backup", dir, "-"},
	}
	want := map[string]string{}
	for _, args := range reading {
		if len(args) < 2 || args[1] != "backup" { // its output contains the time
			want[strings.Join(args, " ")] = Must(t, args...).Out
		}
	}
	// Files of a killed process, which must stay here.
	holder := filepath.Join(dir, "crawl.db.holder")
	must(t, os.WriteFile(holder, []byte(`{"pid":1}`), 0o644))
	all := func(t *testing.T, run func(t *testing.T, args ...string) Result) {
		before := tree(t, dir)
		for _, args := range reading {
			name := strings.Join(args, " ")
			r := run(t, args...)
			if w, ok := want[name]; r.Status != 0 || ok && args[0] != "lab" && r.Out != w {
				t.Errorf("%s: status %d, said %q, %d bytes, want %d", name, r.Status, r.Err, len(r.Out), len(w))
			}
		}
		for _, args := range [][]string{{"crawl", dir}, {"harvest", dir}, {"samples", "remove", dir, lists[0]}, {"labels", "set", dir, lists[0] + "=no"}, {"terms", "accept", dir, "公告"}, {"topic", "set", dir, "--m", "7"},
			{"workspace", "check", dir, "--repair"}} {
			if r := run(t, args...); r.Status != 1 || !strings.Contains(r.Err, "this command writes to the workspace") || strings.Count(r.Err, "\n") != 1 {
				t.Errorf("%s: status %d, said %q", strings.Join(args, " "), r.Status, r.Err)
			}
		}
		if after := tree(t, dir); !slices.Equal(before, after) {
			t.Errorf("the folder was\n%q\nand is\n%q", before, after)
		}
	}
	t.Run("another user's", func(t *testing.T) {
		open := map[string]os.FileMode{}
		for p := dir; p != "/" && p != "/tmp" && len(p) >= len(os.TempDir()); p = filepath.Dir(p) {
			open[p] = 0o755
		}
		open[filepath.Dir(Path)], open[Path] = 0o755, 0o755
		for _, name := range []string{"crawl.db", "angler.toml"} {
			open[filepath.Join(dir, name)] = 0o644
		}
		if os.Getuid() != 0 {
			open[dir], open[filepath.Join(dir, "crawl.db")], open[filepath.Join(dir, "angler.toml")] = 0o555, 0o444, 0o444
		}
		for p, mode := range open {
			must(t, os.Chmod(p, mode))
		}
		defer os.Chmod(dir, 0o755) // so that it can be removed
		all(t, asStranger)
	})
	t.Run("a file system for reading", func(t *testing.T) {
		if out, err := exec.Command("mount", "--bind", dir, dir).CombinedOutput(); err != nil {
			t.Skipf("cannot mount here: %v %s", err, out)
		}
		defer func() {
			if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
				t.Errorf("%v %s", err, out)
			}
		}()
		if out, err := exec.Command("mount", "-o", "remount,bind,ro", dir).CombinedOutput(); err != nil {
			t.Skipf("cannot mount for reading here: %v %s", err, out)
		}
		all(t, func(t *testing.T, args ...string) Result { return Run(t, args...) })
	})
}

// tree lists a folder with size, mode and time of change of each file.
func tree(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.Walk(dir, func(p string, st os.FileInfo, err error) error {
		if err == nil {
			out = append(out, p+" "+st.Mode().String()+" "+st.ModTime().String())
		}
		return err
	})
	must(t, err)
	return out
}
