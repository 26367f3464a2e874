package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/ui"
)

// bindings lists what keys mean here and now, the screen's before the global
// ones. While the workspace opens there is nothing a screen could act on.
func (a *app) bindings() []screen.Binding {
	if a.env.Bench == nil {
		return a.global()
	}
	return append(a.allowed(a.screens[a.at].Bindings()), a.global()...)
}

// allowed switches off what this person's role does not allow.
func (a *app) allowed(list []screen.Binding) []screen.Binding {
	for i := range list {
		if why := a.o.Role.Denied(list[i].Name); why != "" {
			list[i].Off = why
		}
	}
	return list
}

// global are the keys of every screen.
func (a *app) global() []screen.Binding {
	opening := ""
	if a.env.Bench == nil {
		opening = "the workspace is still being opened"
	}
	b, snap := a.env.Bench, a.env.Snap
	busy := opening
	if busy == "" && snap.State != view.Idle && snap.State != "" {
		busy = a.env.F("a run is %s already; x on screen 4 stops it", a.env.T(string(snap.State)))
	}
	l := a.env.Lang
	places := ""
	if a.o.Places == nil {
		places = "this workbench shows one workspace only"
	}
	act := func(what string, do func() error) func() tea.Cmd {
		return func() tea.Cmd { return a.env.Act(l.T(what), do) }
	}
	history := func(what string, do func() (string, error)) func() tea.Cmd {
		return func() tea.Cmd {
			return a.run(what, a.env.InOrder(func() tea.Msg {
				line, err := do()
				if err != nil {
					return screen.ActMsg{What: what, Err: err}
				}
				return screen.ActMsg{What: l.F("%s: %s", l.T(what), l.Line(line)), Back: true}
			}))
		}
	}
	out := []screen.Binding{
		{Keys: []string{"S"}, Name: "discovery", Help: "start a discovery: crawl from the seeds", Foot: 50, Off: busy, Do: act("discovery started", func() error { return b.StartDiscovery() })},
		{Keys: []string{"H"}, Name: "harvest", Help: "start a harvest: visit the aggregation pages, fetch new notices", Foot: 51, Off: busy, Do: act("harvest started", func() error { return b.StartHarvest() })},
		{Keys: []string{"u"}, Name: "undo", Help: "undo the last sample, word, weight, threshold or label", Foot: 90, Off: opening, Do: history("undone", func() (string, error) {
			line, err := b.Undo()
			return strings.TrimPrefix(line, "undo: "), err
		})},
		{Keys: []string{"ctrl+r"}, Name: "redo", Help: "do again what was undone", Off: opening, Do: history("done again", func() (string, error) { return b.Redo() })},
		{Keys: []string{"f"}, Name: "freeze", Help: "freeze this display (the crawl goes on), and back", Foot: 91, Off: opening, Do: a.freeze},
		{Keys: []string{"M"}, Name: "mouse", Help: "leave the mouse to the terminal, for selecting text, and back", Do: a.toggleMouse},
		{Keys: []string{"esc"}, Name: "cancel", Help: "cancel what is under way, background work too", Do: func() tea.Cmd {
			name := a.env.Snap.Job.Name
			switch {
			case a.tasks.cancelAll() && name == "":
				a.say(ui.Warn, l.T("cancelled"))
			case name != "" && b != nil:
				a.say(ui.Warn, l.F("%s is being cancelled", l.T(ui.Clean(name))))
				return a.run("cancelling", func(context.Context) tea.Msg { b.CancelJob(); return nil })
			}
			return nil
		}},
		{Keys: []string{","}, Name: "settings", Help: "edit the settings (angler.toml)", Off: opening, Do: func() tea.Cmd { return a.editSettings("") }},
		{Keys: []string{"ctrl+o"}, Name: "workspace", Help: "go to another workspace, or make a new one", Off: places, Do: func() tea.Cmd { return a.askPlace() }},
		{Keys: []string{"?", "f1"}, Show: "? f1", Name: "help", Help: "this help", Do: func() tea.Cmd { a.openHelp(); return nil }},
		{Keys: []string{":", "ctrl+p"}, Show: ":", Name: "palette", Help: "every action by name", Do: func() tea.Cmd { a.chooser = a.palette(); return nil }},
		{Keys: []string{"ctrl+l"}, Name: "redraw", Help: "draw the screen again", Do: func() tea.Cmd { return tea.ClearScreen }},
		{Keys: []string{"q", "ctrl+c"}, Show: "q", Name: "quit", Help: "quit; asks once when a crawl is running", Do: a.leave},
	}
	for i, s := range a.screens {
		out = append(out, screen.Binding{Keys: []string{strconv.Itoa(i + 1)}, Name: s.Name(), Help: a.env.F("go to %s", a.env.T(s.Name())), Do: func() tea.Cmd { return a.goTo(i) }})
	}
	return a.allowed(out)
}

func (a *app) freeze() tea.Cmd {
	a.frozen = !a.frozen
	if a.frozen {
		a.say(ui.Warn, a.env.T("display frozen; the crawl goes on; f lets it move again"))
		return nil
	}
	a.show(a.latest)
	return a.tell(screen.SnapMsg{})
}

func (a *app) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	if a.mouse {
		a.say(ui.Plain, a.env.T("mouse on"))
		return tea.EnableMouseCellMotion
	}
	a.say(ui.Plain, a.env.T("mouse off: select text with the terminal; M turns it on"))
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
	var items []ui.Item
	add := func(b screen.Binding, where string, do func() tea.Cmd) {
		items = append(items, ui.Item{Name: b.Help, Note: where, Key: b.Printed(), Off: b.Off, Do: do})
	}
	here := a.screens[a.at]
	if a.env.Bench != nil {
		for _, b := range a.allowed(here.Bindings()) {
			add(b, a.env.T(here.Name()), b.Do)
		}
	}
	for _, b := range a.global() {
		add(b, "", b.Do)
	}
	for i, s := range a.screens {
		if s == here || a.env.Bench == nil {
			continue
		}
		for _, b := range a.allowed(s.Bindings()) {
			if b.Move {
				continue
			}
			why := b.Off
			b.Off = "" // going there is never wrong
			add(b, a.env.T(s.Name()), func() tea.Cmd {
				cmd := a.goTo(i)
				if why != "" {
					a.refuse(b, why)
					return cmd
				}
				return tea.Batch(cmd, b.Do())
			})
		}
	}
	return ui.NewChooser("every action", items).In(a.env.Lang)
}

// section is one block of the help and of the README's key table.
type section struct {
	title string
	keys  []screen.Binding
}

func (a *app) sections() []section {
	all := section{a.env.T("Everywhere"), a.global()}
	moves := section{title: a.env.T("Lists and texts")}
	out := []section{}
	for i, s := range a.screens {
		one := section{title: strconv.Itoa(i+1) + " " + a.env.T(s.Name())}
		for _, b := range a.allowed(s.Keys()) {
			switch {
			case !b.Move:
				one.keys = append(one.keys, b)
			case i == 0 && !has(moves.keys, b):
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
			l := ui.TextLine{{Style: ui.Key, Text: "  " + ui.Pad(b.Printed(), helpIndent-2)}, {Text: a.env.T(b.Help)}}
			if b.Off != "" && s.title == order[0].title {
				l = append(l, ui.Part{Style: ui.Dim, Text: "  " + a.env.F("(now: %s)", a.env.T(b.Off))})
			}
			lines = append(lines, l)
		}
		lines = append(lines, ui.TextLine{{Text: ""}})
	}
	a.help = &ui.Text{Indent: helpIndent}
	a.help.Set(lines)
}

func (a *app) helpKey(key string) {
	switch key {
	case "j", "down":
		a.help.Scroll(1)
	case "k", "up":
		a.help.Scroll(-1)
	case "pgdown", "ctrl+d", " ":
		a.help.Scroll(a.help.Page())
	case "pgup", "ctrl+u":
		a.help.Scroll(-a.help.Page())
	case "g", "home":
		a.help.Home()
	case "G", "end":
		a.help.End()
	case "esc", "q", "?", "enter", "ctrl+c", "f1":
		a.help = nil
	}
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
			if k.Name == "help" && strings.HasPrefix(help, "this") {
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
	a.say(ui.Warn, a.env.F("%s %s: %s", b.Printed(), a.env.T(b.Name), a.env.T(why)))
}
