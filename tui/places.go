package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file switches to another workspace. The caller of Run closes one and opens the other,
// because only the caller can make an engine.

// Switch is the workspace that a reader wants: the error of Run, or the answer to Setup.
type Switch struct {
	Dir  string // its folder; "" means none yet
	New  bool   // make a new workspace
	Demo bool   // the demo web
}

func (s *Switch) Error() string {
	if s.New {
		return "a new workspace is wanted"
	}
	return fmt.Sprintf("the workspace %s is wanted", s.Dir)
}

func (a *app) askPlace() tea.Cmd {
	list, in := a.o.Places, widget.Waiting("workspaces")
	a.ui.Choose(in)
	return a.ui.Run("looking for workspaces", func(context.Context) tea.Msg {
		known := list()
		return screen.Reply{Take: screen.Do(func() { in.Fill(a.places(known)) })} // a closed chooser is not shown again
	})
}

// places are the items for the recently used workspaces, and a new one.
func (a *app) places(list []seeds.WorkspacePlace) []widget.Item {
	items := widget.Map(list, func(p seeds.WorkspacePlace) widget.Item {
		return widget.Item{Name: widget.Clean(p.Name), Raw: true, Note: placeNote(a.shared.Lang, &p, a.o.Now()),
			Do: func() tea.Cmd { return a.change(&Switch{Dir: p.Dir}) }}
	})
	return append(items,
		widget.Item{Name: "new workspace …", Note: "choose a kind of notices, paste its seeds",
			Do: func() tea.Cmd { return a.change(&Switch{New: true}) }})
}

// change leaves for another workspace; it asks first if a crawl is running.
func (a *app) change(to *Switch) tea.Cmd {
	a.next = to
	return a.leave()
}
