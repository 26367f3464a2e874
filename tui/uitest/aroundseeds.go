package uitest

import (
	"context"

	"angler/crawl/seeds"
	"angler/tui/parts"
)

type innerSeeds interface{ parts.Seeding }

type aroundSeeds struct {
	innerSeeds
	before Before
}

func (p aroundSeeds) StartSeeds(ask seeds.SearchQuestion) error {
	return act(p.before, "StartSeeds", func() error { return p.innerSeeds.StartSeeds(ask) })
}

func (p aroundSeeds) LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error) {
	return then(ctx, p.before, "LinkedSeeds", func() (*seeds.SearchOutcome, error) { return p.innerSeeds.LinkedSeeds(ctx) })
}

func (p aroundSeeds) ListSeeds(ctx context.Context, from string) (*seeds.SearchOutcome, error) {
	return then(ctx, p.before, "ListSeeds", func() (*seeds.SearchOutcome, error) { return p.innerSeeds.ListSeeds(ctx, from) })
}

func (p aroundSeeds) LookAt(ctx context.Context, address string) (*seeds.FirstLook, error) {
	return then(ctx, p.before, "LookAt", func() (*seeds.FirstLook, error) { return p.innerSeeds.LookAt(ctx, address) })
}

func (p aroundSeeds) AcceptSeeds(hosts []string) (int, error) {
	return then(context.Background(), p.before, "AcceptSeeds", func() (int, error) { return p.innerSeeds.AcceptSeeds(hosts) })
}

func (p aroundSeeds) RejectSeeds(hosts []string) (int, error) {
	return then(context.Background(), p.before, "RejectSeeds", func() (int, error) { return p.innerSeeds.RejectSeeds(hosts) })
}
