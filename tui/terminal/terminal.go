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

// usual is the size of a terminal that does not tell it.
var usual = Size{80, 24}

// parting is how long a terminal may take for the frame under way and for Leave.
const parting = 10 * time.Second

// Terminal is a terminal of this process while a workbench has it: in raw mode, on
// the alternate screen, drawn by its Screen. Keys come from Input, sizes from Sizes.
type Terminal struct {
	*Screen
	Input *Input
	Sizes <-chan Size // capacity 1: the newest; the first is there at once

	keys  cancelreader.CancelReader
	done  chan struct{} // closed when it is given back
	sent  chan struct{} // closed when nothing is drawn any more
	stop  context.CancelFunc
	after sync.WaitGroup
	mode  mode
	halt  func() error // stops the process until it goes on
}

// Take takes over a terminal: keys come from in, frames go to out. What is none of
// both is served as well, at 80×24 cells. gone is called, perhaps more than once, when
// frames can not be written any more. Its owner calls Close.
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
		changed, woken, stop := signals() // before the first size is read: none that follows is missed
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

// follow tells the sizes of a terminal that is resized, and draws it anew when the
// process goes on after it was stopped.
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
		select { // the newest wins
		case <-sizes:
		default:
		}
		sizes <- now // the only sender
	}
}

// Suspend gives the terminal back, stops the processes of the job and takes the terminal
// again when they go on.
func (t *Terminal) Suspend() error {
	err := t.Away()
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

// Close gives the terminal back as it was taken. Unread keys are
// left to its next reader.
func (t *Terminal) Close() error {
	close(t.done)
	if t.keys.Cancel() {
		<-t.Input.Ended()
	}
	t.after.Wait()
	t.stop()
	return errors.Join(t.Last(t.sent, parting, ""), t.mode.leave(), t.keys.Close())
}

// mode is how a terminal gives every key at once and shows none, and draws what
// control sequences say.
type mode struct {
	in      term.File // nil = it is no terminal
	was     *term.State
	drawing func() error // as it drew before
}

func (m *mode) enter(in io.Reader, out io.Writer) (err error) {
	if f, ok := in.(term.File); ok && term.IsTerminal(f.Fd()) {
		m.in = f
		if m.was, err = term.MakeRaw(f.Fd()); err != nil {
			return err
		}
	}
	// Only a console of Windows has to be told; elsewhere this does nothing.
	if m.drawing, err = termenv.EnableVirtualTerminalProcessing(termenv.NewOutput(out)); err != nil {
		m.drawing = nil // it is no console
	}
	return nil
}

// again enters it once more; leave goes back to what was before the first time.
func (m *mode) again() {
	if m.in != nil {
		_, _ = term.MakeRaw(m.in.Fd()) // a terminal that is gone is found out by reading it
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
