package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/store"
	"angler/tui/screen"
	"angler/tui/widget"
)

// mostDecided is the number of decisions in the list.
const mostDecided = 1000

// decidedMsg brings the newest decisions for the list that requested them.
type decidedMsg struct {
	events []store.Event
	err    error
	in     *widget.Chooser
}

// askDecided opens the list of decisions, newest first; typing filters it by person, day or word.
func (o *overlay) askDecided(u *screen.UI, log screen.Topic, sh *screen.Shared) tea.Cmd {
	in := widget.Waiting("decisions, by person").In(sh.Lang)
	o.chooser = in
	return u.Run("reading the log", func(context.Context) tea.Msg {
		events, err := log.Decided(mostDecided)
		return decidedMsg{events, err, in}
	})
}

// showDecided fills the list.
func (o *overlay) showDecided(m decidedMsg, sh *screen.Shared) {
	var items []widget.Item
	for _, e := range slices.Backward(m.events) {
		items = append(items, widget.Item{
			Name: e.At.Local().Format(time.DateTime) + "  " + widget.Clean(e.By) + "  " + widget.Clean(sh.Message(e.What)),
			Raw:  true,
			Do:   func() tea.Cmd { o.tell(&e, sh); return nil },
		})
	}
	o.fill(m.in, items)
}

// tell shows the changes of one decision.
func (o *overlay) tell(e *store.Event, sh *screen.Shared) {
	out := []widget.TextLine{
		{{Text: e.At.Local().Format(time.DateTime) + " · ", Style: widget.Dim},
			{Text: widget.Clean(e.By), Style: widget.Accent}},
		{{Text: widget.Clean(sh.Message(e.What)), Style: widget.Bold}}, {{}},
	}
	for _, c := range e.Changes {
		out = append(out, widget.TextLine{{Text: widget.Clean(c.Kind + " " + c.Key), Style: widget.Head}})
		for _, side := range []struct {
			sign  string
			style widget.Style
			value []byte
		}{{"− ", widget.Bad, c.Before}, {"+ ", widget.Good, c.After}} {
			if len(side.value) > 0 {
				out = append(out,
					widget.TextLine{{Text: side.sign, Style: side.style}, {Text: widget.Clean(string(side.value))}})
			}
		}
	}
	o.title, o.help, o.book = "effect of the decision", &widget.Text{}, nil
	o.help.Set(out)
}
