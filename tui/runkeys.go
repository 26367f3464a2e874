package tui

import (
	"reflect"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// rekey applies the keys of the settings; if they are invalid, it says why and changes nothing.
func rekey(a *app, set map[string]any) {
	if reflect.DeepEqual(set, a.keysOf) {
		return
	}
	a.keysOf, a.badKeys = set, ""
	m, err := keymap.Change(set)
	if err != nil {
		a.badKeys = a.shared.F("angler.toml: %s; the keys are as they were", a.shared.Says(err.Error()))
		a.say(widget.Bad, a.badKeys)
		return
	}
	a.keymap.Set(m)
	a.settings.again()
}

// runKeys start, pause, step and stop a run from every screen; opening says why they are not
// available yet.
func runKeys(a *app, opening string) []screen.Binding {
	runs, l, state := a.parts.Runs, a.shared.Lang, a.shared.Snap.State
	act := func(what string, do func() error) func() tea.Cmd {
		return func() tea.Cmd { return a.ui.Act(l.T(what), do) }
	}
	start, pause, step, stop := opening, opening, opening, opening
	if opening == "" {
		if state != view.Idle && state != "" {
			start = l.F("a run is %s already; {stop} stops it", l.T(string(state)))
		}
		if state != view.Running && state != view.Paused {
			pause, stop = "nothing runs: {discovery} starts a discovery, {harvest} a harvest", "nothing runs"
		}
		if state == view.Draining {
			pause, stop = "the run is stopping", "the run is stopping"
		}
		if state != view.Paused {
			step = "the run is not paused: {pause} pauses it"
		}
		if state == view.Idle || state == "" {
			step = "nothing runs: {discovery} starts a discovery, {harvest} a harvest"
		}
	}
	hold := screen.Bind(keymap.Pause, pause, act("crawl PAUSED for everyone", func() error { return runs.Pause() }))
	if state == view.Paused {
		hold.Action, hold.Do = auth.Resume, act("crawl resumed", func() error { return runs.Resume() })
	}
	return []screen.Binding{
		screen.Bind(keymap.Discovery, start, act("discovery started", func() error { return runs.StartDiscovery() })),
		screen.Bind(keymap.Harvests, start, act("harvest started", func() error { return runs.StartHarvest() })),
		hold,
		screen.Bind(keymap.Step, step, act("one step", func() error { return runs.Step() })),
		screen.Bind(keymap.Stop, stop, act("run stopped", func() error { return runs.Stop() })),
	}
}
