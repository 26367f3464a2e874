package screen

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

// This file brings pages to the list of candidates and narrows it down: the
// scout run, samples by address or file, and the filter by host and section.

// scouting tells how far a scout run has come.
func (s *Samples) scouting() string {
	snap := s.env.Snap
	if snap.Bound == 0 || snap.State != view.Running && snap.State != view.Paused {
		return ""
	}
	done := min(snap.Fetched, snap.Bound)
	return s.env.F("scouting %s %s of %s", ui.Meter(float64(done)/float64(snap.Bound), 8), ui.Count(done), ui.Count(snap.Bound))
}

func (s *Samples) pickKeys() []Binding {
	busy := ""
	if s.env.Snap.State != view.Idle {
		busy = "a run is under way; x on screen 4 stops it"
	}
	none, all := "", ""
	if s.table.Total() == 0 {
		none = "there are no pages yet"
	}
	if s.only == "" {
		all = "the list is not held to a host"
	}
	bench := s.env.Bench
	return []Binding{
		{Keys: []string{"s"}, Name: "scout", Help: "scout: fetch a few pages of every seed and stop", Foot: 2, Off: busy, Do: func() tea.Cmd {
			return s.env.Act(s.env.T("scout run started"), func() error { return bench.StartScout() })
		}},
		{Keys: []string{"a"}, Name: "add", Help: "add a sample by its URL, or from a file", Foot: 3, Do: do(func() { s.askSample("sample:", "sample %s", bench.AddSample) })},
		{Keys: []string{"A"}, Name: "add anti", Help: "add an anti-sample by its URL, or from a file", Do: do(func() { s.askSample("anti-sample:", "anti-sample %s", bench.AddAnti) })},
		{Keys: []string{"h"}, Name: "host", Help: "show the pages of one host or section only", Foot: 4, Off: none, Do: do(s.chooseHost)},
		{Keys: []string{"esc"}, Name: "all hosts", Help: "show the pages of all hosts again", Foot: 58, Off: all, Do: func() tea.Cmd { return s.hold("") }},
	}
}

// askSample takes an address, or a file and the address it came from.
func (s *Samples) askSample(label, told string, add func(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error)) {
	s.env.Ask(&ui.Prompt{
		Label: label, Hint: "http://… or FILE or FILE http://… where it came from",
		Check: func(v string) string {
			if v == "" {
				return "type a URL or a file"
			}
			if f := strings.Fields(v); len(f) > 2 || len(f) == 2 && !strings.Contains(f[1], "://") {
				return "after a file comes the address it came from"
			}
			return ""
		},
		Done: func(v string) tea.Cmd {
			f := append(strings.Fields(v), "")
			what := s.env.F(told, ui.Clean(f[0]))
			return s.env.Run(what, func(ctx context.Context) tea.Msg {
				row, err := add(ctx, f[0], f[1])
				if err == nil && row.Title != "" {
					what += " · " + ui.Clean(row.Title)
				}
				return ActMsg{What: what, Err: err}
			})
		},
	})
}

// section is the host of an address and the first folder below it.
func section(r *view.CandidateRow) string {
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

// chooseHost offers hosts and their sections, the one with most list pages
// first.
func (s *Samples) chooseHost() {
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
	items := []ui.Item{{Name: "all hosts", Mark: s.only == "", Do: func() tea.Cmd { return s.hold("") }}}
	for _, g := range groups[:min(len(groups), mostSections)] {
		items = append(items, ui.Item{Name: ui.Clean(g.name), Raw: true, Mark: s.only == g.name,
			Note: s.env.F("%s, %s with dates", s.env.N(g.pages, "page"), s.env.N(g.lists, "list")),
			Do:   func() tea.Cmd { return s.hold(g.name) }})
	}
	s.env.Choose(ui.NewChooser("host or section", items))
}

// hold shows the pages of one host or section, "" those of all.
func (s *Samples) hold(name string) tea.Cmd {
	s.only = name
	var cmd tea.Cmd
	switch {
	case name == "":
		cmd = s.table.SetOnly(nil)
	case strings.HasSuffix(name, "/"):
		cmd = s.table.SetOnly(func(r *view.CandidateRow) bool { return section(r) == name })
	default:
		cmd = s.table.SetOnly(func(r *view.CandidateRow) bool { return r.Host == name })
	}
	return tea.Batch(cmd, s.moved())
}
