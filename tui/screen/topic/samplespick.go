package topic

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file adds pages to the list of candidates and filters it: the probe, samples by address or
// file, and the filter by host and section.

// probing shows the progress of a probe.
func (s *samples) probing() string {
	if snap := s.Snap; snap.Bound == 0 || snap.State != view.Running && snap.State != view.Paused {
		return ""
	}
	return screen.Probing(s.Shared)
}

func (s *samples) pickKeys() []screen.Binding {
	busy := screen.If(s.Snap.State != view.Idle, "a run is under way; {stop} stops it")
	none := screen.If(s.table.Total() == 0, "there are no pages yet")
	all := screen.If(s.only == "", "the list is not held to a host")
	return []screen.Binding{
		screen.Bind(keymap.Probe, busy,
			func() tea.Cmd { return s.Act(s.T("sampling the sites"), s.runs.StartProbe) }),
		screen.Bind(keymap.AddSample, "", screen.Do(func() { s.askSample("sample:", "sample %s", s.topic.AddSample) })),
		screen.Bind(keymap.AddNegative, "",
			screen.Do(func() { s.askSample("negative sample:", "negative sample %s", s.topic.AddNegative) })),
		screen.Bind(keymap.Hosts, none, screen.Do(s.chooseHost)),
		screen.Bind(keymap.AllHosts, all, func() tea.Cmd { return s.hold("") }),
	}
}

// askSample asks for an address, or for a file and its original address.
func (s *samples) askSample(label, told string,
	add func(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error)) {
	type source struct{ urlOrFile, fileURL string }
	s.Ask(&widget.Prompt[source]{
		Editor: widget.Editor{Label: label, Hint: "http://… or FILE or FILE http://… where it came from"},
		Check: func(v string) (source, error) {
			switch f := strings.Fields(v); {
			case len(f) == 0:
				return source{}, widget.Refusal("type a URL or a file")
			case len(f) == 1:
				return source{f[0], ""}, nil
			case len(f) == 2 && strings.Contains(f[1], "://"):
				return source{f[0], f[1]}, nil
			}
			return source{}, widget.Refusal("after a file comes the address it came from")
		},
		Do: func(from source) tea.Cmd {
			what := s.F(told, widget.Clean(from.urlOrFile))
			return s.Run(what, func(ctx context.Context) tea.Msg {
				row, err := add(ctx, from.urlOrFile, from.fileURL)
				if err == nil && row.Title != "" {
					what += " · " + widget.Clean(row.Title)
				}
				return screen.ActMsg{What: what, Err: err}
			})
		},
	})
}

// section returns the host of an address and its first folder.
func section(r *query.CandidateRow) string {
	_, rest, _ := strings.Cut(r.URL, "://")
	_, path, _ := strings.Cut(rest, "/")
	dir, _, below := strings.Cut(path, "/")
	if !below {
		return r.Host + "/"
	}
	return r.Host + "/" + dir + "/"
}

// mostSections bounds the list of hosts and sections.
const mostSections = 2000

// chooseHost offers hosts and their sections, most list pages first.
func (s *samples) chooseHost() {
	type group struct {
		name         string
		pages, lists int
	}
	byName := map[string]*group{}
	for _, r := range s.table.Rows() {
		for _, name := range []string{r.Host, section(&r)} {
			g := byName[name]
			if g == nil {
				g = &group{name: name}
				byName[name] = g
			}
			g.pages++
			if r.Dated >= 3 {
				g.lists++
			}
		}
	}
	var groups []*group
	for _, g := range byName {
		groups = append(groups, g)
	}
	slices.SortFunc(groups, func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.lists, a.lists), cmp.Compare(b.pages, a.pages), strings.Compare(a.name, b.name))
	})
	items := []widget.Item{{Name: "all hosts", Mark: s.only == "", Do: func() tea.Cmd { return s.hold("") }}}
	for _, g := range groups[:min(len(groups), mostSections)] {
		items = append(items, widget.Item{Name: widget.Clean(g.name), Raw: true, Mark: s.only == g.name,
			Note: s.F("%s, %s with dates", s.N(g.pages, "page"), s.N(g.lists, "list")),
			Do:   func() tea.Cmd { return s.hold(g.name) }})
	}
	s.Offer("host or section", items)
}

// hold shows only the pages of one host or section; "" shows all.
func (s *samples) hold(name string) tea.Cmd {
	s.only = name
	var cmd tea.Cmd
	switch {
	case name == "":
		cmd = s.table.SetOnly(nil)
	case strings.HasSuffix(name, "/"):
		cmd = s.table.SetOnly(func(r *query.CandidateRow) bool { return section(r) == name })
	default:
		cmd = s.table.SetOnly(func(r *query.CandidateRow) bool { return r.Host == name })
	}
	return tea.Batch(cmd, s.moved())
}
