package tui

import (
	"fmt"
	"runtime/debug"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/widget"
)

// This file keeps a bug of ours from breaking the reader's terminal. A panic in a message, a frame
// or a Cmd ends the program in order, and the report goes to Options.Report.

// Crash is a panic and its place.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("the workbench crashed: %v", c.Value) }

// crashMsg carries the panic of a Cmd into the update loop.
type crashMsg struct{ crash *Crash }

func crashed(value any) *Crash {
	return &Crash{Value: value, Stack: debug.Stack()}
}

// guarded is a model whose panics are caught.
type guarded struct {
	app   *app
	inner tea.Model
}

// Init implements tea.Model.
func (g guarded) Init() tea.Cmd { return safe(g.inner.Init()) }

// Update implements tea.Model.
func (g guarded) Update(msg tea.Msg) (m tea.Model, cmd tea.Cmd) {
	defer func() {
		if r := recover(); r != nil {
			g.app.err = crashed(r)
			m, cmd = g, tea.Quit
		}
	}()
	if c, ok := msg.(crashMsg); ok {
		g.app.err = c.crash
		return g, tea.Quit
	}
	_, cmd = g.inner.Update(msg)
	return g, safe(cmd)
}

// View implements tea.Model. After a panic it says why the program ends.
func (g guarded) View() (frame string) {
	defer func() {
		if r := recover(); r != nil {
			if g.app.err == nil {
				g.app.err = crashed(r)
				go g.app.kill()
			}
			frame = widget.Clean(g.app.err.Error())
		}
	}()
	return g.inner.View()
}

// safe turns a panic of a Cmd, or of the Cmds it starts, into a message.
func safe(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		defer func() {
			if r := recover(); r != nil {
				msg = crashMsg{crashed(r)}
			}
		}()
		msg = cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = safe(batch[i])
			}
		}
		return msg
	}
}
