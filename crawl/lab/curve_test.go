package lab

import (
	"math"
	"reflect"
	"testing"
)

// Ten pages, four targets, found by the 1st, 2nd, 4th and 10th fetch.
var ten = Curve{Pages: 10, Hits: []int32{1, 2, 4, 10}}

func TestCurveFigures(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		// Recall after 1 … 10 pages is 1 2 2 3 3 3 3 3 3 4 quarters: 27/40.
		{"area", ten.area(), 27. / 40},
		{"recall after half", ten.Recall(5), .75},
		{"recall before the first page", ten.Recall(0), 0},
		{"recall beyond the end", ten.Recall(99), 1},
		{"harvest of 4", ten.Harvest(4), .75},
		{"harvest beyond the end", ten.Harvest(99), .4},
		{"harvest of nothing", ten.Harvest(0), 0},
		{"pages for half", float64(ten.pagesFor(.5)), 2},
		{"pages for 51 %", float64(ten.pagesFor(.51)), 4},
		{"pages for 90 %", float64(ten.pagesFor(.9)), 10},
		{"pages for none is pages for one", float64(ten.pagesFor(0)), 1},
		{"share for 75 %", ten.FractionFor(.75), .4},
		{"area without targets", Curve{Pages: 3}.area(), 0},
		{"share without targets", Curve{Pages: 3}.FractionFor(.9), 0},
		{"recall of nothing", Curve{}.Recall(1), 0},
		{"position in the middle", position(.6, .5, .7), .5},
		{"worse than breadth-first", position(.4, .5, .7), -.5},
		{"nothing to gain, nothing lost", position(.5, .5, .5), 1},
		{"nothing to gain, but lost", position(.4, .5, .5), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	// 9 of 10 targets must not become 10 by rounding.
	tenTargets := Curve{Pages: 20, Hits: []int32{1, 2, 3, 4, 5, 6, 7, 8, 9, 20}}
	if n := tenTargets.pagesFor(.9); n != 9 {
		t.Errorf("90 %% of 10 targets took %d pages, want 9", n)
	}
}

func TestCurvePoints(t *testing.T) {
	for _, c := range []struct {
		name string
		n    int
		want [][2]int
	}{
		{"all", 10, [][2]int{{1, 1}, {2, 2}, {3, 2}, {4, 3}, {5, 3}, {6, 3}, {7, 3}, {8, 3}, {9, 3}, {10, 4}}},
		{"three", 3, [][2]int{{4, 3}, {8, 3}, {10, 4}}},
		{"one", 1, [][2]int{{10, 4}}},
		{"none asked", 0, [][2]int{{10, 4}}},
	} {
		if got := ten.points(c.n); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
	if got := (Curve{}).points(5); got != nil {
		t.Errorf("an empty run has points: %v", got)
	}
}

func TestNewCurve(t *testing.T) {
	g := drawn(t, "a > b c*", "b > d*")
	if got, want := newCurve(g, []int32{0, 1, 3, 2}), (Curve{Pages: 4, Hits: []int32{3, 4}}); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
