// Package crawling holds the screens that watch and drive what the crawl does
// and brings home: the run, the harvest, and the lab in which a stored crawl is
// run again. The rows come with the snapshots and move while they are read; the
// danger is a key that acts on a row which has just slipped under the cursor,
// so tables hold their rows for it.
package crawling

import (
	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/parts"
	"angler/tui/screen"
	"angler/tui/ui"
)

// Crawl is screen 4: the frontier, the hosts, what comes home, and the keys
// that drive the run.
type Crawl struct {
	ui       *screen.UI
	shared   *screen.Shared
	runs     parts.Runs
	drive    *RunKeys
	panes    screen.Panes
	frontier *ui.Table[view.FrontierRow]
	harvest  *ui.Table[view.HarvestRow]
	hosts    *ui.Table[view.HostRow]
	events   *ui.Table[view.Event]
	requests *ui.Table[view.Request]
	least    int // events of a lower rank are not listed
	steer    steering
	shown    *view.Snapshot // the one the tables hold
}

// NewCrawl returns screen 4.
func NewCrawl(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, drive *RunKeys, runs parts.Runs) *Crawl {
	s := &Crawl{ui: u, shared: sh, runs: runs, drive: drive}
	s.frontier, s.harvest = frontierTable(sh), harvestTable()
	s.hosts, s.events, s.requests = hostTable(sh), eventTable(sh), requestTable(sh)
	s.harvest.Live, s.events.Live = true, true
	seeds := func() string {
		if sh.Snap.Counts.Complete+sh.Snap.Counts.Waiting == 0 {
			return "The frontier is empty. Press + to add seeds, then S to start a discovery."
		}
		return "Nothing waits. Press S to start a discovery, H to visit the aggregation pages."
	}
	front := screen.TablePane(sh, s.frontier, func() string {
		return sh.F("frontier %s", ui.Count(sh.Snap.Counts.Waiting)) + " · " + sh.Snap.Strategy
	}, seeds)
	front.Click, front.Keys = screen.Clicks(s.frontier, nil), func() []screen.Binding {
		return append(copyKey(s.frontier.Selected(), func(r *view.FrontierRow) string { return r.URL }), screen.SortKeys(s.frontier)...)
	}
	home := screen.TablePane(sh, s.harvest, func() string {
		return sh.F("aggregation pages %s", ui.Count(sh.Snap.Counts.Aggregations)) + " · " + sh.N(sh.Snap.Counts.Notices, "notice")
	}, func() string {
		return "No page lies above θ yet. Mark samples on screen 1, tune θ on screen 3."
	})
	home.Click, home.Keys = screen.Clicks(s.harvest, nil), func() []screen.Binding {
		return append(keys.Of(harvestTarget(s.harvest.Selected())), screen.SortKeys(s.harvest)...)
	}
	hosts := screen.TablePane(sh, s.hosts, func() string { return sh.F("hosts %s", ui.Count(sh.Snap.NumHosts)) }, func() string {
		if sh.Snap.Counts.Complete+sh.Snap.Counts.Waiting > 0 {
			return "The hosts of a run are listed while it goes on. Press S to start a discovery."
		}
		return "No host yet. Press + to add seeds."
	})
	hosts.Click, hosts.Keys = screen.Clicks(s.hosts, nil), func() []screen.Binding { return screen.SortKeys(s.hosts) }
	events := screen.TablePane(sh, s.events, func() string {
		t := sh.F("events %s", ui.Count(len(sh.Snap.Events)))
		return t + []string{"", " · " + sh.T("warnings and errors"), " · " + sh.T("errors")}[s.least]
	}, func() string {
		if s.least > 0 && len(sh.Snap.Events) > 0 {
			return "No such event. Press e for all events."
		}
		return "Nothing has happened yet. Press S to start a discovery."
	})
	events.Click, events.Keys = screen.Clicks(s.events, nil), s.eventKeys
	requests := screen.TablePane(sh, s.requests, func() string {
		return sh.F("in flight %s of %s", ui.Count(len(sh.Snap.InFlight)), ui.Count(sh.Snap.Workers))
	}, s.noRequest)
	requests.Click, requests.Keys = screen.Clicks(s.requests, nil), func() []screen.Binding {
		return copyKey(s.requests.Selected(), func(r *view.Request) string { return r.URL })
	}
	curve := &screen.Pane{Title: func() string {
		t := sh.F("harvest rate %s", ui.Score(sh.Snap.HarvestRate, 2))
		if sh.Snap.Fetched > 0 {
			t += " · " + sh.F("%s fetched", ui.Count(sh.Snap.Fetched))
		}
		return t
	}, Draw: func(c *ui.Canvas, _ bool) { drawCurve(c, sh) }}
	counts := &screen.Pane{Title: func() string { return "run" }, Draw: func(c *ui.Canvas, _ bool) { s.drawCounts(c) }}
	s.panes = screen.NewPanes(u, sh, []*screen.Pane{front, home, hosts, curve, events, requests, counts}, placeCrawl)
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

// Name implements Screen.
func (s *Crawl) Name() string { return "Crawl" }

// SetSize implements Screen.
func (s *Crawl) SetSize(w, h int) { s.panes.SetSize(w, h) }

// View implements Screen.
func (s *Crawl) View(c *ui.Canvas) { s.panes.View(c) }

// Update implements Screen.
func (s *Crawl) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.SnapMsg, screen.ShowMsg:
		if s.shared.Shown == screen.Screen(s) && s.shown != s.shared.Snap {
			return s.take(s.shared.Snap)
		}
	case steerMsg:
		return s.steerCounted(msg)
	case rulesMsg:
		s.showRules(msg)
	case troublesMsg:
		s.showTroubles(msg)
	case ui.Arranged:
		s.frontier.Arranged(msg)
	case tea.MouseMsg:
		return s.panes.Mouse(msg)
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
		s.hosts.SetRows(snap.Hosts), s.events.SetRows(events), s.requests.SetRows(snap.InFlight))
}

// Bindings implements Screen.
func (s *Crawl) Bindings() []screen.Binding {
	keys := append(append(append(s.drive.run(), s.drive.load()...), s.steerKeys()...), s.retryKeys()...)
	return append(keys, s.panes.Bindings(nil)...)
}

// Keys implements Screen.
func (s *Crawl) Keys() []screen.Binding { return s.panes.Each(s.Bindings) }
