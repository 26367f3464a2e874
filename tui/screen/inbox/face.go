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
		viewer{s}.drawViews(c)
	}
	s.Panes.View(c.Sub(widget.Rect{Y: s.bar(), W: s.w, H: s.h - s.bar()}))
}

// Bindings implements Screen.
func (s *harvest) Bindings() []screen.Binding {
	if s.recipes.Open {
		return s.recipes.Bindings()
	}
	return ownBindings(s)
}

func ownBindings(s *harvest) []screen.Binding {
	moved := s.moved
	if s.Focus == sidePane {
		moved = nil
	}
	out := s.Panes.Bindings(moved)
	if s.Focus == noticesPane { // which has a filter of its own
		out = slices.DeleteFunc(out, func(b screen.Binding) bool { return b.Is(keymap.Search) })
	}
	for i := range out {
		if out[i].Is(keymap.Close) && s.Focus == sidePane && s.onNotices() && s.reader.doc != nil {
			out[i].Do, out[i].Off = s.reader.closeDocument, ""
		}
		// Changing the list changes the preview.
		if out[i].Is(keymap.NextPane) || out[i].Is(keymap.LastPane) {
			step := out[i].Do
			out[i].Do = func() tea.Cmd { return tea.Batch(step(), s.moved()) }
		}
	}
	return out
}

// Keys implements Screen.
func (s *harvest) Keys() []screen.Binding {
	out := s.Each(func() []screen.Binding { return ownBindings(s) })
	for _, b := range slices.Concat(s.reader.keys(), s.reader.fieldKeys(), s.recipes.Keys()) {
		if !slices.ContainsFunc(out, func(o screen.Binding) bool { return o.Is(b.Entry()) }) {
			out = append(out, b)
		}
	}
	return out
}

// ShowRecipes opens the recipes over the screen: at the list of a page, and where that is
// empty at the aggregation page under the cursor, if it lacks something or a recipe reads
// it; from another screen at the only list that is not read whole. Over the screen already, they are closed.
func ShowRecipes(of screen.Screen, page string) tea.Cmd {
	s := of.(*harvest)
	if page == "" && s.shared.Shown == screen.Screen(s) && s.recipes.Open {
		s.recipes.Open = false
		return nil
	}
	if page == "" && s.shared.Shown != screen.Screen(s) {
		page = onlyUnread(s.shared.Snap)
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
