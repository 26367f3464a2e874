package topic

import (
	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file answers what assistants propose: labels, samples and seeds. A list shows what waits; the
// chosen proposal is accepted or refused.

// proposalsKey binds the list of proposals.
func (s *label) proposalsKey() screen.Binding {
	none := ""
	if s.shared.Snap.Assistants == 0 {
		none = "no assistant proposes anything; angler mcp DIR --allow-label lets one"
	}
	return screen.Bind(keymap.Assistants, none, func() tea.Cmd { s.chooseProposal(); return nil })
}

// chooseProposal shows the proposals that wait, oldest first.
func (s *label) chooseProposal() {
	var items []widget.Item
	for _, p := range s.labels.Proposals() {
		items = append(items, widget.Item{Name: s.proposed(&p), Raw: true, Note: widget.Clean(p.Reason),
			Key: widget.Clean(p.By) + " " + widget.When(p.At, s.shared.Snap.At),
			Do:  func() tea.Cmd { s.chooseAnswer(&p); return nil }})
	}
	s.ui.Choose(widget.NewChooser(s.shared.T("proposals of assistants"), items))
}

// proposed says in a few words what is proposed.
func (s *label) proposed(p *decisions.Proposal) string {
	name := widget.Clean(p.Title)
	if name == "" {
		name = widget.Clean(p.URL)
	}
	switch p.Kind {
	case decisions.ProposeLabel:
		return s.shared.F("label %s: %s", s.shared.T(string(p.Label)), name)
	case decisions.ProposeSample:
		return s.shared.F("sample: %s", name)
	}
	return s.shared.F("seed: %s", name)
}

// chooseAnswer asks what to do with one proposal. The engine checks who may answer it.
func (s *label) chooseAnswer(p *decisions.Proposal) {
	key, what := p.Key(), s.proposed(p)
	item := func(name, note string, answer func(key string) error) widget.Item {
		return widget.Item{Name: name, Note: widget.Clean(note),
			Do: func() tea.Cmd { return s.ui.Act(what, func() error { return answer(key) }) }}
	}
	s.ui.Choose(widget.NewChooser(what, []widget.Item{item("accept the proposal", p.URL, s.labels.AcceptProposal),
		item("refuse the proposal", p.Reason, s.labels.RefuseProposal)}))
}
