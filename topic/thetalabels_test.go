package topic

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// shaded is an index of lists with decreasing numbers of the topic's words: page i has i of ten
// tender words, so its score grows with i. Page 10 is the sample.
func shaded(cfg Config) (*Index, *Model) {
	lex := &names{}
	ix := NewIndex()
	doc := func(i int) Doc {
		words := bag{fmt.Sprint("w", i): 1}
		if i > 0 {
			words["招标"] = float64(i)
		}
		if i < 10 {
			words["讲座"] = float64(10 - i)
		}
		d := lex.doc(refPage{list: words, records: 10, dated: 10})
		d.URL = fmt.Sprintf("http://www.x.test/c%d/list.htm", i)
		return d
	}
	for i := range 11 {
		ix.Add(uint64(i), doc(i))
	}
	notice := lex.doc(refPage{list: bag{"招标": 9}, records: 1})
	notice.URL = "http://www.x.test/info/1.htm"
	ix.Add(99, notice)
	m := Build(cfg, []Doc{doc(10)}, lex, nil)
	ix.Apply(m)
	return ix, m
}

func TestLabelsMoveTheta(t *testing.T) {
	ix, m := shaded(config(SchemeRecords, NormFull))
	score := make([]float64, 11)
	for i := range score {
		score[i], _ = ix.Scores().Of(uint64(i))
	}
	if !slices.IsSorted(score) || score[2] >= m.Theta() || score[3] < m.Theta() {
		t.Fatalf("the scores %v do not suit θ %v", score, m.Theta())
	}
	auto, rule := m.Theta(), m.ThetaRule()
	between := func(a, b int) [2]float64 { return [2]float64{score[a], score[b]} }
	stays := [2]float64{auto - 1e-9, auto}
	for _, c := range []struct {
		name   string
		labels map[uint64]Label
		want   [2]float64 // θ lies above the first, and at most at the second
		from   int
	}{
		{"no labels", nil, stays, 0},
		{"labels that say what θ says", map[uint64]Label{1: No, 9: Yes}, stays, 0},
		{"unsure says nothing", map[uint64]Label{3: Unsure, 2: Unsure}, stays, 0},
		{"a page below θ that is wanted, and one that is not", map[uint64]Label{1: No, 2: Yes}, between(1, 2), 2},
		{"a page above θ that is not wanted", map[uint64]Label{4: No}, between(4, 10), 1},
		{"one class alone, near what it says", map[uint64]Label{2: Yes}, between(1, 2), 1},
		{"both sides in doubt", map[uint64]Label{5: No, 6: No, 7: Yes, 1: No}, between(6, 7), 4},
		{"contradictory labels: the fewest errors", map[uint64]Label{8: No, 7: Yes, 6: Yes, 2: Yes, 1: No}, between(1, 2), 5},
		{"one against many, which no θ parts better", map[uint64]Label{8: No, 6: Yes, 5: Yes, 1: No}, stays, 0},
		{"a page that fails the gate", map[uint64]Label{99: Yes}, stays, 0},
		{"a page that is not there", map[uint64]Label{77: Yes, 2: Yes, 1: No}, between(1, 2), 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			ix.Apply(m)
			with := ix.Scores().ThetaWith(m, c.labels)
			n := m.WithLabels(c.labels)
			ix.Apply(n)
			if applied, back := ix.Scores().Theta, ix.Scores().ThetaWith(n, nil); with != applied || back != m.Theta() {
				t.Errorf("θ %v with the labels, %v without them; applied %v and %v", with, back, applied, m.Theta())
			}
			s := ix.Scores()
			if !(s.Theta > c.want[0] && s.Theta <= c.want[1]) || s.Theta != n.Theta() || s.Rule != n.ThetaRule() {
				t.Errorf("θ %v of %v (%s), want it in %v", s.Theta, score, s.Rule, c.want)
			}
			said := string(rule)
			if c.from > 0 {
				said = strings.Replace(fmt.Sprintf("automatic: θ from %d labels, in the widest gap of the scores", c.from), "1 labels", "1 label", 1)
			}
			if string(s.Rule) != said {
				t.Errorf("%q, want %q", s.Rule, said)
			}
			if s.labelled != (c.from > 0) {
				t.Errorf("labels moved θ: %v, from %d", s.labelled, c.from)
			}
			if n.Rev == m.Rev {
				t.Error("a model with labels must be another one")
			}
		})
	}
	ix.Apply(m.WithLabels(map[uint64]Label{2: Yes, 1: No}).WithLabels(nil))
	if s := ix.Scores(); s.Theta != auto || s.Rule != rule {
		t.Errorf("labels taken back leave θ %v (%s), want %v", s.Theta, s.Rule, auto)
	}
	cfg := m.config()
	cfg.Theta = .77
	ix.Apply(m.WithLabels(map[uint64]Label{2: Yes, 1: No}).WithConfig(cfg))
	if s := ix.Scores(); s.Theta != .77 || s.Rule != RuleSet {
		t.Errorf("labels moved a θ that was set by hand to %v (%s)", s.Theta, s.Rule)
	}
	if s := ix.Scores().Deciding(nil, 3); s != nil {
		t.Errorf("a θ set by hand is asked about: %v", s)
	}
}

// TestDecidingHalvesWhatIsOpen answers the first question until no page decides θ: that takes few
// questions, and θ then separates the answers.
func TestDecidingHalvesWhatIsOpen(t *testing.T) {
	ix, m := shaded(config(SchemeRecords, NormFull))
	for wanted := range 10 { // the relevant page with the lowest score
		labels := map[uint64]Label{}
		for range 7 {
			ix.Apply(m.WithLabels(labels))
			picks := ix.Scores().Deciding(labels, 1)
			if len(picks) == 0 {
				break
			}
			if p := picks[0]; !p.Decides || labels[p.ID] != NoLabel || p.ID > 10 {
				t.Fatalf("%+v is asked after %v", p, labels)
			}
			labels[picks[0].ID] = No
			if picks[0].ID >= uint64(wanted) {
				labels[picks[0].ID] = Yes
			}
		}
		ix.Apply(m.WithLabels(labels))
		s := ix.Scores()
		if again := s.Deciding(labels, 9); len(again) > 0 {
			t.Errorf("from %d: %d labels leave %d questions", wanted, len(labels), len(again))
		}
		for i := range uint64(11) {
			if x, _ := s.Of(i); i > 0 && (x >= s.Theta) != (i >= uint64(wanted)) {
				t.Errorf("from %d: θ %v is wrong about page %d, %v, after %v", wanted, s.Theta, i, x, labels)
			}
		}
	}
	several := ix.Scores().Deciding(map[uint64]Label{5: Unsure}, 9)
	if len(several) > maxDeciding {
		t.Errorf("%d questions at once", len(several))
	}
	if none := flatScores(.1, .5).Deciding(nil, 3); none != nil {
		t.Errorf("without a model: %v", none)
	}
}

// Where scores crowd around θ labels would help, until they moved it.
func TestNoValley(t *testing.T) {
	crowd := []float32{.1, .29, .31, .33, .35, .8, .9}
	for _, c := range []struct {
		name     string
		values   []float32
		labelled bool
		want     bool
	}{
		{"a crowd", crowd, false, true},
		{"a crowd with θ from labels", crowd, true, false},
		{"a valley", []float32{.1, .2, .8, .9}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if s := (&Scores{values: c.values, Theta: .32, labelled: c.labelled}); s.NoValley() != c.want {
				t.Errorf("NoValley is %v", !c.want)
			}
		})
	}
}

// A θ from labels is within 0 … 1 for any scores.
func TestThetaFromLabelsOfAnyScores(t *testing.T) {
	for _, values := range [][]float32{{0, 0, 0}, {1, 1}, {removed, .5}, {.5, .5, .5}, {1e-30, 1}} {
		s := flatScores(values...)
		for _, known := range [][]known{{{.5, false, true}}, {{0, true, true}}, {{1, false, true}, {0, true, true}}, {{.5, true, true}, {.5, false, true}}} {
			slices.SortFunc(known, byScore)
			s.known = known
			if x := s.fromLabels(.3); math.IsNaN(x) || x < 0 || x > 1 {
				t.Errorf("%v with %v: θ %v", values, known, x)
			}
		}
	}
}
