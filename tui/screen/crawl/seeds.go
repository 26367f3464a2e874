package crawl

import (
	"cmp"
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/store/records"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// seedsView is the pane of proposed seeds: the evidence for each host, its first page, and the keys
// for searches and verdicts. It covers the screen Crawl and belongs to the update loop. The list is
// reloaded after a new proposal or verdict. The danger is text from strangers: titles, anchors and
// addresses pass widget.Clean.
type seedsView struct {
	*screen.UI
	*screen.Shared
	seeds  screen.Seeding
	set    screen.Settings
	runs   screen.Runs
	marks  *screen.PageKeys
	load   screen.Loader[[]seeds.Proposal]
	turns  int // index into states
	looked map[string]*glance
	screen.ListDetail[seeds.Proposal]
}

// glance is a first page, or the error of fetching it.
type glance struct {
	*seeds.FirstLook
	err  error
	busy bool
}

// states are the states in the order of the key.
var states = []string{seeds.ProposalOpen, seeds.ProposalAccepted, seeds.ProposalRejected, ""}

// stateNames are the states in the words of the screen.
var stateNames = map[string]string{seeds.ProposalOpen: "open proposals", seeds.ProposalAccepted: "accepted",
	seeds.ProposalRejected: "rejected", "": "all proposals"}

// shown returns the state of the listed proposals.
func (v *seedsView) shown() string { return states[v.turns%len(states)] }

// newSeeds returns the pane.
func newSeeds(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts) *seedsView {
	v := &seedsView{UI: u, Shared: sh, seeds: p.Seeds, set: p.Settings, runs: p.Runs, marks: keys,
		looked: map[string]*glance{}}
	v.Table = table(sh, func() bool { return v.shown() != "" })
	v.load = screen.NewLoader(u, sh, "reading proposals",
		func(screen.DataVersion) func(context.Context) ([]seeds.Proposal, error) {
			state := v.shown()
			return func(context.Context) ([]seeds.Proposal, error) { return v.seeds.SeedProposals(state) }
		}, func(rows []seeds.Proposal) tea.Cmd { return v.Table.SetRows(rows) })
	list := screen.TablePane(sh, v.Table, v.title, v.empty)
	list.Open = screen.OpenRow(v.Table, func(*seeds.Proposal) tea.Cmd { return v.look() })
	v.Beside(u, sh, list, "evidence", v.keys, v.tell,
		screen.SideBySide(62, func(h int) int { return max(7, h*35/100) }))
	v.Around = v.around
	return v
}

func table(sh *screen.Shared, whole func() bool) *widget.Table[seeds.Proposal] {
	type row = seeds.Proposal
	searched := func(r *row) *records.ProposalSearch { return cmp.Or(r.Search, &records.ProposalSearch{}) }
	linked := func(r *row) *records.ProposalLinks { return cmp.Or(r.Links, &records.ProposalLinks{}) }
	return widget.GivenBy(widget.NewTable(func(r *row) uint64 { return screen.Hash(r.Host) },
		func(r *row) string { return r.Host + " " + r.Title + " " + r.Why },
		[]widget.Column[row]{
			{Title: "●", Width: 1, Cell: func(r *row) (string, widget.Style) {
				if r.New {
					return "●", widget.Good
				}
				return "·", widget.Dim
			}, Less: func(a, b *row) bool { return a.New && !b.New }},
			screen.Found("votes", 6, 0, widget.Plain, func(r *row) int { return r.Votes }),
			{Title: "state", Width: 8, Drop: 1, Hide: whole, Cell: func(r *row) (string, widget.Style) {
				switch r.State {
				case seeds.ProposalAccepted:
					return sh.T(r.State), widget.Good
				case seeds.ProposalRejected:
					return sh.T(r.State), widget.Warn
				}
				return sh.T("pending"), widget.Dim
			}, Text: func(r *row) string { return r.State }},
			{Title: "host", Width: 20, Flex: 3, Ends: true, Style: widget.Bold,
				Text: func(r *row) string { return r.Host }},
			{Title: "title", Width: 14, Flex: 3, Drop: 2,
				Cell: func(r *row) (string, widget.Style) { return cmp.Or(widget.Clean(r.Title), "–"), widget.Plain },
				Text: func(r *row) string { return r.Title }},
			screen.Found("words", 5, 3, widget.Plain, func(r *row) int { return searched(r).Questions }),
			screen.Found("best", 4, 6, widget.Plain, func(r *row) int { return searched(r).Best }),
			screen.Found("results", 7, 7, widget.Plain, func(r *row) int { return searched(r).Results }),
			screen.Found("sites", 5, 4, widget.Plain, func(r *row) int { return linked(r).Sites }),
			screen.Found("pages", 5, 8, widget.Plain, func(r *row) int { return linked(r).Pages }),
			screen.Found("lists", 5, 5, widget.Plain, func(r *row) int { return len(r.Files) }),
			{Title: "domain", Width: 14, Flex: 1, Drop: 9, Style: widget.Dim,
				Text: func(r *row) string { return r.Domain }},
		}...), "votes", true)
}

// title names the listed proposals, and counts all.
func (v *seedsView) title() string {
	sh, n := v.Shared, v.Snap.Proposed
	t := sh.F("seeds: %s", sh.T(stateNames[v.shown()])) + " " + widget.Count(v.Table.Total())
	if v.shown() == seeds.ProposalOpen && n.New > 0 && n.New < n.Open {
		t += " · " + sh.F("%s new", n.New)
	}
	if !v.searching() && n.Broken > 0 {
		t += " · " + sh.T("a search was broken off: {seeds_search} goes on")
	}
	return t
}

// jobs are the engine's names of searches for seeds.
const (
	jobSearch = "searching for seeds"
	jobLinks  = "counting linked hosts"
	jobList   = "reading a list of sites"
)

// searching reports whether a search for seeds is running.
func (v *seedsView) searching() bool {
	name := v.Snap.Job.Name
	return name == jobSearch || name == jobLinks || name == jobList
}

func (v *seedsView) empty() string {
	sh, j := v.Shared, v.Snap.Job
	switch {
	case v.searching():
		return sh.F("%s: %s of %s · {seeds_cancel} cancels", sh.T(j.Name), j.Done, j.Total)
	case v.shown() != seeds.ProposalOpen:
		return v.load.State("None. {seeds_state} shows others.")
	case sh.Snap.Story.Seeds == 0:
		return v.load.State(
			"Nothing is proposed yet. {seeds_search} searches the web for words of the topic, by a SearXNG server; " +
				"{seeds_from} reads a list that you have: OPML, RSS, sitemap, page of links. {seeds} on screen " +
				"{screen_crawl} takes addresses that you type.")
	}
	return v.load.State(
		"Nothing is proposed. {seeds_search} searches the web for words of the topic, {seeds_links} counts the " +
			"hosts that relevant pages link to, {seeds_from} reads a list of sites.")
}

// show opens the pane.
func (v *seedsView) show() tea.Cmd {
	v.Open = true
	v.seen()
	return v.check()
}

// seen keeps Home from offering these proposals again.
func (v *seedsView) seen() { v.SeedsSeen = v.Snap.Proposed.Round }

// check reloads the list after a change: at once, but during a search only as often as the loader
// allows.
func (v *seedsView) check() tea.Cmd {
	st := screen.DataVersion{Pages: int(v.Snap.Proposed.Rev), Extra: -v.turns, Acts: v.Acts}
	if !v.searching() {
		st.Extra += st.Pages << 16
	}
	return v.load.Check(st)
}

// Update takes a message; it is asked for all of them.
func (v *seedsView) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case screen.SnapMsg, screen.ShowMsg, screen.TickMsg:
		if v.Open {
			v.seen()
			return v.check()
		}
	}
	return nil
}

// around adds the keys that close the view; esc cancels, then clears the filter, then closes.
func (v *seedsView) around(pane []screen.Binding) []screen.Binding {
	back := screen.Do(func() { v.Open = false })
	busy := screen.If(v.searching(), "{seeds_cancel} cancels first; {seeds_leave} goes back and lets it go on")
	return append(pane, screen.Bind(keymap.SeedsClose, busy, back), screen.Bind(keymap.SeedsLeave, "", back))
}

// tell makes the text of the row under the cursor.
func (v *seedsView) tell() {
	r := v.Table.Selected()
	if r == nil {
		v.TellNone(
			v.T("What speaks for the host under the cursor is shown here; {open} looks at its first page."))
		return
	}
	g := v.looked[r.URL]
	known := r.Why + r.State + v.Code
	if g != nil {
		known += "!"
		if g.busy {
			known += "…"
		}
	}
	v.Tell(r.Host, known, func() []widget.TextLine { return v.lines(r, g) })
}
