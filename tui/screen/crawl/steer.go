package crawl

import (
	"cmp"
	"context"
	"net/url"
	"path"
	"regexp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file steers the frontier: waiting URLs that match a pattern are dropped, or go first or
// last. Their number and some examples are shown first, and one undo takes it back.

// steering is the typed pattern and its matches. One count runs at a time: a pass over the frontier
// cannot be cancelled, so later patterns wait for its end.
type steering struct {
	*screen.UI
	*screen.Shared
	runs  screen.Runs
	under func() *view.FrontierRow // the row under the cursor; nil: none

	pattern string // the last pattern
	counted string // pattern of steerCount
	busy    bool
	entered bool // enter was pressed before the count arrived
	steerCount
	err    error
	prompt *widget.Prompt[string]
}

func (st *steering) steerKeys() []screen.Binding {
	return []screen.Binding{
		screen.Bind(keymap.Steer, "", st.askSteer),
		screen.Bind(keymap.Rules, "", st.askRules),
	}
}

func (st *steering) askSteer() tea.Cmd {
	st.counted, st.err = "", nil
	st.prompt = &widget.Prompt[string]{
		Editor: widget.Editor{
			Label: "pattern:", Hint: "a regular expression of URLs",
			Live:   st.countSteer,
			Cancel: func() tea.Cmd { st.entered = false; return nil },
		},
		Check: func(v string) (string, error) {
			switch {
			case v == "":
				return "", widget.Refusal("type a part of a URL")
			case st.counted != v:
				st.entered = true
				return "", widget.Refusal("counting …")
			case st.err != nil:
				return "", widget.Refusal(st.Reason(st.err))
			}
			return v, nil
		},
		Do: func(v string) tea.Cmd { st.chooseSteer(v); return nil },
	}
	if r := st.under(); r != nil {
		st.prompt.Preset(folderPattern(r.URL))
	}
	st.Ask(st.prompt)
	if text := st.prompt.Text(); text != "" {
		return st.countSteer(text) // a preset text triggers no key
	}
	return nil
}

// folderPattern returns a pattern for the folder of an address.
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

func (st *steering) countSteer(v string) tea.Cmd {
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
	runs := st.runs
	return screen.Load(st.UI, "counting waiting URLs", func(ctx context.Context) (steerCount, error) {
		return jobs.Within(ctx, func() (m steerCount, err error) {
			m.n, m.examples, err = runs.SteerCount(v)
			return m, err
		})
	}, func(m steerCount, err error) tea.Cmd { return st.take(v, m, err) })
}

// steerCount is how many waiting URLs match a pattern, and some of them.
type steerCount struct {
	n        int
	examples []string
}

// take shows the count of a pattern.
func (st *steering) take(pattern string, m steerCount, err error) tea.Cmd {
	st.busy = false
	if pattern != st.pattern { // the pattern has changed meanwhile
		entered := st.entered
		cmd := st.countSteer(st.pattern)
		st.entered = entered
		return cmd
	}
	st.counted, st.steerCount, st.err = pattern, m, err
	switch {
	case err != nil:
		st.prompt.Hint = st.Reason(err)
	case m.n > 0:
		st.prompt.Hint = st.F("%s · %s · enter goes on", st.N(m.n, "waiting URL"),
			widget.Clean(m.examples[0]))
	default:
		st.prompt.Hint = st.F("%s · enter goes on", st.N(m.n, "waiting URL"))
	}
	if st.entered && err == nil {
		st.Ask(nil)
		st.chooseSteer(pattern)
	}
	return nil
}

// steerNotes describe the actions.
var steerNotes = []struct{ action, note string }{
	{decisions.Drop, "not fetched any more, until the rule goes"},
	{decisions.Boost, "before all others"},
	{decisions.Bury, "after all others"},
}

// chooseSteer asks for the action, with examples of the matches.
func (st *steering) chooseSteer(pattern string) {
	items := st.steerItems(pattern, "")
	for _, u := range st.examples {
		items = append(items, widget.Item{Name: widget.Clean(u), Raw: true, Off: "for example"})
	}
	st.Offer(st.F("%s · %s", widget.Clean(pattern), st.N(st.n, "waiting URL")),
		items)
}

func (st *steering) steerItems(pattern, now string) []widget.Item {
	var items []widget.Item
	for _, x := range steerNotes {
		items = append(items,
			widget.Item{Name: x.action, Note: x.note, Mark: x.action == now,
				Do: func() tea.Cmd { return st.setSteer(pattern, x.action) }})
	}
	return items
}

func (st *steering) setSteer(pattern, action string) tea.Cmd {
	runs := st.runs
	what := st.Undoable(st.F("no rule for %s", widget.Clean(pattern)))
	if action != "" {
		what = st.F("%s %s", st.T(action), widget.Clean(pattern))
	}
	return st.Act(what, func() error { return runs.Steer(pattern, action) })
}

func (st *steering) askRules() tea.Cmd {
	runs, in := st.runs, widget.Waiting("rules over the frontier")
	st.Choose(in)
	return st.Run("reading the rules", st.InOrder(func() tea.Msg {
		list := runs.SteerRules()
		return screen.Reply{Take: screen.Do(func() { in.Fill(st.rules(list)) })} // a closed chooser is not shown again
	}))
}

// rules are the items for the rules in force.
func (st *steering) rules(list []decisions.Rule) []widget.Item {
	sh := st.Shared
	var items []widget.Item
	for _, r := range list {
		note := sh.T(r.Action) + " · " + r.At.Format("01-02 15:04")
		if r.Action == decisions.Delay {
			note += " · " + sh.F("until %s", r.Until.In(sh.Snap.At.Location()).Format("01-02 15:04"))
		}
		if r.By != "" {
			note += " · " + widget.Clean(r.By)
		}
		items = append(items,
			widget.Item{Name: widget.Clean(cmp.Or(r.Branch, r.Pattern)), Raw: true, Note: note, Do: func() tea.Cmd {
				one := append(st.steerItems(r.Pattern, r.Action),
					widget.Item{Name: "take the rule away", Do: func() tea.Cmd { return st.setSteer(r.Pattern, "") }})
				st.Offer(widget.Clean(cmp.Or(r.Branch, r.Pattern)), one)
				return nil
			}})
	}
	if len(items) == 0 {
		return []widget.Item{{Name: "no rule yet", Off: "{steer} makes one"}}
	}
	return items
}
