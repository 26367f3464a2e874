package crawling

import (
	"context"
	"net/url"
	"path"
	"regexp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file steers the frontier: the waiting URLs that match a pattern are
// dropped, go first, or go last. How many are meant, and some of them, are shown
// before anything happens, and one undo takes it back.

// steering is the pattern that is being typed and what it means. One count is
// under way at a time: a pass over the frontier cannot be broken off, so what is
// typed meanwhile waits for its end.
type steering struct {
	pattern  string // typed last
	counted  string // that n and examples belong to
	busy     bool
	entered  bool // enter was pressed before the count had come
	n        int
	examples []string
	err      error
	prompt   *ui.Prompt[string]
}

type steerMsg struct {
	owner    *Crawl
	pattern  string
	n        int
	examples []string
	err      error
}

// rulesMsg brings the rules in force.
type rulesMsg struct {
	owner *Crawl
	list  []decisions.Rule
	in    *ui.Chooser
}

func (s *Crawl) steerKeys() []screen.Binding {
	return []screen.Binding{
		{Keys: []string{"p"}, Action: role.Steer, Help: "drop, boost or bury the waiting URLs that match a pattern", Foot: 10, Do: s.askSteer},
		{Keys: []string{"r"}, Action: role.Steer.As("rules"), Help: "list the patterns that steer the frontier, and take one away", Foot: 11, Do: s.askRules},
	}
}

func (s *Crawl) askSteer() tea.Cmd {
	st := &s.steer
	st.counted, st.err = "", nil
	st.prompt = &ui.Prompt[string]{
		Editor: ui.Editor{
			Label: "pattern:", Hint: "a regular expression of URLs",
			Live:   s.countSteer,
			Cancel: func() tea.Cmd { st.entered = false; return nil },
		},
		Check: func(v string) (string, error) {
			switch {
			case v == "":
				return "", ui.Refusal("type a part of a URL")
			case st.counted != v:
				st.entered = true
				return "", ui.Refusal("counting …")
			case st.err != nil:
				return "", ui.Refusal(s.shared.Reason(st.err))
			}
			return v, nil
		},
		Do: func(v string) tea.Cmd { s.chooseSteer(v); return nil },
	}
	if r := s.frontier.Selected(); r != nil {
		st.prompt.Preset(folderPattern(r.URL))
	}
	s.ui.Ask(st.prompt)
	if text := st.prompt.Text(); text != "" {
		return s.countSteer(text) // preset text is not typed
	}
	return nil
}

// folderPattern is a pattern for what lies in the folder of an address.
func folderPattern(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return ""
	}
	dir := path.Dir(u.EscapedPath())
	if dir != "/" {
		dir += "/"
	}
	return regexp.QuoteMeta("//" + u.Host + dir)
}

func (s *Crawl) countSteer(v string) tea.Cmd {
	st := &s.steer
	st.pattern, st.entered = v, false
	if v == "" {
		st.prompt.Hint = "a regular expression of URLs"
		return nil
	}
	st.prompt.Hint = "counting …"
	if st.busy {
		return nil
	}
	st.busy = true
	runs := s.runs
	return s.ui.Run("counting waiting URLs", func(ctx context.Context) tea.Msg {
		m, err := jobs.Within(ctx, func() (m steerMsg, err error) {
			m.n, m.examples, err = runs.SteerCount(v)
			return m, err
		})
		return steerMsg{s, v, m.n, m.examples, err}
	})
}

func (s *Crawl) steerCounted(m steerMsg) tea.Cmd {
	st := &s.steer
	if m.owner != s {
		return nil
	}
	st.busy = false
	if m.pattern != st.pattern { // something else was typed meanwhile
		entered := st.entered
		cmd := s.countSteer(st.pattern)
		st.entered = entered
		return cmd
	}
	st.counted, st.n, st.examples, st.err = m.pattern, m.n, m.examples, m.err
	switch {
	case m.err != nil:
		st.prompt.Hint = s.shared.Reason(m.err)
	case m.n > 0:
		st.prompt.Hint = s.shared.F("%s · %s · enter goes on", s.shared.N(m.n, "waiting URL"), ui.Clean(m.examples[0]))
	default:
		st.prompt.Hint = s.shared.F("%s · enter goes on", s.shared.N(m.n, "waiting URL"))
	}
	if st.entered && m.err == nil {
		s.ui.Ask(nil)
		s.chooseSteer(m.pattern)
	}
	return nil
}

// steerNotes say what an action does.
var steerNotes = []struct{ action, note string }{
	{decisions.Drop, "not fetched any more, until the rule goes"},
	{decisions.Boost, "before all others"},
	{decisions.Bury, "after all others"},
}

// chooseSteer asks what to do, with examples of what is meant.
func (s *Crawl) chooseSteer(pattern string) {
	items := s.steerItems(pattern, "")
	for _, u := range s.steer.examples {
		items = append(items, ui.Item{Name: ui.Clean(u), Raw: true, Off: "for example"})
	}
	s.ui.Choose(ui.NewChooser(s.shared.F("%s · %s", ui.Clean(pattern), s.shared.N(s.steer.n, "waiting URL")), items))
}

func (s *Crawl) steerItems(pattern, now string) []ui.Item {
	var items []ui.Item
	for _, x := range steerNotes {
		items = append(items, ui.Item{Name: x.action, Note: x.note, Mark: x.action == now, Do: func() tea.Cmd { return s.setSteer(pattern, x.action) }})
	}
	return items
}

func (s *Crawl) setSteer(pattern, action string) tea.Cmd {
	runs := s.runs
	what := s.shared.F("no rule for %s", ui.Clean(pattern))
	if action != "" {
		what = s.shared.F("%s %s", s.shared.T(action), ui.Clean(pattern))
	}
	return s.ui.Act(what, func() error { return runs.Steer(pattern, action) })
}

func (s *Crawl) askRules() tea.Cmd {
	runs, in := s.runs, ui.Waiting("rules over the frontier")
	s.ui.Choose(in)
	return s.ui.Run("reading the rules", s.ui.InOrder(func() tea.Msg { return rulesMsg{s, runs.SteerRules(), in} }))
}

func (s *Crawl) showRules(m rulesMsg) {
	if m.owner != s {
		return
	}
	sh := s.shared
	var items []ui.Item
	for _, r := range m.list {
		note := sh.T(r.Action) + " · " + r.At.Format("01-02 15:04")
		if r.By != "" {
			note += " · " + ui.Clean(r.By)
		}
		items = append(items, ui.Item{Name: ui.Clean(r.Pattern), Raw: true, Note: note, Do: func() tea.Cmd {
			one := append(s.steerItems(r.Pattern, r.Action), ui.Item{Name: "take the rule away", Do: func() tea.Cmd { return s.setSteer(r.Pattern, "") }})
			s.ui.Choose(ui.NewChooser(ui.Clean(r.Pattern), one))
			return nil
		}})
	}
	if len(items) == 0 {
		items = []ui.Item{{Name: "no rule yet", Off: "p makes one"}}
	}
	m.in.Fill(items) // a chooser closed meanwhile is not shown again
}
