//go:build linux

package tuitest

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// BenchmarkFirstFrame measures from the start of the process to the first frame on its terminal:
// the tab bar, before workspace and dictionary are loaded. Run it with -benchtime 10x; it reports
// the median.
func BenchmarkFirstFrame(b *testing.B) {
	var took []time.Duration
	for b.Loop() {
		took = append(took, firstFrame(b))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-max")
}

// No collection interrupts the start of the program, see tui/early/garbage.
func TestStartWithoutCollection(t *testing.T) {
	c := exec.Command(Path, "version")
	c.Env = append(os.Environ(), "GODEBUG=gctrace=1", "GOGC=")
	out, err := c.CombinedOutput()
	if err != nil || !bytes.HasPrefix(out, []byte("angler ")) {
		t.Errorf("%v, %s", err, out)
	}
}

func firstFrame(b *testing.B) time.Duration {
	b.Helper()
	master, slave := pty(b)
	defer master.Close()
	c := exec.Command(Path, "demo")
	c.Env = append(os.Environ(), "TERM=xterm-256color")
	c.Stdin, c.Stdout, c.Stderr = slave, slave, slave
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	start := time.Now()
	must(b, c.Start())
	slave.Close()
	var seen []byte
	buf := make([]byte, 1<<16)
	for !bytes.Contains(seen, []byte("Harvest")) {
		n, err := master.Read(buf)
		if err != nil {
			b.Fatalf("no frame: %v in %q", err, seen)
		}
		seen = append(seen, buf[:n]...)
	}
	took := time.Since(start)
	must(b, c.Process.Signal(syscall.SIGTERM))
	go func() { // the terminal must be read until the program has left
		for {
			if _, err := master.Read(buf); err != nil {
				return
			}
		}
	}()
	_ = c.Wait() // it was asked to end
	return took
}

// pty opens a pseudo-terminal of 120×40.
func pty(b *testing.B) (master, slave *os.File) {
	b.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		b.Skipf("no pseudo-terminals here: %v", err)
	}
	fd := int(master.Fd())
	must(b, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must(b, err)
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(b, err)
	must(b, unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 120}))
	return master, slave
}
