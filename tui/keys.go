package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/view"
	"angler/message"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// bindings lists the bindings in force, the screen's before the global ones. While the workspace
// opens it has no bindings of the screen.
func (a *app) bindings() []screen.Binding {
	if !a.ready {
		return a.global()
	}
	here := inForce(a, a.screens[a.at].Bindings())
	if a.work.shown() != "" { // the status line offers esc to cancel, so it precedes other uses of esc
		here = append([]screen.Binding{cancelKey(a)}, here...)
	}
	return append(here, a.global()...)
}

// inForce applies the changed keys of the workspace to bindings, and switches off those that the
// role does not allow.
func inForce(a *app, list []screen.Binding) []screen.Binding {
	for i := range list {
		if keys := a.keymap.Of(list[i].Entry()); keys != nil {
			list[i].Keys, list[i].Show = keys, keymap.Printed(keys)
		}
		if why := a.o.Role.Denied(list[i].Action); why != "" {
			list[i].Off = why
		}
	}
	return list
}

// global are the keys of every screen.
func (a *app) global() []screen.Binding {
	opening := screen.If(!a.ready, "the workspace is still being opened")
	topic := a.parts.Topic
	places := screen.If(a.o.Places == nil, "this workbench shows one workspace only")
	do := screen.Do
	redo := func() (message.Text, error) { return topic.Redo() } // topic is nil until the workspace is open
	out := append(runKeys(a, opening),
		screen.Bind(keymap.Undo, opening, a.undo),
		screen.Bind(keymap.Redo, opening, a.history("done again", redo)),
		screen.Bind(keymap.Freeze, opening, a.freeze),
		screen.Bind(keymap.Mouse, "", a.toggleMouse),
		cancelKey(a),
		screen.Bind(keymap.Explain, "", do(func() { a.shared.Explain.Next(a, nil) })),
		screen.Bind(keymap.Decisions, opening, a.askDecided),
		screen.Bind(keymap.Told, opening, func() tea.Cmd { return a.told.offer() }),
		screen.Bind(keymap.Recipes, opening, func() tea.Cmd { return a.recipes("") }),
		screen.Bind(keymap.Settings, opening, func() tea.Cmd { return a.settings.edit("") }),
		screen.Bind(keymap.Workspaces, places, func() tea.Cmd { return a.askPlace() }),
		screen.Bind(keymap.Help, "", do(func() { openHelp(a) })),
		screen.Bind(keymap.Palette, "", do(func() { a.over.chooser = a.palette() })),
		screen.Bind(keymap.Redraw, "", func() tea.Cmd { return tea.ClearScreen }),
		a.suspendKey(),
		screen.Bind(keymap.Quit, "", a.leave),
	)
	for i, e := range keymap.Screens {
		out = append(out, screen.Bind(e, "", func() tea.Cmd { return a.goTo(i) }))
	}
	return inForce(a, out)
}

// suspendKey stops the process of a workbench in its own terminal.
func (a *app) suspendKey() screen.Binding {
	off := screen.If(a.suspend == nil, "only a workbench in its own terminal can be suspended")
	return screen.Bind(keymap.Suspend, off, func() tea.Cmd {
		return func() tea.Msg {
			if err := a.suspend(); err != nil {
				return screen.ActMsg{What: a.shared.T("suspend"), Err: err}
			}
			return nil
		}
	})
}

// cancelKey cancels running work, including background work.
func cancelKey(a *app) screen.Binding {
	l := a.shared.Lang
	return screen.Bind(keymap.Cancel, "", func() tea.Cmd {
		name, denied := a.shared.Snap.Job.Name, a.o.Role.Denied(auth.CancelJob)
		switch {
		case a.work.cancelAll() && name == "":
			a.say(widget.Warn, l.T("cancelled"))
		case name != "" && a.ready && denied != "":
			a.say(widget.Warn, l.Line(denied))
		case name != "" && a.ready:
			a.say(widget.Warn, l.F("%s is being cancelled", l.T(widget.Clean(name))))
			return a.ui.Run("cancelling", func(context.Context) tea.Msg { _ = a.parts.Runs.CancelJob(); return nil })
		default:
			a.say(widget.Dim, l.T("nothing to close"))
		}
		return nil
	})
}

func (a *app) freeze() tea.Cmd {
	a.frozen = !a.frozen
	if a.frozen {
		a.say(widget.Warn, a.shared.T("display frozen; the crawl goes on; {freeze} lets it move again"))
		return nil
	}
	a.show(a.latest)
	return a.tell(screen.SnapMsg{})
}

func (a *app) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.say(widget.Plain, a.shared.T("mouse on"))
		return tea.EnableMouseCellMotion
	}
	a.say(widget.Plain, a.shared.T("mouse off: select text with the terminal; {mouse} turns it on"))
	return tea.DisableMouse
}

func (a *app) leave() tea.Cmd {
	if s := a.latest; !a.o.Shared && s != nil && (s.State == view.Running || s.State == view.Draining) {
		a.asking = true // the confirming key differs from the asking key
		return nil
	}
	a.quit = true
	return a.left.part()
}

// mostActions is the number of visible actions in the palette; typing shortens the list.
const mostActions = 16

// palette offers every action: of this screen, the global ones, then of the other screens, which it
// opens first.
func (a *app) palette() *widget.Chooser {
	if a.over.chosen == nil {
		a.over.chosen = map[string]int{}
	}
	var items []widget.Item
	add := func(b screen.Binding, where string, do func() tea.Cmd) {
		used := func() tea.Cmd {
			a.over.choices++
			a.over.chosen[b.Help] = a.over.choices
			return do()
		}
		items = append(items,
			widget.Item{Name: b.Help, Note: where, Key: b.Printed(), Off: b.Off, Used: a.over.chosen[b.Help], Do: used})
	}
	here := a.screens[a.at]
	if a.ready {
		for _, b := range inForce(a, here.Bindings()) {
			add(b, a.shared.T(here.Name()), b.Do)
		}
	}
	for _, b := range a.global() {
		if !slices.ContainsFunc(items,
			func(it widget.Item) bool { return it.Name == b.Help && it.Key == b.Printed() }) {
			add(b, "", b.Do)
		}
	}
	for i, s := range a.screens {
		if s == here || !a.ready {
			continue
		}
		for _, b := range inForce(a, s.Bindings()) {
			if b.Entry().Place.Shared() {
				continue
			}
			why := b.Off
			b.Off = "" // opening the screen is always allowed
			add(b, a.shared.T(s.Name()), func() tea.Cmd {
				cmd := a.goTo(i)
				if why != "" {
					a.refuse(b, why)
					return cmd
				}
				return tea.Batch(cmd, b.Do())
			})
		}
	}
	// available actions first
	slices.SortStableFunc(items,
		func(a, b widget.Item) int { return cmp.Compare(min(len(a.Off), 1), min(len(b.Off), 1)) })
	c := widget.NewChooser("every action; a number goes to a row", items).In(a.shared.Lang)
	c.Made, c.Most = a.left.rowNumber, mostActions
	return c
}

// section is one block of the help and of the documents' table of keys.
type section struct {
	title string
	keys  []screen.Binding
}

// sections are the keys of every screen, then the shared keys of groups of screens, then the global
// ones.
func (a *app) sections() []section {
	titles := map[keymap.Place]string{
		keymap.Panes: "Lists and texts", keymap.Rows: "Marks", keymap.Pages: "Pages and notices",
		keymap.Shown:   "The page beside a list",
		keymap.Notices: "Notices, in the list and the reader",
	}
	shared := map[keymap.Place][]screen.Binding{}
	seen := map[*keymap.Entry]bool{}
	var out []section
	for i, s := range a.screens {
		one := section{title: a.number(i) + " " + a.shared.T(s.Name())}
		for _, b := range inForce(a, s.Keys()) {
			switch place := b.Entry().Place; {
			case !place.Shared():
				one.keys = append(one.keys, b)
			case !seen[b.Entry()]:
				seen[b.Entry()] = true
				b.Help = b.Entry().Help
				shared[place] = append(shared[place], b)
			}
		}
		out = append(out, one)
	}
	for _, place := range []keymap.Place{keymap.Panes, keymap.Rows, keymap.Pages, keymap.Notices, keymap.Shown} {
		out = append(out, section{a.shared.T(titles[place]), inTableOrder(shared[place])})
	}
	return append(out, section{a.shared.T("Everywhere"), a.global()})
}

// inTableOrder sorts bindings by the table of keys.
func inTableOrder(list []screen.Binding) []screen.Binding {
	all := keymap.All()
	slices.SortStableFunc(list, func(a, b screen.Binding) int {
		return cmp.Compare(slices.Index(all, a.Entry()), slices.Index(all, b.Entry()))
	})
	return list
}

// keyTable returns the keys of the workbench as Markdown tables for the documents, made from the
// bindings.
func keyTable() string {
	theme, _ := widget.Pick("mono", false, func(string) string { return "" })
	a := newApp(context.Background(), nil, theme, Options{})
	var b strings.Builder
	for _, s := range a.sections() {
		fmt.Fprintf(&b, "**%s**\n\n| key | what it does | name |\n|---|---|---|\n", s.title)
		for _, k := range s.keys {
			fmt.Fprintf(&b, "| %s | %s | `%s` |\n", markdownKeys(k.Printed()),
				strings.ReplaceAll(a.shared.T(k.Help), "|", "\\|"), k.Entry().ID)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func markdownKeys(s string) string {
	f := strings.Fields(s)
	for i := range f {
		f[i] = "`" + strings.ReplaceAll(f[i], "|", `\|`) + "`" // | separates cells
	}
	return strings.Join(f, " ")
}

// refuse says why a key does nothing.
func (a *app) refuse(b screen.Binding, why string) {
	a.say(widget.Warn, a.shared.F("%s %s: %s", b.Printed(), a.shared.T(b.Name()), a.shared.T(why)))
}
