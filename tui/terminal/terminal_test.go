//go:build linux

package terminal

import (
	"bytes"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// shell is the other side of a terminal: its output, and the keys it sends.
type shell struct {
	t      *testing.T
	master *os.File
	slave  *os.File

	mu  sync.Mutex
	got bytes.Buffer
	new chan struct{} // capacity 1
}

// openShell opens a pseudo-terminal of 100×30 cells.
func openShell(t *testing.T) *shell {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	must(t, err)
	fd := int(master.Fd())
	must(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	must(t, err)
	slave, err := os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	x := &shell{t: t, master: master, slave: slave, new: make(chan struct{}, 1)}
	x.resize(100, 30)
	var reading sync.WaitGroup
	reading.Go(func() {
		b := make([]byte, 1<<12)
		for {
			n, err := master.Read(b)
			if err != nil {
				return
			}
			x.mu.Lock()
			x.got.Write(b[:n])
			x.mu.Unlock()
			select {
			case x.new <- struct{}{}:
			default:
			}
		}
	})
	t.Cleanup(func() {
		slave.Close()
		reading.Wait() // the last of its other side has closed
		master.Close()
	})
	return x
}

func (x *shell) resize(w, h uint16) {
	x.t.Helper()
	must(x.t, unix.IoctlSetWinsize(int(x.master.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: h, Col: w}))
}

func (x *shell) mode() unix.Termios {
	x.t.Helper()
	m, err := unix.IoctlGetTermios(int(x.slave.Fd()), unix.TCGETS)
	must(x.t, err)
	return *m
}

func (x *shell) types(keys string) {
	x.t.Helper()
	if _, err := io.WriteString(x.master, keys); err != nil {
		x.t.Fatal(err)
	}
}

// shows waits for text, and drops the output up to it.
func (x *shell) shows(text string) {
	x.t.Helper()
	late := time.After(10 * time.Minute)
	for {
		x.mu.Lock()
		got := x.got.String()
		_, rest, found := strings.Cut(got, text)
		if found {
			x.got.Reset()
			x.got.WriteString(rest)
		}
		x.mu.Unlock()
		if found {
			return
		}
		select {
		case <-x.new:
		case <-late:
			x.t.Fatalf("%q never came; what came is %q", text, got)
		}
	}
}

func (x *shell) take() *Terminal {
	x.t.Helper()
	t, err := Take(x.slave, x.slave, func() { x.t.Error("frames can not be written") })
	must(x.t, err)
	return t
}

func (x *shell) read(from io.Reader) string {
	x.t.Helper()
	b := make([]byte, 64)
	n, err := from.Read(b)
	must(x.t, err)
	return string(b[:n])
}

// A terminal is taken over and restored repeatedly, with keys and sizes in between.
func TestATerminalIsTakenAndGivenBack(t *testing.T) {
	x := openShell(t)
	was := x.mode()
	for _, key := range []string{"j", "招", "\x1b[<65;20;12M"} {
		term := x.take()
		if m := x.mode(); m.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 {
			t.Errorf("keys are echoed, come with enter, or are signals: %x", m.Lflag)
		}
		if size := <-term.Sizes; size != (Size{100, 30}) {
			t.Errorf("the first size is %v", size)
		}
		term.Resize(Size{100, 30})
		term.Mouse(true)
		term.Show("a frame of 招标")
		x.shows(enter)
		x.shows("\x1b[?1002h\x1b[?1006h")
		x.shows("a frame of 招标")
		x.types(key[:1])
		x.types(key[1:]) // a torn key arrives whole
		if got := x.read(term.Input); got != key {
			t.Errorf("%q is read as %q", key, got)
		}
		must(t, term.Close())
		x.shows(leave)
		if now := x.mode(); now != was {
			t.Errorf("the terminal is left as %+v, was %+v", now, was)
		}
	}
	x.types("line\n")
	if got := x.read(x.slave); got != "line\n" { // no earlier reader takes it
		t.Errorf("the shell reads %q", got)
	}
}

// showing returns a shell with its mode, and the terminal that shows "a frame" in it and
// reports the mouse.
func showing(t *testing.T) (*shell, unix.Termios, *Terminal) {
	x := openShell(t)
	was := x.mode()
	term := x.take()
	term.Resize(<-term.Sizes)
	term.Mouse(true)
	term.Show("a frame")
	x.shows("a frame")
	return x, was, term
}

// Only the newest size is reported; after a stop the terminal is taken over again.
func TestATerminalIsResizedAndWoken(t *testing.T) {
	x, was, term := showing(t)
	defer term.Close()
	signal := func(s syscall.Signal) {
		t.Helper()
		must(t, syscall.Kill(os.Getpid(), s))
	}
	for n := range uint16(50) {
		x.resize(20+n, 5+n)
		signal(syscall.SIGWINCH)
	}
	late := time.After(10 * time.Minute)
	for size := (Size{}); size != (Size{69, 54}); {
		select {
		case size = <-term.Sizes:
		case <-late:
			t.Fatal("the newest size never came; the last one is", size)
		}
	}
	must(t, unix.IoctlSetTermios(int(x.slave.Fd()), unix.TCSETS, &was))
	signal(syscall.SIGCONT)
	x.shows(enter + "\x1b[?1002h\x1b[?1006h")
	x.shows("a frame")
	if m := x.mode(); m.Lflag&unix.ICANON != 0 {
		t.Error("keys come with enter after a stop")
	}
}

// A suspended terminal is given back until the process continues. Frames in between are not sent.
func TestATerminalIsSuspended(t *testing.T) {
	x, was, term := showing(t)
	defer term.Close()
	term.halt = func() error {
		x.shows(leave)
		if now := x.mode(); now != was {
			t.Errorf("the shell gets the terminal as %+v, was %+v", now, was)
		}
		term.Show("another frame")
		if n, err := term.send(); n > 0 || err != nil {
			t.Errorf("%d bytes were sent to the shell, %v", n, err)
		}
		return nil
	}
	must(t, term.Suspend())
	x.shows(enter + "\x1b[?1002h\x1b[?1006h")
	x.shows("another frame")
	if m := x.mode(); m.Lflag&unix.ICANON != 0 {
		t.Error("keys come with enter after a suspension")
	}
}

// A pipe instead of a terminal gets frames of the usual size, and the sequences that take it over
// and restore it.
func TestNoTerminalIsServedToo(t *testing.T) {
	in, typing, err := os.Pipe()
	must(t, err)
	defer typing.Close()
	shown := make(chan string, 8)
	term, err := Take(in, writer(func(p []byte) { shown <- string(p) }), func() { t.Error("frames can not be written") })
	must(t, err)
	size := <-term.Sizes
	if size != (Size{80, 24}) {
		t.Errorf("the size is %v", size)
	}
	term.Resize(size)
	term.Show("a frame")
	if got := <-shown; got != enter {
		t.Errorf("at first came %q", got)
	}
	if got := <-shown; !strings.Contains(got, "a frame") {
		t.Errorf("then came %q", got)
	}
	must(t, term.Close())
	if got := <-shown; got != leave {
		t.Errorf("in the end came %q", got)
	}
}

// writer is an output that is a function.
type writer func([]byte)

func (w writer) Write(p []byte) (int, error) { w(p); return len(p), nil }

// A terminal that is gone is reported when a frame is written.
func TestATerminalThatIsGone(t *testing.T) {
	in, typing, err := os.Pipe()
	must(t, err)
	defer typing.Close()
	r, w, err := os.Pipe()
	must(t, err)
	defer w.Close()
	r.Close()
	gone := make(chan struct{})
	term, err := Take(in, w, func() { close(gone) })
	must(t, err)
	<-gone
	if err := term.Close(); err == nil {
		t.Error("it was given back")
	}
}
