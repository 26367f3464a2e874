package tui

import (
	"errors"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/store/config"
	"angler/tui/widget"
)

// form edits one row of [[notify]]. A row is saved as soon as it is valid; until then the form
// keeps the input and says what is missing.
type form struct {
	*alertsView
	in  *widget.Form
	row config.Notify
}

// wayNotes describe the ways of sending.
var wayNotes = map[string]string{
	config.WaySMTP: "mail, by a mail server", config.WayWebhook: "JSON to an address",
	config.WayDingTalk: "a robot of DingTalk", config.WayWeCom: "a robot of WeCom",
	config.WayFeishu: "a robot of Feishu",
}

// add asks for a way and a name, and opens the form of a new row.
func (t *alertsView) add() tea.Cmd {
	items := widget.Map(config.Ways, func(way string) widget.Item {
		return widget.Item{Name: way, Raw: true, Note: t.Shared.T(wayNotes[way]), Do: func() tea.Cmd {
			t.UI.Ask(&widget.Prompt[string]{
				Editor: widget.Editor{Label: "name:", Hint: "letters and digits, as morning"},
				Check:  t.freeName,
				Do:     func(name string) tea.Cmd { return t.edit(config.Notify{Name: name, Way: way}) },
			})
			return nil
		}}
	})
	t.UI.Choose(widget.NewChooser("how to send alerts", items))
	return nil
}

// freeName is the Check of the prompt for a new row's name.
func (t *alertsView) freeName(name string) (string, error) {
	if slices.ContainsFunc(t.Settings.NotifyRows(), func(n config.Notify) bool { return n.Name == name }) {
		return "", widget.Refusal("there is one of that name")
	}
	n := config.Notify{Name: name}
	if key, _ := n.Wrong(); key == "name" {
		return "", widget.Refusal("a letter or digit, then at most 39 letters, digits, spaces, . _ -")
	}
	return name, nil
}

// edit opens the form of a row.
func (t *alertsView) edit(row config.Notify) tea.Cmd {
	f := &form{alertsView: t, row: row}
	f.in = widget.NewForm(t.Shared.F("notify %s", widget.Clean(row.Name)) + " · " + t.Shared.Value("", row.Way))
	f.in.Choose, f.in.ListOf = t.UI.Choose, config.ListOf
	f.in.Check = func(key, value string) error {
		next, err := f.row.With(key, value)
		if missing, _ := next.Wrong(); err == nil && missing == "" {
			err = f.Settings.CheckSetting(config.NotifyOf(next.Name), next.Text())
		}
		return f.Shared.Refused(err)
	}
	f.in.Set = f.set
	t.Show(f.in)
	return f.in.Fill(f.fields(), "")
}

// fields are the keys of the row: first the receiver, then events and time.
func (f *form) fields() []widget.Field {
	var where, what []widget.Field
	for _, r := range f.row.Rows() {
		x := fieldOf(&r)
		x.Group, x.Words = "where to", r.Key == "rhythm"
		x.Title = f.title(r.Key, x.Title)
		if f.everyWay(r.Key) {
			x.Group = "content and time of alerts"
			what = append(what, x)
		} else {
			where = append(where, x)
		}
	}
	return append(where, what...)
}

// title returns the translated name of a key of the row, other if it has none.
func (f *form) title(key, other string) string {
	if name := config.NotifyOf(key); f.Shared.T(name) != name {
		return f.Shared.T(name)
	}
	return other
}

// everyWay reports whether a key belongs to all ways.
func (f *form) everyWay(key string) bool {
	return slices.Contains([]string{"filter", "rhythm", "at", "zone", "tell", "due", "language", "empty", "off",
		"timeout"}, key)
}

// set takes a value, and saves the row if it is valid.
func (f *form) set(key, value string) tea.Cmd {
	next, err := f.row.With(key, value)
	if err != nil {
		return nil // it was checked
	}
	f.row = next
	filled := f.in.Fill(f.fields(), key)
	if missing, why := f.row.Wrong(); missing != "" {
		f.UI.Say(f.Shared.F("not saved yet: %s: %s", f.title(missing, missing), f.Shared.Says(why)))
		return filled
	}
	return tea.Batch(filled, f.save(f.Shared.F("notify %s saved", widget.Clean(next.Name)), next.Name, next.Text()))
}

// save writes the row of a name, or removes it if text is empty. Undo restores the old row, except
// for an address that looks the same on screen as the new one.
func (t *alertsView) save(what, name, text string) tea.Cmd {
	is := func() string {
		for _, r := range t.Settings.NotifyRows() {
			if r.Name == name {
				return r.Text()
			}
		}
		return ""
	}
	was := is()
	put := func(text string) error {
		_, err := t.Settings.ChangeSetting(config.NotifyOf(name), text)
		return err
	}
	return t.UI.ActBack(what, func() error { return put(text) }, func() error {
		if is() == was {
			return errors.New("the address before is not known any more; type it again")
		}
		return put(was)
	})
}

// change changes one key of an existing row and saves it, or removes the row.
func (t *alertsView) change(what, name string, change func(*config.Notify) bool) tea.Cmd {
	rows := t.Settings.NotifyRows()
	i := slices.IndexFunc(rows, func(n config.Notify) bool { return n.Name == name })
	if i < 0 {
		return nil
	}
	text := ""
	if change(&rows[i]) {
		text = rows[i].Text()
	}
	return t.save(what, name, text)
}

// fields are the rows of [[notify]] in the settings form; enter opens the actions of a row.
func (t *alertsView) fields() []widget.Field {
	var out []widget.Field
	if t.Telling == nil {
		return nil // there is no engine
	}
	for _, r := range t.Telling.TellRows() {
		out = append(out,
			widget.Field{Group: "recipients", Name: config.NotifyOf(r.Name), Title: widget.Clean(r.Name),
				Value: r.Where + " · " + t.state(&r), Later: "applies at once",
				Note: "enter edits, tries, mutes or removes it", Open: func() tea.Cmd { return t.row(r) }})
	}
	return append(out,
		widget.Field{Group: "recipients", Name: config.NotifyOf("+"), Title: t.Shared.T("add a recipient"),
			Later: "applies at once",
			Note:  "by mail, chat robot or webhook", Open: t.add})
}
