package lab

import (
	"context"
	"fmt"
	"slices"

	"angler/crawl/linkorder"
)

// Comparison describes a comparison of link orders on the stored crawl.
type Comparison struct {
	Strategies []string // of Strategies, without repetition
	Target     string   // see TargetRules
	Draws      int      // 1 … MostDraws
}

// MostDraws limits the effect of a typing error.
const MostDraws = 1000

// Result is the result of a comparison.
type Result struct {
	Comparison
	Pages     int // pages reachable from the seeds
	Targets   int // reachable targets
	Unreached int // targets without a stored link path
	Unknown   int // target addresses that are not stored pages
	Rows      []*Summary
}

// Strategies returns the names for a comparison: every link order, and the oracle.
func Strategies() []string { return append(linkorder.Names(), OracleName) }

// check returns an error for an invalid plan.
func (p *Comparison) check() error {
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

// Compare replays the stored crawl under every strategy of the plan, without the network. It reads all pages again
// (see Replay for the cost), then runs the draws. It is a job of the workspace.
func (l *Lab) Compare(ctx context.Context, plan Comparison) (*Result, error) {
	if err := plan.check(); err != nil {
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
	replay, err := l.Replay(ctx, ReplayOptions{Targets: rule,
		Progress: func(done, total int) { l.Jobs.Stage(reading, done, total) }})
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
	return &Result{Comparison: plan, Pages: replay.Pages, Targets: replay.Targets, Unreached: replay.Unreached,
		Unknown: replay.Unknown, Rows: rows}, nil
}
