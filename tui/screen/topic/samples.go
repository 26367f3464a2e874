// Package topic holds the screens on which an analyst defines the topic: samples, feature words,
// threshold and labels. Previews change nothing for the crawl until a key applies them, and every
// change can be undone. The danger is a figure older than its inputs, so loaded data carry their
// revisions.
//
// P0 … P4: see docs/papers.md.
package topic

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// samples is screen 1: the pages that may become samples, most list-like first,
// with a preview; s makes a page a sample of the topic, ! a negative sample.
type samples struct {
	*screen.UI
	*screen.Shared
	page  *screen.PageKeys
	topic screen.Topic
	runs  screen.Runs
	screen.Panes
	table  *widget.Table[query.CandidateRow]
	show   screen.Preview
	load   screen.Loader[[]query.CandidateRow]
	marked []query.CandidateRow // the samples among the rows
	only   string               // host, or host and section, of the shown pages; "": all
}

// New returns screens 1, 2, 3 and 6. Like the other screens' New it returns interfaces: a package
// that sees the types would compile all their tables again.
func New(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts,
	role auth.Role) (samples, features, threshold, label screen.Screen) {
	eval, first := &evaluation{UI: u, Shared: sh, labels: p.Labels}, newSamples(u, sh, keys, p)
	return first, newFeatures(u, sh, eval, first, p), newThreshold(u, sh, keys, p),
		newLabel(u, sh, keys, eval, p.Labels, p.Pages, role)
}

// newSamples returns screen 1.
func newSamples(u *screen.UI, sh *screen.Shared, keys *screen.PageKeys, p screen.Parts) *samples {
	s := &samples{UI: u, Shared: sh, page: keys, topic: p.Topic, runs: p.Runs, show: screen.NewPreview(u, sh, p.Pages)}
	s.load = screen.NewLoader(u, sh, "listing candidates",
		func(screen.DataVersion) func(context.Context) ([]query.CandidateRow, error) {
			return p.Pages.Candidates
		}, s.take)
	s.table = candidateTable(sh)
	list := screen.TablePane(sh, s.table, s.title, func() string {
		return s.load.State(
			"No pages yet. Press {probe} to sample the sites (a few pages of every seed), {discovery} to crawl " +
				"them whole, {seeds} on screen {screen_crawl} to add seeds.")
	})
	sorted := list.Note
	list.Note = func() string {
		return screen.Joined(weightless(sh), s.cutOff(), screen.Advice(sh), s.probing(), sorted())
	}
	list.Keys, list.Marks, list.Sorts, list.Moved = s.keys, true, true, s.moved
	list.Opens = 1
	pre := s.show.Pane("The page under the cursor is shown here.")
	pre.Keys = s.keys
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{list, pre},
		screen.SideBySide(55, func(h int) int { return h - h*60/100 }))
	s.Title = "Samples"
	s.Refresh = func() tea.Cmd { return tea.Batch(s.load.Check(sh.DataVersion()), s.moved()) }
	return s
}

func candidateTable(sh *screen.Shared) *widget.Table[query.CandidateRow] {
	type row = query.CandidateRow
	return widget.NewTable(
		func(r *row) uint64 { return r.ID },
		func(r *row) string { return r.Title + " " + r.Host + " " + r.URL },
		[]widget.Column[row]{
			{Title: "✓", Width: 1, Cell: func(r *row) (string, widget.Style) {
				switch {
				case r.Sample:
					return screen.SampleSign, widget.Accent | widget.Bold
				case r.Negative:
					return screen.NegativeSign, widget.Bad | widget.Bold
				}
				return "·", widget.Dim
			}, Less: func(a, b *row) bool { return markRank(a) < markRank(b) }},
			screen.LabelColumn(0, func(r *row) topic.Label { return r.Label }),
			screen.Counts("rec", 4, 0, func(r *row) int { return r.Records }),
			screen.Counts("dated", 5, 3, func(r *row) int { return r.Dated }),
			{Title: "β", Width: 5, Right: true, Drop: 4, Digits: 2, Style: widget.Dim,
				Number: func(r *row) float64 { return r.Beta }},
			{Title: "score", Width: 6, Right: true, Drop: 2,
				Cell: func(r *row) (string, widget.Style) {
					return widget.OrDash(sh.Snap.Counts.Samples != 0, widget.Score(r.Score, 3), widget.Plain)
				},
				Number: func(r *row) float64 { return float64(r.Score) }},
			{Title: "title", Width: 24, Flex: 3,
				Cell: func(r *row) (string, widget.Style) {
					if r.Title == "" {
						return widget.Clean(r.URL), widget.Dim
					}
					return widget.Clean(r.Title), widget.Plain
				},
				Text: func(r *row) string { return r.Title }},
			screen.Address(14, 5, func(r *row) string { return r.URL }),
		}...)
}

// candidate returns the page that page keys act on.
func candidate(r *query.CandidateRow) *screen.Target {
	return screen.NewTarget(r.ID, r.URL, r.Title, r.Label)
}

// markRank orders samples before negative samples before other pages.
func markRank(r *query.CandidateRow) int {
	switch {
	case r.Sample:
		return 0
	case r.Negative:
		return 1
	}
	return 2
}

// marked counts the samples, and the negative samples if there are any, each with its sign.
func marked(sh *screen.Shared) string {
	c := sh.Snap.Counts
	if c.Negative == 0 {
		return sh.N(c.Samples, "sample")
	}
	return screen.SampleSign + " " + sh.N(c.Samples, "sample") + " · " + screen.NegativeSign + " " +
		sh.N(c.Negative, "negative sample")
}

// weightless warns of a topic that cannot judge any page.
func weightless(sh *screen.Shared) string {
	if sh.Snap.TopicErr == "" {
		return ""
	}
	return sh.T("no word keeps a weight: too much is taken by the negative samples")
}

func (s *samples) title() string {
	n := s.table.Total()
	if s.only != "" {
		return s.F("candidates %s of %s · only %s", s.table.Len(), n,
			widget.Clean(s.only))
	}
	return s.F("candidates %s", n) + " · " + marked(s.Shared)
}

// take shows loaded candidates.
func (s *samples) take(got []query.CandidateRow) tea.Cmd {
	s.marked = slices.DeleteFunc(slices.Clone(got), func(r query.CandidateRow) bool { return !r.Sample })
	cmd := s.table.SetRows(got)
	return tea.Batch(cmd, s.moved())
}

// moved shows the page under the cursor.
func (s *samples) moved() tea.Cmd {
	if r := s.table.Selected(); r != nil {
		return s.show.Want(r.ID)
	}
	return s.show.Want(0)
}

func (s *samples) keys() []screen.Binding {
	off := screen.If(s.table.Selected() == nil, screen.ErrNoPage.Error())
	c := screen.ChosenOf(s.table, candidate)
	out := []screen.Binding{
		screen.Bind(keymap.Sample, off, func() tea.Cmd { return s.mark(asSample, s.topic.ToggleSample) }),
		screen.Bind(keymap.Negative, off, func() tea.Cmd { return s.mark(asNegative, s.topic.ToggleNegative) }),
	}
	return slices.Concat(out, s.pickKeys(), s.page.Of(c), s.show.Bindings())
}

// kind is sample or negative sample.
type kind struct {
	is             func(*query.CandidateRow) bool
	set            func(r *query.CandidateRow, on bool)
	added, removed string
	many           string // for several pages
}

var (
	asSample = kind{func(r *query.CandidateRow) bool { return r.Sample },
		func(r *query.CandidateRow, on bool) { r.Sample, r.Negative = on, false },
		"sample added", "sample removed", "made samples: %s"}
	asNegative = kind{func(r *query.CandidateRow) bool { return r.Negative },
		func(r *query.CandidateRow, on bool) { r.Sample, r.Negative = false, on },
		"negative sample added", "negative sample removed", "made negative samples: %s"}
)

// mark toggles the page under the cursor as a sample of a kind, or makes the marked pages samples,
// skipping those that are. It changes the sign at once and then the topic. If that fails, the
// reload restores the old sign.
func (s *samples) mark(k kind, toggle func(id uint64) (bool, error)) tea.Cmd {
	if s.table.NumMarked() > 0 {
		return s.markAll(k, toggle)
	}
	r := s.table.Selected()
	id, on, address, title := r.ID, !k.is(r), r.URL, " · "+widget.Clean(r.Title)
	why := ""
	if on && k.added == asSample.added {
		why = s.rejected(r)
	}
	says := func(on bool) string {
		if on && why != "" {
			return s.T(k.added) + " · " + why + title
		}
		if on {
			return s.T(k.added) + title
		}
		return s.Undoable(s.T(k.removed) + title)
	}
	s.table.Update(func(r *query.CandidateRow) { k.set(r, on) }, id)
	return s.Run(says(on), s.InOrder(func() tea.Msg {
		now, err := toggle(id)
		if err != nil {
			now = on
		}
		what := says(now) // the row may be older than the topic
		return screen.Ended(screen.ActMsg{What: what, Err: err, Warn: now && why != ""}, func() tea.Cmd {
			return s.Act(what, func() error { return s.topic.RemoveSample(address) })
		})
	}))
}

// rejected says why pages like a new sample are not accepted; "" if they are.
func (s *samples) rejected(r *query.CandidateRow) string {
	doc := func(r *query.CandidateRow) topic.Doc {
		return topic.Doc{Records: r.Records, Dated: r.Dated, Front: page.IsHomePage(r.URL)}
	}
	d := doc(r)
	samples := []topic.Doc{d}
	for i := range s.marked {
		if s.marked[i].ID != r.ID {
			samples = append(samples, doc(&s.marked[i]))
		}
	}
	if why := d.WhyGated(); why != "" && topic.Scheme(s.Snap.Scheme).Gates(samples) {
		return s.F("%s: pages like this are not accepted", s.T(why))
	}
	return ""
}

// cutOff says how many samples θ rejects; "" for none, or if θ does not decide.
func (s *samples) cutOff() string {
	snap := s.Snap
	if snap.Unjudged() || snap.ModelRev == 0 || snap.Learner.InUse || snap.Rejected == 0 {
		return ""
	}
	return "θ " + widget.Score(snap.Theta, 3) + " " + rejects(s.Shared, snap.Rejected, snap.Counts.Samples)
}

func (s *samples) markAll(k kind, toggle func(id uint64) (bool, error)) tea.Cmd {
	ids := widget.Map(slices.DeleteFunc(s.table.Marked(), k.is), func(r *query.CandidateRow) uint64 { return r.ID })
	s.table.Unmark()
	s.table.Update(func(r *query.CandidateRow) { k.set(r, true) }, ids...)
	return s.Act(s.F(k.many, s.N(len(ids), "page")), func() error {
		for _, id := range ids {
			if _, err := toggle(id); err != nil {
				return err
			}
		}
		return nil
	})
}

// Current returns the id of the page under the cursor, or 0.
func (s *samples) Current() uint64 {
	if r := s.table.Selected(); r != nil {
		return r.ID
	}
	return 0
}
