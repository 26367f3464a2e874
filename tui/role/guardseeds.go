package role

import (
	"context"
	"errors"

	"angler/crawl/seeds"
	"angler/tui/parts"
)

// seedings lets everybody see what is proposed. Who looks for more asks others; who
// accepts decides where requests go, as one who types a seed does.
type seedings struct {
	b parts.Seeding
	r Role
}

func (g *seedings) SeedProposals(state string) ([]seeds.Proposal, error) {
	return g.b.SeedProposals(state)
}
func (g *seedings) SeedQuestions() ([]string, error) { return g.b.SeedQuestions() }

func (g *seedings) StartSeeds(ask seeds.SearchQuestion) error {
	if err := g.r.check(SuggestSeeds); err != nil {
		return err
	}
	return g.b.StartSeeds(ask)
}

func (g *seedings) LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error) {
	return allowed(g.r, SuggestSeeds, func() (*seeds.SearchOutcome, error) { return g.b.LinkedSeeds(ctx) })
}

// ListSeeds reads files on one's own machine only: over a line they would be the
// server's.
func (g *seedings) ListSeeds(ctx context.Context, addressOrFile string) (*seeds.SearchOutcome, error) {
	if g.r != "" && !isWeb(addressOrFile) {
		return nil, errors.New("over SSH a list of sites has an address, not a file")
	}
	return allowed(g.r, SuggestSeeds, func() (*seeds.SearchOutcome, error) { return g.b.ListSeeds(ctx, addressOrFile) })
}

func (g *seedings) LookAt(ctx context.Context, address string) (*seeds.FirstLook, error) {
	return allowed(g.r, SuggestSeeds, func() (*seeds.FirstLook, error) { return g.b.LookAt(ctx, address) })
}

func (g *seedings) AcceptSeeds(hosts []string) (int, error) {
	return allowed(g.r, AcceptSeeds, func() (int, error) { return g.b.AcceptSeeds(hosts) })
}

func (g *seedings) RejectSeeds(hosts []string) (int, error) {
	return allowed(g.r, RejectSeeds, func() (int, error) { return g.b.RejectSeeds(hosts) })
}
