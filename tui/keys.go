package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// bindings lists what keys mean here and now, the screen's before the global
// ones. While the workspace opens there is nothing a screen could act on.
func (a *app) bindings() []screen.Binding {
	if !a.ready {
		return a.global()
	}
	return append(allowed(a.o.Role, a.screens[a.at].Bindings()), a.global()...)
}

// allowed switches off what a role does not allow.
func allowed(r role.Role, list []screen.Binding) []screen.Binding {
	for i := range list {
		if why := r.Denied(list[i].Action); why != "" {
			list[i].Off = why
		}
	}
	return list
}

// global are the keys of every screen.
func (a *app) global() []screen.Binding {
	opening := ""
	if !a.ready {
		opening = "the workspace is still being opened"
	}
	runs, topic, snap := a.parts.Runs, a.parts.Topic, a.shared.Snap
	busy := opening
	if busy == "" && snap.State != view.Idle && snap.State != "" {
		busy = a.shared.F("a run is %s already; x on screen 4 stops it", a.shared.T(string(snap.State)))
	}
	l := a.shared.Lang
	places := ""
	if a.o.Places == nil {
		places = "this workbench shows one workspace only"
	}
	act := func(what string, do func() error) func() tea.Cmd {
		return func() tea.Cmd { return a.ui.Act(l.T(what), do) }
	}
	out := []screen.Binding{
		{Keys: []string{"S"}, Action: role.Discovery, Help: "start a discovery: crawl from the seeds", Foot: 50, Off: busy, Do: act("discovery started", func() error { return runs.StartDiscovery() })},
		{Keys: []string{"H"}, Action: role.Harvest, Help: "start a harvest: visit the aggregation pages, fetch new notices", Foot: 51, Off: busy, Do: act("harvest started", func() error { return runs.StartHarvest() })},
		{Keys: []string{"u"}, Action: role.Undo, Help: "undo the last decision; asks before an old one or another person's", Foot: 90, Off: opening, Do: a.history("undone", func() (string, error) {
			line, err := topic.Undo()
			return strings.TrimPrefix(line, "undo: "), err
		})},
		{Keys: []string{"ctrl+r"}, Action: role.Redo, Help: "do again what was undone", Off: opening, Do: a.history("done again", func() (string, error) { return topic.Redo() })},
		{Keys: []string{"f"}, Action: role.Own("freeze"), Help: "freeze this display (the crawl goes on), and back", Foot: 91, Off: opening, Do: a.freeze},
		{Keys: []string{"M"}, Action: role.Own("mouse"), Help: "leave the mouse to the terminal, for selecting text, and back", Do: a.toggleMouse},
		{Keys: []string{"esc"}, Action: role.Own("cancel"), Help: "cancel what is under way, background work too", Do: func() tea.Cmd {
			name := a.shared.Snap.Job.Name
			switch {
			case a.work.cancelAll() && name == "":
				a.say(ui.Warn, l.T("cancelled"))
			case name != "" && a.ready:
				a.say(ui.Warn, l.F("%s is being cancelled", l.T(ui.Clean(name))))
				return a.ui.Run("cancelling", func(context.Context) tea.Msg { runs.CancelJob(); return nil })
			}
			return nil
		}},
		{Keys: []string{"@"}, Action: role.Own("decisions"), Help: "who decided what and when: samples, labels, words, thresholds", Off: opening, Do: func() tea.Cmd { return a.over.askDecided(a.ui, a.parts.Log, a.shared) }},
		{Keys: []string{","}, Action: role.Settings, Help: "edit the settings (angler.toml)", Off: opening, Do: func() tea.Cmd { return a.settings.edit("") }},
		{Keys: []string{"ctrl+o"}, Action: role.Own("workspace"), Help: "go to another workspace, or make a new one", Off: places, Do: func() tea.Cmd { return a.askPlace() }},
		{Keys: []string{"?", "f1"}, Show: "? f1", Action: role.Own("help"), Help: "this help", Do: func() tea.Cmd { a.openHelp(); return nil }},
		{Keys: []string{":", "ctrl+p"}, Show: ":", Action: role.Own("palette"), Help: "every action by name", Do: func() tea.Cmd { a.over.chooser = a.palette(); return nil }},
		{Keys: []string{"ctrl+l"}, Action: role.Own("redraw"), Help: "draw the screen again", Do: func() tea.Cmd { return tea.ClearScreen }},
		{Keys: []string{"q", "ctrl+c"}, Show: "q", Action: role.Own("quit"), Help: "quit; asks once when a crawl is running", Do: a.leave},
	}
	for i, s := range a.screens {
		out = append(out, screen.Binding{Keys: []string{strconv.Itoa(i)}, Action: role.Own(s.Name()), Help: a.shared.F("go to %s", a.shared.T(s.Name())), Do: func() tea.Cmd { return a.goTo(i) }})
	}
	return allowed(a.o.Role, out)
}

func (a *app) freeze() tea.Cmd {
	a.frozen = !a.frozen
	if a.frozen {
		a.say(ui.Warn, a.shared.T("display frozen; the crawl goes on; f lets it move again"))
		return nil
	}
	a.show(a.latest)
	return a.tell(screen.SnapMsg{})
}

func (a *app) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.say(ui.Plain, a.shared.T("mouse on"))
		return tea.EnableMouseCellMotion
	}
	a.say(ui.Plain, a.shared.T("mouse off: select text with the terminal; M turns it on"))
	return tea.DisableMouse
}

func (a *app) leave() tea.Cmd {
	if s := a.latest; !a.o.Shared && s != nil && (s.State == view.Running || s.State == view.Draining) {
		a.asking = true // the key that confirms is not the key that asked
		return nil
	}
	a.quit = true
	return tea.Quit
}

// palette offers every action: this screen's, the global ones, then those of
// the other screens, which go there first.
func (a *app) palette() *ui.Chooser {
	if a.over.chosen == nil {
		a.over.chosen = map[string]int{}
	}
	var items []ui.Item
	add := func(b screen.Binding, where string, do func() tea.Cmd) {
		used := func() tea.Cmd {
			a.over.choices++
			a.over.chosen[b.Help] = a.over.choices
			return do()
		}
		items = append(items, ui.Item{Name: b.Help, Note: where, Key: b.Printed(), Off: b.Off, Used: a.over.chosen[b.Help], Do: used})
	}
	here := a.screens[a.at]
	if a.ready {
		for _, b := range allowed(a.o.Role, here.Bindings()) {
			add(b, a.shared.T(here.Name()), b.Do)
		}
	}
	for _, b := range a.global() {
		add(b, "", b.Do)
	}
	for i, s := range a.screens {
		if s == here || !a.ready {
			continue
		}
		for _, b := range allowed(a.o.Role, s.Bindings()) {
			if b.Move {
				continue
			}
			why := b.Off
			b.Off = "" // going there is never wrong
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
	return ui.NewChooser("every action", items).In(a.shared.Lang)
}

// section is one block of the help and of the README's key table.
type section struct {
	title string
	keys  []screen.Binding
}

func (a *app) sections() []section {
	all := section{a.shared.T("Everywhere"), a.global()}
	moves := section{title: a.shared.T("Lists and texts")}
	out := []section{}
	for i, s := range a.screens {
		one := section{title: strconv.Itoa(i) + " " + a.shared.T(s.Name())}
		for _, b := range allowed(a.o.Role, s.Keys()) {
			switch {
			case !b.Move:
				one.keys = append(one.keys, b)
			case !has(moves.keys, b):
				moves.keys = append(moves.keys, b)
			}
		}
		out = append(out, one)
	}
	return append(out, moves, all)
}

func has(list []screen.Binding, b screen.Binding) bool {
	for _, o := range list {
		if o.Keys[0] == b.Keys[0] && o.Help == b.Help {
			return true
		}
	}
	return false
}

// helpIndent is where the explanations of the keys begin.
const helpIndent = 13

// openHelp shows every key, the present screen's first, and why a key does
// nothing just now.
func (a *app) openHelp() {
	var lines []ui.TextLine
	secs := a.sections()
	n := len(a.screens)
	order := append([]section{secs[a.at]}, secs[n:]...)
	for i, s := range secs[:n] {
		if i != a.at {
			order = append(order, s)
		}
	}
	for _, s := range order {
		lines = append(lines, ui.TextLine{{Style: ui.Accent | ui.Bold, Text: s.title}})
		for _, b := range s.keys {
			l := ui.TextLine{{Style: ui.Key, Text: "  " + ui.Pad(b.Printed(), helpIndent-2)}, {Text: a.shared.T(b.Help)}}
			if b.Off != "" && s.title == order[0].title {
				l = append(l, ui.Part{Style: ui.Dim, Text: "  " + a.shared.F("(now: %s)", a.shared.T(b.Off))})
			}
			lines = append(lines, l)
		}
		lines = append(lines, ui.TextLine{{Text: ""}})
	}
	a.over.help = &ui.Text{Indent: helpIndent}
	a.over.help.Set(lines)
}

// KeyTable returns the keys of the workbench as Markdown tables, made from the
// bindings themselves: the README's key table.
func KeyTable() string {
	theme, _ := ui.Pick("mono", false, func(string) string { return "" })
	a := newApp(context.Background(), nil, theme, Options{})
	var b strings.Builder
	for _, s := range a.sections() {
		fmt.Fprintf(&b, "**%s**\n\n| key | what it does |\n|---|---|\n", s.title)
		for _, k := range s.keys {
			help := strings.ReplaceAll(k.Help, "|", "\\|")
			if k.Name() == "help" && strings.HasPrefix(help, "this") {
				help = "help with every key"
			}
			fmt.Fprintf(&b, "| %s | %s |\n", markdownKeys(k.Printed()), help)
		}
		b.WriteString("\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func markdownKeys(s string) string {
	f := strings.Fields(s)
	for i := range f {
		f[i] = "`" + f[i] + "`"
	}
	return strings.Join(f, " ")
}

// refuse says why a key does nothing.
func (a *app) refuse(b screen.Binding, why string) {
	a.say(ui.Warn, a.shared.F("%s %s: %s", b.Printed(), a.shared.T(b.Name()), a.shared.T(why)))
}
