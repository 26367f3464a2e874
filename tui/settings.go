package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/store"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file edits angler.toml: a list of all settings with what they are for,
// one prompt for each, checked while it is typed. Every change is written at
// once, in one step, with the file's comments kept.

// settingsMsg brings the settings as they are now.
type settingsMsg struct {
	rows []store.SettingRow
	at   string // the key under the cursor
	in   *ui.Chooser
}

// savedMsg is the end of a change: what came of it, and the list again.
type savedMsg struct {
	screen.ActMsg
	list settingsMsg
}

func (a *app) editSettings(at string) tea.Cmd {
	bench, in := a.env.Bench, ui.Waiting("settings · angler.toml").In(a.env.Lang)
	a.chooser = in
	return a.run("reading the settings", func(context.Context) tea.Msg { return settingsMsg{bench.SettingRows(), at, in} })
}

func (a *app) showSettings(m settingsMsg) {
	var items []ui.Item
	for _, r := range m.rows {
		note := ui.Fit(ui.Clean(r.Value), 40)
		if r.Comment != "" {
			note += "  · " + a.env.T(r.Comment)
		}
		if slices.Contains(crawl.SettingNeedsReopening, r.Key) {
			note = a.env.F("%s (after reopening)", note)
		}
		items = append(items, ui.Item{Name: r.Key, Raw: true, Note: note, Mark: r.Key == m.at, Do: func() tea.Cmd { return a.askSetting(r) }})
	}
	if a.chooser == m.in { // not closed meanwhile
		m.in.Fill(items)
	}
}

func (a *app) askSetting(r store.SettingRow) tea.Cmd {
	bench := a.env.Bench
	if r.Kind == "switch" { // there is nothing to type
		to := "true"
		if r.Value == "true" {
			to = "false"
		}
		return a.setSetting(r.Key, to)
	}
	hints := map[string]string{
		"number": "a number · esc leaves", "time": "500ms, 1s, 2m · esc leaves", "text": "enter saves, esc leaves", "list": `["one", "two"] · enter saves, esc leaves`,
	}
	p := &ui.Prompt{
		Label: r.Key + ":", Hint: hints[r.Kind],
		Check: func(v string) string {
			if err := bench.CheckSetting(r.Key, v); err != nil {
				return a.env.Line(ui.Clean(err.Error()))
			}
			return ""
		},
		Done:   func(v string) tea.Cmd { return a.setSetting(r.Key, v) },
		Cancel: func() tea.Cmd { return a.editSettings(r.Key) },
	}
	p.Preset(r.Value)
	a.prompt = p
	return nil
}

func (a *app) setSetting(key, value string) tea.Cmd {
	bench, l := a.env.Bench, a.env.Lang
	what := l.F("%s set to %s", key, ui.Fit(ui.Clean(value), 40))
	in := ui.Waiting("settings · angler.toml").In(l)
	a.chooser = in
	return a.run("saving the setting", a.env.InOrder(func() tea.Msg {
		later, err := bench.ChangeSetting(key, value)
		if later {
			what = l.F("%s, when the workspace is opened again", what)
		}
		return savedMsg{screen.ActMsg{What: what, Err: err}, settingsMsg{bench.SettingRows(), key, in}}
	}))
}
