package tui

import (
	"context"
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/store"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/ui"
)

// mostDecided is how many decisions the list offers.
const mostDecided = 1000

// decidedMsg brings the newest decisions for the list that asked for them.
type decidedMsg struct {
	events []store.Event
	err    error
	in     *ui.Chooser
}

// askDecided opens the list of who decided what and when, the newest first; what is
// typed narrows it down to a person, a day or a word.
func (o *overlay) askDecided(u *screen.UI, log parts.Topic, sh *screen.Shared) tea.Cmd {
	in := ui.Waiting("who decided what").In(sh.Lang)
	o.chooser = in
	return u.Run("reading the log", func(context.Context) tea.Msg {
		events, err := log.Decided(mostDecided)
		return decidedMsg{events, err, in}
	})
}

// showDecided fills the list.
func (o *overlay) showDecided(m decidedMsg, sh *screen.Shared) {
	var items []ui.Item
	for _, e := range slices.Backward(m.events) {
		items = append(items, ui.Item{
			Name: e.At.Local().Format(time.DateTime) + "  " + ui.Clean(e.By) + "  " + sh.Line(ui.Clean(e.What)), Raw: true,
			Do: func() tea.Cmd { o.tell(&e, sh); return nil },
		})
	}
	o.fill(m.in, items)
}

// tell shows what one decision changed.
func (o *overlay) tell(e *store.Event, sh *screen.Shared) {
	out := []ui.TextLine{
		{{Text: e.At.Local().Format(time.DateTime) + " · ", Style: ui.Dim}, {Text: ui.Clean(e.By), Style: ui.Accent}},
		{{Text: sh.Line(ui.Clean(e.What)), Style: ui.Bold}}, {{}},
	}
	for _, c := range e.Changes {
		out = append(out, ui.TextLine{{Text: ui.Clean(c.Kind + " " + c.Key), Style: ui.Head}})
		for _, side := range []struct {
			sign  string
			style ui.Style
			value []byte
		}{{"− ", ui.Bad, c.Before}, {"+ ", ui.Good, c.After}} {
			if len(side.value) > 0 {
				out = append(out, ui.TextLine{{Text: side.sign, Style: side.style}, {Text: ui.Clean(string(side.value))}})
			}
		}
	}
	o.title, o.help, o.book = "what the decision changed", &ui.Text{}, nil
	o.help.Set(out)
}
