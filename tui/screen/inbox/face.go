package inbox

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file is what the screen shows and which keys it has: its own, or those of the
// recipes, which lie over it.

// View implements Screen.
func (s *harvest) View(c *widget.Canvas) {
	if s.recipes.Open {
		s.recipes.View(c)
		return
	}
	if s.bar() > 0 {
		s.drawViews(c)
	}
	s.Panes.View(c.Sub(widget.Rect{Y: s.bar(), W: s.w, H: s.h - s.bar()}))
}

// around changes the keys of the focused pane.
func (s *harvest) around(pane []screen.Binding) []screen.Binding {
	if s.Focus == noticesPane { // which has a filter of its own
		pane = slices.DeleteFunc(pane, func(b screen.Binding) bool { return b.Is(keymap.Search) })
	}
	for i := range pane {
		if pane[i].Is(keymap.Close) && s.Focus == sidePane && s.onNotices() && s.reader.doc != nil {
			pane[i].Do, pane[i].Off = s.reader.closeDocument, ""
		}
	}
	return pane
}

// Keys implements Screen.
func (s *harvest) Keys() []screen.Binding {
	return screen.Union(s.Each(), s.reader.keys(), s.reader.fieldKeys(), s.recipes.Panes.Keys())
}

// ShowRecipes opens the recipes over the screen: at the list of a page, and where that is
// empty at the aggregation page under the cursor, if it lacks something or a recipe reads
// it; from another screen at the only list that is not read whole. Over the screen already, they are closed.
func ShowRecipes(of screen.Screen, page string) tea.Cmd {
	s := of.(*harvest)
	if page == "" && s.Shown == screen.Screen(s) && s.recipes.Open {
		s.recipes.Open = false
		return nil
	}
	if page == "" && s.Shown != screen.Screen(s) {
		page = onlyUnread(s.Snap)
	} else if page == "" && !s.onNotices() {
		if r := s.pages.Selected(); r != nil &&
			(r.alarm != nil && len(r.alarm.Unfollowed) > 0 || view.OfRecipe(r.URL)) {
			page = r.URL
		}
	}
	return s.recipes.show(page)
}

// onlyUnread is the page of the only list that shows more than is read; "" where there are
// none or several.
func onlyUnread(snap *view.Snapshot) (page string) {
	if snap.Unfollowed != 1 {
		return ""
	}
	for i := range snap.Alarms {
		if snap.Alarms[i].Kind == view.ListUnfollowed {
			page = snap.Alarms[i].URL
		}
	}
	return page
}
