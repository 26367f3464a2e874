package screen

import (
	"hash/fnv"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// Crawl is screen 4: the frontier, the hosts, what comes home, and the keys
// that drive the run.
type Crawl struct {
	env      *Env
	panes    panes
	frontier *ui.Table[view.FrontierRow]
	harvest  *ui.Table[view.HarvestRow]
	hosts    *ui.Table[view.HostRow]
	events   *ui.Table[view.Event]
	flights  *ui.Table[view.Request]
	least    int // the rank of an event that is shown
	steer    steering
	shown    *view.Snapshot // the one the tables hold
}

// NewCrawl returns screen 4.
func NewCrawl(e *Env) *Crawl {
	s := &Crawl{env: e}
	s.frontier, s.harvest = frontierTable(e), harvestTable()
	s.hosts, s.events, s.flights = hostTable(e), eventTable(e), flightTable(e)
	s.harvest.Live, s.events.Live = true, true
	seeds := func() string {
		if e.Snap.Counts.Complete+e.Snap.Counts.Waiting == 0 {
			return "The frontier is empty. Press + to add seeds, then S to start a discovery."
		}
		return "Nothing waits. Press S to start a discovery, H to visit the aggregation pages."
	}
	front := tablePane(e, s.frontier, func() string {
		return e.F("frontier %s", ui.Count(e.Snap.Counts.Waiting)) + " · " + e.Snap.Strategy
	}, seeds)
	front.click, front.keys = clicks(s.frontier, nil), func() []Binding {
		return append(copyKey(s.frontier.Selected(), func(r *view.FrontierRow) string { return r.URL }), sortKeys(s.frontier)...)
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
		if e.Snap.Counts.Complete+e.Snap.Counts.Waiting > 0 {
			return "The hosts of a run are listed while it goes on. Press S to start a discovery."
		}
		return "No host yet. Press + to add seeds."
	})
	hosts.click, hosts.keys = clicks(s.hosts, nil), func() []Binding { return sortKeys(s.hosts) }
	events := tablePane(e, s.events, func() string {
		t := e.F("events %s", ui.Count(len(e.Snap.Events)))
		return t + []string{"", " · " + e.T("warnings and errors"), " · " + e.T("errors")}[s.least]
	}, func() string {
		if s.least > 0 && len(e.Snap.Events) > 0 {
			return "No such event. Press e for all events."
		}
		return "Nothing has happened yet. Press S to start a discovery."
	})
	events.click, events.keys = clicks(s.events, nil), s.eventKeys
	flights := tablePane(e, s.flights, func() string {
		return e.F("in flight %s of %s", ui.Count(len(e.Snap.InFlight)), ui.Count(e.Snap.Workers))
	}, s.noFlight)
	flights.click, flights.keys = clicks(s.flights, nil), func() []Binding {
		return copyKey(s.flights.Selected(), func(r *view.Request) string { return r.URL })
	}
	curve := &pane{title: func() string {
		t := e.F("harvest rate %s", ui.Score(e.Snap.HarvestRate, 2))
		if e.Snap.Fetched > 0 {
			t += " · " + e.F("%s fetched", ui.Count(e.Snap.Fetched))
		}
		return t
	}, draw: func(c *ui.Canvas, _ bool) { drawCurve(c, e) }}
	counts := &pane{title: func() string { return "run" }, draw: func(c *ui.Canvas, _ bool) { s.drawCounts(c) }}
	s.panes = panes{env: e, all: []*pane{front, home, hosts, curve, events, flights, counts}, place: placeCrawl}
	return s
}

func placeCrawl(w, h int) []ui.Rect {
	if w < 110 {
		// Frontier, hosts, events; what comes home and what is in flight by tab.
		a := h * 40 / 100
		b := h * 30 / 100
		half := w / 2
		return []ui.Rect{
			{W: w, H: a}, {}, {Y: a, W: half, H: b}, {X: half, Y: a, W: w - half, H: b},
			{Y: a + b, W: half, H: h - a - b}, {}, {X: half, Y: a + b, W: w - half, H: h - a - b},
		}
	}
	a, b := h*38/100, h*34/100
	half := w * 53 / 100
	log, air := w*42/100, w*28/100
	return []ui.Rect{
		{W: half, H: a}, {X: half, W: w - half, H: a},
		{Y: a, W: half, H: b}, {X: half, Y: a, W: w - half, H: b},
		{Y: a + b, W: log, H: h - a - b}, {X: log, Y: a + b, W: air, H: h - a - b}, {X: log + air, Y: a + b, W: w - log - air, H: h - a - b},
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
	case steerMsg:
		return s.steerCounted(msg)
	case rulesMsg:
		s.showRules(msg)
	case ui.Arranged:
		s.frontier.Arranged(msg)
	case tea.MouseMsg:
		return s.panes.mouse(msg)
	}
	return nil
}

// take hands a snapshot's rows to the tables; the newest event comes first.
func (s *Crawl) take(snap *view.Snapshot) tea.Cmd {
	s.shown = snap
	events := make([]view.Event, len(snap.Events))
	for i, ev := range snap.Events {
		events[len(events)-1-i] = ev
	}
	return tea.Batch(s.frontier.SetRows(snap.Frontier), s.harvest.SetRows(snap.Harvest),
		s.hosts.SetRows(snap.Hosts), s.events.SetRows(events), s.flights.SetRows(snap.InFlight))
}

// Bindings implements Screen.
func (s *Crawl) Bindings() []Binding {
	keys := append(append(s.env.runKeys(), s.env.loadKeys()...), s.steerKeys()...)
	return append(keys, s.panes.bindings(nil)...)
}

// Keys implements Screen.
func (s *Crawl) Keys() []Binding { return s.panes.each(s.Bindings) }
