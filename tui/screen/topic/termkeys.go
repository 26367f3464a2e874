package topic

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/dict"
	"angler/store/config"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file finds, accepts, rejects and configures domain terms.

// show opens the view with the last proposal. It searches if there is none, or if notices or
// settings are newer.
func (s *termsView) show() tea.Cmd {
	s.Open = true
	if s.asked.Busy() || s.loaded && s.current() {
		s.seen()
		return nil
	}
	return s.recall()
}

// current reports whether the list shows the current proposal or a later search.
func (s *termsView) current() bool {
	return s.found.Proposal >= s.Snap.Terms.Proposal
}

// seen ends the announcement of the proposal in the status line.
func (s *termsView) seen() {
	if s.Open {
		s.TermsSeen = s.Snap.Terms.Proposal
	}
}

// recall shows the last proposal, or searches if that is outdated.
func (s *termsView) recall() tea.Cmd {
	vocab, loaded := s.vocab, s.loaded
	return s.fetch(func(ctx context.Context) (listedTerms, error) {
		p := vocab.ProposedTerms()
		if p.Overdue && !loaded || p.Proposal == 0 || !same(p.By, vocab.TermSettings()) {
			p, err := vocab.FindTerms(ctx, mostTerms)
			return listedTerms{p, false}, err
		}
		return listedTerms{p, true}, nil
	})
}

func (s *termsView) look() tea.Cmd {
	vocab := s.vocab
	return s.fetch(func(ctx context.Context) (listedTerms, error) {
		found, err := vocab.FindTerms(ctx, mostTerms)
		return listedTerms{found, false}, err
	})
}

// fetch makes the Cmd that loads terms; stop cancels it.
func (s *termsView) fetch(get func(context.Context) (listedTerms, error)) tea.Cmd {
	s.err = nil
	return screen.Start(&s.asked, s.UI, "looking for terms", get, s.take)
}

func (s *termsView) update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case screen.ActMsg:
		if !msg.Back || s.took+s.denied == 0 {
			return nil
		}
		if s.proposed && !s.asked.Busy() && s.table.NumMarked() == 0 {
			return s.recall() // the proposal contains the restored words again
		}
		s.old = true
	case screen.SnapMsg:
		// A new proposal replaces the list, unless rows are marked.
		if s.Open && !s.asked.Busy() && s.loaded && !s.current() && s.table.NumMarked() == 0 {
			return s.recall()
		}
	}
	return nil
}

// take shows proposed or found terms.
func (s *termsView) take(got listedTerms, err error) tea.Cmd {
	if s.err = err; err != nil {
		return nil
	}
	s.loaded, s.old, s.took, s.denied = true, false, 0, 0
	s.found, s.proposed = *got.FoundTerms, got.proposed
	s.found.Terms = nil
	s.seen()
	return s.table.SetRows(widget.Map(got.Terms, func(t decisions.FoundTerm) termRow { return termRow{t} }))
}

// same reports whether settings find the same terms.
func same(a, b config.Terms) bool {
	return a.Method == b.Method && a.Corpus == b.Corpus && a.Threshold == b.Threshold &&
		strings.Join(a.Patterns, " ") == strings.Join(b.Patterns, " ")
}

// drop removes judged words from the list.
func (s *termsView) drop(words []string) tea.Cmd {
	rows := slices.Clone(s.table.Rows())
	return s.table.SetRows(slices.DeleteFunc(rows, func(r termRow) bool { return slices.Contains(words, r.Word) }))
}

func (s *termsView) accept() tea.Cmd {
	words := s.meant()
	return s.judge("accepting words", s.F("accepted %s", s.N(len(words), "word")), words, true,
		s.vocab.AcceptTerms)
}

func (s *termsView) reject() tea.Cmd {
	words := s.meant()
	return s.judge("rejecting terms", s.F("rejected %s", s.N(len(words), "term")), words, false,
		s.vocab.RejectTerms)
}

func (s *termsView) judge(label, what string, words []string, accepted bool, do func([]string) error) tea.Cmd {
	if what += " · " + widget.Clean(strings.Join(words, " ")); !accepted {
		what = s.Undoable(what)
	}
	return s.Run(label, s.InOrder(func() tea.Msg {
		err := do(words)
		return screen.ActMsg{What: what, Err: err, Then: func() tea.Cmd {
			switch {
			case err != nil:
				return nil
			case accepted:
				s.took += len(words)
			default:
				s.denied += len(words)
			}
			return s.drop(words)
		}}
	}))
}

// tune changes one setting and starts a new search.
func (s *termsView) tune(key, value string) tea.Cmd {
	s.asked.Cancel() // its answer is outdated
	set, what := s.set, s.F("%s set to %s", key, value)
	return s.Run("saving the setting", s.InOrder(func() tea.Msg {
		undo := screen.SettingBack(set, key)
		_, err := set.ChangeSetting(key, value)
		return screen.ActMsg{What: what, Err: err, Undo: undo, Then: func() tea.Cmd {
			if err != nil {
				return nil
			}
			return s.look()
		}}
	}))
}

// corpora are the screen names of the corpora.
var corpora = map[string]string{config.CorpusAll: "all pages", config.CorpusLists: "list pages",
	config.CorpusNotices: "notices"}

func (s *termsView) chooseMethod() {
	var items []widget.Item
	now := s.vocab.TermSettings()
	patterns := cmp.Or(len(now.Patterns), len(dict.DefaultPatterns))
	for _, m := range []struct{ method, note string }{
		{dict.Ruled, s.F("%s of parts of speech, n+vn+n for example (terms.patterns)",
			s.N(patterns, "pattern"))},
		{dict.Loose, "adjectives and nouns that end in a noun: finds more, and more that is wrong"},
	} {
		items = append(items,
			widget.Item{Name: m.method, Note: m.note, Mark: m.method == now.Method,
				Do: func() tea.Cmd { return s.tune("terms.method", m.method) }})
	}
	s.Offer("limits of a term", items)
}

func (s *termsView) chooseCorpus() {
	var items []widget.Item
	now := s.vocab.TermSettings().Corpus
	for _, c := range []struct{ corpus, note string }{
		{config.CorpusAll, "everything that stands on stored pages, menus too"},
		{config.CorpusLists, "pages with dated records"},
		{config.CorpusNotices, "titles and main texts of notices: no menus, and quickly read"},
	} {
		items = append(items,
			widget.Item{Name: corpora[c.corpus], Note: c.note, Mark: c.corpus == now,
				Do: func() tea.Cmd { return s.tune("terms.corpus", c.corpus) }})
	}
	s.Offer("where terms are looked for", items)
}

func (s *termsView) askThreshold() {
	s.AskPreset(number(s.vocab.TermSettings().Threshold), &widget.Prompt[float64]{
		Editor: widget.Editor{Label: "C-value over:", Hint: "3 is the paper's; higher is fewer and surer"},
		Check: func(v string) (float64, error) {
			x, err := strconv.ParseFloat(v, 64)
			if err != nil || !(x > 0 && x <= 1e6) { // NaN too
				return 0, widget.Refusal("a number above 0, at most 1 000 000")
			}
			return x, nil
		},
		Do: func(x float64) tea.Cmd { return s.tune("terms.threshold", number(x)) },
	})
}

func (s *termsView) keys() []screen.Binding {
	busy, idle := "", "nothing is looked for"
	off := screen.If(s.table.Selected() == nil, "no term is chosen")
	if s.asked.Busy() {
		busy, idle = "it is being looked for", ""
	}
	return []screen.Binding{
		screen.Bind(keymap.AcceptTerms, off, s.accept),
		screen.Bind(keymap.RejectTerms, off, s.reject),
		screen.Bind(keymap.Patterns, "", screen.Do(s.chooseMethod)),
		screen.Bind(keymap.CValue, "", screen.Do(s.askThreshold)),
		screen.Bind(keymap.Corpus, "", screen.Do(s.chooseCorpus)),
		screen.Bind(keymap.LookAgain, busy, s.look),
		screen.Bind(keymap.StopLooking, idle, s.stop),
	}
}

// stop cancels the search for terms.
func (s *termsView) stop() tea.Cmd {
	s.asked.Cancel()
	return s.Run("cancelling", func(context.Context) tea.Msg { _ = s.runs.CancelJob(); return nil })
}

// around adds the keys that close the view; esc cancels, then clears the filter, then closes.
func (s *termsView) around(pane []screen.Binding) []screen.Binding {
	back := screen.Do(func() { s.Open = false })
	busy := screen.If(s.asked.Busy(), "{terms_cancel} cancels first; {terms_leave} goes back and lets it go on")
	return append(pane, screen.Bind(keymap.ToWords, busy, back), screen.Bind(keymap.LeaveTerms, "", back))
}
