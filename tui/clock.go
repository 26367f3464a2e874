package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/runs"
	"angler/tui/screen"
	"angler/tui/widget"
)

// clockMsg comes every second while the clock goes.
type clockMsg struct{}

// restAfter is after how many seconds in which nothing changes the clock stops: what
// is put off for some seconds (loads, how the screens were left, the end of a message)
// has come to its turn by then.
const restAfter = 10

// clock ticks by the second while ticks change what is shown, and for restAfter seconds
// after that. It stops while nothing happens; whatever happens starts it again.
type clock struct {
	ticks bool
	calm  int    // ticks in a row that changed nothing
	shown string // the last frame
}

// stir starts the clock because of a message, or keeps it going. A still snapshot does
// neither: it comes every ten seconds, and draws what has grown old meanwhile.
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

// next is the tick after one that came; nil when the clock stops.
func (c *clock) next() tea.Cmd {
	if c.calm++; c.calm > restAfter {
		c.ticks = false
		return nil
	}
	return tick
}

// draws takes a frame on its way to the display.
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

// hear tells the display what is shown next because of a message: what a person has asked
// for, or only how a run gets on.
func hear(a *app, msg tea.Msg) {
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		a.calm.hurry(a.o.Now())
	case snapshotMsg, clockMsg, spinMsg, workMsg, keptMsg, widget.Arranged, screen.LoadedMsg[*query.SiteOverview],
		screen.LoadedMsg[[]runs.Row], screen.LoadedMsg[*inbox.Listing]:
	default:
		a.calm.moved()
	}
}
