package lab

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"angler/crawl/linkorder"
)

// OracleName is a valid name for Compare beside the strategies.
const OracleName = "oracle"

// Plan describes a comparison.
type Plan struct {
	Strategies []string // names for Make, or OracleName
	Draws      int      // at least 1
	// Graph returns the graph of draw i, from 0. Pages, links and targets are always equal; scores may differ if
	// every draw has its own samples. Calls are sequential, one per draw.
	Graph func(ctx context.Context, draw int) (*Graph, error)
	// Make returns a new strategy. It is called from several goroutines.
	Make func(name string) (linkorder.Strategy, error)
	// Report receives every finished run; nil = none. Calls never overlap.
	Report func(Progress)
}

// Progress is the progress of a comparison.
type Progress struct {
	Draw     int // from 1
	Draws    int
	Strategy string // the finished one
}

// Summary holds the results of one strategy over all draws: means, or a Spread.
type Summary struct {
	Strategy string
	Draws    int
	Pages    int     // fetched pages, each once
	Targets  int     // found targets: all that are reachable
	Curves   []Curve // one per draw
	Area     Spread  // under the recall curve, 0 … 1
	Position Spread  // between breadth-first (0) and the oracle (1) of the same draw
	Rate     float64 // simulated fetches per second of one core
}

// Spread holds mean and range of a figure over the draws.
type Spread struct {
	Mean float64 `json:"mean"`
	Min  float64 `json:"min"`
	Max  float64 `json:"max"`
}

// spread returns the Spread of at least one value.
func spread(values []float64) Spread {
	s := Spread{Min: values[0], Max: values[0]}
	for _, v := range values {
		s.Mean += v / float64(len(values))
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	}
	return s
}

// Mean returns the mean of a figure over the draws' curves.
func (s *Summary) Mean(figure func(Curve) float64) float64 { return s.Spread(figure).Mean }

// Spread returns the Spread of a figure over the draws' curves.
func (s *Summary) Spread(figure func(Curve) float64) Spread {
	values := make([]float64, len(s.Curves))
	for i, c := range s.Curves {
		values[i] = figure(c)
	}
	return spread(values)
}

// Compare runs every strategy on every draw, with breadth-first and the oracle for the positions. Draw i breaks ties
// with Options.Seed i, so the first uses the order of discovery. The runs of a draw use all processors. It returns
// one summary per strategy in the plan's order; a repeated strategy runs repeatedly. Errors come from Make, Graph
// and ctx, or are errNoSeeds or errNoTargets.
func Compare(ctx context.Context, p Plan) ([]*Summary, error) {
	out := make([]*Summary, len(p.Strategies))
	for i, name := range p.Strategies {
		out[i] = &Summary{Strategy: name, Draws: p.Draws}
		if name == OracleName {
			continue
		}
		if _, err := p.Make(name); err != nil {
			return nil, err // fail before the first graph is built
		}
	}
	took := make([]time.Duration, len(out))
	areas, positions := make([][]float64, len(out)), make([][]float64, len(out))
	for draw := range p.Draws {
		g, err := p.Graph(ctx, draw)
		if err != nil {
			return nil, err
		}
		if err := g.ready(); err != nil {
			return nil, err
		}
		runs, err := p.draw(ctx, g, draw)
		if err != nil {
			return nil, err
		}
		bfs, best := runs[len(out)].curve.area(), runs[len(out)+1].curve.area()
		for i, s := range out {
			c := runs[i].curve
			s.Curves = append(s.Curves, c)
			s.Pages, s.Targets = c.Pages, len(c.Hits)
			areas[i] = append(areas[i], c.area())
			positions[i] = append(positions[i], position(c.area(), bfs, best))
			took[i] += runs[i].took
		}
	}
	for i, s := range out {
		s.Area, s.Position = spread(areas[i]), spread(positions[i])
		s.Rate = float64(s.Pages*p.Draws) / max(took[i].Seconds(), 1e-9)
	}
	return out, nil
}

// ready returns an error if a graph has no reachable pages or targets.
func (g *Graph) ready() error {
	if err := g.Check(); err != nil {
		return err
	}
	pages, targets := g.Reach()
	switch {
	case pages == 0:
		return errNoSeeds
	case targets == 0:
		return errNoTargets
	}
	return nil
}

type timed struct {
	curve Curve
	took  time.Duration
}

// draw runs the plan's strategies, then breadth-first and the oracle.
func (p *Plan) draw(ctx context.Context, g *Graph, draw int) ([]timed, error) {
	names := append(append([]string(nil), p.Strategies...), "bfs", OracleName)
	runs := make([]timed, len(names))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, name := range names {
		group.Go(func() error {
			began := time.Now()
			fetched, err := p.one(ctx, g, name, uint64(draw))
			if err != nil {
				return err
			}
			runs[i] = timed{newCurve(g, fetched), time.Since(began)}
			if p.Report != nil && i < len(p.Strategies) {
				mu.Lock()
				defer mu.Unlock()
				p.Report(Progress{Draw: draw + 1, Draws: p.Draws, Strategy: name})
			}
			return nil
		})
	}
	return runs, group.Wait()
}

func (p *Plan) one(ctx context.Context, g *Graph, name string, seed uint64) ([]int32, error) {
	if name == OracleName {
		return oracleOrder(g), ctx.Err()
	}
	s, err := p.Make(name)
	if err != nil {
		return nil, err
	}
	return fetchOrder(ctx, g, s, options{Seed: seed})
}
