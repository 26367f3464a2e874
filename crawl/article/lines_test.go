package article

import (
	"math"
	"strings"
	"testing"

	"angler/crawl/htmldoc"
)

// The text with the largest expected F1 contains an unlikely line if the others are unlikely, too.
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

// Neighbours change the probability of a line, but not in a thread.
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

// The vote for a line is the share of its shingles in a text, and 1 if it is a line of the text.
func TestVotesFor(t *testing.T) {
	s := shinglesOf([methodCount]string{"The bridge was opened yesterday by the mayor.\nPower\t400 watts", "the BRIDGE was opened yesterday", ""})
	for line, want := range map[string][methodCount]float64{
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

// A tree selects one of its leaves by a bit for each comparison.
func TestLineTree(t *testing.T) {
	tree := LineTree{Clues: [TreeDepth]uint8{clueMass, clueChars, clueLinks}, Limits: [TreeDepth]float64{.5, 3, .9}, Odds: [8]float64{0, 1, 2, 3, 4, 5, 6, 7}}
	for _, c := range []struct{ mass, chars, links, want float64 }{{0, 0, 0, 0}, {.5, 3, .9, 0}, {1, 0, 0, 1}, {0, 4, 0, 2}, {1, 4, 1, 7}} {
		var clues [ClueCount]float64
		clues[clueMass], clues[clueChars], clues[clueLinks] = c.mass, c.chars, c.links
		if got := tree.Change(&clues); got != c.want {
			t.Errorf("%v: %v", c, got)
		}
	}
	for i := range lineTrees {
		for _, c := range lineTrees[i].Clues {
			if c >= ClueCount {
				t.Fatalf("tree %d asks for clue %d of %d", i, c, ClueCount)
			}
		}
	}
}

// Cards get similar probabilities, and lines below headings of other things lower ones.
func TestCardsAndHeadingsSay(t *testing.T) {
	lines := []TextLine{{Chars: 40, P: .9, Cards: 1}, {Chars: 40, P: .9, Cards: 1}, {Chars: 40, P: .3, Cards: 1}, {Chars: 40, P: .3}}
	averageCards(lines)
	if lines[2].P <= .4 || lines[3].P != .3 {
		t.Errorf("a card %.2f, a line outside %.2f", lines[2].P, lines[3].P)
	}
	lines = []TextLine{{P: .8}, {P: .8}}
	lines[1].Clues[clueNear], lines[1].Clues[clueOthers] = .9, 1
	lowerOthers(lines)
	if lines[0].P != .8 || lines[1].P != .4 {
		t.Errorf("own %.2f, others %.2f", lines[0].P, lines[1].P)
	}
}

// Reviews of a shop have a heading and a class of reviews. Reviews of other pages stay unchanged.
func TestReviewsOfShops(t *testing.T) {
	for _, c := range []struct {
		name  string
		clues []int
		want  float64
	}{
		{"with prices", []int{clueReplies, clueReply, cluePrices}, .8 * shopReviewFactor},
		{"of a product", []int{clueReplies, clueReply, clueProduct}, .8 * shopReviewFactor},
		{"without either", []int{clueReplies, clueReply}, .8},
		{"a heading alone", []int{clueReplies, cluePrices}, .8},
		{"a class alone", []int{clueReply, cluePrices}, .8},
	} {
		lines := []TextLine{{P: .8}}
		for _, k := range c.clues {
			lines[0].Clues[k] = 1
		}
		if lowerOthers(lines); lines[0].P != c.want {
			t.Errorf("%s: %.2f", c.name, lines[0].P)
		}
	}
}

// The probability of an introduction is at least minIntro.
func TestIntroductionSays(t *testing.T) {
	lines := []TextLine{{P: .1, Intro: true}, {P: .1}, {P: .9, Intro: true}}
	raiseIntro(lines)
	if lines[0].P != minIntro || lines[1].P != .1 || lines[2].P != .9 {
		t.Errorf("%+v", lines)
	}
}

// The text has a long line once that stands on a page twice.
func TestCopiesOfLines(t *testing.T) {
	const text = "The lamp bends where it is touched, and stays bent until somebody bends it back, which takes no force."
	tree := htmldoc.NewTree("http://a.test/lamp")
	defer tree.Release()
	article := "<h1>Desk lamp</h1><p>" + text + "</p><p>" + strings.Repeat("It shines on desks, shelves and chairs. ", 12) + "</p>"
	tree.Parse("<html><body><div class=wide>" + article + "</div><div class=narrow>" + article + "</div></body></html>")
	var x TextExtractor
	seen := 0
	for _, l := range x.Lines(TextInput{Tree: tree, Links: make([]htmldoc.Link, len(tree.Refs)), Title: -1}) {
		if r := &tree.Runs[l.Run]; strings.TrimSpace(tree.Text[r.From:r.To]) == text {
			seen++
		}
	}
	if seen != 1 {
		t.Errorf("%d lines", seen)
	}
}
