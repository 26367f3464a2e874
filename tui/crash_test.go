package tui

import (
	"errors"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// bomb is a screen that panics on request.
type bomb struct {
	screen.Screen
	view, cmd bool
}

func (b *bomb) View(c *widget.Canvas) {
	if b.view {
		panic("in the view")
	}
	b.Screen.View(c)
}

func (b *bomb) Update(msg tea.Msg) tea.Cmd {
	if b.cmd {
		return func() tea.Msg { panic("in a Cmd") }
	}
	panic("in Update")
}

func TestAPanicEndsInOrder(t *testing.T) {
	for name, b := range map[string]*bomb{"view": {view: true}, "cmd": {cmd: true}, "update": {}} {
		t.Run(name, func(t *testing.T) {
			d := workbench(t, tuitest.Open(t, tuitest.Crawled), 80, 24)
			b.Screen = d.a.screens[1]
			d.a.screens[1] = b
			killed := make(chan struct{})
			d.a.kill = func() { close(killed) }
			g := guarded{d.a, d.a}
			switch name {
			case "view":
				if s := g.View(); !strings.Contains(s, "crashed: in the view") {
					t.Errorf("the frame is %q", s)
				}
				<-killed
			case "cmd":
				_, cmd := g.Update(screen.TickMsg{})
				var crash crashMsg
				found := false
				for _, c := range flat(cmd) {
					if m, ok := c().(crashMsg); ok {
						crash, found = m, true
					}
				}
				if !found {
					t.Fatal("the panic of a Cmd was lost")
				}
				g.Update(crash)
			case "update":
				g.Update(screen.TickMsg{})
			}
			var crash *Crash
			if !errors.As(d.a.err, &crash) || !strings.Contains(string(crash.Stack), "bomb") {
				t.Errorf("the error is %v", d.a.err)
			}
			d.a.err = nil
		})
	}
}

// flat unpacks a batch of Cmds.
func flat(cmd tea.Cmd) []tea.Cmd {
	if cmd == nil {
		return nil
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		return batch
	}
	return []tea.Cmd{func() tea.Msg { return msg }}
}
