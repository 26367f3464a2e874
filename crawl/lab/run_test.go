package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"angler/crawl/linkorder"
)

// script is a strategy defined by a test.
type script struct {
	value    func(*linkorder.Target) float64
	observe  func(*linkorder.Fetch) bool
	observed []linkorder.Fetch
}

func (*script) Name() string { return "script" }
func (s *script) Value(t *linkorder.Target) float64 {
	if s.value == nil {
		return 0
	}
	return s.value(t)
}
func (s *script) Score(t *linkorder.Target) linkorder.Score {
	return linkorder.Score{Value: s.Value(t), Inherited: float64(t.ID)}
}
func (s *script) Observe(f *linkorder.Fetch) bool {
	copied := *f
	copied.Out = slices.Clone(f.Out)
	copied.Target.Inlinks = slices.Clone(f.Target.Inlinks)
	s.observed = append(s.observed, copied)
	return s.observe != nil && s.observe(f)
}

func mustRun(t *testing.T, g *Graph, s linkorder.Strategy, opt options) []int32 {
	t.Helper()
	got, err := fetchOrder(context.Background(), g, s, opt)
	must(t, err)
	return got
}

// byName prefers pages by a table, and records the last target of each value.
func byName(values map[string]float64) func(*linkorder.Target) float64 {
	return func(t *linkorder.Target) float64 { return values[t.URL[len("http://x.test/"):]] }
}

func TestRunOrder(t *testing.T) {
	for _, c := range []struct {
		name   string
		web    []string
		values map[string]float64
		want   string
	}{
		{"best first", []string{"a > b c d", "c > e"}, map[string]float64{"c": 3, "e": 2, "d": 1}, "a c e d b"},
		{"equals in order of discovery", []string{"a > b c d", "b > e"}, nil, "a b c d e"},
		{"a page that links to itself", []string{"a > a b"}, nil, "a b"},
		{"what cannot be reached is left out", []string{"a > b", "x > b"}, nil, "a b"},
		{"no number", []string{"a > b c"}, map[string]float64{"b": math.NaN(), "c": 1}, "a c b"},
		{"infinity is no better than nothing", []string{"a > b c"}, map[string]float64{"b": math.Inf(1), "c": 1}, "a c b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := drawn(t, c.web...)
			if got := names(g, mustRun(t, g, &script{value: byName(c.values)}, options{})); got != c.want {
				t.Errorf("fetched %s, want %s", got, c.want)
			}
		})
	}
}

// A replay gives a strategy the same data as the live engine.
func TestRunTells(t *testing.T) {
	g := drawn(t, "a > b c", "b* > c d")
	g.Pages[1].Score = .75
	g.Pages[1].Links[0].Flat = true // b → c: c stays at depth 1
	g.Anchors[2].Score = .5
	g.Pages[2].URLScore = .25
	g.Pages[1].Links[0].BlockScore, g.Pages[1].Links[0].Pager = .125, true
	s := &script{}
	mustRun(t, g, s, options{})
	if len(s.observed) != 4 {
		t.Fatalf("%d fetches observed, want 4", len(s.observed))
	}
	b := s.observed[1]
	if b.Target.ID != 2 || b.Target.Depth != 1 || b.Verdict != (linkorder.Verdict{Score: .75, Relevant: true}) {
		t.Errorf("the fetch of b was told as %+v", b)
	}
	wantC := linkorder.Inlink{Source: 2, SourceURL: "http://x.test/b", Anchor: "c", Block: "body/div", Pager: true, AnchorScore: .5,
		URLScore: .25, BlockScore: .125, SourceScore: .75, Inherited: 2}
	want := []linkorder.Out{{ID: 3, URL: "http://x.test/c", New: false, Inlink: wantC}, {ID: 4, URL: "http://x.test/d", New: true, Inlink: b.Out[1].Inlink}}
	if !reflect.DeepEqual(b.Out, want) {
		t.Errorf("links of b:\n%+v\nwant\n%+v", b.Out, want)
	}
	c := s.observed[2].Target
	if c.Depth != 1 || len(c.Inlinks) != 2 || c.Inlinks[1] != wantC {
		t.Errorf("c was fetched as %+v, want two inlinks", c)
	}
}

func TestRunKeepsFewWays(t *testing.T) {
	web := []string{"a > p1 p2 p3 p4 p5 z"}
	for i := 1; i <= 5; i++ {
		web = append(web, fmt.Sprintf("p%d > z", i))
	}
	g := drawn(t, web...)
	s := &script{value: byName(map[string]float64{"z": -1})}
	mustRun(t, g, s, options{})
	if last := s.observed[6].Target; len(last.Inlinks) != linkorder.MaxInlinks {
		t.Errorf("z came with %d inlinks, want %d", len(last.Inlinks), linkorder.MaxInlinks)
	}
}

// When a strategy reports that it learned, all waiting pages are valued again.
func TestRunScoresAnew(t *testing.T) {
	g := drawn(t, "a > b c d", "b > e")
	values := map[string]float64{"b": 4, "c": 3, "d": 2}
	s := &script{value: byName(values)}
	s.observe = func(f *linkorder.Fetch) bool {
		if f.Target.ID != 2 { // b
			return false
		}
		values["c"], values["d"] = 0, 5
		return true
	}
	if got := names(g, mustRun(t, g, s, options{})); got != "a b d c e" {
		t.Errorf("fetched %s", got)
	}
}

// keeper is a script that learns.
type keeper struct{ *script }

func (keeper) Save() []byte      { return nil }
func (keeper) Load([]byte) error { return nil }

// A page whose value fell since it was queued goes back, but only under a learning strategy.
func TestRunChecksAgainAtThePop(t *testing.T) {
	for _, c := range []struct {
		name   string
		learns bool
		drop   float64
		want   string
	}{
		{"sunk", true, 2, "a b d c"},
		{"sunk by next to nothing", true, .01, "a b c d"},
		{"sunk, but still the best", true, .5, "a b c d"},
		{"a strategy that does not learn", false, 2, "a b c d"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := drawn(t, "a > b c d")
			values := map[string]float64{"b": 4, "c": 3, "d": 2}
			s := &script{value: byName(values)}
			s.observe = func(f *linkorder.Fetch) bool {
				if f.Target.ID == 2 {
					values["c"] -= c.drop
				}
				return false
			}
			var is linkorder.Strategy = s
			if c.learns {
				is = keeper{s}
			}
			if got := names(g, mustRun(t, g, is, options{})); got != c.want {
				t.Errorf("fetched %s, want %s", got, c.want)
			}
		})
	}
}

func TestRunSeeds(t *testing.T) {
	g := site(300, 1)
	same := func(seed uint64) []int32 { return mustRun(t, g, &script{}, options{Seed: seed}) }
	if !slices.Equal(same(7), same(7)) {
		t.Error("the same seed gave two orders")
	}
	if slices.Equal(same(7), same(8)) || slices.Equal(same(0), same(7)) {
		t.Error("different seeds gave the same order of equals")
	}
}

func TestRunStops(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	reports := 0
	_, err := fetchOrder(ctx, site(2000, 1), &script{}, options{Report: func(int) {
		if reports++; reports == 2 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) || reports != 2 {
		t.Errorf("cancelled at report 2: %d reports, error %v", reports, err)
	}
}

// On a university-like web, under every strategy and tie order: every page is fetched once, no order beats the
// oracle, recall never falls, and runs are reproducible.
func TestEveryStrategy(t *testing.T) {
	for _, web := range []uint64{1, 2} {
		g := site(600, web)
		pages, targets := g.Reach()
		best := newCurve(g, oracleOrder(g))
		if best.Pages != pages || len(best.Hits) != targets || targets == 0 {
			t.Fatalf("the oracle found %d targets on %d pages, want %d on %d", len(best.Hits), best.Pages, targets, pages)
		}
		for _, name := range linkorder.Names() {
			for _, seed := range []uint64{0, 1} {
				t.Run(fmt.Sprintf("%s, web %d, ties %d", name, web, seed), func(t *testing.T) {
					run := func() []int32 {
						s, err := linkorder.New(name, nil)
						must(t, err)
						return mustRun(t, g, s, options{Seed: seed})
					}
					got := run()
					once := map[int32]bool{}
					for _, p := range got {
						if once[p] {
							t.Fatalf("page %d was fetched twice", p)
						}
						once[p] = true
					}
					c := newCurve(g, got)
					if c.Pages != pages || len(c.Hits) != targets {
						t.Fatalf("fetched %d pages with %d targets, want %d and %d", c.Pages, len(c.Hits), pages, targets)
					}
					if c.area() > best.area()+1e-12 {
						t.Errorf("area %v, the oracle's is %v", c.area(), best.area())
					}
					for n, last := 1, 0.0; n <= pages; n++ {
						if now := c.Recall(n); now < last || now > 1 {
							t.Fatalf("recall after %d pages is %v, before it was %v", n, now, last)
						} else {
							last = now
						}
					}
					if !slices.Equal(got, run()) {
						t.Error("a second run went another way")
					}
				})
			}
		}
	}
}
