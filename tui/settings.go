package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/store/config"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// settingsEditor edits angler.toml in a form. It checks every change and writes it at once in one
// step, keeping the file's comments; u in the form undoes it.
type settingsEditor struct {
	ui       *screen.UI
	shared   *screen.Shared
	settings screen.Settings
	over     *overlay
	last     shownSettings
	told     func() *alertsView
}

// shownSettings are the settings shown last, and their form.
type shownSettings struct {
	rows []config.Row
	in   *widget.Form
}

// edit opens the form with the cursor on a key.
func (e *settingsEditor) edit(at string) tea.Cmd {
	settings, in := e.settings, widget.NewForm("settings · angler.toml")
	in.Choose, in.ListOf = e.ui.Choose, config.ListOf
	in.Check = func(key, value string) error {
		var clash error
		if action, ok := strings.CutPrefix(key, config.KeyOf("")); ok {
			clash = checkKeys(e.shared, action, value)
		}
		return e.shared.Refused(cmp.Or(clash, settings.CheckSetting(key, value)))
	}
	in.Set = func(key, value string) tea.Cmd { return e.set(in, key, meantKeys(key, value)) }
	e.over.form = in
	return e.ui.Run("reading the settings", func(context.Context) tea.Msg {
		rows := settings.SettingRows()
		return screen.Reply{Take: func() tea.Cmd { return e.show(rows, at, in) }}
	})
}

// groups are the titles of the tables of angler.toml.
var groups = map[string]string{
	"": "workspace", "scope": "scope of the crawl", "crawl": "crawl", "harvest": "harvest",
	"revisit": "visits to known pages", "words": "dictionary", "terms": "terms", "suggest": "proposed seeds",
	"store": "store", "assistant": "model",
	"render": "pages through a browser", "attachments": "documents of notices", "retention": "how long things are kept",
	"host": "single hosts",
}

// show fills the form, unless it was closed meanwhile, with the cursor on a key; "" does not move
// it.
func (e *settingsEditor) show(rows []config.Row, at string, in *widget.Form) tea.Cmd {
	if e.over.form != in {
		return nil
	}
	e.last = shownSettings{rows, in}
	var fields []widget.Field
	for _, r := range rows {
		table, _, ok := strings.Cut(r.Key, ".")
		if !ok {
			table = ""
		}
		group, title := groups[table], e.shared.T(r.Key)
		if host, name, ok := config.SplitHostKey(r.Key); ok {
			group, title = e.shared.F("host %s", host), e.shared.T("host."+name)
		}
		f := fieldOf(&r)
		f.Group, f.Title, f.Note = group, title, e.shared.T(r.Comment)
		if r.Later {
			f.Later = "applies when the workspace is opened again"
		}
		fields = append(fields, f)
	}
	if len(rows) > 0 {
		fields = append(fields, e.told().fields()...)
		fields = append(fields, keyFields(e.shared)...)
	}
	return in.Fill(fields, at)
}

// fieldOf returns the field of a row.
func fieldOf(r *config.Row) widget.Field {
	f := widget.Field{Name: r.Key, Value: r.Value, Default: r.Default, Note: r.Comment, Choices: r.Choices,
		Toggle: r.Kind == "switch", List: r.Kind == "list", Later: "applies at once"}
	if f.List {
		f.Items, _ = config.Items(r.Value) // written by this program
	}
	return f
}

// again shows the keys in force.
func (e *settingsEditor) again() {
	if in := e.over.form; in != nil && e.last.in == in {
		e.show(e.last.rows, "", in)
	}
}

func (e *settingsEditor) set(in *widget.Form, key, value string) tea.Cmd {
	settings, l := e.settings, e.shared.Lang
	what := l.F("%s set to %s", key, widget.Fit(widget.Clean(value), 40))
	if said := saidKeys(l, key, value); said != "" {
		what = said
	}
	var undo func() error
	for _, r := range e.last.rows {
		if r.Key == key && e.last.in == in {
			undo = screen.SettingBack(settings, key)
			if r.Kind == "list" {
				what = cmp.Or(itemChange(l, key, r.Value, value), what)
			}
		}
	}
	return e.ui.Run("saving the setting", e.ui.InOrder(func() tea.Msg {
		later, err := settings.ChangeSetting(key, value)
		if later {
			what = l.F("%s, when the workspace is opened again", what)
		}
		rows := settings.SettingRows()
		return screen.ActMsg{What: what, Err: err, Undo: undo, Then: func() tea.Cmd { return e.show(rows, key, in) }}
	}))
}

// itemChange names the one item that a list lost or gained; "" for another change.
func itemChange(l *i18n.Lang, key, was, now string) string {
	before, wrong := config.Items(was)
	after, bad := config.Items(now)
	if wrong != nil || bad != nil {
		return ""
	}
	only := func(a, b []string) []string { // items of a that are not in b
		return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
	}
	switch gone, come := only(before, after), only(after, before); {
	case len(gone) == 1 && len(come) == 0:
		return l.F("%s without %s", key, widget.Clean(gone[0]))
	case len(come) == 1 && len(gone) == 0:
		return l.F("%s with %s", key, widget.Clean(come[0]))
	}
	return ""
}
