package tui

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/tui/ui"
)

// This file leaves one workspace for another. The caller of Run closes the one
// and opens the other: only it knows what an engine needs.

// Switch is what Run returns when the reader wants another workspace.
type Switch struct {
	Dir string // its folder
	New bool   // a workspace is to be made; Dir is empty
}

func (s *Switch) Error() string {
	if s.New {
		return "a new workspace is wanted"
	}
	return fmt.Sprintf("the workspace %s is wanted", s.Dir)
}

// placesMsg brings the workspaces used lately.
type placesMsg []crawl.Place

func (a *app) askPlace() tea.Cmd {
	list := a.o.Places
	return a.run("looking for workspaces", func(context.Context) tea.Msg { return placesMsg(list()) })
}

func (a *app) showPlaces(places placesMsg) {
	var items []ui.Item
	for _, p := range places {
		items = append(items, ui.Item{Name: ui.Clean(p.Name), Raw: true, Note: ui.Clean(p.Dir) + " · " + a.env.N(p.Seeds, "seed"), Do: func() tea.Cmd { return a.change(&Switch{Dir: p.Dir}) }})
	}
	items = append(items, ui.Item{Name: "new workspace …", Note: "name it, paste its seeds", Do: func() tea.Cmd { return a.change(&Switch{New: true}) }})
	a.chooser = ui.NewChooser("workspaces", items).In(a.env.Lang)
}

// change leaves for another workspace; a running crawl is asked about first.
func (a *app) change(to *Switch) tea.Cmd {
	a.next = to
	return a.leave()
}
