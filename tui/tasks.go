package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/lang"
	"angler/tui/ui"
)

// tasks are the Cmds under way. One that takes longer than slow is shown with
// a spinner and its age; esc cancels all.
type tasks struct {
	list    []task // oldest first
	next    int
	frame   int
	ticking bool
	ctx     context.Context // of the program
	now     func() time.Time
	lang    *lang.Lang
}

type task struct {
	id     int
	label  string
	begun  time.Time
	cancel context.CancelFunc
}

type (
	taskMsg struct {
		id  int
		msg tea.Msg
	}
	spinMsg struct{}
)

// slow is when the reader begins to wonder.
const slow = 150 * time.Millisecond

// run makes a Cmd of work, seen and cancellable while it lasts.
func (t *tasks) run(label string, work func(context.Context) tea.Msg) tea.Cmd {
	t.next++
	id := t.next
	ctx, cancel := context.WithCancel(t.ctx)
	t.list = append(t.list, task{id, label, t.now(), cancel})
	cmd := func() tea.Msg { return taskMsg{id, work(ctx)} }
	if t.ticking {
		return cmd
	}
	t.ticking = true
	return tea.Batch(cmd, tea.Tick(slow, func(time.Time) tea.Msg { return spinMsg{} }))
}

func (t *tasks) done(id int) {
	for i := range t.list {
		if t.list[i].id == id {
			t.list[i].cancel()
			t.list = append(t.list[:i:i], t.list[i+1:]...)
			return
		}
	}
}

// spin turns the spinner while there is anything to wait for.
func (t *tasks) spin() tea.Cmd {
	if t.ticking = len(t.list) > 0; !t.ticking {
		return nil
	}
	t.frame++
	return tea.Tick(120*time.Millisecond, func(time.Time) tea.Msg { return spinMsg{} })
}

// shown returns the line about the oldest slow task, "" when there is none.
func (t *tasks) shown() string {
	if len(t.list) == 0 {
		return ""
	}
	age := t.now().Sub(t.list[0].begun)
	if age < slow {
		return ""
	}
	what := t.lang.T(ui.Clean(t.list[0].label))
	if n := len(t.list) - 1; n > 0 {
		what = t.lang.F("%s and %s more", what, ui.Count(n))
	}
	return ui.Spin(t.frame) + " " + what + " " + ui.Span(age) + " · " + t.lang.T("esc cancels")
}

// cancelAll asks every task to end; their messages still come.
func (t *tasks) cancelAll() bool {
	for _, k := range t.list {
		k.cancel()
	}
	return len(t.list) > 0
}
