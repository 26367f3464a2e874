package screen

import (
	"hash/fnv"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/tui/ui"
)

// Crawl is screen 4: the frontier, the hosts, what comes home, and the keys
// that drive the run.
type Crawl struct {
	env      *Env
	panes    panes
	frontier *ui.Table[crawl.FrontierRow]
	harvest  *ui.Table[crawl.HarvestRow]
	hosts    *ui.Table[crawl.HostRow]
	events   *ui.Table[crawl.Event]
	shown    *crawl.Snapshot // the one the tables hold
}

// NewCrawl returns screen 4.
func NewCrawl(e *Env) *Crawl {
	s := &Crawl{env: e}
	s.frontier, s.harvest = frontierTable(e), harvestTable()
	s.hosts, s.events = hostTable(e), eventTable(e)
	s.harvest.Live, s.events.Live = true, true
	seeds := func() string {
		if e.Snap.Counts.Complete+e.Snap.Counts.Waiting == 0 {
			return "The frontier is empty. Press + to add seeds, then S to scout."
		}
		return "Nothing waits. Press S to scout again, H to visit the aggregation pages."
	}
	front := tablePane(e, s.frontier, func() string {
		return e.F("frontier %s", ui.Count(e.Snap.Counts.Waiting)) + " · " + e.Snap.Strategy
	}, seeds)
	front.click, front.keys = clicks(s.frontier, nil), func() []Binding {
		return append(copyKey(s.frontier.Selected(), func(r *crawl.FrontierRow) string { return r.URL }), sortKeys(s.frontier)...)
	}
	home := tablePane(e, s.harvest, func() string {
		return e.F("aggregation pages %s", ui.Count(e.Snap.Counts.Aggregations)) + " · " + e.N(e.Snap.Counts.Notices, "notice")
	}, func() string {
		return "No page lies above θ yet. Mark samples on screen 1, tune θ on screen 3."
	})
	home.click, home.keys = clicks(s.harvest, nil), func() []Binding {
		return append(e.pageKeys(harvestTarget(s.harvest.Selected())), sortKeys(s.harvest)...)
	}
	hosts := tablePane(e, s.hosts, func() string { return e.F("hosts %s", ui.Count(e.Snap.NumHosts)) }, func() string {
		return "No host yet. Press + to add seeds."
	})
	hosts.click, hosts.keys = clicks(s.hosts, nil), func() []Binding { return sortKeys(s.hosts) }
	events := tablePane(e, s.events, func() string { return e.F("events %s", ui.Count(len(e.Snap.Events))) }, func() string {
		return "Nothing has happened yet. Press S to scout."
	})
	events.click = clicks(s.events, nil)
	curve := &pane{title: func() string {
		return e.F("harvest rate %s · %s fetched", ui.Score(e.Snap.HarvestRate, 2), ui.Count(e.Snap.Fetched))
	}, draw: func(c *ui.Canvas, _ bool) { drawCurve(c, e) }}
	counts := &pane{title: func() string { return "run" }, draw: func(c *ui.Canvas, _ bool) { s.drawCounts(c) }}
	s.panes = panes{env: e, all: []*pane{front, home, hosts, curve, events, counts}, place: placeCrawl}
	return s
}

func placeCrawl(w, h int) []ui.Rect {
	if w < 110 {
		// Frontier, what comes home, events below; the rest by tab.
		a := h * 45 / 100
		b := h * 30 / 100
		half := w / 2
		return []ui.Rect{
			{W: w, H: a}, {}, {Y: a, W: half, H: b}, {X: half, Y: a, W: w - half, H: b},
			{Y: a + b, W: half, H: h - a - b}, {X: half, Y: a + b, W: w - half, H: h - a - b},
		}
	}
	a, b := h*38/100, h*34/100
	half := w * 53 / 100
	return []ui.Rect{
		{W: half, H: a}, {X: half, W: w - half, H: a},
		{Y: a, W: half, H: b}, {X: half, Y: a, W: w - half, H: b},
		{Y: a + b, W: half, H: h - a - b}, {X: half, Y: a + b, W: w - half, H: h - a - b},
	}
}

// clicks makes a table's rows and heads clickable; chosen follows a new row.
func clicks[T any](t *ui.Table[T], chosen func() tea.Cmd) func(x, y, w int) tea.Cmd {
	return func(x, y, w int) tea.Cmd {
		ok, cmd := t.Click(x, y-1, w)
		if ok && chosen != nil {
			return chosen()
		}
		return cmd
	}
}

func copyKey[T any](r *T, url func(*T) string) []Binding {
	b := Binding{Keys: []string{"c"}, Name: "copy URL", Help: "copy the URL to the clipboard (OSC 52)", Foot: 80, Off: "no row is chosen"}
	if r != nil {
		text := url(r)
		b.Off, b.Do = "", func() tea.Cmd { return Copy(text) }
	}
	return []Binding{b}
}

func frontierTable(e *Env) *ui.Table[crawl.FrontierRow] {
	type row = crawl.FrontierRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Anchor + " " + r.URL + " " + r.Why },
		ui.Column[row]{Title: "prio", Width: 5, Right: true, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Priority, 2), ui.Accent },
			Less: func(a, b *row) bool { return a.Priority < b.Priority }},
		ui.Column[row]{Title: "host", Width: 14, Flex: 2, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Less: func(a, b *row) bool { return a.Host < b.Host }},
		ui.Column[row]{Title: "next", Width: 6, Right: true, Drop: 4, Cell: func(r *row) (string, ui.Style) { return e.T(ui.Until(r.Next, e.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
		ui.Column[row]{Title: "d", Width: 2, Right: true, Drop: 5, Cell: func(r *row) (string, ui.Style) { return strconv.Itoa(r.Depth), ui.Dim },
			Less: func(a, b *row) bool { return a.Depth < b.Depth }},
		ui.Column[row]{Title: "anchor", Width: 14, Flex: 3, Cell: func(r *row) (string, ui.Style) {
			if text := ui.Clean(r.Anchor); text != "" {
				return text, ui.Plain
			}
			return ui.Clean(r.URL), ui.Dim
		}},
		ui.Column[row]{Title: "why", Width: 14, Flex: 3, Drop: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Why), ui.Dim }},
	)
}

func harvestTable() *ui.Table[crawl.HarvestRow] {
	type row = crawl.HarvestRow
	return ui.NewTable(func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.URL },
		ui.Column[row]{Title: "score", Width: 5, Right: true, Cell: func(r *row) (string, ui.Style) { return ui.Score(r.Score, 3), ui.Good },
			Less: func(a, b *row) bool { return a.Score < b.Score }},
		ui.Column[row]{Title: "l", Width: 1, Drop: 3, Cell: func(r *row) (string, ui.Style) { return labelSign(r.Label) },
			Less: func(a, b *row) bool { return a.Label > b.Label }},
		ui.Column[row]{Title: "title", Width: 22, Flex: 4, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Title), ui.Plain },
			Less: func(a, b *row) bool { return a.Title < b.Title }},
		ui.Column[row]{Title: "host", Width: 12, Flex: 1, Drop: 2, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Dim },
			Less: func(a, b *row) bool { return a.Host < b.Host }},
		ui.Column[row]{Title: "records", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return strconv.Itoa(r.Records), ui.Dim },
			Less: func(a, b *row) bool { return a.Records < b.Records }},
	)
}

func harvestTarget(r *crawl.HarvestRow) *target {
	if r == nil {
		return nil
	}
	return &target{r.ID, r.URL, r.Title, r.Label}
}

func hostTable(e *Env) *ui.Table[crawl.HostRow] {
	type row = crawl.HostRow
	num := func(title string, w, drop int, bad bool, f func(*row) int) ui.Column[row] {
		return ui.Column[row]{Title: title, Width: w, Right: true, Drop: drop, Cell: func(r *row) (string, ui.Style) {
			st := ui.Plain
			if bad && f(r) > 0 {
				st = ui.Bad
			}
			return ui.Count(f(r)), st
		}, Less: func(a, b *row) bool { return f(a) < f(b) }}
	}
	return ui.NewTable(func(r *row) uint64 { return hash(r.Host) }, func(r *row) string { return r.Host },
		ui.Column[row]{Title: "host", Width: 14, Flex: 1, Cell: func(r *row) (string, ui.Style) { return ui.Clean(r.Host), ui.Plain },
			Less: func(a, b *row) bool { return a.Host < b.Host }},
		num("waiting", 7, 0, false, func(r *row) int { return r.Waiting }),
		num("busy", 4, 2, false, func(r *row) int { return r.Busy }),
		num("done", 6, 0, false, func(r *row) int { return r.Done }),
		num("failed", 6, 3, true, func(r *row) int { return r.Failed }),
		ui.Column[row]{Title: "next", Width: 7, Right: true, Drop: 1, Cell: func(r *row) (string, ui.Style) { return e.T(ui.Until(r.Next, e.Snap.At)), ui.Dim },
			Less: func(a, b *row) bool { return a.Next.Before(b.Next) }},
	)
}

func eventTable(e *Env) *ui.Table[crawl.Event] {
	type row = crawl.Event
	return ui.NewTable(func(r *row) uint64 { return hash(r.At.String() + r.Text) }, func(r *row) string { return r.Kind + " " + r.Text },
		ui.Column[row]{Title: "time", Width: 8, Cell: func(r *row) (string, ui.Style) { return r.At.Format("15:04:05"), ui.Dim }},
		ui.Column[row]{Title: "event", Width: 14, Flex: 1, Cell: func(r *row) (string, ui.Style) {
			switch r.Kind {
			case "error":
				return "! " + e.Line(ui.Clean(r.Text)), ui.Bad
			case "warn":
				return "▲ " + e.Line(ui.Clean(r.Text)), ui.Warn
			}
			return e.Line(ui.Clean(r.Text)), ui.Plain
		}},
	)
}

func hash(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

// Name implements Screen.
func (s *Crawl) Name() string { return "Crawl" }

// SetSize implements Screen.
func (s *Crawl) SetSize(w, h int) { s.panes.setSize(w, h) }

// View implements Screen.
func (s *Crawl) View(c *ui.Canvas) { s.panes.view(c) }

// Update implements Screen.
func (s *Crawl) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case SnapMsg, ShowMsg:
		if s.env.Shown == Screen(s) && s.shown != s.env.Snap {
			return s.take(s.env.Snap)
		}
	case ui.Arranged:
		s.frontier.Arranged(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// take hands a snapshot's rows to the tables; the newest event comes first.
func (s *Crawl) take(snap *crawl.Snapshot) tea.Cmd {
	s.shown = snap
	events := make([]crawl.Event, len(snap.Events))
	for i, ev := range snap.Events {
		events[len(events)-1-i] = ev
	}
	return tea.Batch(s.frontier.SetRows(snap.Frontier), s.harvest.SetRows(snap.Harvest),
		s.hosts.SetRows(snap.Hosts), s.events.SetRows(events))
}

// Bindings implements Screen.
func (s *Crawl) Bindings() []Binding {
	return append(s.env.runKeys(), s.panes.bindings(nil)...)
}

// runKeys drive the run; the harvest screen has them too.
func (e *Env) runKeys() []Binding {
	b, snap := e.Bench, e.Snap
	pause := Binding{Keys: []string{" "}, Name: "pause", Help: "pause the crawl for everyone, or let it go on", Foot: 1}
	switch snap.State {
	case crawl.Paused:
		pause.Name = "resume"
		pause.Do = func() tea.Cmd { return e.Act(e.T("crawl resumed"), func() error { b.Resume(); return nil }) }
	case crawl.Running:
		pause.Do = func() tea.Cmd { return e.Act(e.T("crawl PAUSED for everyone"), func() error { b.Pause(); return nil }) }
	default:
		pause.Off = "nothing runs: S scouts, H harvests"
	}
	step := Binding{Keys: []string{"."}, Name: "step", Help: "fetch one page while paused", Foot: 2, Off: "the crawl is not paused"}
	if snap.State == crawl.Paused {
		step.Off, step.Do = "", func() tea.Cmd { return e.Act(e.T("one step"), func() error { b.Step(); return nil }) }
	}
	stop := Binding{Keys: []string{"x"}, Name: "stop", Help: "stop the run; pages in flight are finished", Foot: 6, Off: "nothing runs"}
	if snap.State == crawl.Running || snap.State == crawl.Paused {
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

// Keys implements Screen.
func (s *Crawl) Keys() []Binding { return s.panes.each(s.Bindings) }
