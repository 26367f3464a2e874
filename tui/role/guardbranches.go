package role

import (
	"context"
	"time"

	"angler/crawl/query"
	"angler/crawl/view"
	history "angler/store/runs"
	"angler/tui/parts"
)

// branches guards what steers a part of the web.
type branches struct {
	b parts.Branches
	r Role
}

func (g *branches) StartLook(branch string) error {
	if err := g.r.check(Probe); err != nil {
		return err
	}
	return g.b.StartLook(branch)
}

func (g *branches) SteerBranches(list []string, action string, until time.Time) error {
	if err := g.r.check(Steer); err != nil {
		return err
	}
	return g.b.SteerBranches(list, action, until)
}

func (g *branches) RenderBranches(list []string, on bool) (back func() error, err error) {
	return allowed(g.r, Render, func() (func() error, error) { return g.b.RenderBranches(list, on) })
}

// workforce guards who takes part from other machines.
type workforce struct {
	b parts.Workforce
	r Role
}

func (g *workforce) OrderWorkers(names []string, order string) error {
	if err := g.r.check(Workforce); err != nil {
		return err
	}
	return g.b.OrderWorkers(names, order)
}

func (g *workforce) StopWorkers(names []string) error {
	if err := g.r.check(Workforce); err != nil {
		return err
	}
	return g.b.StopWorkers(names)
}

// surveys lets everyone read what is stored of the crawl.
type surveys struct{ b parts.Survey }

func (g surveys) Queue(ctx context.Context, match func(string) bool) (*query.FrontierQueue, error) {
	return g.b.Queue(ctx, match)
}
func (g surveys) Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error) {
	return g.b.Rows(ctx, q, from, n)
}
func (g surveys) Land(ctx context.Context) (*query.SiteOverview, error) { return g.b.Land(ctx) }
func (g surveys) Stored(ctx context.Context, pick query.Pick) ([]query.StoredRow, int, error) {
	return g.b.Stored(ctx, pick)
}
func (g surveys) EventsOf(kind string) []view.Event    { return g.b.EventsOf(kind) }
func (g surveys) Runs(most int) ([]history.Row, error) { return g.b.Runs(most) }
