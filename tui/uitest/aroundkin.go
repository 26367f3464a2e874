package uitest

import (
	"context"

	"angler/crawl/inbox"
	"angler/tui/parts"
)

type aroundKin struct {
	innerKin
	before Before
}

// aroundKindred leaves out what a test has none of.
func aroundKindred(p parts.Relations, before Before) parts.Relations {
	if p == nil {
		return nil
	}
	return aroundKin{p, before}
}

func (p aroundKin) Kindred(ctx context.Context, id uint64) (*inbox.Relations, error) {
	return then(ctx, p.before, "Kindred", func() (*inbox.Relations, error) { return p.innerKin.Kindred(ctx, id) })
}

func (p aroundKin) Detach(ids []uint64, on bool) error {
	return act(p.before, "Detach", func() error { return p.innerKin.Detach(ids, on) })
}

func (p aroundKin) Cut(ids []uint64, on bool) error {
	return act(p.before, "Cut", func() error { return p.innerKin.Cut(ids, on) })
}

func (p aroundKin) Join(ids []uint64, to uint64) error {
	return act(p.before, "Join", func() error { return p.innerKin.Join(ids, to) })
}
