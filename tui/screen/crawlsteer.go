package screen

import (
	"context"
	"net/url"
	"path"
	"regexp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
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
	prompt   *ui.Prompt
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
	list  []crawl.SteerRule
	in    *ui.Chooser
}

func (s *Crawl) steerKeys() []Binding {
	return []Binding{
		{Keys: []string{"p"}, Name: "steer", Help: "drop, boost or bury the waiting URLs that match a pattern", Foot: 10, Do: s.askSteer},
		{Keys: []string{"r"}, Name: "rules", Help: "list the patterns that steer the frontier, and take one away", Foot: 11, Do: s.askRules},
	}
}

func (s *Crawl) askSteer() tea.Cmd {
	st := &s.steer
	st.counted, st.err = "", nil
	st.prompt = &ui.Prompt{
		Label: "pattern:", Hint: "a regular expression of URLs",
		Live: s.countSteer,
		Check: func(v string) string {
			switch {
			case v == "":
				return "type a part of a URL"
			case st.counted != v:
				st.entered = true
				return "counting …"
			case st.err != nil:
				return s.env.reason(st.err)
			}
			return ""
		},
		Done:   func(v string) tea.Cmd { s.chooseSteer(v); return nil },
		Cancel: func() tea.Cmd { st.entered = false; return nil },
	}
	if r := s.frontier.Selected(); r != nil {
		st.prompt.Preset(folderPattern(r.URL))
	}
	s.env.Ask(st.prompt)
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
	bench := s.env.Bench
	return s.env.Run("counting waiting URLs", func(context.Context) tea.Msg {
		n, examples, err := bench.SteerCount(v)
		return steerMsg{s, v, n, examples, err}
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
		st.prompt.Hint = s.env.reason(m.err)
	case m.n > 0:
		st.prompt.Hint = s.env.F("%s · %s · enter goes on", s.env.N(m.n, "waiting URL"), ui.Clean(m.examples[0]))
	default:
		st.prompt.Hint = s.env.F("%s · enter goes on", s.env.N(m.n, "waiting URL"))
	}
	if st.entered && m.err == nil {
		s.env.Ask(nil)
		s.chooseSteer(m.pattern)
	}
	return nil
}

// steerNotes say what an action does.
var steerNotes = []struct{ action, note string }{
	{crawl.SteerDrop, "not fetched any more, until the rule goes"},
	{crawl.SteerBoost, "before all others"},
	{crawl.SteerBury, "after all others"},
}

// chooseSteer asks what to do, with examples of what is meant.
func (s *Crawl) chooseSteer(pattern string) {
	items := s.steerItems(pattern, "")
	for _, u := range s.steer.examples {
		items = append(items, ui.Item{Name: ui.Clean(u), Raw: true, Off: "for example"})
	}
	s.env.Choose(ui.NewChooser(s.env.F("%s · %s", ui.Clean(pattern), s.env.N(s.steer.n, "waiting URL")), items))
}

func (s *Crawl) steerItems(pattern, now string) []ui.Item {
	var items []ui.Item
	for _, x := range steerNotes {
		items = append(items, ui.Item{Name: x.action, Note: x.note, Mark: x.action == now, Do: func() tea.Cmd { return s.setSteer(pattern, x.action) }})
	}
	return items
}

func (s *Crawl) setSteer(pattern, action string) tea.Cmd {
	bench := s.env.Bench
	what := s.env.F("no rule for %s", ui.Clean(pattern))
	if action != "" {
		what = s.env.F("%s %s", s.env.T(action), ui.Clean(pattern))
	}
	return s.env.Act(what, func() error { return bench.Steer(pattern, action) })
}

func (s *Crawl) askRules() tea.Cmd {
	bench, in := s.env.Bench, ui.Waiting("rules over the frontier")
	s.env.Choose(in)
	return s.env.Run("reading the rules", s.env.InOrder(func() tea.Msg { return rulesMsg{s, bench.SteerRules(), in} }))
}

func (s *Crawl) showRules(m rulesMsg) {
	if m.owner != s {
		return
	}
	e := s.env
	var items []ui.Item
	for _, r := range m.list {
		note := e.T(r.Action) + " · " + r.At.Format("01-02 15:04")
		if r.By != "" {
			note += " · " + ui.Clean(r.By)
		}
		items = append(items, ui.Item{Name: ui.Clean(r.Pattern), Raw: true, Note: note, Do: func() tea.Cmd {
			one := append(s.steerItems(r.Pattern, r.Action), ui.Item{Name: "take the rule away", Do: func() tea.Cmd { return s.setSteer(r.Pattern, "") }})
			e.Choose(ui.NewChooser(ui.Clean(r.Pattern), one))
			return nil
		}})
	}
	if len(items) == 0 {
		items = []ui.Item{{Name: "no rule yet", Off: "p makes one"}}
	}
	m.in.Fill(items) // a chooser closed meanwhile is not shown again
}
