package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/i18n"
	"angler/tui/widget"
)

// work is the list of running Cmds. One that takes longer than slow is shown with a spinner and its
// age; esc cancels all.
type work struct {
	list    []piece // oldest first
	next    int
	frame   int
	ticking bool
	ctx     context.Context // context of the program
	now     func() time.Time
	lang    *i18n.Lang
}

// piece is one running Cmd.
type piece struct {
	id     int
	label  string
	begun  time.Time
	cancel context.CancelFunc
}

type (
	workMsg struct {
		id  int
		msg tea.Msg
	}
	spinMsg struct{}
)

// slow is the time after which work is shown.
const slow = 150 * time.Millisecond

// run makes a Cmd of do that is shown and can be cancelled while it runs.
func (w *work) run(label string, do func(context.Context) tea.Msg) tea.Cmd {
	w.next++
	id := w.next
	ctx, cancel := context.WithCancel(w.ctx)
	w.list = append(w.list, piece{id, label, w.now(), cancel})
	cmd := func() tea.Msg { return workMsg{id, do(ctx)} }
	if w.ticking {
		return cmd
	}
	w.ticking = true
	return tea.Batch(cmd, tea.Tick(slow, func(time.Time) tea.Msg { return spinMsg{} }))
}

func (w *work) done(id int) {
	for i := range w.list {
		if w.list[i].id == id {
			w.list[i].cancel()
			w.list = append(w.list[:i:i], w.list[i+1:]...)
			return
		}
	}
}

// spin turns the spinner while work is running.
func (w *work) spin() tea.Cmd {
	if w.ticking = len(w.list) > 0; !w.ticking {
		return nil
	}
	w.frame++
	return tea.Tick(120*time.Millisecond, func(time.Time) tea.Msg { return spinMsg{} })
}

// shown returns the line about the oldest slow work, or "".
func (w *work) shown() string {
	if len(w.list) == 0 {
		return ""
	}
	age := w.now().Sub(w.list[0].begun)
	if age < slow {
		return ""
	}
	what := w.lang.T(widget.Clean(w.list[0].label))
	if n := len(w.list) - 1; n > 0 {
		what = w.lang.F("%s and %s more", what, widget.Count(n))
	}
	return widget.Spin(w.frame) + " " + what + " " + widget.Whole(age) + " · " + w.lang.T("{cancel} cancels")
}

// cancelAll cancels all work; its messages still arrive.
func (w *work) cancelAll() bool {
	for _, k := range w.list {
		k.cancel()
	}
	return len(w.list) > 0
}
