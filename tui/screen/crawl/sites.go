package crawl

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the hosts as a tree of sections from the store, with the politeness of each host
// during a run.

// mostHosts bounds the listed hosts; a filter finds the others.
const mostHosts = 5000

// treeRow is a branch in the tree.
type treeRow struct {
	*query.Branch
	live  *view.HostRow // of a host during a run; nil: none
	depth int
	open  bool
}

// landPane is the tree and its data.
type landPane struct {
	*screen.Shared
	load  screen.Loader[*query.SiteOverview]
	land  *query.SiteOverview // never nil
	table *widget.Table[treeRow]
	open  map[string]bool // by prefix
	by    int             // of treeOrders
	back  bool            // reversed
	ruled bool            // some listed branch has its own rule
}

// treeOrders are the orders among the hosts and among the sections of one.
var treeOrders = []struct {
	title string
	less  func(a, b *query.Branch) int
}{
	{"", func(a, b *query.Branch) int { return cmp.Compare(b.URLs, a.URLs) }},
	{"host", func(a, b *query.Branch) int { return strings.Compare(a.Prefix, b.Prefix) }},
	{"pages", func(a, b *query.Branch) int { return cmp.Compare(b.Pages, a.Pages) }},
	{"waiting", func(a, b *query.Branch) int { return cmp.Compare(b.Waiting, a.Waiting) }},
	{"dead", func(a, b *query.Branch) int { return cmp.Compare(b.Dead, a.Dead) }},
	{"lists", func(a, b *query.Branch) int { return cmp.Compare(b.Lists, a.Lists) }},
	{"notices", func(a, b *query.Branch) int { return cmp.Compare(b.Notices, a.Notices) }},
}

// newLandPane returns the pane; failures lists the reasons among its data.
func newLandPane(u *screen.UI, sh *screen.Shared, store screen.Survey,
	failures *widget.Table[query.Failure]) *landPane {
	p := &landPane{Shared: sh, land: &query.SiteOverview{}, open: map[string]bool{}}
	p.load = screen.NewLoader(u, sh, "reading hosts and sections",
		func(screen.DataVersion) func(context.Context) (*query.SiteOverview, error) { return store.Land },
		func(land *query.SiteOverview) tea.Cmd {
			p.land = land
			return tea.Batch(p.fill(), failures.SetRows(land.Failures))
		})
	p.load.Progress = true
	p.table = treeTable(sh, p)
	return p
}

// fill lists the hosts, and the open branches below them.
func (p *landPane) fill() tea.Cmd {
	live := map[string]*view.HostRow{}
	for i := range p.Snap.Hosts {
		live[p.Snap.Hosts[i].Host] = &p.Snap.Hosts[i]
	}
	hosts := slices.Clone(p.land.Hosts)
	known := make(map[string]bool, len(hosts))
	for _, b := range hosts {
		known[b.Name] = true
	}
	for i := range p.Snap.Hosts { // new since the last load
		if h := &p.Snap.Hosts[i]; !known[h.Host] {
			hosts = append(hosts,
				&query.Branch{Prefix: h.Host + "/", Name: h.Host, URLs: h.Waiting + h.Done, Waiting: h.Waiting,
					Pages: h.Done, Dead: h.Failed})
		}
	}
	var rows []treeRow
	p.ruled = false
	var add func(list []*query.Branch, depth int)
	add = func(list []*query.Branch, depth int) {
		p.sort(list)
		for _, b := range list {
			if len(rows) >= mostHosts {
				return
			}
			p.ruled = p.ruled || b.Rule != "" || len(b.Own) > 0 || rendered(p.Snap, b.Prefix)
			r := treeRow{Branch: b, depth: depth, open: p.open[b.Prefix] && len(b.Kids) > 0}
			if depth == 0 {
				r.live = live[b.Name]
			}
			if rows = append(rows, r); r.open {
				add(slices.Clone(b.Kids), depth+1)
			}
		}
	}
	add(hosts, 0)
	by := treeOrders[p.by].title
	widget.GivenBy(p.table, by, (by != "host") != p.back)
	return p.table.SetRows(rows)
}

func (p *landPane) sort(list []*query.Branch) {
	less := treeOrders[p.by].less
	slices.SortStableFunc(list, func(a, b *query.Branch) int {
		n := less(a, b)
		if p.back {
			n = -n
		}
		return cmp.Or(n, strings.Compare(a.Prefix, b.Prefix))
	})
}

// toggle opens or closes a branch.
func (p *landPane) toggle(r *treeRow, open bool) tea.Cmd {
	if r == nil || open == r.open {
		return nil
	}
	p.open[r.Prefix] = open
	return p.fill()
}

// closeUp closes the branch under the cursor, or moves to its parent.
func (p *landPane) closeUp() tea.Cmd {
	r := p.table.Selected()
	switch {
	case r == nil:
		return nil
	case r.open:
		return p.toggle(r, false)
	}
	rows := p.table.Rows()
	for i := range rows {
		if above := &rows[i]; above.depth == r.depth-1 && strings.HasPrefix(r.Prefix, above.Prefix) {
			p.table.To(i)
			return nil
		}
	}
	return nil
}

func (p *landPane) title() string {
	n := max(len(p.land.Hosts), p.Snap.NumHosts)
	return p.F("hosts %s", n)
}

func (p *landPane) note() string {
	if p.by == 0 && !p.back {
		if f, ok := rendering(p.Shared); ok {
			return p.T(f.name) + " " + f.val
		}
		return ""
	}
	title := cmp.Or(treeOrders[p.by].title, "URLs")
	if p.back {
		return p.F("by %s, descending", p.T(title))
	}
	return p.F("by %s", p.T(title))
}

// keys of the tree itself.
func (p *landPane) keys() []screen.Binding {
	r := p.table.Selected()
	deeper, closer := "no host is chosen", "no host is chosen"
	if r != nil {
		deeper, closer = "", ""
		switch {
		case len(r.Kids) == 0:
			deeper = "there are no sections below it"
		case r.open:
			deeper = "it is open already"
		}
		if r.depth == 0 && !r.open {
			closer = "it is closed already"
		}
	}
	turn := func(step int) func() tea.Cmd {
		return func() tea.Cmd {
			p.by = (p.by + step + len(treeOrders)) % len(treeOrders)
			return p.fill()
		}
	}
	empty := screen.If(r == nil, "the list is empty")
	return []screen.Binding{
		screen.Bind(keymap.Sections, deeper, func() tea.Cmd { return p.toggle(r, true) }),
		screen.Bind(keymap.CloseSection, closer, p.closeUp),
		screen.Bind(keymap.Sort, empty, turn(1)),
		screen.Bind(keymap.SortBack, empty, turn(-1)),
		screen.Bind(keymap.Reverse, empty, func() tea.Cmd { p.back = !p.back; return p.fill() }),
	}
}

// click chooses a row; on its sign it opens or closes it.
func (p *landPane) click(x, y, w int) tea.Cmd {
	ok, _ := p.table.Click(x, max(0, y-1), w)
	if y < 1 || !ok {
		return nil
	}
	if r := p.table.Selected(); r != nil && len(r.Kids) > 0 && x >= 2+2*r.depth && x < 4+2*r.depth {
		return p.toggle(r, !r.open)
	}
	return nil
}

// restStyles are the styles of reasons for which a host is not asked; other reasons are dim.
var restStyles = map[string]widget.Style{
	"asked to slow down": widget.Warn, "Retry-After": widget.Warn, "failures": widget.Bad,
}

func treeTable(sh *screen.Shared, p *landPane) *widget.Table[treeRow] {
	type row = treeRow
	num := func(title string, w, drop int, st widget.Style, count func(*row) int) widget.Column[row] {
		c := screen.Found(title, w, drop, st, count)
		c.Number = nil // a tree has its own order
		return c
	}
	host := func(r *row) *view.HostRow { return cmp.Or(r.live, &view.HostRow{}) }
	quiet := func() bool { return sh.Snap.State == view.Idle }
	busy := func() bool { return !quiet() }
	return widget.NewTable(func(r *row) uint64 { return screen.Hash(r.Prefix) },
		func(r *row) string { return r.Prefix },
		[]widget.Column[row]{
			{Title: "host", Width: 16, Flex: 1, Cell: func(r *row) (string, widget.Style) {
				sign, st := "  ", widget.Plain
				switch {
				case r.open:
					sign = "▾ "
				case len(r.Kids) > 0:
					sign = "▸ "
				}
				if r.Rule == "drop" || r.Rule == "delay" {
					st = widget.Dim
				}
				return strings.Repeat("  ", r.depth) + sign + widget.Clean(r.Name), st
			}},
			num("waiting", 7, 0, widget.Plain, func(r *row) int { return r.Waiting }),
			num("pages", 6, 0, widget.Plain, func(r *row) int { return r.Pages }),
			num("dead", 5, 3, widget.Bad, func(r *row) int { return r.Dead }),
			num("lists", 5, 2, widget.Good, func(r *row) int { return r.Lists }),
			num("notices", 7, 4, widget.Plain, func(r *row) int { return r.Notices }),
			{Title: "rule", Width: 11, Drop: 6, Hide: func() bool { return !p.ruled },
				Cell: func(r *row) (string, widget.Style) {
					if r.Rule == "" && rendered(sh.Snap, r.Prefix) {
						return sh.T("rendered"), widget.Accent
					}
					if r.Rule == "" && len(r.Own) > 0 {
						return sh.T("own"), widget.Accent
					}
					return ruleOf(sh, r.Branch), widget.Warn
				}},
			{Title: "visits", Width: query.SparkSpans, Drop: 7, Hide: busy,
				Cell: func(r *row) (string, widget.Style) { return spark(r.Spark[:]), widget.Bar }},
			{Title: "busy", Width: 4, Right: true, Drop: 5, Hide: quiet,
				Cell: func(r *row) (string, widget.Style) {
					return widget.OrDot(host(r).Busy != 0, widget.Count(host(r).Busy), widget.Good)
				}},
			{Title: "next", Width: 8, Right: true, Drop: 1, Hide: quiet,
				Cell: func(r *row) (string, widget.Style) {
					if r.live == nil {
						return "", widget.Dim
					}
					return sh.T(widget.Next(r.live.Next, sh.Snap.At)), widget.Dim
				}},
			{Title: "delay", Width: 6, Right: true, Drop: 9, Hide: quiet,
				Cell: func(r *row) (string, widget.Style) {
					return widget.OrDash(host(r).Delay != 0, widget.Span(host(r).Delay), widget.Dim)
				}},
			{Title: "important", Width: 9, Right: true, Drop: 10, Hide: quiet,
				Cell: func(r *row) (string, widget.Style) {
					important := host(r).Important
					return widget.OrDot(important != 0, "+"+widget.Score(important, 2), widget.Good)
				}},
			{Title: "rests for", Width: 12, Max: 24, Drop: 8, Hide: quiet,
				Cell: func(r *row) (string, widget.Style) {
					why := host(r).Why
					st, known := restStyles[why]
					return sh.T(widget.Clean(why)), widget.Either(known, st, widget.Dim)
				}},
		}...)
}

// spark draws counts as bars in a line; a span of zeros is empty.
func spark(counts []int) string {
	peak := slices.Max(counts)
	var b strings.Builder
	for _, n := range counts {
		if n == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(widget.Spark([]float64{float64(n) / float64(peak)}, 1))
	}
	return b.String()
}
