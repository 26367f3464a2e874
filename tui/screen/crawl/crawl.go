// Package crawl holds the screens that watch and control the crawl: the run, the harvest, and the
// lab, which replays a stored crawl. Rows arrive with snapshots and move while they are read. The
// danger is a key on a row that has just moved under the cursor, so tables hold their rows for it.
package crawl

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// crawl is screen 4: the frontier, the hosts, results, failures, the history of runs, and the keys
// that control the run. Without a run it shows stored data.
type crawl struct {
	*screen.UI
	*screen.Shared
	acts   branchActs
	again  retries
	takeIn takeIn
	store  screen.Survey
	pages  screen.Pages
	marks  *screen.PageKeys
	drive  *runKeys
	screen.Panes
	frontier  *widget.Table[view.FrontierRow]
	ranking   ranking
	harvest   *widget.Table[view.HarvestRow]
	events    *widget.Table[kindRow]
	requests  *widget.Table[view.Request]
	failures  *widget.Table[query.Failure]
	history   *widget.Table[records.Run]
	past      screen.Loader[[]records.Run]
	waiting   *waiting
	workforce *workforce
	land      *landPane
	over      *drill // the detail view that was opened last
	least     int    // least rank of listed events
	folds     bool   // an event came more than once
	steer     steering
	seeds     *seedsView
	shown     *view.Snapshot // the snapshot in the tables
	quiet     bool           // no run was active then
	placed    [2]bool        // the panes are placed for: no run; an empty frontier
	pending   tea.Cmd        // Cmd of a list that moved
	w, h      int
}

// mostRuns bounds the listed history.
const mostRuns = 200

// New returns screens 4 and 7; edit opens the settings at a key. It returns interfaces: a package
// that sees the types would compile all tables of the screens again.
func New(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts, who auth.Role,
	edit func(key string) tea.Cmd) (crawl, lab screen.Screen) {
	return newCrawl(u, sh, keys, p, who, edit), newLab(u, sh, p.Lab, p.Settings)
}

func newCrawl(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts, who auth.Role,
	edit func(key string) tea.Cmd) *crawl {
	s := &crawl{UI: u, Shared: sh, store: p.Survey, pages: p.Pages, marks: keys,
		drive: &runKeys{u, sh, p.Runs, p.Settings, edit}}
	s.frontier, s.harvest = widget.GivenBy(frontierTable(sh), "prio", true), harvestTable()
	s.events, s.requests = widget.GivenBy(kindTable(sh, func() bool { return !s.folds }), "time", true),
		widget.GivenBy(requestTable(sh), "since", false)
	s.failures, s.history = failureTable(sh), runTable(sh)
	s.waiting, s.land = newWaiting(u, sh, p.Survey, s.frontier), newLandPane(u, sh, p.Survey, s.failures)
	s.past = screen.NewLoader(u, sh, "reading the history",
		func(screen.DataVersion) func(context.Context) ([]records.Run, error) {
			return func(context.Context) ([]records.Run, error) { return p.Survey.Runs(mostRuns) }
		}, s.history.SetRows)
	s.past.Progress = true
	s.harvest.Live, s.events.Live = true, true
	s.acts = branchActs{u, sh, p.Runs, who}
	s.workforce = newWorkforce(u, sh, p.Workers, who)
	s.again = retries{u, sh, p.Runs, func() []query.Failure { return s.land.land.Failures }}
	s.takeIn = takeIn{u, sh, p.Runs, p.Archives, who}
	s.steer = steering{UI: u, Shared: sh, runs: p.Runs, under: s.frontier.Selected}
	s.Panes = screen.NewPanes(u, sh, s.allPanes(), s.place)
	s.Title = "Crawl"
	s.seeds = newSeeds(u, sh, keys, p)
	s.over = &drill{}
	s.Around, s.Covers = s.around, []*screen.Panes{&s.seeds.Panes}
	return s
}

func (s *crawl) place(w, h int) []widget.Rect {
	idle := s.idle()
	if w < 110 {
		// Frontier, hosts, events; tab shows results and fetches in progress.
		a, b := h*40/100, h*30/100
		if spent(s.Snap) { // two lines are enough for the message
			a, b = min(a, 5), (h-min(a, 5))/2
		}
		half := w / 2
		right, low := widget.Rect{X: half, Y: a, W: w - half, H: b},
			widget.Rect{X: half, Y: a + b, W: w - half, H: h - a - b}
		out := []widget.Rect{{W: w, H: a}, {}, {Y: a, W: half, H: b}, right, {Y: a + b, W: half, H: h - a - b}, {}, low,
			{}, {}, {}}
		if idle {
			out[paneCurve], out[paneCounts], out[paneFailures], out[paneRuns] = widget.Rect{}, widget.Rect{}, low, right
		}
		return out
	}
	a, b := h*38/100, h*34/100
	half := w * 53 / 100
	log, air := w*42/100, w*28/100
	middle, right := widget.Rect{X: log, Y: a + b, W: air, H: h - a - b}, widget.Rect{X: half, Y: a, W: w - half, H: b}
	out := []widget.Rect{
		{W: half, H: a}, {X: half, W: w - half, H: a},
		{Y: a, W: half, H: b}, right,
		{Y: a + b, W: log, H: h - a - b}, middle, {X: log + air, Y: a + b, W: w - log - air, H: h - a - b}, {}, {}, {},
	}
	if idle {
		out[paneRequests], out[paneFailures] = widget.Rect{}, middle
		out[paneRuns] = right
		out[paneCurve], out[paneCounts] = out[paneCounts], widget.Rect{}
	}
	if !s.workforce.gone() {
		s.placeWorkers(out, right)
	}
	return out
}

// The panes, in the order of tab.
const (
	paneFrontier = iota
	paneHome
	paneHosts
	paneCurve
	paneEvents
	paneRequests
	paneCounts
	paneFailures
	paneRuns
	paneWorkers
)

// idle reports whether no run is active, so that stored data are shown.
func (s *crawl) idle() bool { return s.Snap.State == view.Idle }

// spent reports whether no run is active and no URL waits.
func spent(snap *view.Snapshot) bool { return snap.State == view.Idle && snap.Counts.Waiting == 0 }

// idleStamp is the version of all data that stored rows depend on; during a run it changes with the
// pages, which a Loader limits.
func idleStamp(sh *screen.Shared) screen.DataVersion {
	st, n := sh.DataVersion(), sh.Snap.Counts
	st.Extra = sh.Snap.Lapsed << 32
	if sh.Snap.State == view.Idle {
		st.Extra += n.Waiting*31 + n.Exception*17 + n.Complete + 1
	}
	return st
}

// queue stores a Cmd of a list that moved; flush passes it to the program.
func (s *crawl) queue(cmd tea.Cmd) { s.pending = tea.Batch(s.pending, cmd) }

func (s *crawl) flush() tea.Cmd {
	cmd := s.pending
	s.pending = nil
	return cmd
}

// SetSize implements Screen.
func (s *crawl) SetSize(w, h int) {
	s.w, s.h = w, h
	s.Panes.SetSize(w, h)
}

// Update implements Screen.
func (s *crawl) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(s.seeds.Update(msg), s.update(msg))
}

func (s *crawl) update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.TickMsg:
		if s.Shown != screen.Screen(s) {
			return nil
		}
		return s.look()
	}
	return nil
}

// Mouse implements Screen.
func (s *crawl) Mouse(m tea.MouseMsg) tea.Cmd {
	cmd := s.Panes.Mouse(m)
	return tea.Batch(cmd, s.flush())
}

// look takes a newer snapshot, and loads what has changed from the store.
func (s *crawl) look() tea.Cmd {
	var cmds []tea.Cmd
	if s.shown != s.Snap {
		cmds = append(cmds, s.take(s.Snap))
	}
	cmds = append(cmds, s.land.load.Check(idleStamp(s.Shared)), s.past.Check(s.runStamp()))
	if s.idle() {
		cmds = append(cmds, s.waiting.check())
	}
	if s.over.Open && s.over.rows != nil {
		cmds = append(cmds, s.over.take())
	}
	return tea.Batch(cmds...)
}

// runStamp changes when a run starts or ends.
func (s *crawl) runStamp() screen.DataVersion {
	st := screen.DataVersion{}
	if last := s.Snap.Last; last != nil {
		st.Extra = int(last.ID) * 2
	}
	if !s.idle() {
		st.Extra++
	}
	return st
}

// take passes a snapshot's rows to the tables.
func (s *crawl) take(snap *view.Snapshot) tea.Cmd {
	s.shown = snap
	kinds := eventKinds(snap)
	s.folds = slices.ContainsFunc(kinds, func(r kindRow) bool { return r.N > 1 })
	cmds := []tea.Cmd{s.harvest.SetRows(snap.Harvest), s.events.SetRows(kinds), s.requests.SetRows(snap.InFlight),
		s.land.fill(), s.workforce.take(snap)}
	if quiet := s.idle(); quiet != s.quiet {
		s.quiet = quiet
		s.waiting.queue, s.waiting.from = nil, 0 // the stored frontier is outdated
		s.waiting.extra++
		s.waiting.asked.Drop()
		if s.waiting.filter = (widget.Filter{}); quiet {
			cmds = append(cmds, s.frontier.SetRows(nil))
		}
	}
	if now := [2]bool{s.quiet, spent(snap)}; s.placed != now {
		s.placed = now
		s.Again()
	}
	if !s.quiet {
		cmds = append(cmds, s.frontier.SetRows(s.ranking.follow(snap)))
	}
	order := ""
	if s.quiet || s.ranking.come == 0 {
		order = "prio"
	}
	widget.GivenBy(s.frontier, order, true)
	return tea.Batch(cmds...)
}

// around puts the screen's own keys before those of a pane.
func (s *crawl) around(pane []screen.Binding) []screen.Binding {
	keys := append(s.drive.keys(), s.steer.steerKeys()...)
	keys = append(keys, screen.Bind(keymap.ProposedSeeds, "", s.seeds.show), s.takeIn.key())
	if s.Focus != paneFailures && s.Focus != paneHosts { // they have their own retry keys
		keys = append(keys, s.again.key(failed{}))
	}
	return append(keys, pane...)
}

// ShowSeeds opens the proposed seeds on screen 4.
func ShowSeeds(of screen.Screen) tea.Cmd {
	s := of.(*crawl)
	s.over.Open = false
	return s.seeds.show()
}
