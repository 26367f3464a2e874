package article

import (
	"math"
	"testing"
)

// The text with the largest expected F1 takes a line that is less likely than not, where
// little else is likely.
func TestLikeliest(t *testing.T) {
	for _, c := range []struct {
		name string
		p    []float64
		want int
	}{
		{"sure ones alone", []float64{.01, .95, .9, .02, .03}, 2},
		{"the best of unlikely ones", []float64{.05, .3, .05}, 1},
		{"doubtful ones beside doubtful ones", []float64{.5, .45, .4}, 3},
		{"none", nil, 0},
	} {
		lines := make([]TextLine, len(c.p))
		for i, p := range c.p {
			lines[i] = TextLine{Run: int32(i), Chars: 50, P: p}
		}
		n := Likeliest(lines, true)
		if n != c.want {
			t.Errorf("%s: %d lines, want %d", c.name, n, c.want)
		}
		for i := range n {
			if i > 0 && lines[i].P > lines[i-1].P {
				t.Errorf("%s: not sorted", c.name)
			}
		}
	}
}

// The lines around a line have a say in it, but not in a thread.
func TestNeighboursSay(t *testing.T) {
	lines := []TextLine{{Chars: 100, P: .9}, {Run: 1, Chars: 5, P: .4}, {Run: 2, Chars: 100, P: .9}}
	alone := append([]TextLine(nil), lines...)
	Likeliest(lines, false)
	Likeliest(alone, true)
	of := func(lines []TextLine) float64 {
		for _, l := range lines {
			if l.Run == 1 {
				return l.P
			}
		}
		return math.NaN()
	}
	if of(alone) != .4 || !(of(lines) > .4) {
		t.Errorf("alone %.2f, among likely lines %.2f", of(alone), of(lines))
	}
}

// A line is as far in a text as its shingles are, and a short one if it is a line of it.
func TestVotesFor(t *testing.T) {
	s := shinglesOf([voters]string{"The bridge was opened yesterday by the mayor.\nPower\t400 watts", "the BRIDGE was opened yesterday", ""})
	for line, want := range map[string][voters]float64{
		"The bridge was opened yesterday": {1, 1, 0},
		"Power":                           {1, 0, 0},
		"bridge":                          {0, 0, 0},
		"Members online, and what else":   {0, 0, 0},
	} {
		if got := s.votesFor(line); got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	if half := s.votesFor("The bridge was opened yesterday, and it fell down today"); half[0] < .3 || half[0] > .7 {
		t.Errorf("half a line: %v", half)
	}
	if l := s.likeness(0, 1); l < .5 || l >= 1 {
		t.Errorf("likeness %v", l)
	}
	if l := s.likeness(2, 2); l != 0 {
		t.Errorf("likeness of nothing %v", l)
	}
}
