package linkorder

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func make1(t testing.TB, name string) Strategy {
	t.Helper()
	s, err := New(name, nil)
	must(t, err)
	return s
}

// to returns a target of these links.
func to(links ...Inlink) Target {
	return Target{ID: 7, URL: "http://a.test/x.htm", Depth: 2, Inlinks: links}
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestScore(t *testing.T) {
	cases := []struct {
		name, strategy string
		target         Target
		value          float64
		why            string
		inherited      float64
	}{
		{"level", "bfs", Target{Depth: 3, Inlinks: []Inlink{{}}}, -3, "depth 3", 0},
		{"seed", "bfs", Target{}, 0, "depth 0", 0},
		{"parent", "best-first", to(Inlink{SourceScore: .61, AnchorScore: .9}), .61, "parent .61", 0},
		{"best parent", "best-first", to(Inlink{SourceScore: .1}, Inlink{SourceScore: .61}), .61, "parent .61 inlink 2", 0},
		{"seed", "best-first", Target{}, 10, "seed 1", 0},
		{"sum", "linear", to(Inlink{AnchorScore: .8, URLScore: .5, SourceScore: .61}),
			.4*.8 + .3*.5 + .3*.61 - .02, "anchor .80 url .50 parent .61 depth 2", 0},
		{"best sum, not best parts", "linear", to(Inlink{AnchorScore: .8, URLScore: .5}, Inlink{SourceScore: .61}),
			.4*.8 + .3*.5 - .02, "anchor .80 url .50 parent 0 depth 2 inlink 1", 0},
		{"pager is as good as its list", "linear", to(Inlink{Pager: true, AnchorScore: .1, SourceScore: .7}),
			.4*.7 + .3*.7 - .02, "pager .70 url 0 parent .70 depth 2", 0},
		{"a fifth inlink does not count", "linear", to(Inlink{}, Inlink{}, Inlink{}, Inlink{URLScore: .5}, Inlink{AnchorScore: 1}),
			.3*.5 - .02, "anchor 0 url .50 parent 0 depth 2 inlink 4", 0},
		{"relevant parent and anchor", "shark", to(Inlink{SourceScore: .6, AnchorScore: .5, BlockScore: .2, Inherited: .9}),
			.5*.3 + .5*(.8*.5+.2*1), "anchor .50 context 1 inherited .30", .3},
		{"mute anchor in a good block", "shark", to(Inlink{SourceScore: .6, BlockScore: .2}),
			.5*.3 + .5*(.2*.2), "anchor 0 context .20 inherited .30", .3},
		{"irrelevant parent hands on", "shark", to(Inlink{SourceScore: .1, Inherited: .4}), .5 * .2, "anchor 0 context 0 inherited .20", .2},
		{"best inlink, largest inheritance", "shark", to(Inlink{SourceScore: .8}, Inlink{AnchorScore: 1}),
			.5, "anchor 1 context 1 inherited 0 inlink 2", .4},
		{"block before any fetch", "block-shark", to(Inlink{AnchorScore: .4, BlockScore: .8, SourceScore: .6}),
			.5*.3 + .5*(.5*.4+.5*.8), "anchor .40 block .80 δ .50 inherited .30", .3},
		{"unranked", "hits", to(Inlink{}), 0, "authority 0", 0},
		{"unranked", "pagerank", to(Inlink{}), 0, "rank 0", 0},
		{"prior alone at first", "learned", to(Inlink{AnchorScore: .5, SourceScore: .4, URLScore: .2}),
			.4*.5 + .3*.4 + .3*.2, "P(target) .50 hub .50 anchor .50 parent .40 url .20 w 0", 0},
		{"best prior", "learned", to(Inlink{AnchorScore: .5}, Inlink{SourceScore: 1}),
			.3, "P(target) .50 hub .50 anchor 0 parent 1 url 0 w 0 inlink 1", 0},
	}
	for _, c := range cases {
		t.Run(c.strategy+"/"+c.name, func(t *testing.T) {
			s := make1(t, c.strategy)
			got := s.Score(&c.target)
			if !near(got.Value, c.value) || got.String() != c.why || !near(got.Inherited, c.inherited) {
				t.Errorf("got %v %q handing down %v, want %v %q handing down %v", got.Value, got, got.Inherited, c.value, c.why, c.inherited)
			}
			if v := s.Value(&c.target); v != got.Value {
				t.Errorf("Value is %v, Score says %v", v, got.Value)
			}
		})
	}
}

// Seeds come first under every strategy and constant, because a person named them.
func TestSeedsFirst(t *testing.T) {
	most := Params{}
	for _, p := range parameters {
		most[p.Name] = p.Max
	}
	for _, name := range Names() {
		s, err := New(name, most)
		must(t, err)
		best := to(Inlink{AnchorScore: 1, URLScore: 1, BlockScore: 1, SourceScore: 1, Inherited: 9})
		for range 200 {
			s.Observe(&Fetch{Target: best, Verdict: Verdict{Score: 1, Relevant: true}, Out: []Out{{ID: best.ID, New: true}, {ID: 8, New: true}}})
			s.Observe(&Fetch{Target: to(), Verdict: Verdict{Score: 1, Relevant: true}, Out: []Out{{ID: best.ID}}})
		}
		if a, b := s.Value(&Target{}), s.Value(&best); a <= b {
			t.Errorf("%s: a seed has %v, the best link %v", name, a, b)
		}
	}
}

// Better evidence never lowers a value, and invalid input never makes it infinite.
func TestScoresAreSane(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 0, .5, 7}
	text := []string{"", "\xff\xfe", "://", "http://", "？？/&/?", strings.Repeat("http://a/9/", 500), strings.Repeat("招a1>", 500), "\x00>\x00"}
	for _, name := range Names() {
		s := make1(t, name)
		for _, v := range odd {
			for _, x := range text {
				in := Inlink{Source: math.MaxUint64, SourceURL: x, Anchor: x, Block: x, Pager: v > 1, AnchorScore: v, URLScore: v, BlockScore: v, SourceScore: v, Inherited: v}
				for _, links := range [][]Inlink{nil, {in}, {in, {}, in, in, in, in}} {
					target := Target{ID: math.MaxUint64, URL: x, Depth: -1, Inlinks: links}
					s.Observe(&Fetch{Target: target, Verdict: Verdict{Score: v, Relevant: true}, Out: []Out{{ID: 3, URL: x, New: true, Inlink: in}, {ID: math.MaxUint64, Inlink: in}}})
					got := s.Score(&target)
					if math.IsNaN(got.Value) || math.IsInf(got.Value, 0) || !(got.Inherited >= 0 && got.Inherited <= 3) {
						t.Errorf("%s with %v, %.20q: value %v, inherited %v", name, v, x, got.Value, got.Inherited)
					}
					if len(got.Terms) == 0 || strings.Contains(got.String(), "NaN") || got.Value != s.Value(&target) {
						t.Errorf("%s with %v, %.20q: value %v, terms %q", name, v, x, s.Value(&target), got)
					}
				}
			}
		}
		s = make1(t, name)
		for _, low := range []float64{0, .1, .2, .5} {
			a := to(Inlink{AnchorScore: low, URLScore: low, BlockScore: low, SourceScore: low})
			b := to(Inlink{AnchorScore: low + .4, URLScore: low + .4, BlockScore: low + .4, SourceScore: low + .4})
			if x, y := s.Value(&a), s.Value(&b); y < x {
				t.Errorf("%s: better evidence lowered %v to %v", name, x, y)
			}
		}
	}
}

// Learning strategies request new values of waiting URLs at their intervals; others never do.
func TestObserveAsksForNewValues(t *testing.T) {
	every := func(from, step, to int) (ns []int) {
		for n := from; n <= to; n += step {
			ns = append(ns, n)
		}
		return ns
	}
	ranks := slices.Concat([]int{1, 20, 60}, every(150, 150, 750))
	want := map[string][]int{
		"block-shark": slices.Concat(every(25, 25, 500), every(600, 100, 800)),
		"hits":        ranks,
		"pagerank":    ranks,
		"learned":     slices.Concat(every(5, 5, 50), every(75, 25, 500), every(600, 100, 800)),

		"tag-path-bandit": slices.Concat(every(1, 1, 200), every(210, 10, 800)),
	}
	for _, name := range Names() {
		s := make1(t, name)
		asked := []int{}
		for i := 1; i <= 800; i++ {
			if s.Observe(&Fetch{Target: to(Inlink{Source: 1, Block: "b"}), Verdict: Verdict{Score: .5}}) {
				asked = append(asked, i)
			}
		}
		if !slices.Equal(asked, want[name]) {
			t.Errorf("%s asked after %v, want %v", name, asked, want[name])
		}
	}
}

// Workers value while one goroutine observes and another saves; run with go test -race.
func TestConcurrent(t *testing.T) {
	ts := benchTargets(300)
	for _, name := range Names() {
		s := make1(t, name)
		var wg sync.WaitGroup
		for k := range 3 {
			wg.Go(func() {
				for i := range ts {
					switch k {
					case 0:
						s.Observe(benchFetch(&ts[i], ts))
						if p, ok := s.(persistent); ok && i%100 == 0 {
							if err := p.Load(p.Save()); err != nil {
								t.Error(err)
							}
						}
					case 1:
						s.Score(&ts[i])
					case 2:
						s.Value(&ts[i])
						if p, ok := s.(persistent); ok && i%100 == 0 {
							p.Save()
						}
					}
				}
			})
		}
		wg.Wait()
		if v := s.Value(&ts[7]); math.IsNaN(v) {
			t.Errorf("%s: value %v", name, v)
		}
	}
}

func TestNothingIsAllocated(t *testing.T) {
	ts := benchTargets(2000)
	for _, name := range Names() {
		s := make1(t, name)
		s.Observe(benchFetch(&ts[0], ts))
		i := 0
		if n := testing.AllocsPerRun(1000, func() { s.Value(&ts[i]); i++ }); n != 0 {
			t.Errorf("%s: a value allocates %v times", name, n)
		}
	}
}

func TestNumber(t *testing.T) {
	cases := map[float64]string{0: "0", 1: "1", .8: ".80", -.25: "-.25", 1.5: "1.50", 12: "12", -3: "-3", .999: "1.00"}
	for v, want := range cases {
		if got := number(v); got != want {
			t.Errorf("%v: got %q, want %q", v, got, want)
		}
	}
}
