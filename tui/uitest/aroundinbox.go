package uitest

import (
	"context"
	"encoding/json"

	"angler/crawl/inbox"
	"angler/topic"
)

type aroundInbox struct {
	innerInbox
	before Before
}

func (p aroundInbox) List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error) {
	return then(ctx, p.before, "List", func() (*inbox.Listing, error) { return p.innerInbox.List(ctx, ask) })
}

func (p aroundInbox) SetRead(ids []uint64, read bool) error {
	return act(p.before, "SetRead", func() error { return p.innerInbox.SetRead(ids, read) })
}

func (p aroundInbox) Star(ids []uint64, on bool) error {
	return act(p.before, "Star", func() error { return p.innerInbox.Star(ids, on) })
}

func (p aroundInbox) Done(ids []uint64, on bool) error {
	return act(p.before, "Done", func() error { return p.innerInbox.Done(ids, on) })
}

func (p aroundInbox) Judge(ids []uint64, l topic.Label) error {
	return act(p.before, "Judge", func() error { return p.innerInbox.Judge(ids, l) })
}

func (p aroundInbox) Note(id uint64, text string) error {
	return act(p.before, "Note", func() error { return p.innerInbox.Note(id, text) })
}

func (p aroundInbox) SaveView(was, name, query string) error {
	return act(p.before, "SaveView", func() error { return p.innerInbox.SaveView(was, name, query) })
}

func (p aroundInbox) DropView(name string) error {
	return act(p.before, "DropView", func() error { return p.innerInbox.DropView(name) })
}

func (p aroundInbox) Place() (json.RawMessage, error) {
	return then(context.Background(), p.before, "Place", func() (json.RawMessage, error) { return p.innerInbox.Place() })
}

func (p aroundInbox) SetPlace(v json.RawMessage) error {
	return act(p.before, "SetPlace", func() error { return p.innerInbox.SetPlace(v) })
}
