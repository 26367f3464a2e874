package screen

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// This file holds the keys that drive a run and set its load.

// runKeys drive the run; the harvest screen has them too.
func (e *Env) runKeys() []Binding {
	b, snap := e.Bench, e.Snap
	pause := Binding{Keys: []string{" "}, Name: "pause", Help: "pause the crawl for everyone, or let it go on", Foot: 1}
	switch snap.State {
	case view.Paused:
		pause.Name = "resume"
		pause.Do = func() tea.Cmd { return e.Act(e.T("crawl resumed"), func() error { b.Resume(); return nil }) }
	case view.Running:
		pause.Do = func() tea.Cmd { return e.Act(e.T("crawl PAUSED for everyone"), func() error { b.Pause(); return nil }) }
	default:
		pause.Off = "nothing runs: S starts a discovery, H a harvest"
	}
	step := Binding{Keys: []string{"."}, Name: "step", Help: "fetch one page while paused", Foot: 2, Off: "the crawl is not paused"}
	if snap.State == view.Paused {
		step.Off, step.Do = "", func() tea.Cmd { return e.Act(e.T("one step"), func() error { b.Step(); return nil }) }
	}
	stop := Binding{Keys: []string{"x"}, Name: "stop", Help: "stop the run; pages in flight are finished", Foot: 6, Off: "nothing runs"}
	if snap.State == view.Running || snap.State == view.Paused {
		stop.Off, stop.Do = "", func() tea.Cmd { return e.Act(e.T("run stopped"), func() error { b.Stop(); return nil }) }
	}
	return []Binding{pause, step,
		{Keys: []string{"s"}, Name: "strategy", Help: "choose the order of the frontier", Foot: 3, Do: e.chooseStrategy},
		{Keys: []string{"w"}, Name: "workers", Help: "set the number of fetch workers", Foot: 4, Do: do(e.askWorkers)},
		{Keys: []string{"+"}, Name: "seeds", Help: "add seed URLs", Foot: 5, Do: do(e.askSeeds)},
		stop,
	}
}

func (e *Env) chooseStrategy() tea.Cmd {
	b := e.Bench
	var items []ui.Item
	for _, name := range b.Strategies() {
		items = append(items, ui.Item{Name: name, Raw: true, Mark: name == e.Snap.Strategy, Do: func() tea.Cmd {
			return e.Act(e.F("strategy %s", name), func() error { return b.SetStrategy(name) })
		}})
	}
	e.Choose(ui.NewChooser("strategy", items))
	return nil
}

const maxWorkers = 256

func (e *Env) askWorkers() {
	p := &ui.Prompt{Label: "workers:", Hint: "pages fetched at the same time", Check: e.number(1, maxWorkers), Done: func(v string) tea.Cmd {
		n, _ := strconv.Atoi(v) // Check has seen it
		return e.Act(e.N(n, "worker"), func() error { return e.Bench.SetWorkers(n) })
	}}
	p.Preset(strconv.Itoa(e.Snap.Workers))
	e.Ask(p)
}

func (e *Env) askSeeds() {
	e.Ask(&ui.Prompt{
		Label: "seed URLs:", Hint: "http://… separated by spaces",
		Check: func(v string) string {
			for _, u := range strings.Fields(v) {
				if !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
					return e.F("%s is no http:// or https:// URL", ui.Fit(u, 24))
				}
			}
			if v == "" {
				return "type a URL"
			}
			return ""
		},
		Done: func(v string) tea.Cmd {
			urls := strings.Fields(v)
			return e.Act(e.F("add %s", e.N(len(urls), "seed")), func() error { _, err := e.Bench.AddSeeds(urls); return err })
		},
	})
}

// loadKeys are the other bounds of a run, on the crawl screen only.
func (e *Env) loadKeys() []Binding {
	idle := ""
	if s := e.Snap.State; s != view.Running && s != view.Paused {
		idle = "nothing runs: S starts a discovery, H a harvest"
	}
	return []Binding{
		{Keys: []string{"D"}, Name: "delay", Help: "set the delay between two fetches of one host", Foot: 7, Do: do(e.askDelay)},
		{Keys: []string{"d"}, Name: "depth", Help: "set how many links from a seed a discovery goes", Foot: 8, Do: do(e.askDepth)},
		{Keys: []string{"b"}, Name: "budget", Help: "set after how many pages this run ends", Foot: 9, Off: idle, Do: do(e.askBudget)},
		{Keys: []string{"O"}, Name: "scope", Help: "edit what belongs to the crawl (scope in the settings)", Foot: 12, Do: func() tea.Cmd { return e.Settings("scope.kind") }},
	}
}

func (e *Env) askDelay() {
	p := &ui.Prompt{Label: "delay:", Hint: "500ms, 1s, 2m · for every host; robots.txt may ask for more",
		Check: func(v string) string {
			if err := e.Bench.CheckSetting("crawl.delay", v); err != nil {
				return e.reason(err)
			}
			return ""
		},
		Done: func(v string) tea.Cmd {
			d, _ := time.ParseDuration(v) // Check has seen it
			return e.Act(e.F("delay %s", v), func() error { return e.Bench.SetDelay(d) })
		}}
	p.Preset(e.Snap.Delay.String())
	e.Ask(p)
}

const maxDepth = 1000

func (e *Env) askDepth() {
	p := &ui.Prompt{Label: "depth:", Hint: "links from a seed; 0 takes the seeds alone", Check: e.number(0, maxDepth), Done: func(v string) tea.Cmd {
		n, _ := strconv.Atoi(v) // Check has seen it
		return e.Act(e.F("depth %s", v), func() error { return e.Bench.SetDepth(n) })
	}}
	p.Preset(strconv.Itoa(e.Snap.Depth))
	e.Ask(p)
}

const maxBudget = 1 << 40

func (e *Env) askBudget() {
	p := &ui.Prompt{Label: "budget:", Hint: e.F("pages of this run, %s so far; 0 is no bound", ui.Count(e.Snap.Fetched)), Check: e.number(0, maxBudget), Done: func(v string) tea.Cmd {
		n, _ := strconv.Atoi(v) // Check has seen it
		return e.Act(e.F("budget %s", e.N(n, "page")), func() error { return e.Bench.SetBudget(n) })
	}}
	if e.Snap.Bound > 0 {
		p.Preset(strconv.Itoa(e.Snap.Bound))
	}
	e.Ask(p)
}
