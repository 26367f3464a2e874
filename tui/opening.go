package tui

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/parts"
	"angler/tui/ui"
)

// opening is the way to an engine while the workbench is already on the screen.
type opening struct {
	ctx      context.Context
	open     Opener
	progress chan string   // newest line of the opener
	line     string        // shown
	ended    chan struct{} // closed when the opener has returned; nil before it began
}

type (
	openedMsg   struct{ parts parts.All }
	failedMsg   struct{ err error }
	progressMsg string
)

// begin opens the workspace in a Cmd.
func (o *opening) begin() tea.Cmd {
	o.ended = make(chan struct{})
	return func() tea.Msg {
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

// wait is the Cmd that brings the next line.
func (o *opening) wait() tea.Msg {
	select {
	case line := <-o.progress:
		return progressMsg(line)
	case <-o.ended:
	case <-o.ctx.Done():
	}
	return nil
}

// close waits for the opener.
func (o *opening) close() {
	if o.ended != nil {
		<-o.ended
	}
}

// draw says what the program is waiting for, over the empty screen.
func (o *opening) draw(c *ui.Canvas) {
	w, h := c.Size()
	in := ui.Dialog(c, min(w, 64), min(h, 5), "angler")
	w, h = in.Size()
	line := c.Theme().Lang.Line(o.line)
	if h >= 3 {
		in.Text(2, 1, ui.Accent, ui.Fit(line+" …", w-4))
	} else {
		in.Text(0, 0, ui.Accent, ui.Fit(line, w))
	}
}
