package terminal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// emulator is a terminal that accepts only the output of a Screen.
type emulator struct {
	t    testing.TB
	rows [][]cell
	x, y int
	pen  string
}

func (e *emulator) feed(out string) {
	for len(out) > 0 {
		seq, w, n, _ := ansi.DecodeSequence(out, ansi.NormalState, nil)
		out = out[n:]
		if w > 0 {
			e.put(seq, w)
			continue
		}
		body, ok := strings.CutPrefix(seq, "\x1b[")
		if !ok || body == "" {
			e.t.Fatalf("unexpected %q", seq)
		}
		args, final := body[:len(body)-1], body[len(body)-1]
		switch {
		case strings.HasPrefix(args, "?"):
		case final == 'm':
			e.pen = style(e.pen, args)
		case final == 'H':
			r, c, _ := strings.Cut(args, ";")
			e.y, e.x = number(r)-1, number(c)-1
		case final == 'C':
			e.x += max(1, number(args))
		case final == 'K':
			for x := e.x; x < len(e.rows[e.y]); x++ {
				e.rows[e.y][x] = cell{" ", e.pen, 1}
			}
		case final == 'J':
			for y := range e.rows {
				for x := range e.rows[y] {
					e.rows[y][x] = cell{" ", e.pen, 1}
				}
			}
		default:
			e.t.Fatalf("unexpected %q", seq)
		}
	}
}

func (e *emulator) put(s string, w int) {
	row := e.rows[e.y]
	if row[e.x].w == 0 {
		row[e.x-1] = cell{" ", row[e.x-1].pen, 1}
	}
	if end := e.x + w; end < len(row) && row[end].w == 0 {
		row[end] = cell{" ", row[end].pen, 1}
	}
	row[e.x] = cell{s, e.pen, int8(w)}
	if w == 2 {
		row[e.x+1] = cell{"", e.pen, 0}
	}
	e.x += w
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

func newEmulator(t testing.TB, w, h int) *emulator {
	e := &emulator{t: t}
	for range h {
		row := make([]cell, w)
		for x := range row {
			row[x] = cell{"?", "7", 1} // left by another program
		}
		e.rows = append(e.rows, row)
	}
	return e
}

func (e *emulator) mustShow(frame string) {
	e.t.Helper()
	want := make([]cell, len(e.rows[0]))
	lines := strings.Split(frame, "\n")
	for y := range e.rows {
		line := ""
		if y < len(lines) {
			line = lines[y]
		}
		parseLine(want, line)
		for x := range want {
			if e.rows[y][x] != want[x] {
				e.t.Fatalf("row %d, cell %d shows %+v, want %+v\nline %q", y, x, e.rows[y][x], want[x], line)
			}
		}
	}
}

func TestScreenShowsEveryFrame(t *testing.T) {
	alphabet := []string{"a", "b", " ", " ", "招", "标", "│", "█", "…", "é", "\x1b[38;2;1;2;3m", "\x1b[0;38;2;9;9;9m", "\x1b[0;1;48;5;4;31m", "\x1b[m"}
	rnd := rand.New(rand.NewPCG(1, 2))
	const w, h = 23, 6
	var out bytes.Buffer
	s := NewScreen(&out, FarPace)
	s.Resize(Size{w, h})
	e := newEmulator(t, w, h)
	lines := make([]string, h)
	for n := range 2000 {
		for range 1 + rnd.IntN(3) {
			var b strings.Builder
			for cells := 0; cells < w-1; {
				a := alphabet[rnd.IntN(len(alphabet))]
				cells += ansi.StringWidth(a)
				b.WriteString(a)
			}
			lines[rnd.IntN(h)] = b.String() + "\x1b[m"
		}
		frame := strings.Join(lines, "\n")
		if n == 1000 {
			s.Redraw()
		}
		s.Show(frame)
		e.feed(string(s.next()))
		e.mustShow(frame)
		if e.pen != "" {
			t.Fatalf("frame %d leaves the pen %q behind", n, e.pen)
		}
	}
}

func TestScreenSendsOnlyWhatChanged(t *testing.T) {
	line := func(n int) string { return fmt.Sprintf("\x1b[1;38;2;9;8;7mfetched %d\x1b[m of 招标 pages", n) }
	s := NewScreen(io.Discard, FarPace)
	s.Resize(Size{120, 40})
	frame := func(n int) string { return strings.Repeat("the same line\n", 38) + line(n) }
	s.Show(frame(1000))
	if n := len(s.next()); n < 38*13 {
		t.Fatalf("the first frame took %d bytes", n)
	}
	cases := []struct {
		name  string
		frame string
		most  int
	}{
		{"nothing changed", frame(1000), 0},
		{"one digit changed", frame(1001), 40},
		{"a line went blank", strings.Replace(frame(1001), "the same line", "", 1), 16},
		{"it came back", frame(1001), 24},
	}
	for _, c := range cases {
		s.Show(c.frame)
		if b := s.next(); len(b) > c.most {
			t.Errorf("%s: %d bytes, want at most %d: %q", c.name, len(b), c.most, b)
		}
	}
}

// stuck is a client that stops reading: its Write blocks until release.
type stuck struct {
	in      chan string
	release chan struct{}
}

func (w *stuck) Write(p []byte) (int, error) {
	w.in <- string(p)
	<-w.release
	return len(p), nil
}

func TestStalledClientSkipsFrames(t *testing.T) {
	w := &stuck{make(chan string), make(chan struct{})}
	s := NewScreen(w, Pace{Calm: time.Microsecond, Quick: time.Microsecond, Bytes: 1 << 30})
	s.Resize(Size{20, 2})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	<-w.in // Enter; from now on the client does not read
	for n := range 100_000 {
		s.Show(fmt.Sprintf("frame %d", n)) // would block here if it waited
	}
	w.release <- struct{}{}
	if got := <-w.in; !strings.Contains(got, "frame 99999") {
		t.Errorf("after the stall came %q, want the newest frame only", got)
	}
	// The last write never ends: the end of the session must not wait for it.
	cancel()
	if err := s.Last(make(chan struct{}), time.Millisecond, "bye"); err == nil {
		t.Error("Last reports no trouble")
	}
	close(w.release)
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Run ended with %v", err)
	}
}

func TestScreenStaysWithinItsBytes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count counter
		const rate = 20 << 10
		s := NewScreen(&count, Pace{Calm: time.Millisecond, Quick: time.Millisecond, Bytes: rate})
		s.Resize(Size{200, 50})
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		shown := make(chan struct{})
		go func() {
			defer close(shown)
			for n := 0; ctx.Err() == nil; n++ {
				s.Show(strings.Repeat(strings.Repeat(string(rune('a'+n%26)), 200)+"\n", 50))
				time.Sleep(10 * time.Millisecond)
			}
		}()
		err := s.Run(ctx)
		<-shown
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		// One second's bytes at once, the rate, and one frame beyond.
		if most := 21*rate + 12<<10; count.n > most || count.n < 19*rate {
			t.Errorf("%d bytes in 20 s, want %d, at most %d", count.n, 20*rate, most)
		}
	})
}

// Turning the mouse on before the size is known does not put the first frame off.
func TestSequenceDoesNotDelayTheFirstFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out strings.Builder
		s := NewScreen(&out, Pace{Calm: time.Hour, Quick: time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Run(ctx) }()
		s.Mouse(true)
		synctest.Wait()
		s.Resize(Size{20, 2})
		s.Show("first")
		synctest.Wait()
		if got := out.String(); !strings.Contains(got, mouse(true)) || !strings.Contains(got, "first") {
			t.Errorf("%q was sent at once", got)
		}
		s.Show("second")
		synctest.Wait()
		if got := out.String(); strings.Contains(got, "second") {
			t.Errorf("%q was sent at once, after a frame", got)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

func FuzzFrame(f *testing.F) {
	f.Add("a\x1b[31m招\x1b[m b", "\x1b[0;1mx│", 5)
	f.Fuzz(func(t *testing.T, a, b string, w int) {
		w = 1 + (w&0xff)%80
		s := NewScreen(io.Discard, FarPace)
		s.Resize(Size{w, 2})
		for _, frame := range []string{a, b, a} {
			s.Show(frame)
			s.next()
			for _, row := range s.have {
				if len(row) != w {
					t.Fatalf("a row of %d cells, want %d", len(row), w)
				}
			}
		}
	})
}

func BenchmarkFrame(b *testing.B) {
	line := strings.Repeat("\x1b[38;2;1;2;3m招标公告\x1b[m some text │ ", 6)
	s := NewScreen(io.Discard, FarPace)
	s.Resize(Size{120, 40})
	for n := 0; b.Loop(); n++ {
		s.Show(strings.Repeat(strconv.Itoa(n)+line+"\n", 40))
		s.next()
	}
}
