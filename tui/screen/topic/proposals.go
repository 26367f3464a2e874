package topic

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file answers what assistants propose: labels, samples and seeds. A list shows the waiting
// proposals; the person accepts or refuses the chosen one.

// proposalsTitle is the title of the lists.
const proposalsTitle = "proposals of assistants"

// proposalsKey binds the list of proposals.
func (s *label) proposalsKey() screen.Binding {
	none := screen.If(s.Snap.Assistants == 0,
		"no assistant proposes anything; angler mcp DIR --allow-label lets one")
	return screen.Bind(keymap.Assistants, none, screen.Do(s.chooseProposal))
}

// widestAgent bounds the name of an assistant beside a proposal, in cells.
const widestAgent = 16

// chooseProposal shows the proposals that wait, oldest first. Texts of assistants stand in raw names: a note is
// translated, and {undo} in it would become a key.
func (s *label) chooseProposal() {
	items := widget.Map(s.labels.Proposals(), func(p decisions.Proposal) widget.Item {
		return widget.Item{Name: s.proposed(&p) + " · " + widget.Clean(p.Reason), Raw: true,
			Key: widget.Fit(widget.Clean(p.By), widestAgent) + " " + s.When(p.At),
			Do:  screen.Do(func() { s.chooseAnswer(&p) })}
	})
	s.Offer(proposalsTitle, items)
}

// proposed describes a proposal in a few words.
func (s *label) proposed(p *decisions.Proposal) string {
	name := cmp.Or(widget.Clean(p.Title), widget.Clean(p.URL))
	switch p.Kind {
	case decisions.ProposeLabel:
		return s.F("label %s: %s", s.T(string(p.Label)), name)
	case decisions.ProposeSample:
		return s.F("sample: %s", name)
	}
	return s.F("seed: %s", name)
}

// Bounds of the texts of a proposal in a dialogue on 80 columns.
const (
	readable  = 64 // cells
	mostLines = 20 // of the longest reason
)

// chooseAnswer asks what to do with one proposal, and shows it in full.
func (s *label) chooseAnswer(p *decisions.Proposal) {
	key, what := p.Key(), s.proposed(p)
	accept := widget.Either(p.Kind == decisions.ProposeSeed, auth.AcceptSeeds, auth.AcceptProposal)
	item := func(name string, by auth.Action, answer func(key string) error) widget.Item {
		return widget.Item{Name: name, Off: s.role.Denied(by),
			Do: func() tea.Cmd { return s.Act(what, func() error { return answer(key) }) }}
	}
	items := []widget.Item{item("accept the proposal", accept, s.labels.AcceptProposal),
		item("refuse the proposal", auth.RefuseProposal, s.labels.RefuseProposal)}
	for _, text := range []string{what, p.URL, p.Reason, p.By} {
		for _, line := range widget.Wrap(widget.Clean(text), readable, mostLines) {
			items = append(items, widget.Item{Name: line, Raw: true})
		}
	}
	s.Offer(proposalsTitle, items)
}
