package lab

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"angler/crawl/linkorder"
)

func fresh(name string) (linkorder.Strategy, error) { return linkorder.New(name, nil) }

func same(g *Graph) func(context.Context, int) (*Graph, error) {
	return func(context.Context, int) (*Graph, error) { return g, nil }
}

func TestCompare(t *testing.T) {
	g := site(600, 3)
	var told []Progress
	rows, err := Compare(context.Background(), Plan{Strategies: []string{"best-first", "bfs", "oracle"}, Draws: 2, Graph: same(g), Make: fresh,
		Report: func(p Progress) { told = append(told, p) }})
	must(t, err)
	pages, targets := g.Reach()
	for i, want := range []string{"best-first", "bfs", "oracle"} {
		s := rows[i]
		if s.Strategy != want || s.Pages != pages || s.Targets != targets || len(s.Curves) != 2 {
			t.Errorf("row %d is %s with %d pages, %d targets, %d curves", i, s.Strategy, s.Pages, s.Targets, len(s.Curves))
		}
	}
	if p := rows[1].Position; p.Min != 0 || p.Max != 0 {
		t.Errorf("breadth-first stands at %v, want 0", p)
	}
	if p := rows[2].Position; p.Min != 1 || p.Max != 1 {
		t.Errorf("the oracle stands at %v, want 1", p)
	}
	if len(told) != 6 || told[5].Draw != 2 || told[5].Draws != 2 {
		t.Errorf("progress: %v", told)
	}
}

// The figures of a row follow from the mean curve, worked out by hand: two
// draws over the same web, one with samples that show the way, one without.
func TestRowOfTwoDraws(t *testing.T) {
	s := &Summary{Strategy: "x", Draws: 2, Pages: 4, Targets: 2, Curves: []Curve{{Pages: 4, Hits: []int32{1, 2}}, {Pages: 4, Hits: []int32{1, 4}}},
		Area: spread([]float64{.875, .625}), Position: spread([]float64{1, .5})}
	r := s.Row()
	if got := r.Curve; len(got) != 4 || got[1] != [2]float64{2, 1.5} || got[3] != [2]float64{4, 2} {
		t.Errorf("curve %v", got)
	}
	for name, c := range map[string]struct{ got, want float64 }{
		"recall at half":  {r.RecallAt["0.5"], .75},
		"harvest at half": {r.HarvestAt["0.5"], .75},
		"share for half":  {r.FractionFor["0.5"], .25},
		"share for 90 %":  {r.FractionFor["0.9"], .75},
		"pages for 95 %":  {r.PagesFor["0.95"], 3},
		"mean position":   {r.Position.Mean, .75},
		"least position":  {r.Position.Min, .5},
		"mean area":       {r.Area.Mean, .75},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	b, err := json.Marshal(r)
	must(t, err)
	for _, field := range []string{`"strategy":"x"`, `"targets":2`, `"fetched":4`, `"curve":[[1,1]`, `"recall_at":{"0.1":`, `"fraction_for":{"0.5":0.25`} {
		if !strings.Contains(string(b), field) {
			t.Errorf("no %s in %s", field, b)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	g := drawn(t, "a > b c*")
	none := drawn(t, "a > b", "x* > a")
	seedless := drawn(t, "a*")
	seedless.Seeds = nil
	broken := drawn(t, "a > b*")
	broken.Pages[0].Links[0].To = 9
	failed := errors.New("no disk")
	for _, c := range []struct {
		name string
		plan Plan
		want string
	}{
		{"unknown strategy", Plan{Strategies: []string{"bfs", "magic"}, Graph: same(g)}, "magic"},
		{"no target in reach", Plan{Strategies: []string{"bfs"}, Graph: same(none)}, errNoTargets.Error()},
		{"no seed", Plan{Strategies: []string{"bfs"}, Graph: same(seedless)}, errNoSeeds.Error()},
		{"a link to nowhere", Plan{Strategies: []string{"bfs"}, Graph: same(broken)}, "link to page 9"},
		{"a graph that cannot be built", Plan{Strategies: []string{"bfs"}, Graph: func(context.Context, int) (*Graph, error) { return nil, failed }}, "no disk"},
	} {
		c.plan.Draws, c.plan.Make = 1, fresh
		if _, err := Compare(context.Background(), c.plan); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}
