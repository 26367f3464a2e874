package tui

import (
	"angler/tui/screen"
	"angler/tui/widget"
	"context"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
)

// opening opens the engine while the workbench is already on the screen.
type opening struct {
	ctx      context.Context
	open     opener
	progress chan string   // newest line of the opener
	line     string        // the line on the screen
	ended    chan struct{} // closed when the opener returns

	mu     sync.Mutex // guards the fields below
	begun  bool       // the opener was called
	closed bool       // it must not be called any more
}

type (
	openedMsg   struct{ parts screen.Parts }
	failedMsg   struct{ err error }
	progressMsg string
)

// begin opens the workspace in a Cmd. A program that ends before its first Cmds never calls it.
func (o *opening) begin() tea.Cmd {
	o.ended = make(chan struct{})
	return func() tea.Msg {
		if !o.enter() {
			return nil
		}
		defer close(o.ended)
		p, err := o.open(o.ctx, func(line string) {
			select { // the newest line wins
			case <-o.progress:
			default:
			}
			select {
			case o.progress <- line:
			default:
			}
		})
		if err != nil {
			return failedMsg{err}
		}
		return openedMsg{p}
	}
}

// wait is the Cmd that returns the next line.
func (o *opening) wait() tea.Msg {
	select {
	case line := <-o.progress:
		return progressMsg(line)
	case <-o.ended:
	case <-o.ctx.Done():
	}
	return nil
}

func (o *opening) enter() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun = !o.closed
	return o.begun
}

// close waits for the opener if it was called, and prevents later calls.
func (o *opening) close() {
	o.mu.Lock()
	o.closed = true
	begun := o.begun
	o.mu.Unlock()
	if begun {
		<-o.ended
	}
}

// draw shows the progress of opening over the empty screen.
func (o *opening) draw(c *widget.Canvas) {
	w, h := c.Size()
	in := widget.Dialog(c, min(w, 64), min(h, 5), "angler")
	w, h = in.Size()
	line := c.Theme().Lang.Line(o.line)
	if h >= 3 {
		in.Text(2, 1, widget.Accent, widget.Fit(line+" …", w-4))
	} else {
		in.Text(0, 0, widget.Accent, widget.Fit(line, w))
	}
}
