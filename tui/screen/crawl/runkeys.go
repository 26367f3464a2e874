package crawl

import (
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/crawl/view"
	"angler/store/config"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// runKeys are the keys that set the scope and the load of a run; the keys that control it are the
// same on every screen.
type runKeys struct {
	*screen.UI
	*screen.Shared
	runs     screen.Runs
	settings screen.Settings
	edit     func(key string) tea.Cmd // opens the settings at a key
}

func (k *runKeys) chooseStrategy() tea.Cmd {
	b := k.settings
	items := widget.Map(b.Strategies(), func(name string) widget.Item {
		return widget.Item{Name: name, Of: "crawl.strategy", Note: orderNotes[name],
			Mark: name == k.Snap.Strategy,
			Do: func() tea.Cmd {
				return k.Act(k.F("strategy %s", k.Value("", name)),
					func() error { return b.SetStrategy(name) })
			}}
	})
	k.Offer("strategy", items)
	return nil
}

// orderNotes describe what each link order prefers.
var orderNotes = map[string]string{
	"bfs":         "first found, first fetched",
	"best-first":  "links of the pages most like the samples",
	"shark":       "anchors and pages like the samples (Shark-search)",
	"block-shark": "the same, by blocks of links (P4)",
	"hits":        "pages that good hubs link to (HITS)",
	"pagerank":    "pages with many inlinks (PageRank)",
	"linear":      "anchor, address, block and page, with fixed weights (P3)",
	"learned":     "links like those that led to lists in this crawl (default)",

	"tag-path-bandit": "places on pages whose links led to targets",
	"oracle":          "the shortest way to the targets, as if they were known",
}

const maxWorkers = 256

func (k *runKeys) askWorkers() {
	k.AskPreset(strconv.Itoa(k.Snap.Workers), &widget.Prompt[int]{
		Editor: widget.Editor{Label: "workers:", Hint: "pages fetched at the same time"},
		Check:  k.Number(1, maxWorkers),
		Do: func(n int) tea.Cmd {
			return k.Act(k.N(n, "worker"), func() error { return k.settings.SetWorkers(n) })
		},
	})
}

// seedHint tells how to type seeds, and lists failed queries of readers: sites about them are
// missing as seeds (P3).
func (k *runKeys) seedHint() string {
	if vain := k.Snap.Unanswered; len(vain) > 0 {
		return k.F("http://… separated by spaces · looked for in vain: %s",
			widget.Clean(strings.Join(vain, " · ")))
	}
	return k.T("http://… separated by spaces")
}

func (k *runKeys) askSeeds() {
	k.Ask(&widget.Prompt[*seeds.SeedCheck]{
		Editor: widget.Editor{Label: "seed URLs:", Hint: k.seedHint()},
		Check: func(v string) (*seeds.SeedCheck, error) {
			list := seeds.CheckSeedText(strings.Join(strings.Fields(v), "\n"), "") // some µs an address
			switch {
			case len(list.Lines) == 0:
				return nil, widget.Refusal("type a URL")
			case list.Good == 0:
				return nil, widget.Refusal(k.F("%s is no http:// or https:// URL",
					widget.Fit(widget.Clean(list.Lines[0].Text), 24)))
			}
			return list, nil
		},
		Do: func(list *seeds.SeedCheck) tea.Cmd {
			what := k.F("add %s", k.N(list.Good, "seed"))
			if bad := list.Lines[list.Good:]; len(bad) > 0 {
				what += " · " + k.F("no URL: %s", named(k.Shared, bad))
			}
			return k.Act(what, func() error { _, err := k.settings.AddSeeds(list.Seeds()); return err })
		},
	})
}

// named lists the first refused addresses and counts the others.
func named(sh *screen.Shared, bad []seeds.SeedLine) string {
	const most = 3
	names := widget.Map(bad[:min(len(bad), most)], func(l seeds.SeedLine) string {
		return widget.Fit(widget.Clean(l.Text), 24)
	})
	out := strings.Join(names, ", ")
	if n := len(bad) - most; n > 0 {
		out = sh.F("%s and %s more", out, n)
	}
	return out
}

// keys set the scope and the load of the crawl.
func (k *runKeys) keys() []screen.Binding {
	idle := ""
	if s := k.Snap.State; s != view.Running && s != view.Paused {
		idle = "nothing runs: {discovery} starts a discovery, {harvest} a harvest"
	}
	return []screen.Binding{
		screen.Bind(keymap.Seeds, "", screen.Do(k.askSeeds)),
		screen.Bind(keymap.Strategy, "", k.chooseStrategy),
		screen.Bind(keymap.Workers, "", screen.Do(k.askWorkers)),
		screen.Bind(keymap.Delay, "", screen.Do(k.askDelay)),
		screen.Bind(keymap.Depth, "", screen.Do(k.askDepth)),
		screen.Bind(keymap.Budget, idle, screen.Do(k.askBudget)),
		screen.Bind(keymap.Scope, "", func() tea.Cmd { return k.edit("scope.kind") }),
	}
}

func (k *runKeys) askDelay() {
	k.AskPreset(k.Snap.Delay.String(), &widget.Prompt[time.Duration]{
		Editor: widget.Editor{Label: "delay:", Hint: "500ms, 1s, 2m · for every host; robots.txt may ask for more"},
		Check: func(v string) (time.Duration, error) {
			if err := k.settings.CheckSetting("crawl.delay", v); err != nil {
				return 0, widget.Refusal(k.Reason(err))
			}
			var d config.Duration
			if err := d.UnmarshalText([]byte(v)); err != nil {
				return 0, widget.Refusal(k.Reason(err))
			}
			return time.Duration(d), nil
		},
		Do: func(d time.Duration) tea.Cmd {
			return k.Act(k.F("delay %s", d), func() error { return k.settings.SetDelay(d) })
		},
	})
}

const maxDepth = 1000

func (k *runKeys) askDepth() {
	k.AskPreset(strconv.Itoa(k.Snap.Depth), &widget.Prompt[int]{
		Editor: widget.Editor{Label: "depth:", Hint: "links from a seed; 0 takes the seeds alone"},
		Check:  k.Number(0, maxDepth),
		Do: func(n int) tea.Cmd {
			return k.Act(k.F("depth %s", strconv.Itoa(n)), func() error { return k.settings.SetDepth(n) })
		},
	})
}

const maxBudget = 1 << 40

func (k *runKeys) askBudget() {
	p := &widget.Prompt[int]{
		Editor: widget.Editor{Label: "budget:",
			Hint: k.F("pages of this run, %s so far; 0 is no bound", k.Snap.Fetched)},
		Check: k.Number(0, maxBudget),
		Do: func(n int) tea.Cmd {
			return k.Act(k.F("budget %s", k.N(n, "page")), func() error { return k.runs.SetBudget(n) })
		},
	}
	if k.Snap.Bound > 0 {
		p.Preset(strconv.Itoa(k.Snap.Bound))
	}
	k.Ask(p)
}
