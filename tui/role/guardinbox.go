package role

import (
	"context"
	"encoding/json"

	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/topic"
	"angler/tui/parts"
)

// inboxes lets everybody read, and keep what is their own: what they have read, and
// how they left their screens.
type inboxes struct {
	b parts.Inbox
	r Role
}

func (g *inboxes) List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error) {
	return g.b.List(ctx, ask)
}
func (g *inboxes) Yields(ctx context.Context) (map[uint64]inbox.ListYield, error) {
	return g.b.Yields(ctx)
}
func (g *inboxes) CheckFilter(text string) error         { return g.b.CheckFilter(text) }
func (g *inboxes) FilterFields() [][4]string             { return g.b.FilterFields() }
func (g *inboxes) SetRead(ids []uint64, read bool) error { return g.b.SetRead(ids, read) }
func (g *inboxes) Views() []decisions.SavedView          { return g.b.Views() }
func (g *inboxes) Place() (json.RawMessage, error)       { return g.b.Place() }
func (g *inboxes) SetPlace(v json.RawMessage) error      { return g.b.SetPlace(v) }

func (g *inboxes) Star(ids []uint64, on bool) error {
	if err := g.r.check(Star); err != nil {
		return err
	}
	return g.b.Star(ids, on)
}

func (g *inboxes) Done(ids []uint64, on bool) error {
	if err := g.r.check(Done); err != nil {
		return err
	}
	return g.b.Done(ids, on)
}

func (g *inboxes) Judge(ids []uint64, l topic.Label) error {
	if err := g.r.check(JudgeNotice); err != nil {
		return err
	}
	return g.b.Judge(ids, l)
}

func (g *inboxes) Note(id uint64, text string) error {
	if err := g.r.check(Note); err != nil {
		return err
	}
	return g.b.Note(id, text)
}

func (g *inboxes) SaveView(was, name, query string) error {
	if err := g.r.check(SaveView); err != nil {
		return err
	}
	return g.b.SaveView(was, name, query)
}

func (g *inboxes) DropView(name string) error {
	if err := g.r.check(SaveView); err != nil {
		return err
	}
	return g.b.DropView(name)
}
