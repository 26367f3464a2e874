package lab

import (
	"context"
	"fmt"
	"slices"

	"angler/crawl/linkorder"
)

// Comparison is a comparison of link orders on the stored crawl.
type Comparison struct {
	Strategies []string // of Strategies, each once
	Target     string   // see TargetRules
	Draws      int      // 1 … MostDraws
}

// MostDraws keeps a typing error from running all night.
const MostDraws = 1000

// Result is what a comparison found.
type Result struct {
	Comparison
	Pages     int // that can be reached from the seeds
	Targets   int // of those
	Unreached int // targets that no stored link leads to
	Unknown   int // target addresses that are no stored pages
	Rows      []*Summary
}

// Strategies lists what the lab can compare: every link order, and the
// oracle that knows the links.
func Strategies() []string { return append(linkorder.Names(), OracleName) }

// Check reports what the plan asks for wrongly.
func (p *Comparison) Check() error {
	known := Strategies()
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

// Compare replays the stored crawl under every strategy of the plan, without the
// network: first all pages are read again (see Replay for the cost), then the
// draws are run. It is the workspace's one background job while it lasts.
func (l *Lab) Compare(ctx context.Context, plan Comparison) (*Result, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	rule, err := ParseTargetRule(plan.Target)
	if err != nil {
		return nil, err
	}
	if err := l.Decisions.Words(ctx); err != nil {
		return nil, err
	}
	const reading, comparing = "reading pages again", "comparing link orders"
	ctx, err = l.Jobs.Begin(ctx, reading, 0)
	if err != nil {
		return nil, err
	}
	defer l.Jobs.End()
	replay, err := l.Replay(ctx, ReplayOptions{Targets: rule, Progress: func(done, total int) { l.Jobs.Stage(reading, done, total) }})
	if err != nil {
		return nil, err
	}
	all := plan.Draws * len(plan.Strategies)
	l.Jobs.Stage(comparing, 0, all)
	done := 0
	rows, err := Compare(ctx, Plan{Strategies: plan.Strategies, Draws: plan.Draws, Graph: replay.Graph, Make: l.Strategy,
		Report: func(Progress) { done++; l.Jobs.Stage(comparing, done, all) }})
	if err != nil {
		return nil, err
	}
	return &Result{Comparison: plan, Pages: replay.Pages, Targets: replay.Targets, Unreached: replay.Unreached, Unknown: replay.Unknown, Rows: rows}, nil
}
