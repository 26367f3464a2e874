package tui

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/settings"
	"angler/store"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/ui"
)

// settingsEditor edits angler.toml: a list of all settings with what they are
// for, one prompt for each, checked while it is typed. Every change is written
// at once, in one step, with the file's comments kept.
type settingsEditor struct {
	ui       *screen.UI
	shared   *screen.Shared
	settings parts.Settings
	over     *overlay
}

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

// waiting opens the list, which is filled later.
func (e *settingsEditor) waiting() *ui.Chooser {
	in := ui.Waiting("settings · angler.toml")
	e.ui.Choose(in)
	return in
}

// edit opens the list with the cursor at a key.
func (e *settingsEditor) edit(at string) tea.Cmd {
	settings, in := e.settings, e.waiting()
	return e.ui.Run("reading the settings", func(context.Context) tea.Msg { return settingsMsg{settings.SettingRows(), at, in} })
}

func (e *settingsEditor) show(m settingsMsg) {
	var items []ui.Item
	for _, r := range m.rows {
		note := ui.Fit(ui.Clean(r.Value), 40)
		if r.Comment != "" {
			note += "  · " + e.shared.T(r.Comment)
		}
		if slices.Contains(settings.NeedsReopening, r.Key) {
			note = e.shared.F("%s (after reopening)", note)
		}
		items = append(items, ui.Item{Name: r.Key, Raw: true, Note: note, Mark: r.Key == m.at, Do: func() tea.Cmd { return e.ask(r) }})
	}
	e.over.fill(m.in, items)
}

func (e *settingsEditor) ask(r store.SettingRow) tea.Cmd {
	settings := e.settings
	if r.Kind == "switch" { // there is nothing to type
		to := "true"
		if r.Value == "true" {
			to = "false"
		}
		return e.set(r.Key, to)
	}
	hints := map[string]string{
		"number": "a number · esc leaves", "time": "500ms, 1s, 2m · esc leaves", "text": "enter saves, esc leaves", "list": `["one", "two"] · enter saves, esc leaves`,
	}
	p := &ui.Prompt[string]{
		Editor: ui.Editor{Label: r.Key + ":", Hint: hints[r.Kind], Cancel: func() tea.Cmd { return e.edit(r.Key) }},
		Check: func(v string) (string, error) {
			if err := settings.CheckSetting(r.Key, v); err != nil {
				return "", ui.Refusal(e.shared.Line(ui.Clean(err.Error())))
			}
			return v, nil
		},
		Do: func(v string) tea.Cmd { return e.set(r.Key, v) },
	}
	p.Preset(r.Value)
	e.ui.Ask(p)
	return nil
}

func (e *settingsEditor) set(key, value string) tea.Cmd {
	settings, l := e.settings, e.shared.Lang
	what := l.F("%s set to %s", key, ui.Fit(ui.Clean(value), 40))
	in := e.waiting()
	return e.ui.Run("saving the setting", e.ui.InOrder(func() tea.Msg {
		later, err := settings.ChangeSetting(key, value)
		if later {
			what = l.F("%s, when the workspace is opened again", what)
		}
		return savedMsg{screen.ActMsg{What: what, Err: err}, settingsMsg{settings.SettingRows(), key, in}}
	}))
}
