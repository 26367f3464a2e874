package tui

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/alerts"
	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/store/config"
	"angler/tui/screen"
	"angler/tui/widget"
)

// alertsView offers faults of lists, and the alerts. All its fields are required; it belongs to the
// update loop.
type alertsView struct {
	UI       *screen.UI
	Shared   *screen.Shared
	Telling  screen.Alerts // nil: there is no engine
	Settings screen.Settings
	Role     auth.Role
	Show     func(*widget.Form)        // opens a form
	List     func(id uint64) tea.Cmd   // shows an aggregation page
	Recipes  func(page string) tea.Cmd // looks for recipes of a page

	open *widget.Chooser // the list that offer opened last
}

// offer offers the broken lists, then the rows of [[notify]].
func (t *alertsView) offer() tea.Cmd {
	t.open = widget.NewChooser("broken lists, and alerts", t.items())
	t.UI.Choose(t.open)
	return nil
}

// follow updates the list from a newer snapshot if it is on top.
func (t *alertsView) follow(top *widget.Chooser) {
	if top != nil && top == t.open {
		top.Fill(t.items())
	}
}

func (t *alertsView) items() []widget.Item {
	sh := t.Shared
	var items []widget.Item
	for _, a := range sh.Snap.Alarms {
		items = append(items,
			widget.Item{Name: widget.Fit(widget.Clean(a.Host)+" "+widget.Clean(a.Name()), 44), Raw: true,
				Note: "⚠ " + sh.Says(a.Says()), Do: func() tea.Cmd { return t.broken(a) }})
	}
	for _, d := range sh.Snap.Doors {
		host, says := widget.Clean(d.Host), sh.Says(d.Says())
		note := says
		if _, rest, ok := strings.Cut(says, host+" "); ok {
			note = rest // the host is shown before it
		}
		items = append(items,
			widget.Item{Name: widget.Fit(host, 44), Raw: true, Note: "⚠ " + note,
				Do: func() tea.Cmd { return t.tell(host, says) }})
	}
	for _, r := range t.Telling.TellRows() {
		items = append(items,
			widget.Item{Name: sh.F("notify %s", widget.Clean(r.Name)), Raw: true, Note: t.state(&r),
				Do: func() tea.Cmd { return t.row(r) }})
	}
	if len(sh.Snap.Alarms) == 0 {
		items = append([]widget.Item{{Name: "no list is broken", Off: "one that breaks stands here"}}, items...)
	}
	items = append(items,
		widget.Item{Name: "add a recipient", Note: sh.T("by mail, chat robot or webhook"),
			Off: t.Role.Denied(auth.Settings), Do: t.add})
	return items
}

// Bounds of a sentence in a dialogue on 80 columns.
const (
	readable  = 64 // columns
	mostLines = 10
)

// tell shows a whole sentence.
func (t *alertsView) tell(title, says string) tea.Cmd {
	items := widget.Map(widget.Wrap(says, readable, mostLines), func(line string) widget.Item {
		return widget.Item{Name: line, Raw: true, Do: func() tea.Cmd { return nil }}
	})
	t.UI.Choose(widget.NewChooser(title, items))
	return nil
}

// broken offers the actions on a broken list.
func (t *alertsView) broken(a view.ListAlarm) tea.Cmd {
	sh := t.Shared
	items := []widget.Item{{Name: "go to the list", Note: widget.Clean(a.URL),
		Do: func() tea.Cmd { return t.List(a.ID) }}}
	if help := a.Help(); help != "" {
		items = append(items,
			widget.Item{Name: "remedy", Note: sh.T(help),
				Do: func() tea.Cmd { return t.tell(widget.Clean(a.Name()), sh.T(help)) }})
	}
	if len(a.Unfollowed) > 0 {
		look := widget.Item{Name: "look for a recipe",
			Note: sh.T("Chromium renders its page; nothing is saved before you accept it"),
			Off:  t.Role.Denied(auth.TryRecipes), Do: func() tea.Cmd { return t.Recipes(a.URL) }}
		items = append([]widget.Item{look}, items...)
	}
	mute := widget.Item{Name: "mute it", Note: sh.T("until it breaks in another way"),
		Off: t.Role.Denied(auth.MuteList), Do: func() tea.Cmd {
			return t.UI.Act(sh.F("muted: %s", widget.Clean(a.Name())),
				func() error { return t.Telling.MuteList(a, true) })
		}}
	if a.Kind == view.ListUnfollowed {
		mute.Name, mute.Note = "this is fine", sh.T("do not tell of it any more, until it lacks something else")
	}
	t.UI.Choose(widget.NewChooser(widget.Clean(a.Name())+" · "+sh.Says(a.Says()), append(items, mute)))
	return nil
}

// row offers to test, change and remove a row.
func (t *alertsView) row(r alerts.AlertRow) tea.Cmd {
	sh, name, denied := t.Shared, widget.Clean(r.Name), t.Role.Denied(auth.Settings)
	mute := widget.Item{Name: "silence it", Note: sh.T("notices of that time are sent later"), Off: denied,
		Do: func() tea.Cmd {
			return t.change(sh.F("muted: %s", name), r.Name, func(n *config.Notify) bool { n.Off = true; return true })
		}}
	if r.Off {
		mute = widget.Item{Name: "let it tell again", Off: denied, Do: func() tea.Cmd {
			return t.change(sh.F("notify %s tells again", name), r.Name,
				func(n *config.Notify) bool { n.Off = false; return true })
		}}
	}
	t.UI.Choose(widget.NewChooser(sh.F("notify %s", widget.Clean(r.Name))+" · "+sh.Says(r.Where),
		[]widget.Item{
			{Name: "send a test message", Note: sh.T("a few notices, marked as a test"),
				Off: t.Role.Denied(auth.TestTelling), Do: func() tea.Cmd {
					return t.UI.Run("sending a test message", func(ctx context.Context) tea.Msg {
						if err := t.Telling.TestTelling(ctx, r.Name); err != nil {
							return screen.ActMsg{What: sh.F("test message of %s", name), Err: err}
						}
						return screen.ActMsg{What: sh.F("test message of %s sent", name)}
					})
				}},
			{Name: "edit it", Note: sh.T("recipient, content and time"), Off: denied, Do: func() tea.Cmd {
				rows := t.Settings.NotifyRows()
				if i := slices.IndexFunc(rows, func(n config.Notify) bool { return n.Name == r.Name }); i >= 0 {
					return t.edit(rows[i])
				}
				return nil
			}},
			mute,
			{Name: "remove it", Note: sh.T("asks once more"), Off: denied, Do: func() tea.Cmd {
				t.UI.Choose(widget.NewChooser(sh.F("remove notify %s from angler.toml?", name), []widget.Item{
					{Name: "keep it"},
					{Name: "remove it", Note: sh.T("{undo} undoes it"), Do: func() tea.Cmd {
						return t.change(sh.F("notify %s removed", name), r.Name,
							func(*config.Notify) bool { return false })
					}},
				}))
				return nil
			}},
		}))
	return nil
}

// state describes the state of a row in a few words.
func (t *alertsView) state(r *alerts.AlertRow) string {
	sh := t.Shared
	switch {
	case r.Off:
		return sh.T("off")
	case r.Tries > 0:
		return "⚠ " +
			sh.F("failed %s times, again %s: %s", widget.Count(r.Tries), sh.T(widget.Next(r.Again, sh.Snap.At)),
				sh.Says(r.Why))
	case r.Why != "":
		return "⚠ " + sh.Says(r.Why)
	case !r.Sent.IsZero():
		return sh.F("last sent %s: %s", widget.When(r.Sent, sh.Snap.At), widget.Clean(r.Title))
	}
	return sh.F("%s, nothing sent yet", sh.T(r.Rhythm))
}
