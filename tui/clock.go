package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/screen"
	"angler/tui/widget"
)

// clockMsg is sent every second while the clock runs.
type clockMsg struct{}

// restAfter is the number of seconds without a change after which the clock stops. By then all
// delayed work is done: loads, saving the state of screens, the end of a message.
const restAfter = 10

// clock ticks every second while ticks change the screen, and for restAfter seconds after that. Any
// message starts it again.
type clock struct {
	ticks bool
	calm  int    // ticks in a row without a change
	shown string // the last frame
}

// stir starts the clock for a message, or keeps it running. An unchanged snapshot does neither: it
// arrives every ten seconds and redraws ages.
func (c *clock) stir(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case clockMsg:
		return nil
	case snapshotMsg:
		if msg.snap.Still {
			return nil
		}
	}
	c.calm = 0
	if c.ticks {
		return nil
	}
	c.ticks = true
	return tick
}

// next returns the next tick; nil if the clock stops.
func (c *clock) next() tea.Cmd {
	if c.calm++; c.calm > restAfter {
		c.ticks = false
		return nil
	}
	return tick
}

// draws records a frame on its way to the display.
func (c *clock) draws(frame string) string {
	if frame != c.shown {
		c.shown = frame
		if c.ticks {
			c.calm = 0
		}
	}
	return frame
}

func tick() tea.Msg { return tea.Tick(time.Second, func(time.Time) tea.Msg { return clockMsg{} })() }

// hear tells the display the reason of the next frame: a request of a person, or progress of a run.
func hear(a *app, msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		a.calm.hurry(a.o.Now())
	case screen.Reply:
		if !msg.Progress {
			a.calm.moved()
		}
	case snapshotMsg, clockMsg, spinMsg, workMsg, widget.Arranged:
	default:
		a.calm.moved()
	}
}
