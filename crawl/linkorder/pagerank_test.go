package linkorder

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// A graph of stored pages is ranked by the same arithmetic as the strategy's
// web, where that knows every page.
func TestGraphRanksAsTheWebDoes(t *testing.T) {
	var g Graph
	w := newWeb(1000)
	for _, p := range [][]uint64{{1, 2, 3, 3, 1}, {2, 3}, {4, 5}, {3}, {5, 1}} {
		g.Add(p[0], p[1:])
		w.add(fetched(p[0], 0, p[1:]...))
	}
	rank, err := g.PageRank(context.Background(), Params{"pagerank.damping": .7}, 5)
	must(t, err)
	want := w.pageRank(.7, 5)
	for id := uint64(1); id <= 5; id++ {
		if got := rank(id); math.Abs(got-want[w.node[id]]) > 1e-12 {
			t.Errorf("rank of %d is %v, the web's %v", id, got, want[w.node[id]])
		}
	}
}

func TestGraphKnowsStoredPagesOnly(t *testing.T) {
	var g Graph
	g.Add(1, []uint64{2, 900, 901, 902, 1 << 40})
	g.Add(2, []uint64{2, 1 << 40})
	g.Add(3, []uint64{7})
	g.Add(7, nil)
	g.Add(1<<40, []uint64{1})
	rank, err := g.PageRank(context.Background(), nil, 30)
	must(t, err)
	const base = .15 / 4
	for id, want := range map[uint64]float64{1: base, 2: base + .85*base, 3: base, 7: base + .85*base, 4: 0, 900: 0, 1 << 40: 0} {
		if got := rank(id); math.Abs(got-want) > 1e-12 {
			t.Errorf("rank of %d is %v, want %v", id, got, want)
		}
	}
	none, err := new(Graph).PageRank(context.Background(), nil, 3)
	if err != nil || none(0) != 0 || none(1) != 0 {
		t.Errorf("an empty graph ranks 0 with %v, %v", none(0), err)
	}
}

func TestGraphErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var g Graph
	g.Add(1, []uint64{2})
	if _, err := g.PageRank(ctx, nil, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled ranking ends with %v", err)
	}
	if _, err := g.PageRank(context.Background(), Params{"pagerank.damping": 2}, 3); err == nil {
		t.Error("a damping of 2 passed")
	}
}

// BenchmarkGraph ranks 100 000 pages with a million links.
func BenchmarkGraph(b *testing.B) {
	const pages, links = 100_000, 10
	rng := rand.New(rand.NewPCG(1, 2))
	out := make([]uint64, pages*links)
	for i := range out {
		out[i] = 1 + rng.Uint64N(pages)
	}
	b.ReportAllocs()
	for b.Loop() {
		var g Graph
		for i := range pages {
			g.Add(uint64(i+1), out[i*links:(i+1)*links])
		}
		if _, err := g.PageRank(context.Background(), nil, 30); err != nil {
			b.Fatal(err)
		}
	}
}
