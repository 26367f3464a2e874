package uitest

import (
	"context"

	"angler/crawl/facts"
	"angler/tui/parts"
)

type aroundFacts struct {
	innerFacts
	before Before
}

// around leaves out what a test has none of.
func around(p parts.Facts, before Before) parts.Facts {
	if p == nil {
		return nil
	}
	return aroundFacts{p, before}
}

func (p aroundFacts) Said(id uint64) (*facts.NoticeFacts, error) {
	return then(context.Background(), p.before, "Said", func() (*facts.NoticeFacts, error) { return p.innerFacts.Said(id) })
}

func (p aroundFacts) SetValue(id uint64, field, text string) error {
	return act(p.before, "SetValue", func() error { return p.innerFacts.SetValue(id, field, text) })
}

func (p aroundFacts) AsRead(id uint64, field string) error {
	return act(p.before, "AsRead", func() error { return p.innerFacts.AsRead(id, field) })
}
