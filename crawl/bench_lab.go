package crawl

import (
	"context"
	"fmt"
	"slices"

	"angler/crawl/lab"
	"angler/crawl/order"
)

// LabPlan is a comparison of link orders on the stored crawl.
type LabPlan struct {
	Strategies []string // of LabStrategies, each once
	Target     string   // see TargetRules
	Draws      int      // 1 … MostDraws
}

// MostDraws keeps a typing error from running all night.
const MostDraws = 1000

// LabResult is what a comparison found.
type LabResult struct {
	LabPlan
	Pages     int // that can be reached from the seeds
	Targets   int // of those
	Unreached int // targets that no stored link leads to
	Unknown   int // target addresses that are no stored pages
	Rows      []*lab.Summary
}

// LabStrategies lists what the lab can compare: every link order, and the
// oracle that knows the links.
func LabStrategies() []string { return append(order.Names(), lab.OracleName) }

// Check reports what the plan asks for wrongly.
func (p *LabPlan) Check() error {
	known := LabStrategies()
	for i, name := range p.Strategies {
		if !slices.Contains(known, name) {
			return fmt.Errorf("strategy %q is unknown", name)
		}
		if slices.Contains(p.Strategies[:i], name) {
			return fmt.Errorf("strategy %s is named twice", name)
		}
	}
	if len(p.Strategies) == 0 {
		return fmt.Errorf("no strategy is chosen")
	}
	if p.Draws < 1 || p.Draws > MostDraws {
		return fmt.Errorf("draws %d: choose 1 to %d", p.Draws, MostDraws)
	}
	return nil
}

// Lab replays the stored crawl under every strategy of the plan, without the
// network: first all pages are read again (see Replay for the cost), then the
// draws are run. It is the workspace's one background job while it lasts.
func (e *Engine) Lab(ctx context.Context, plan LabPlan) (*LabResult, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	rule, err := ParseTargetRule(plan.Target)
	if err != nil {
		return nil, err
	}
	if err := e.Words(ctx); err != nil {
		return nil, err
	}
	const reading, comparing = "reading pages again", "comparing link orders"
	ctx, err = e.job.begin(ctx, reading, 0)
	if err != nil {
		return nil, err
	}
	defer e.job.end()
	replay, err := e.Replay(ctx, ReplayOptions{Targets: rule, Progress: func(done, total int) { e.job.stage(reading, done, total) }})
	if err != nil {
		return nil, err
	}
	all := plan.Draws * len(plan.Strategies)
	e.job.stage(comparing, 0, all)
	done := 0
	rows, err := lab.Compare(ctx, lab.Plan{Strategies: plan.Strategies, Draws: plan.Draws, Graph: replay.Graph, Make: e.LabStrategy,
		Report: func(lab.Progress) { done++; e.job.stage(comparing, done, all) }})
	if err != nil {
		return nil, err
	}
	return &LabResult{LabPlan: plan, Pages: replay.Pages, Targets: replay.Targets, Unreached: replay.Unreached, Unknown: replay.Unknown, Rows: rows}, nil
}
