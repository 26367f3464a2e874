package uitest

import (
	"context"
	"time"

	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store/runs"
	"angler/tui/parts"
)

type (
	innerBranches  interface{ parts.Branches }
	innerWorkforce interface{ parts.Workforce }
	innerSurvey    interface{ parts.Survey }

	aroundBranches struct {
		innerBranches
		before Before
	}
	aroundWorkforce struct {
		innerWorkforce
		before Before
	}
	aroundSurvey struct {
		innerSurvey
		before Before
	}
)

func (p aroundBranches) StartLook(branch string) error {
	return act(p.before, "StartLook", func() error { return p.innerBranches.StartLook(branch) })
}

func (p aroundBranches) RenderBranches(list []string, on bool) (back func() error, err error) {
	err = act(p.before, "RenderBranches", func() (err error) { back, err = p.innerBranches.RenderBranches(list, on); return err })
	return back, err
}
func (p aroundBranches) SteerBranches(list []string, action string, until time.Time) error {
	return act(p.before, "SteerBranches", func() error { return p.innerBranches.SteerBranches(list, action, until) })
}

func (p aroundWorkforce) OrderWorkers(names []string, order string) error {
	return act(p.before, "OrderWorkers", func() error { return p.innerWorkforce.OrderWorkers(names, order) })
}
func (p aroundWorkforce) StopWorkers(names []string) error {
	return act(p.before, "StopWorkers", func() error { return p.innerWorkforce.StopWorkers(names) })
}

func (p aroundSurvey) Queue(ctx context.Context, match func(string) bool) (*query.FrontierQueue, error) {
	return then(ctx, p.before, "Queue", func() (*query.FrontierQueue, error) { return p.innerSurvey.Queue(ctx, match) })
}

func (p aroundSurvey) Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error) {
	return then(ctx, p.before, "Rows", func() ([]view.FrontierRow, error) { return p.innerSurvey.Rows(ctx, q, from, n) })
}

func (p aroundSurvey) Land(ctx context.Context) (*query.SiteOverview, error) {
	return then(ctx, p.before, "Land", func() (*query.SiteOverview, error) { return p.innerSurvey.Land(ctx) })
}

func (p aroundSurvey) Stored(ctx context.Context, pick query.Pick) (rows []query.StoredRow, total int, err error) {
	if err := p.before(ctx, "Stored"); err != nil {
		return nil, 0, err
	}
	return p.innerSurvey.Stored(ctx, pick)
}

func (p aroundSurvey) Runs(most int) ([]runs.Row, error) {
	return then(context.Background(), p.before, "Runs", func() ([]runs.Row, error) { return p.innerSurvey.Runs(most) })
}
