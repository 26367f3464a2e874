package role

import (
	"angler/crawl/fields"
	"angler/crawl/view"
	"angler/tui/parts"
)

// facts lets everybody read what notices say.
type facts struct {
	b parts.Facts
	r Role
}

func (g facts) Said(id uint64) (*view.NoticeFacts, error) {
	if g.b == nil {
		return nil, nil
	}
	return g.b.Said(id)
}

func (g facts) Fields() []fields.Field {
	if g.b == nil {
		return nil
	}
	return g.b.Fields()
}

func (g facts) CheckValue(field, text string) ([]fields.Value, error) {
	return g.b.CheckValue(field, text)
}

func (g facts) SetValue(id uint64, field, text string) error {
	if err := g.r.check(Correct); err != nil {
		return err
	}
	return g.b.SetValue(id, field, text)
}

func (g facts) AsRead(id uint64, field string) error {
	if err := g.r.check(Correct); err != nil {
		return err
	}
	return g.b.AsRead(id, field)
}
