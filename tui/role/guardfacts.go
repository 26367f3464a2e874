package role

import (
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/tui/parts"
)

// factsGuard lets everybody read what notices say.
type factsGuard struct {
	b parts.Facts
	r Role
}

func (g factsGuard) Said(id uint64) (*facts.NoticeFacts, error) {
	if g.b == nil {
		return nil, nil
	}
	return g.b.Said(id)
}

func (g factsGuard) Fields() []fields.Field {
	if g.b == nil {
		return nil
	}
	return g.b.Fields()
}

func (g factsGuard) CheckValue(field, text string) ([]fields.Value, error) {
	return g.b.CheckValue(field, text)
}

func (g factsGuard) SetValue(id uint64, field, text string) error {
	if err := g.r.check(Correct); err != nil {
		return err
	}
	return g.b.SetValue(id, field, text)
}

func (g factsGuard) AsRead(id uint64, field string) error {
	if err := g.r.check(Correct); err != nil {
		return err
	}
	return g.b.AsRead(id, field)
}
