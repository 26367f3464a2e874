package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/tui/widget"
)

// This file switches to another workspace. The caller of Run closes one and opens the other,
// because only the caller can make an engine.

// Switch is Run's error when the reader wants another workspace.
type Switch struct {
	Dir string // its folder
	New bool   // make a new workspace; Dir is empty
}

func (s *Switch) Error() string {
	if s.New {
		return "a new workspace is wanted"
	}
	return fmt.Sprintf("the workspace %s is wanted", s.Dir)
}

// placesMsg brings the recently used workspaces.
type placesMsg struct {
	list []seeds.WorkspacePlace
	in   *widget.Chooser
}

func (a *app) askPlace() tea.Cmd {
	list, in := a.o.Places, widget.Waiting("workspaces")
	a.ui.Choose(in)
	return a.ui.Run("looking for workspaces", func(context.Context) tea.Msg { return placesMsg{list(), in} })
}

func (a *app) showPlaces(m placesMsg) {
	var items []widget.Item
	for _, p := range m.list {
		items = append(items,
			widget.Item{Name: widget.Clean(p.Name), Raw: true, Note: placeNote(a.shared.Lang, &p, a.o.Now()),
				Do: func() tea.Cmd { return a.change(&Switch{Dir: p.Dir}) }})
	}
	items = append(items,
		widget.Item{Name: "new workspace …", Note: "choose a kind of notices, paste its seeds",
			Do: func() tea.Cmd { return a.change(&Switch{New: true}) }})
	a.over.fill(m.in, items)
}

// change leaves for another workspace; it asks first if a crawl is running.
func (a *app) change(to *Switch) tea.Cmd {
	a.next = to
	return a.leave()
}
