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

// askDecided opens the list of decisions, newest first; typing filters it by person, day or word.
func (a *app) askDecided() tea.Cmd {
	in, log := widget.Waiting("decisions, by person"), a.parts.Topic
	a.ui.Choose(in)
	return screen.Load(a.ui, "reading the log",
		func(context.Context) ([]store.Event, error) { return log.Decided(mostDecided) },
		func(events []store.Event, err error) tea.Cmd {
			if err != nil {
				a.say(widget.Bad, a.shared.Reason(err))
			}
			in.Fill(a.over.decided(events, a.shared)) // a closed chooser is not shown again
			return nil
		})
}

// decided are the items of the list.
func (o *overlay) decided(events []store.Event, sh *screen.Shared) []widget.Item {
	var items []widget.Item
	for _, e := range slices.Backward(events) {
		items = append(items, widget.Item{
			Name: e.At.Local().Format(time.DateTime) + "  " + widget.Clean(e.By) + "  " + widget.Clean(sh.Message(e.What)),
			Raw:  true,
			Do:   screen.Do(func() { o.tell(&e, sh) }),
		})
	}
	return items
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
