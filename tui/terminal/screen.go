package terminal

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// Pace bounds the output of a screen.
type Pace struct {
	Calm  time.Duration // least time between two frames without keys
	Quick time.Duration // least time between two frames just after a key
	Bytes int           // average bytes a second, of which one second's may be sent at once; 0: no limit
}

// FarPace allows 4.5 frames a second while watching, 30 while typing; HerePace 30 and 60.
var (
	FarPace  = Pace{Calm: 220 * time.Millisecond, Quick: 33 * time.Millisecond, Bytes: 36 << 10}
	HerePace = Pace{Calm: 33 * time.Millisecond, Quick: 16 * time.Millisecond}
)

// typing is how long after a key frames are quick.
const typing = time.Second

// maxRaw bounds the waiting output besides frames, in bytes.
const maxRaw = 64 << 10

// Screen keeps a client's terminal equal to the newest frame. Show, Resize, Redraw, again, Mouse,
// Write and Touched never wait and are safe for concurrent use; Run sends.
type Screen struct {
	out  io.Writer
	pace Pace
	wake chan struct{} // capacity 1

	sending sync.Mutex // held while a frame is made and written

	mu      sync.Mutex
	away    bool // another process has the terminal: send nothing
	size    Size
	frame   string
	forget  bool
	mouse   bool
	raw     []byte
	touched time.Time

	have     [][]cell // cells that the client shows; for Run
	lines    []string // the same as text
	lastSize Size
	p        painter
}

// NewScreen returns a screen over out, of 0×0 cells until Resize.
func NewScreen(out io.Writer, pace Pace) *Screen {
	return &Screen{out: out, pace: pace, wake: make(chan struct{}, 1)}
}

func (s *Screen) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// Show sets the next frame: lines joined by '\n', styled only by SGR sequences.
func (s *Screen) Show(frame string) {
	s.mu.Lock()
	same := frame == s.frame && !s.forget
	s.frame = frame
	s.mu.Unlock()
	if !same {
		s.poke()
	}
}

// Size is the size of a terminal in cells.
type Size struct{ Width, Height int }

// Resize sets the client's size. The next Show draws everything again: the current frame has
// another size.
func (s *Screen) Resize(to Size) {
	s.mu.Lock()
	s.size, s.forget = to, true
	s.mu.Unlock()
}

// Redraw sends the whole frame again.
func (s *Screen) Redraw() {
	s.mu.Lock()
	s.forget = true
	s.mu.Unlock()
	s.poke()
}

// Mouse turns mouse reports of the client on or off. They cover clicks, wheel and drags; reports of
// every movement would flood a line.
func (s *Screen) Mouse(on bool) {
	s.mu.Lock()
	s.mouse = on
	s.mu.Unlock()
	io.WriteString(s, mouse(on))
}

func mouse(on bool) string {
	if on {
		return "\x1b[?1002h\x1b[?1006h"
	}
	return "\x1b[?1002l\x1b[?1006l"
}

// again takes over the terminal after another program had it, and sends the whole frame.
func (s *Screen) again() {
	s.mu.Lock()
	on := s.mouse
	s.away = false
	s.mu.Unlock()
	io.WriteString(s, enter+mouse(on))
	s.Redraw()
}

// isAway waits for the current frame and gives the terminal back until again is called.
func (s *Screen) isAway() error {
	s.mu.Lock()
	s.away = true
	s.mu.Unlock()
	s.sending.Lock()
	defer s.sending.Unlock()
	return s.write([]byte(leave))
}

// Write sends p between two frames: a control sequence that draws nothing. It never fails; if the
// client is too slow, p is dropped.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	if len(s.raw)+len(p) <= maxRaw {
		s.raw = append(s.raw, p...)
	}
	s.mu.Unlock()
	s.poke()
	return len(p), nil
}

// Touched records that the client typed something and expects an answer.
func (s *Screen) Touched() {
	s.mu.Lock()
	s.touched = time.Now()
	s.mu.Unlock()
}

// Enter and Leave are the sequences that take over a terminal and restore it.
const (
	enter = "\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[m\x1b[2J"
	leave = "\x1b[m\x1b[?1002l\x1b[?1006l\x1b[?2004l\x1b[?25h\x1b[?1049l"
)

// Run sends until ctx ends or a write fails, and returns the reason. It does not write Leave: see
// Last.
func (s *Screen) Run(ctx context.Context) error {
	if err := s.write([]byte(enter)); err != nil {
		return err
	}
	budget, at := float64(s.pace.Bytes), time.Now()
	var last time.Time
	timer := time.NewTimer(0)
	defer timer.Stop()
	<-timer.C
	for {
		select {
		case <-s.wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		// Wait until a frame is due; a key makes it due earlier.
		for {
			now := time.Now()
			budget = min(float64(s.pace.Bytes), budget+now.Sub(at).Seconds()*float64(s.pace.Bytes))
			at = now
			wait := s.due(last).Sub(now)
			if budget < 0 && s.pace.Bytes > 0 {
				wait = max(wait, time.Duration(-budget/float64(s.pace.Bytes)*float64(time.Second)))
			}
			if wait <= 0 {
				break
			}
			timer.Reset(min(wait, s.pace.Quick))
			select {
			case <-timer.C:
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		n, err := s.send()
		if err != nil {
			return err
		}
		if n > 0 {
			if s.lines != nil { // a sequence before the first frame does not delay it
				last = time.Now()
			}
			budget -= float64(n)
		}
	}
}

func (s *Screen) due(last time.Time) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.touched) < typing {
		return last.Add(s.pace.Quick)
	}
	return last.Add(s.pace.Calm)
}

// Last waits at most patience for the current write, then writes text and restores the terminal.
// Stop Run before.
func (s *Screen) Last(ended <-chan struct{}, patience time.Duration, text string) error {
	select {
	case <-ended:
	case <-time.After(patience):
		return errors.New("the client does not read")
	}
	done := make(chan error, 1)
	go func() { done <- s.write([]byte(leave + text)) }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return errors.New("the client does not read")
	}
}

// send updates the client and returns the number of bytes.
func (s *Screen) send() (n int, err error) {
	s.sending.Lock()
	defer s.sending.Unlock()
	b := s.next()
	if len(b) == 0 {
		return 0, nil
	}
	return len(b), s.write(b)
}

func (s *Screen) write(b []byte) error {
	_, err := s.out.Write(b)
	return err
}

// next returns the bytes that update the client; the slice is valid until the next call.
func (s *Screen) next() []byte {
	s.mu.Lock()
	frame, w, h, forget := s.frame, s.size.Width, s.size.Height, s.forget
	p := &s.p
	if s.away {
		s.mu.Unlock()
		return nil
	}
	p.b = append(p.b[:0], s.raw...)
	s.raw = s.raw[:0]
	if frame == "" || w <= 0 || h <= 0 {
		s.mu.Unlock()
		return p.b
	}
	s.forget = false
	s.mu.Unlock()
	p.x, p.y = 0, -1
	if size := (Size{w, h}); forget || size != s.lastSize {
		s.lastSize = size
		s.have, s.lines = make([][]cell, h), make([]string, h)
		blank := make([]cell, w*h)
		for i := range blank {
			blank[i] = cell{" ", "", 1}
		}
		for y := range s.have {
			s.have[y] = blank[y*w : (y+1)*w : (y+1)*w]
		}
		p.pen = ""
		p.b = append(p.b, "\x1b[m\x1b[2J"...)
	}
	row := make([]cell, w)
	for y := 0; y < h; y++ {
		line := ""
		line, frame, _ = strings.Cut(frame, "\n")
		if line == s.lines[y] {
			continue
		}
		parseLine(row, line)
		p.row(y, s.have[y], row)
		s.lines[y] = line
		s.have[y], row = row, s.have[y]
	}
	p.paint("") // output between frames finds a plain pen
	return p.b
}
