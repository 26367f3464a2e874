package store

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// written names the workspace in which a child process writes a checkpoint, and how that ends.
const written = "ANGLER_TEST_CHECKPOINT"

// A process killed while writing a checkpoint, or a full disk, leaves the workspace and the old
// checkpoint, which is valid with the later commits.
func TestACheckpointCutShort(t *testing.T) {
	if how, dir, child := strings.Cut(os.Getenv(written), " "); child {
		writeCutShort(t, how, dir)
		return
	}
	for _, how := range []string{"killed", "full"} {
		w, dir := create(t)
		lived(t, w, 10)
		must(t, w.Close())
		c := exec.Command(os.Args[0], "-test.run=^TestACheckpointCutShort$")
		c.Env = append(os.Environ(), written+"="+how+" "+dir)
		c.Stderr = os.Stderr
		out, err := c.StdoutPipe()
		must(t, err)
		in, err := c.StdinPipe() // keeps the child waiting
		must(t, err)
		must(t, c.Start())
		said, err := bufio.NewReader(out).ReadString('\n')
		if said != how+"\n" {
			t.Errorf("%s: the process says %q, %v", how, said, err)
		}
		left, err := filepath.Glob(filepath.Join(dir, checkpointFile+".*"))
		if must(t, err); (len(left) == 1) != (how == "killed") {
			t.Errorf("%s: beside the checkpoint lie %q", how, left)
		}
		if how == "killed" {
			must(t, c.Process.Kill())
		}
		in.Close()
		if err := c.Wait(); (err == nil) != (how == "full") {
			t.Errorf("%s: the process ends with %v", how, err)
		}
		if !asRows(t, dir, how) {
			t.Errorf("%s: the checkpoint before is not used", how)
		}
		w = open(t, dir)
		if u, err := w.URL(w.last.Load()); err != nil || u.URL != "http://last.test/" {
			t.Errorf("%s: what was committed last is %+v, %v", how, u, err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, checkpointFile+".*")); len(left) > 0 {
			t.Errorf("%s: %q are left", how, left)
		}
		saveCheckpoint(t, w, func(*Page) {})
		must(t, w.Close())
		if !asRows(t, dir, how+", written again") {
			t.Errorf("%s: one that was written again is not used", how)
		}
	}
}

// writeCutShort is the process that is killed, or whose disk is full.
func writeCutShort(t *testing.T, how, dir string) {
	w := open(t, dir)
	w.recalled.later = map[uint64]struct{}{}
	for i := range fewLater {
		w.recalled.later[1<<40+uint64(i)] = struct{}{} // enough changes for a new checkpoint
	}
	part := CheckpointPart{Name: "x", Write: func(out *bufio.Writer) error {
		seed(t, w, "http://last.test/")
		if how == "killed" {
			must(t, out.Flush())
			os.Stdout.WriteString("killed\n")
			_, err := io.ReadAll(os.Stdin)
			return err
		}
		// No file of this process may grow, as on a full disk.
		st, err := os.Stat(DatabasePath(dir))
		must(t, err)
		signal.Ignore(syscall.SIGXFSZ)
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: uint64(st.Size()), Max: uint64(st.Size())}))
		_, err = out.Write(make([]byte, st.Size()))
		return err
	}}
	saved, err := SaveCheckpoint(w, func(*Page) {}, part)
	if saved || !errors.Is(err, syscall.EFBIG) {
		t.Fatal(saved, err)
	}
	must(t, w.Close())
	os.Stdout.WriteString("full\n")
}
