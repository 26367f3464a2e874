package tui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// tour leads somebody who is new through the real screens: a card over each says what to
// do there. It gives way to the next when it is dismissed, or when it is done and the reader
// goes to the next screen; the tour itself never leaves a screen. nil is no tour.
type tour struct {
	at    int     // the step
	done  bool    // what it asks for
	card  ui.Rect // where it was drawn last, on the screen
	theta float64 // when the step of the threshold began
}

// tourStep is one card of the tour.
type tourStep struct {
	screen int
	title  string
	text   string
	done   func(t *tour, s *view.Snapshot) bool // nil = only when it is dismissed
}

var tourSteps = []tourStep{
	{0, "sample the sites", "Home tells how far a workspace is, and {next_step} does its next step. Press {next_step} now: some pages of six universities' sites are fetched, politely. The status line at the bottom tells how far it is.",
		func(_ *tour, s *view.Snapshot) bool { return s.Counts.Pages > 0 && s.State == view.Idle }},
	{1, "say what you want", "These pages hold many records with a date. Find two or three lists of tenders (招标, 采购) with {filter} and move with {down} and {up}; press {sample} on each: what such samples have in common is the topic.",
		func(_ *tour, s *view.Snapshot) bool { return s.Counts.Samples >= 2 }},
	{3, "draw the line", "Every page has a score now. {theta_lower} and {theta_raise} move the threshold θ: the lines below the picture tell what it lets in and what it loses. Press {theta_apply} to apply it, {undo} to take it back.",
		func(t *tour, s *view.Snapshot) bool { return s.Theta != t.theta }},
	{4, "let it run", "Press {discovery}: the sites are discovered, lists first, and their notices come home with them. {stop} stops, {pause} pauses, {explain} explains every number under the cursor.",
		func(_ *tour, s *view.Snapshot) bool { return s.Counts.Notices > 0 && s.State == view.Idle }},
	{5, "read what came home", "{next_pane} goes to the notices, {open} opens one. {yes} and {no} teach the program what you want. {help} lists all keys, {palette} finds every action, {settings} holds the settings. The rest is yours: {screen_home} goes back to Home.", nil},
}

// follow notes that the step is done, and goes on when the reader is on the screen of the
// next one.
func (t *tour) follow(s *view.Snapshot, screen int) {
	if t == nil || t.at >= len(tourSteps) {
		return
	}
	if done := tourSteps[t.at].done; done != nil && done(t, s) {
		t.done = true
	}
	if t.done && tourSteps[t.at+1].screen == screen {
		t.next(s)
	}
}

// next dismisses the card; it returns the screen of the next one, -1 when there is none.
func (t *tour) next(s *view.Snapshot) int {
	t.at++
	t.done = false
	if t.at >= len(tourSteps) {
		return -1
	}
	t.theta = s.Theta
	return tourSteps[t.at].screen
}

// off says why there is no card to dismiss; "" when there is one.
func (t *tour) off() string {
	if t == nil || t.at >= len(tourSteps) {
		return "no tour is under way; angler demo --tour begins one"
	}
	return ""
}

// dismiss goes to the next step, and to its screen.
func (t *tour) dismiss(a *app) tea.Cmd {
	if to := t.next(a.shared.Snap); to >= 0 {
		return a.goTo(to)
	}
	return nil
}

// click dismisses the card that was clicked; false when none was.
func (t *tour) click(a *app, m tea.MouseMsg) (tea.Cmd, bool) {
	if t.off() != "" || m.Action != tea.MouseActionPress || !t.card.Contains(m.X, m.Y) {
		return nil, false
	}
	return t.dismiss(a), true
}

// draw draws the card over the lower edge of a screen at row y.
func (t *tour) draw(c *ui.Canvas, y int) {
	if t.off() != "" {
		return
	}
	w, h := c.Size()
	w = min(w, 76)
	step := tourSteps[t.at]
	lines := ui.Wrap(c.T(step.text), max(1, w-4), max(1, h-4))
	high := min(h, len(lines)+3)
	cw, ch := c.Size()
	r := ui.Rect{X: (cw - w) / 2, Y: ch - high, W: w, H: high}
	t.card = ui.Rect{X: r.X, Y: y + r.Y, W: w, H: high}
	box := c.Sub(r)
	box.Clear()
	title := strconv.Itoa(t.at+1) + "/" + strconv.Itoa(len(tourSteps)) + " " + c.T(step.title)
	if t.done {
		title += " · ✓ " + c.T("done; go on when you like")
	}
	in := ui.Frame(box, title, "", true)
	for i, l := range lines {
		in.Text(1, i, ui.Plain, l)
	}
	if _, ih := in.Size(); ih > len(lines) {
		in.Block(1, ih-1, c.Theme().Hints([]ui.Hint{{Key: c.T("{tour_next}"), Does: "next step"}, {Key: c.T("{tour_end}"), Does: "end the tour"}}, w-4))
	}
}
