package inbox

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/crawl/filter"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file asks for filters and views.

// askFilter asks for a filter, beginning with a text or the one in force; the list
// follows what is typed as far as it can be understood.
func (s *harvest) askFilter(begin string) {
	p := &widget.Prompt[string]{
		Editor: widget.Editor{
			Label: "/", Hint: "words · site:ntu · date>=2026-01 · age<7d · is:unread · -word · “a phrase”",
			Past: &s.Filters,
			Live: func(text string) tea.Cmd {
				if s.inbox.CheckFilter(text) != nil {
					return nil
				}
				return s.filter(text)
			},
			Cancel: func() tea.Cmd { return s.filter("") },
		},
		Check: s.checked,
		Do:    s.filter,
	}
	if begin != "" {
		p.Fill(begin)
	} else {
		p.Preset(s.views.query)
	}
	s.Ask(p)
}

// checked is the Check of prompts for a filter: it says what is wrong in the
// reader's language.
func (s *harvest) checked(text string) (string, error) {
	if err := cmp.Or(filter.Closed(text), s.inbox.CheckFilter(text)); err != nil {
		why := s.Says(err.Error())
		var known, called []string
		for _, f := range s.inbox.FilterFields() {
			known, called = append(known, f[0]), append(called, s.fieldName(f))
		}
		why = strings.Replace(why, strings.Join(known, " "), strings.Join(called, " "), 1)
		s.Say(why) // the prompt has no room for all of it
		return "", widget.Refusal(why)
	}
	return text, nil
}

// fieldName returns the name of a filter's field in the reader's language.
func (s *harvest) fieldName(f [4]string) string {
	return widget.Either(chinese(s.Shared), f[3], f[0])
}

// chooseView lists the views and what can be done with them.
func (s *harvest) chooseView() {
	own := s.inbox.Views()
	now := s.views.now(own)
	items := widget.Map(s.views.all(own), func(v decisions.SavedView) widget.Item {
		return widget.Item{Name: label(s.Shared, &v), Raw: true, Note: widget.Clean(v.Query), Mark: v.Name == now.Name,
			Do: func() tea.Cmd { return s.goTo(v.Name) }}
	})
	act := func(name, note, off string, do func()) {
		items = append(items, widget.Item{Name: name, Note: note, Off: off, Do: screen.Do(do)})
	}
	whole := strings.TrimSpace(now.Query + " " + s.views.query)
	none := screen.If(s.views.query == "", "no filter is set: {filter} sets one")
	mine := screen.If(!slices.ContainsFunc(own, func(v decisions.SavedView) bool { return v.Name == now.Name }),
		"only a view of the team; go to one")
	act("save the filter as a view …", whole, none, func() { s.askViewName("", whole) })
	act("change the view's filter …", now.Query, mine, func() { s.askViewQuery(now) })
	act("rename the view …", widget.Clean(now.Name), mine, func() { s.askViewName(now.Name, now.Query) })
	items = append(items,
		widget.Item{Name: "remove the view", Note: widget.Clean(now.Name), Off: mine, Do: func() tea.Cmd {
			return s.Act(s.Undoable(s.F("view %s removed", widget.Clean(now.Name))),
				func() error { return s.inbox.DropView(now.Name) })
		}})
	act("filter fields …", "", "", s.chooseField)
	s.Offer("views", items)
}

// chooseField lists the fields of the filters; the prompt begins with the one chosen.
func (s *harvest) chooseField() {
	var items []widget.Item
	for _, f := range s.inbox.FilterFields() {
		name := s.fieldName(f)
		note := s.Line(f[1])
		if after, ok := strings.CutPrefix(note, f[0]); ok {
			note = name + after
		}
		items = append(items, widget.Item{Name: name, Raw: true, Note: note, Do: func() tea.Cmd {
			s.askFilter(strings.TrimSpace(s.views.query + " " + name + f[2]))
			return nil
		}})
	}
	s.Offer("filter fields; - before a term excludes it", items)
}

func (s *harvest) askViewName(was, query string) {
	s.AskPreset(was, &widget.Prompt[string]{
		Editor: widget.Editor{Label: "name of the view:", Hint: "for the whole team · {undo} undoes it"},
		Check: func(name string) (string, error) {
			switch {
			case name == "":
				return "", widget.Refusal("type a name")
			case slices.ContainsFunc(builtin,
				func(v decisions.SavedView) bool { return v.Name == name || s.T(v.Name) == name }):
				return "", widget.Refusal("that is a view of the program; choose another name")
			case name != was &&
				slices.ContainsFunc(s.inbox.Views(), func(v decisions.SavedView) bool { return v.Name == name }):
				return "", widget.Refusal("there is a view of that name")
			}
			return name, nil
		},
		Do: func(name string) tea.Cmd {
			s.views.at, s.views.query, s.views.keep = name, "", nil
			return s.saveView(was, name, query)
		},
	})
}

func (s *harvest) askViewQuery(v decisions.SavedView) {
	s.AskFilled(v.Query, &widget.Prompt[string]{
		Editor: widget.Editor{Label: s.F("filter of %s:", widget.Clean(v.Name))},
		Check:  s.checked,
		Do:     func(query string) tea.Cmd { return s.saveView(v.Name, v.Name, query) },
	})
}

func (s *harvest) saveView(was, name, query string) tea.Cmd {
	return s.Act(s.F("view %s saved", widget.Clean(name)),
		func() error { return s.inbox.SaveView(was, name, query) })
}
