package linkorder

import (
	"strings"
	"testing"
)

// Results of fetched links change the values of their block's other links, but not those of another page.
func TestBlockSharkLearnsFromSiblings(t *testing.T) {
	s := make1(t, "block-shark")
	good := to(Inlink{Source: 1, Block: "div.news", AnchorScore: .3, BlockScore: .3})
	bad := to(Inlink{Source: 1, Block: "div.links", AnchorScore: .3, BlockScore: .3})
	elsewhere := to(Inlink{Source: 2, Block: "div.news", AnchorScore: .3, BlockScore: .3})
	before := s.Value(&good)
	if before != s.Value(&bad) || before != s.Value(&elsewhere) {
		t.Fatal("equal links differ before anything was fetched")
	}
	s.Observe(&Fetch{Target: good, Verdict: Verdict{Score: .9, Relevant: true}})
	s.Observe(&Fetch{Target: good, Verdict: Verdict{Score: .7, Relevant: true}})
	s.Observe(&Fetch{Target: bad})
	g, b, e := s.Score(&good), s.Value(&bad), s.Value(&elsewhere)
	if !(g.Value > before && b < before && e == before) {
		t.Errorf("before %v; afterwards good %v, bad %v, elsewhere %v", before, g.Value, b, e)
	}
	// n = 3, n′ = 2: δ = .5·(.5 + 3/5) = .55; block = .5·.3 + .5·.8
	if want := .5 * (.45*.3 + .55*(.5*.3+.5*.8)); !near(g.Value, want) {
		t.Errorf("good is %v, want %v by the formula", g.Value, want)
	}
	if g.String() != "anchor .30 block .30 siblings .80 δ .55 inherited 0" {
		t.Errorf("terms %q", g)
	}
}

func TestBlockSharkForgets(t *testing.T) {
	b := make1(t, "block-shark").(*blockShark)
	for i := range tallies {
		b.Observe(&Fetch{Target: to(Inlink{Source: uint64(i)}), Verdict: Verdict{Score: 1, Relevant: true}})
	}
	if n := b.tallies.len(); n > tallies {
		t.Errorf("keeps %d tallies, want at most %d", n, tallies)
	}
	last := to(Inlink{Source: tallies - 1, BlockScore: .1})
	if s := b.Score(&last); !strings.Contains(s.String(), "siblings 1") {
		t.Errorf("the newest is forgotten: %s", s)
	}
}
