package crawling

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/store"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// RunKeys makes the keys that drive a run and set its load.
type RunKeys struct {
	ui       *screen.UI
	shared   *screen.Shared
	runs     parts.Runs
	settings parts.Settings
	edit     func(key string) tea.Cmd
}

// NewRunKeys returns them; edit opens the settings at a key.
func NewRunKeys(u *screen.UI, sh *screen.Shared, runs parts.Runs, settings parts.Settings, edit func(key string) tea.Cmd) *RunKeys {
	return &RunKeys{u, sh, runs, settings, edit}
}

// run are the keys that drive the run; the harvest screen has them too.
func (k *RunKeys) run() []screen.Binding {
	b, snap := k.runs, k.shared.Snap
	pause := screen.Binding{Keys: []string{" "}, Action: role.Pause, Help: "pause the crawl for everyone, or let it go on", Foot: 1}
	switch snap.State {
	case view.Paused:
		pause.Action = role.Resume
		pause.Do = func() tea.Cmd { return k.ui.Act(k.shared.T("crawl resumed"), func() error { b.Resume(); return nil }) }
	case view.Running:
		pause.Do = func() tea.Cmd {
			return k.ui.Act(k.shared.T("crawl PAUSED for everyone"), func() error { b.Pause(); return nil })
		}
	default:
		pause.Off = "nothing runs: S starts a discovery, H a harvest"
	}
	step := screen.Binding{Keys: []string{"."}, Action: role.Step, Help: "fetch one page while paused", Foot: 2, Off: "the crawl is not paused"}
	if snap.State == view.Paused {
		step.Off, step.Do = "", func() tea.Cmd { return k.ui.Act(k.shared.T("one step"), func() error { b.Step(); return nil }) }
	}
	stop := screen.Binding{Keys: []string{"x"}, Action: role.Stop, Help: "stop the run; fetches under way are broken off and their pages go on waiting", Foot: 6, Off: "nothing runs"}
	if snap.State == view.Running || snap.State == view.Paused {
		stop.Off, stop.Do = "", func() tea.Cmd { return k.ui.Act(k.shared.T("run stopped"), func() error { b.Stop(); return nil }) }
	}
	return []screen.Binding{pause, step,
		{Keys: []string{"s"}, Action: role.Strategy, Help: "choose the order of the frontier", Foot: 3, Do: k.chooseStrategy},
		{Keys: []string{"w"}, Action: role.Workers, Help: "set the number of fetch workers", Foot: 4, Do: screen.Do(k.askWorkers)},
		{Keys: []string{"+"}, Action: role.Seeds, Help: "add seed URLs", Foot: 5, Do: screen.Do(k.askSeeds)},
		stop,
	}
}

func (k *RunKeys) chooseStrategy() tea.Cmd {
	b := k.settings
	var items []ui.Item
	for _, name := range b.Strategies() {
		items = append(items, ui.Item{Name: name, Raw: true, Mark: name == k.shared.Snap.Strategy, Do: func() tea.Cmd {
			return k.ui.Act(k.shared.F("strategy %s", name), func() error { return b.SetStrategy(name) })
		}})
	}
	k.ui.Choose(ui.NewChooser("strategy", items))
	return nil
}

const maxWorkers = 256

func (k *RunKeys) askWorkers() {
	p := &ui.Prompt[int]{
		Editor: ui.Editor{Label: "workers:", Hint: "pages fetched at the same time"},
		Check:  k.shared.Number(1, maxWorkers),
		Do: func(n int) tea.Cmd {
			return k.ui.Act(k.shared.N(n, "worker"), func() error { return k.settings.SetWorkers(n) })
		},
	}
	p.Preset(strconv.Itoa(k.shared.Snap.Workers))
	k.ui.Ask(p)
}

func (k *RunKeys) askSeeds() {
	k.ui.Ask(&ui.Prompt[[]string]{
		Editor: ui.Editor{Label: "seed URLs:", Hint: "http://… separated by spaces"},
		Check: func(v string) ([]string, error) {
			urls := strings.Fields(v)
			for _, u := range urls {
				if !strings.HasPrefix(u, "http://") && !strings.HasPrefix(u, "https://") {
					return nil, ui.Refusal(k.shared.F("%s is no http:// or https:// URL", ui.Fit(u, 24)))
				}
			}
			if len(urls) == 0 {
				return nil, ui.Refusal("type a URL")
			}
			return urls, nil
		},
		Do: func(urls []string) tea.Cmd {
			return k.ui.Act(k.shared.F("add %s", k.shared.N(len(urls), "seed")), func() error { _, err := k.settings.AddSeeds(urls); return err })
		},
	})
}

// load are the other bounds of a run, on the crawl screen only.
func (k *RunKeys) load() []screen.Binding {
	idle := ""
	if s := k.shared.Snap.State; s != view.Running && s != view.Paused {
		idle = "nothing runs: S starts a discovery, H a harvest"
	}
	return []screen.Binding{
		{Keys: []string{"D"}, Action: role.Delay, Help: "set the delay between two fetches of one host", Foot: 7, Do: screen.Do(k.askDelay)},
		{Keys: []string{"d"}, Action: role.Depth, Help: "set how many links from a seed a discovery goes", Foot: 8, Do: screen.Do(k.askDepth)},
		{Keys: []string{"b"}, Action: role.Budget, Help: "set after how many pages this run ends", Foot: 9, Off: idle, Do: screen.Do(k.askBudget)},
		{Keys: []string{"O"}, Action: role.Settings.As("scope"), Help: "edit what belongs to the crawl (scope in the settings)", Foot: 12, Do: func() tea.Cmd { return k.edit("scope.kind") }},
	}
}

func (k *RunKeys) askDelay() {
	p := &ui.Prompt[time.Duration]{
		Editor: ui.Editor{Label: "delay:", Hint: "500ms, 1s, 2m · for every host; robots.txt may ask for more"},
		Check: func(v string) (time.Duration, error) {
			if err := k.settings.CheckSetting("crawl.delay", v); err != nil {
				return 0, ui.Refusal(k.shared.Reason(err))
			}
			var d store.Duration
			if err := d.UnmarshalText([]byte(v)); err != nil {
				return 0, ui.Refusal(k.shared.Reason(err))
			}
			return time.Duration(d), nil
		},
		Do: func(d time.Duration) tea.Cmd {
			return k.ui.Act(k.shared.F("delay %s", d), func() error { return k.settings.SetDelay(d) })
		},
	}
	p.Preset(k.shared.Snap.Delay.String())
	k.ui.Ask(p)
}

const maxDepth = 1000

func (k *RunKeys) askDepth() {
	p := &ui.Prompt[int]{
		Editor: ui.Editor{Label: "depth:", Hint: "links from a seed; 0 takes the seeds alone"},
		Check:  k.shared.Number(0, maxDepth),
		Do: func(n int) tea.Cmd {
			return k.ui.Act(k.shared.F("depth %s", strconv.Itoa(n)), func() error { return k.settings.SetDepth(n) })
		},
	}
	p.Preset(strconv.Itoa(k.shared.Snap.Depth))
	k.ui.Ask(p)
}

const maxBudget = 1 << 40

func (k *RunKeys) askBudget() {
	p := &ui.Prompt[int]{
		Editor: ui.Editor{Label: "budget:", Hint: k.shared.F("pages of this run, %s so far; 0 is no bound", ui.Count(k.shared.Snap.Fetched))},
		Check:  k.shared.Number(0, maxBudget),
		Do: func(n int) tea.Cmd {
			return k.ui.Act(k.shared.F("budget %s", k.shared.N(n, "page")), func() error { return k.runs.SetBudget(n) })
		},
	}
	if k.shared.Snap.Bound > 0 {
		p.Preset(strconv.Itoa(k.shared.Snap.Bound))
	}
	k.ui.Ask(p)
}
