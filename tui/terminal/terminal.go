package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
	"github.com/muesli/termenv"
)

// usual is the size of a terminal that does not report its size.
var usual = Size{80, 24}

// parting bounds the wait for the current frame and for Leave.
const parting = 10 * time.Second

// Terminal is the terminal of this process while a workbench uses it: in raw mode, on the alternate
// screen, drawn by its Screen. Input delivers keys, Sizes the size.
type Terminal struct {
	*Screen
	Input *Input
	Sizes <-chan Size // capacity 1: the newest size; the first is there at once

	keys  cancelreader.CancelReader
	done  chan struct{} // closed when the terminal is given back
	sent  chan struct{} // closed when drawing has ended
	stop  context.CancelFunc
	after sync.WaitGroup
	mode  mode
	halt  func() error // stops the process until it is continued
}

// Take takes over a terminal: in delivers keys, out takes frames. Files that are no terminals are
// served as well, at 80×24 cells. gone is called, perhaps more than once, when frames cannot be
// written any more. The caller must call Close.
func Take(in io.Reader, out io.Writer, gone func()) (*Terminal, error) {
	keys, err := cancelreader.NewReader(in)
	if err != nil {
		return nil, err
	}
	t := &Terminal{Screen: NewScreen(out, HerePace), keys: keys, done: make(chan struct{}), sent: make(chan struct{}),
		halt: halt}
	if err := t.mode.enter(in, out); err != nil {
		return nil, errors.Join(err, keys.Close())
	}
	sizes := make(chan Size, 1)
	t.Sizes = sizes
	if f, ok := out.(term.File); ok && term.IsTerminal(f.Fd()) {
		changed, woken, stop := signals() // before the first size is read, so that no change is missed
		sizes <- sizeOf(out)
		t.after.Go(func() {
			defer stop()
			t.follow(f, sizes, changed, woken)
		})
	} else {
		sizes <- sizeOf(out)
	}
	t.Input = NewInput(keys, Here, t.done, func(int) { t.Touched() })
	ctx, stop := context.WithCancel(context.Background())
	t.stop = stop
	go func() {
		defer close(t.sent)
		if err := t.Run(ctx); err != nil && ctx.Err() == nil {
			gone()
		}
	}()
	return t, nil
}

// follow reports the sizes of a terminal, and redraws it when the process continues after a stop.
func (t *Terminal) follow(f term.File, sizes chan Size, changed, woken <-chan os.Signal) {
	for {
		select {
		case <-changed:
		case <-woken: // another program may have changed the terminal meanwhile
			t.mode.again()
			t.again()
		case <-t.done:
			return
		}
		now := sizeOf(f)
		select { // a newer size replaces it
		case <-sizes:
		default:
		}
		sizes <- now // the only sender
	}
}

// Suspend gives the terminal back, stops the processes of the job, and takes the terminal again
// when they continue.
func (t *Terminal) Suspend() error {
	err := t.isAway()
	if err == nil {
		if err = t.mode.leave(); err == nil {
			err = t.halt()
		}
	}
	t.mode.again()
	t.again()
	return err
}

func sizeOf(out io.Writer) Size {
	if f, ok := out.(term.File); ok {
		if w, h, err := term.GetSize(f.Fd()); err == nil && w > 0 && h > 0 {
			return Size{w, h}
		}
	}
	return usual
}

// Close restores the terminal. Unread keys are left to its next reader.
func (t *Terminal) Close() error {
	close(t.done)
	if t.keys.Cancel() {
		<-t.Input.ended
	}
	t.after.Wait()
	t.stop()
	return errors.Join(t.Last(t.sent, parting, ""), t.mode.leave(), t.keys.Close())
}

// mode is raw input and the handling of control sequences.
type mode struct {
	in      term.File // nil: not a terminal
	was     *term.State
	drawing func() error // restores the handling of control sequences
}

func (m *mode) enter(in io.Reader, out io.Writer) (err error) {
	if f, ok := in.(term.File); ok && term.IsTerminal(f.Fd()) {
		m.in = f
		if m.was, err = term.MakeRaw(f.Fd()); err != nil {
			return err
		}
	}
	// Only a console of Windows needs this; elsewhere it does nothing.
	if m.drawing, err = termenv.EnableVirtualTerminalProcessing(termenv.NewOutput(out)); err != nil {
		m.drawing = nil // not a console
	}
	return nil
}

// again enters the mode again; leave restores the state before the first time.
func (m *mode) again() {
	if m.in != nil {
		_, _ = term.MakeRaw(m.in.Fd()) // reading will report a terminal that is gone
	}
}

func (m *mode) leave() error {
	var errs []error
	if m.drawing != nil {
		errs = append(errs, m.drawing())
	}
	if m.in != nil {
		errs = append(errs, term.Restore(m.in.Fd(), m.was))
	}
	return errors.Join(errs...)
}
