package order

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
)

func make1(t testing.TB, name string) Strategy {
	t.Helper()
	s, err := New(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestScore(t *testing.T) {
	cases := []struct {
		name, strategy string
		link           Link
		value          float64
		why            string
		inherited      float64
	}{
		{"level", "bfs", Link{Source: "s", Depth: 3}, -3, "depth 3", 0},
		{"newest", "dfs", Link{Source: "s", Seq: 123}, 123, "found 123", 0},
		{"parent", "best-first", Link{Source: "s", SourceScore: .61, AnchorScore: .9}, .61, "parent .61", 0},
		{"seed", "best-first", Link{}, 2, "seed 1", 0},
		{"sum", "linear", Link{Source: "s", AnchorScore: .8, URLScore: .5, SourceScore: .61, Depth: 2},
			.4*.8 + .3*.5 + .3*.61 - .02, "anchor .80 url .50 parent .61 depth 2", 0},
		{"pager is as good as its list", "linear", Link{Source: "s", Pager: true, AnchorScore: .1, SourceScore: .7, Depth: 1},
			.4*.7 + .3*.7 - .01, "pager .70 url 0 parent .70 depth 1", 0},
		{"relevant parent", "fish", Link{Source: "s", SourceRelevant: true, Inherited: 1}, 4, "relevant parent, lives 3", 3},
		{"one life less", "fish", Link{Source: "s", Inherited: 3}, 2, "lives 2", 2},
		{"dead", "fish", Link{Source: "s", Inherited: 0}, 0, "lives 0", 0},
		{"seed", "fish", Link{}, 5, "seed 1", 3},
		{"relevant parent and anchor", "shark", Link{Source: "s", SourceScore: .6, AnchorScore: .5, BlockScore: .2, Inherited: .9},
			.5*.3 + .5*(.8*.5+.2*1), "anchor .50 context 1 inherited .30", .3},
		{"mute anchor in a good block", "shark", Link{Source: "s", SourceScore: .6, BlockScore: .2},
			.5*.3 + .5*(.2*.2), "anchor 0 context .20 inherited .30", .3},
		{"irrelevant parent hands on", "shark", Link{Source: "s", SourceScore: .1, Inherited: .4}, .5 * .2, "anchor 0 context 0 inherited .20", .2},
		{"block before any fetch", "block-shark", Link{Source: "s", AnchorScore: .4, BlockScore: .8, SourceScore: .6},
			.5*.3 + .5*(.5*.4+.5*.8), "anchor .40 block .80 δ .50 inherited .30", .3},
	}
	for _, c := range cases {
		t.Run(c.strategy+"/"+c.name, func(t *testing.T) {
			got := make1(t, c.strategy).Score(c.link)
			if !near(got.Value, c.value) || got.String() != c.why || !near(got.Inherited, c.inherited) {
				t.Errorf("got %v %q handing down %v, want %v %q handing down %v", got.Value, got, got.Inherited, c.value, c.why, c.inherited)
			}
		})
	}
}

// What was found behind a block's fetched links moves the others of that block,
// and not those of another.
func TestBlockSharkLearnsFromSiblings(t *testing.T) {
	s := make1(t, "block-shark")
	good := Link{Source: "http://a.test/", Block: "div.news", AnchorScore: .3, BlockScore: .3}
	bad := Link{Source: "http://a.test/", Block: "div.links", AnchorScore: .3, BlockScore: .3}
	elsewhere := Link{Source: "http://b.test/", Block: "div.news", AnchorScore: .3, BlockScore: .3}
	before := s.Score(good).Value
	if before != s.Score(bad).Value || before != s.Score(elsewhere).Value {
		t.Fatal("equal links differ before anything was fetched")
	}
	s.Observe(good, Verdict{Score: .9, Relevant: true})
	s.Observe(good, Verdict{Score: .7, Relevant: true})
	s.Observe(bad, Verdict{Score: 0})
	g, b, e := s.Score(good), s.Score(bad), s.Score(elsewhere)
	if !(g.Value > before && b.Value < before && e.Value == before) {
		t.Errorf("before %v; afterwards good %v, bad %v, elsewhere %v", before, g.Value, b.Value, e.Value)
	}
	// n = 3, n′ = 2: δ = .5·(.5 + 3/5) = .55; block = .5·.3 + .5·.8
	if want := .5 * (.45*.3 + .55*(.5*.3+.5*.8)); !near(g.Value, want) {
		t.Errorf("good is %v, want %v by the formula", g.Value, want)
	}
	if g.String() != "anchor .30 block .30 siblings .80 δ .55 inherited 0" {
		t.Errorf("terms %q", g)
	}
}

// A strategy that learns asks for a new score of what waits; the others never do.
func TestObserveAsksForRescoring(t *testing.T) {
	for _, name := range Names() {
		s := make1(t, name)
		asked := []int{}
		for i := 1; i <= 800; i++ {
			if s.Observe(Link{Source: "s", Block: "b"}, Verdict{Score: .5}) {
				asked = append(asked, i)
			}
		}
		switch {
		case name != "block-shark" && len(asked) > 0:
			t.Errorf("%s has no memory and asked after %v", name, asked)
		case name == "block-shark" && (len(asked) != 23 || asked[0] != 25 || asked[22] != 800):
			t.Errorf("%s asked after %v", name, asked)
		}
	}
}

func TestBlockSharkForgets(t *testing.T) {
	b := newBlockShark()
	for i := range 2*generation + 10 {
		b.Observe(Link{Source: fmt.Sprint(i)}, Verdict{Score: 1, Relevant: true})
	}
	if n := len(b.young) + len(b.old); n > 2*generation {
		t.Errorf("keeps %d tallies, want at most %d", n, 2*generation)
	}
	last := Link{Source: fmt.Sprint(2*generation + 9), BlockScore: .1}
	if s := b.Score(last); !strings.Contains(s.String(), "siblings 1") {
		t.Errorf("the newest is forgotten: %s", s)
	}
}

// Seeds go first whatever the strategy: somebody asked for them. Depth-first
// goes by discovery, and seeds are discovered first.
func TestSeedsFirst(t *testing.T) {
	best := Link{Source: "s", Depth: 1, AnchorScore: 1, URLScore: 1, BlockScore: 1, SourceScore: 1, SourceRelevant: true, Inherited: 3}
	for _, name := range Names() {
		if name == "dfs" {
			continue
		}
		s := make1(t, name)
		if a, b := s.Score(Link{}).Value, s.Score(best).Value; a <= b {
			t.Errorf("%s: a seed has %v, the best link %v", name, a, b)
		}
	}
}

// Better evidence never lowers a priority, and nothing odd makes it infinite.
func TestScoresAreSane(t *testing.T) {
	odd := []float64{math.NaN(), math.Inf(1), math.Inf(-1), -3, 0, .5, 7}
	for _, name := range Names() {
		s := make1(t, name)
		for _, v := range odd {
			for _, src := range []string{"", "s"} {
				l := Link{Source: src, Depth: -1, Seq: math.MaxUint64, Pager: v > 1, AnchorScore: v, URLScore: v, BlockScore: v, SourceScore: v, Inherited: v}
				s.Observe(l, Verdict{Score: v, Relevant: true})
				got := s.Score(l)
				if math.IsNaN(got.Value) || math.IsInf(got.Value, 0) || math.IsNaN(got.Inherited) || got.Inherited < 0 || got.Inherited > fishDepth {
					t.Errorf("%s with %v: value %v, inherited %v", name, v, got.Value, got.Inherited)
				}
				if len(got.Terms) == 0 || strings.Contains(got.String(), "NaN") {
					t.Errorf("%s with %v: terms %q", name, v, got)
				}
			}
		}
		s = make1(t, name)
		for _, low := range []float64{0, .1, .2, .5} {
			a := Link{Source: "s", AnchorScore: low, URLScore: low, BlockScore: low, SourceScore: low}
			b := Link{Source: "s", AnchorScore: low + .4, URLScore: low + .4, BlockScore: low + .4, SourceScore: low + .4}
			if x, y := s.Score(a).Value, s.Score(b).Value; y < x {
				t.Errorf("%s: better evidence lowered %v to %v", name, x, y)
			}
		}
	}
}

func TestNew(t *testing.T) {
	for _, name := range Names() {
		if got := make1(t, name).Name(); got != name {
			t.Errorf("%s is called %s", name, got)
		}
	}
	if !slices.Contains(Names(), Default) {
		t.Errorf("the default %q is no strategy", Default)
	}
	_, err := New("bestfirst")
	if err == nil || !strings.Contains(err.Error(), `"bestfirst"`) || !strings.Contains(err.Error(), "best-first, fish, shark") {
		t.Errorf("got %v, want an error that lists the names", err)
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

// Workers score while others observe; a block learned by many is counted once
// for each.
func TestConcurrent(t *testing.T) {
	s := make1(t, "block-shark")
	l := Link{Source: "s", Block: "b", BlockScore: .5}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				s.Observe(l, Verdict{Score: 1, Relevant: true})
				s.Score(l)
			}
		})
	}
	wg.Wait()
	if n := s.(*blockShark).Score(l).Terms[2]; n != (Term{"siblings", 1}) {
		t.Errorf("got %v, want a mean of 1", n)
	}
}

func BenchmarkScore(b *testing.B) {
	l := Link{URL: "http://a.test/info/1.htm", Source: "http://a.test/list.htm", Block: "div.list/ul.news", Depth: 2, AnchorScore: .4, BlockScore: .3, SourceScore: .7}
	for _, name := range Names() {
		s := make1(b, name)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				s.Score(l)
			}
		})
	}
}
