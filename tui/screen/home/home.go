// Package home is screen 0, the story of a workspace: the steps from an empty
// workspace to harvests on schedule, what each has brought, and the one that
// comes next, which enter does.
//
// The story is generated from the newest snapshot; nothing is remembered beside
// it and nothing is asked of the engine. What is laid out is kept until the
// snapshot or the size changes, so that a frame costs a few microseconds. The
// danger is a step that tells more than the snapshot knows.
package home

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// The screens that steps lead to, by their keys.
const (
	samples   = 1
	threshold = 3
	crawl     = 4
	harvest   = 5
	label     = 6
)

// Ways are how Home leads to other screens.
type Ways struct {
	To   func(screen int) tea.Cmd // shows a screen
	Read func() tea.Cmd           // shows the newest notice
	Due  func() tea.Cmd           // lists the notices that are due

	Seeds func() tea.Cmd // shows the hosts that are proposed as seeds

	Judge func(view.BestJudge) tea.Cmd // takes a judge
}

// Home is screen 0.
type Home struct {
	*screen.UI
	*screen.Shared
	runs screen.Runs
	role auth.Role
	ways Ways

	room  widget.Rect
	box   widget.Rect // where the story stands
	rows  widget.Rect // its steps, inside
	drawn drawn

	today  screen.Loader[inbox.LikelyToday] // of the inbox; nothing is loaded without one
	likely inbox.LikelyToday
	inbox  screen.Inbox
}

// New returns screen 0 of a person with a role.
func New(u *screen.UI, sh *screen.Shared, runs screen.Runs, in screen.Inbox, r auth.Role, ways Ways) *Home {
	h := &Home{UI: u, Shared: sh, runs: runs, inbox: in, role: r, ways: ways}
	h.today = screen.NewLoader(u, sh, "reading notices",
		func(screen.DataVersion) func(context.Context) (inbox.LikelyToday, error) { return in.LikelyToday },
		func(got inbox.LikelyToday) tea.Cmd {
			if got != h.likely {
				h.likely, h.drawn = got, drawn{}
			}
			return nil
		})
	return h
}

// Name implements Screen.
func (h *Home) Name() string { return "Home" }

// SetSize implements Screen.
func (h *Home) SetSize(width, height int) {
	h.room, h.drawn = widget.Rect{W: width, H: height}, drawn{}
}

// fit places the story in its room, as high as it is today.
func (h *Home) fit(t *widget.Theme) {
	width, height := h.room.W, h.room.H
	h.box = widget.Rect{W: width, H: height}
	if w := 92; width > w+8 {
		h.box.X, h.box.W = (width-w)/2, w
	}
	most := len(steps) + 10 + len(h.warnings(t, h.box.W-4))
	for _, out := range []string{h.unmatched(), h.recall()} { // a line and an empty one each
		if out != "" {
			most += 2
		}
	}
	if height > most+4 {
		h.box.Y, h.box.H = (height-most)/4, most
	}
	h.drawn = drawn{}
}

// Update implements Screen.
func (h *Home) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.ActMsg, screen.TickMsg:
		return h.count()
	}
	return nil
}

// Mouse implements Screen: a click on a step shows its screen, one on the next step does it.
func (h *Home) Mouse(m tea.MouseMsg) tea.Cmd {
	if m.Action != tea.MouseActionPress || m.Button != tea.MouseButtonLeft {
		return nil
	}
	next := follow(h.Snap, h.SeedsSeen)
	switch foot := (widget.Rect{X: h.box.X, Y: h.box.Y + h.box.H - 1, W: h.box.W, H: 1}); {
	case h.rows.Contains(m.X, m.Y):
		return h.ways.To(steps[m.Y-h.rows.Y].at)
	case next.step == dayLine && m.Y == h.rows.Y+len(steps)+1 && m.X >= h.box.X && m.X < h.box.X+h.box.W,
		foot.Contains(m.X, m.Y):
		if why := h.denied(next); why != "" {
			h.Say(why)
			return nil
		}
		return h.do(next)
	}
	return nil
}

// count counts the likely notices again after others came or something was said of them, while the screen is shown.
func (h *Home) count() tea.Cmd {
	s := h.Snap
	if h.inbox == nil || h.Shown != screen.Screen(h) || s.Counts.Notices == 0 {
		return nil
	}
	return h.today.Check(screen.DataVersion{Pages: s.Counts.Notices, Acts: h.Acts,
		Extra: int(s.Decided<<32 ^ s.FactsRev<<16 ^ uint64(s.At.YearDay()))})
}

// Bindings implements Screen.
func (h *Home) Bindings() []screen.Binding {
	next := follow(h.Snap, h.SeedsSeen)
	enter := screen.Bind(keymap.NextStep, "", func() tea.Cmd { return h.do(next) })
	enter.Action = next.action
	return []screen.Binding{enter,
		screen.Bind(keymap.Explain, "", screen.Do(func() { h.Explain.Next(h, h.figures) }))}
}

// Keys implements Screen.
func (h *Home) Keys() []screen.Binding { return h.Bindings() }

// do does the next step.
func (h *Home) do(n next) tea.Cmd {
	switch n.kind {
	case probing:
		return h.Act(h.T("sampling the sites"), h.runs.StartProbe)
	case harvesting:
		return h.Act(h.T("harvest started"), h.runs.StartHarvest)
	case reading:
		return h.ways.Read()
	case nearing:
		return h.ways.Due()
	case seeding:
		return h.ways.Seeds()
	case deciding:
		return h.ways.Judge(h.Snap.Best)
	}
	return h.ways.To(n.at)
}

// denied says why this person may not do the next step; "" when they may.
func (h *Home) denied(n next) string { return h.role.Denied(n.action) }
