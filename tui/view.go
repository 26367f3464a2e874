package tui

import (
	"slices"

	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// body is the height of a screen without tab bar, status line and footer; a very low terminal drops
// these from the bottom up.
func (a *app) body() int {
	switch {
	case a.h >= 4:
		return a.h - 3
	case a.h == 3:
		return 1
	}
	return a.h - 1
}

// View implements tea.Model. It draws every cell of the screen.
func (a *app) View() string {
	c := a.canvas
	c.Clear()
	a.buttons = a.buttons[:0]
	a.drawTabs(c)
	a.screens[a.at].View(c.Sub(widget.Rect{Y: 1, W: a.w, H: a.body()}))
	if a.h >= 3 {
		statusLine{a}.draw(c, 1+a.body())
	}
	if !a.ready {
		a.opening.draw(c.Sub(widget.Rect{Y: 1, W: a.w, H: a.body()}))
	}
	a.over.draw(c)
	if a.h >= 4 && !(statusLine{a}).drawExplained(c) && !(statusLine{a}).drawLong(c, a.h-2) {
		a.drawFooter(c, a.h-1)
	}
	return a.clock.draws(a.calm.frame(c.String(), a.o.Now()))
}

// tabs returns the places of the tabs on the first row.
func (a *app) tabs() []widget.Rect {
	out := make([]widget.Rect, len(a.screens))
	x := a.brand()
	for i := range a.screens {
		w := widget.Width(a.tab(i))
		out[i] = widget.Rect{X: x, W: w, H: 1}
		x += w
	}
	return out
}

// tab returns the text of one tab: without room for all names, only the open one keeps its name.
// Home loses its name first, because its key is unique.
func (a *app) tab(i int) string {
	n := a.number(i)
	switch {
	case i == a.at:
		return "[" + n + " " + a.shared.T(a.screens[i].Name()) + "]"
	case i == 0 && a.w < a.fullTabs(true)+roomOfHome, a.w < a.fullTabs(false):
		return " " + n + " "
	}
	return " " + n + " " + a.shared.T(a.screens[i].Name()) + " "
}

// number returns the key of screen i: its number unless the settings change it.
func (a *app) number(i int) string { return a.keymap.Printed(keymap.Screens[i]) }

const (
	roomOfBrand = 10 // width of the program's name before the tabs
	roomOfHome  = 60 // width beside all tabs below which names of viewers replace Home's name
)

// fullTabs returns the width of all tabs with their names; that of Home counts if it is open or
// home is true.
func (a *app) fullTabs(home bool) int {
	n := 0
	for i, s := range a.screens {
		n += widget.Width(a.number(i)) + 2
		if i > 0 || a.at == 0 || home {
			n += 1 + widget.Width(a.shared.T(s.Name()))
		}
	}
	return n
}

// brand returns the width before the tabs.
func (a *app) brand() int {
	named := 10 + min(22, widget.Width(nameOf(a.shared.Snap))) + 2
	switch room := a.w - a.fullTabs(a.w >= a.fullTabs(true)+roomOfHome); {
	case room >= max(34, named):
		return named
	case room >= roomOfBrand:
		return roomOfBrand
	case room == 0:
		return 0
	}
	return 1
}

// nameOf returns the name of the workspace and its topic.
func nameOf(s *view.Snapshot) string {
	name := s.Workspace
	if s.Topic != "" && s.Topic != name {
		if name != "" {
			name += " · "
		}
		name += s.Topic
	}
	return widget.Clean(name)
}

func (a *app) drawTabs(c *widget.Canvas) {
	if x := a.brand(); x >= 10 {
		c.Text(1, 0, widget.Accent|widget.Bold, "angler")
		if x > 12 {
			c.Text(9, 0, widget.Plain, widget.Fit(nameOf(a.shared.Snap), 22))
		}
	}
	end := 0
	for i, r := range a.tabs() {
		st := widget.Either(i == a.at, widget.Accent|widget.Bold, widget.Dim)
		c.Text(r.X, 0, st, a.tab(i))
		if i != a.at {
			c.Text(r.X+1, 0, widget.Key, a.number(i))
		}
		end = r.X + r.W
	}
	mark, st := "", widget.Dim
	switch {
	case a.frozen:
		mark, st = a.shared.T(" FROZEN {freeze} "), widget.Warn|widget.Invert|widget.Bold
	case !a.mouse:
		mark = a.shared.T("mouse off {mouse}")
	default:
		mark = a.present(a.w - end - 3)
	}
	switch x := a.w - widget.Width(mark) - 1; {
	case mark == "":
	case x > end:
		if a.frozen && !a.over.open() {
			a.buttons.names(x, 0, widget.Width(mark), keymap.Freeze)
		}
		c.Text(x, 0, st, mark)
	case a.brand() >= widget.Width(mark): // in place of the program's name
		c.Text(0, 0, st, mark)
	}
}

func (a *app) drawFooter(c *widget.Canvas, y int) {
	if a.over.prompt != nil {
		c.Fill(widget.Rect{Y: y, W: a.w, H: 1}, widget.Plain, " ")
		a.over.prompt.Draw(c.Sub(widget.Rect{X: 1, Y: y, W: a.w - 1, H: 1}), 0)
		return
	}
	if hints := a.over.hints(); hints != nil {
		c.Fill(widget.Rect{Y: y, W: a.w, H: 1}, widget.Plain, " ")
		c.Block(1, y, c.Theme().Hints(hints, a.w-2))
		a.buttons.addHints(c.Theme(), hints, 1, y, a.w-2)
		return
	}
	room := a.w
	if a.w < hintFrom && a.w > 20 { // if the status line has no room for it
		help, ask := a.shared.T("help"), a.keymap.Printed(keymap.Help)
		room -= widget.Width(help) + widget.Width(ask) + 3
		a.buttons.names(room+1, y, a.w-room-2, keymap.Help)
		x := c.Text(room+1, y, widget.Key, ask)
		c.Text(x+1, y, widget.Dim, help)
	}
	list := reached(a.bindings())
	slices.SortStableFunc(list, func(a, b screen.Binding) int { return int(a.Foot) - int(b.Foot) })
	drawKeys(a, c, list, 1, y, room)
}
