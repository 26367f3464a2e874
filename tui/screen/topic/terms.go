package topic

import (
	"strconv"
	"strings"

	"angler/crawl/decisions"
	"angler/tui/screen"
	"angler/tui/widget"
)

// termsView covers the Features screen: the domain terms of the crawl by C-value (frequency
// weighted by length, less if longer terms contain the term). The analyst accepts them into the
// dictionary or rejects them for good. It shows the last proposal at once. A new search reads every
// new page, so it runs on request, or if there are notices newer than the proposal.
type termsView struct {
	*screen.UI
	*screen.Shared
	vocab screen.Terms
	set   screen.Settings
	runs  screen.Runs
	screen.Panes
	table *widget.Table[termRow]

	asked  screen.Request
	loaded bool
	err    error
	found  decisions.FoundTerms // sources of the list, without its terms
	old    bool                 // an undo or redo happened since words were accepted or rejected
	took   int                  // words accepted since the list was loaded
	denied int                  // words rejected since

	proposed bool // the list is the proposal; otherwise a search result
}

type termRow struct{ decisions.FoundTerm }

// listedTerms are found terms, or the proposed ones.
type listedTerms struct {
	*decisions.FoundTerms
	proposed bool
}

// mostTerms bounds the list; its tail is noise.
const mostTerms = 500

func newTermsView(u *screen.UI, sh *screen.Shared, p screen.Parts) *termsView {
	s := &termsView{UI: u, Shared: sh, vocab: p.Terms, set: p.Settings, runs: p.Runs, table: termTable()}
	list := screen.TablePane(sh, s.table, s.title, s.empty)
	sorted := list.Note
	list.Note = func() string {
		switch {
		case s.old:
			return "undone or done again since · {terms_look} looks again"
		case s.proposed:
			return sh.F("proposed after the harvest of %s", s.found.At.Local().Format("15:04"))
		}
		return sorted()
	}
	list.Keys, list.Marks, list.Sorts = s.keys, true, true
	list.Opens = 1
	side := &screen.Pane{Title: func() string { return "where it stands" }, Draw: s.drawPlaces, Keys: s.keys}
	s.Panes = screen.NewPanes(u, sh, []*screen.Pane{list, side}, func(w, h int) []widget.Rect {
		low := widget.Either(h < 24, 6, 7)
		return []widget.Rect{{W: w, H: h - low}, {Y: h - low, W: w, H: low}}
	})
	s.Around = s.around
	return s
}

func termTable() *widget.Table[termRow] {
	type row = termRow
	return widget.NewTable(
		// The same word may be cut in two ways.
		func(r *row) uint64 { return screen.Hash(strings.Join(r.Segments, " ")) },
		func(r *row) string { return r.Word + " " + strings.Join(r.Segments, " ") + " " + r.POS },
		[]widget.Column[row]{
			{Title: "●", Width: 1, Cell: func(r *row) (string, widget.Style) {
				if r.New {
					return "●", widget.Good
				}
				return "·", widget.Dim
			}, Less: func(a, b *row) bool { return a.New && !b.New }},
			{Title: "C-value", Width: 7, Right: true, Cell: func(r *row) (string, widget.Style) {
				return strconv.FormatFloat(r.CValue, 'f', 1, 64), widget.Plain
			}, Number: func(r *row) float64 { return float64(r.CValue) }},
			screen.Counts("count", 6, 0, func(r *row) int { return r.Count }),
			screen.Counts("pages", 6, 2, func(r *row) int { return r.Pages }),
			{Title: "word", Width: 18, Flex: 2, Max: 30, Style: widget.Bold,
				Text: func(r *row) string { return r.Word }},
			{Title: "cut today as", Width: 18, Flex: 2, Max: 36, Drop: 1,
				Cell: func(r *row) (string, widget.Style) {
					return widget.Clean(strings.Join(r.Segments, " ")), widget.Dim
				}},
			{Title: "parts", Width: 8, Drop: 4, Style: widget.Dim,
				Text: func(r *row) string { return r.POS }},
			{Title: "example", Width: 24, Flex: 4, Drop: 3, Cell: func(r *row) (string, widget.Style) {
				if len(r.Examples) == 0 {
					return "", widget.Dim
				}
				return widget.Clean(r.Examples[0]), widget.Dim
			}},
		}...)
}

// meant returns the marked words, or the one under the cursor.
func (s *termsView) meant() []string {
	return widget.Map(s.table.Meant(), func(r *termRow) string { return r.Word })
}

// title shows the number of terms, the method, the threshold and the corpus.
func (s *termsView) title() string {
	sh := s.Shared
	t := sh.F("domain terms %s", s.table.Total())
	if s.loaded && s.found.Above > s.table.Total()+s.took+s.denied {
		t = sh.F("domain terms %s of %s", s.table.Total(), s.found.Above)
	}
	fresh := 0
	for _, r := range s.table.Rows() {
		if r.New {
			fresh++
		}
	}
	if fresh > 0 && fresh < s.table.Total() {
		t += " · " + sh.F("%s new", fresh)
	}
	set := widget.Either(s.loaded, s.found.By, s.vocab.TermSettings())
	t += " · " + sh.T(set.Method) + " · " + sh.F("C-value > %s", number(set.Threshold)) + " · " +
		sh.T(corpora[set.Corpus])
	if s.took > 0 {
		t += " · " + sh.F("%s accepted", s.took)
	}
	if s.denied > 0 {
		t += " · " + sh.F("%s rejected", s.denied)
	}
	return t
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

func (s *termsView) empty() string {
	switch j := s.Snap.Job; {
	case s.asked.Busy() && j.Name != "":
		return s.F("%s: %s of %s · {cancel} cancels", s.T(widget.Clean(j.Name)), j.Done,
			s.N(j.Total, "page"))
	case s.asked.Busy():
		return "looking for terms … {terms_cancel} cancels"
	case s.err != nil:
		return s.F("No terms: %s. Press {terms_look} to look again, {terms_close} to go back.",
			s.Reason(s.err))
	case !s.loaded:
		return "Press {terms_look} to look for terms."
	case s.took+s.denied > 0:
		return "All terms are accepted or rejected. Press {terms_look} to look again, {terms_close} to go back."
	}
	return "No term stands out: a run of words must occur twice and is no word yet. Press {terms_threshold} for " +
		"another threshold, {terms_corpus} for another corpus, {terms_patterns} for looser patterns, {discovery} " +
		"to bring more pages."
}

func (s *termsView) drawPlaces(c *widget.Canvas, _ bool) {
	r := s.table.Selected()
	if r == nil {
		widget.DrawNote(c, "Where the term under the cursor stands in the pages is shown here.")
		return
	}
	x := c.Text(1, 0, widget.Bold, widget.Clean(r.Word))
	if r.Inside > 0 {
		c.Text(x+2, 0, widget.Dim, s.F("inside %s", s.N(r.Inside, "longer term")))
	}
	for i, ex := range r.Examples {
		line := widget.Clean(ex)
		c.Text(1, i+1, widget.Plain, line)
		if k := strings.Index(line, r.Word); k >= 0 { // the word is folded, the line is not
			at := 1 + widget.Width(line[:k])
			c.Text(at, i+1, widget.Mark|widget.Bold, line[k:k+len(r.Word)])
		}
	}
}
