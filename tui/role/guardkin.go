package role

import (
	"context"

	"angler/crawl/inbox"
	"angler/tui/parts"
)

// kindred lets everybody see which notices belong together.
type kindred struct {
	b parts.Relations
	r Role
}

func (g kindred) Kindred(ctx context.Context, id uint64) (*inbox.Relations, error) {
	if g.b == nil {
		return nil, nil
	}
	return g.b.Kindred(ctx, id)
}

func (g kindred) Detach(ids []uint64, on bool) error {
	if err := g.r.check(Kin); err != nil {
		return err
	}
	return g.b.Detach(ids, on)
}

func (g kindred) Cut(ids []uint64, on bool) error {
	if err := g.r.check(Kin); err != nil {
		return err
	}
	return g.b.Cut(ids, on)
}

func (g kindred) Join(ids []uint64, to uint64) error {
	if err := g.r.check(Kin); err != nil {
		return err
	}
	return g.b.Join(ids, to)
}
