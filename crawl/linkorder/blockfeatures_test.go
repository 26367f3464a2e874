package linkorder

import (
	"math"
	"strings"
	"testing"
)

func TestBlockFeaturesKeepWhatTheyAreGiven(t *testing.T) {
	f := packBlock(true, true, false, .4, 2.5)
	if !f.noise() || !f.special() || f.Text() || math.Abs(f.textSim()-.4) > 1./30 || math.Abs(f.beta()-2.5) > 1./32 {
		t.Errorf("noise: %v %v %v %v %v", f.noise(), f.special(), f.Text(), f.textSim(), f.beta())
	}
	if f := packBlock(true, false, false, 7, math.Inf(1)); f.textSim() != 1 || f.beta() != 255./16 {
		t.Errorf("above the range: %v %v", f.textSim(), f.beta())
	}
	if f := packBlock(true, false, false, math.NaN(), math.NaN()); f.textSim() != 0 || f.beta() != 0 {
		t.Errorf("no numbers: %v %v", f.textSim(), f.beta())
	}
	if f := packBlock(false, false, false, 1, 3); f != 0 {
		t.Errorf("a link in a plain block has features %x", f)
	}
}

// A link in noise is worth block-shark.noise of its value, unless it is like its
// page's title, announced, or on a page of links.
func TestBlockSharkWeighsNoise(t *testing.T) {
	in := func(f BlockFeatures) Target {
		return to(Inlink{Source: 1, Block: "div.nav", AnchorScore: .4, BlockScore: .4, Features: f})
	}
	noise := func(special bool, sim, beta float64) BlockFeatures { return packBlock(true, special, false, sim, beta) }
	off := make1(t, "block-shark")
	for _, c := range []struct {
		name   string
		params Params
		f      BlockFeatures
		want   float64 // of the value in a plain block
	}{
		{"noise", Params{}, noise(false, 0, 0), .25},
		{"no noise", Params{}, 0, 1},
		{"like the title", Params{}, noise(false, .6, 0), 1},
		{"like the title, asked for more", Params{"block-shark.textsim": .8}, noise(false, .6, 0), .25},
		{"announced", Params{}, noise(true, 0, 0), 1},
		{"announced, not asked", Params{"block-shark.special": 0}, noise(true, 0, 0), .25},
		{"on a page of links", Params{}, noise(false, 0, 2), 1},
		{"on a page of links below μ", Params{"block-shark.mu": 3}, noise(false, 0, 2), .25},
	} {
		c.params["block-shark.noise"] = .25
		s, err := New("block-shark", c.params)
		must(t, err)
		plain, target := in(0), in(c.f)
		if got, want := s.Value(&target), c.want*s.Value(&plain); !near(got, want) {
			t.Errorf("%s: %v, want %v", c.name, got, want)
		}
		if named := strings.Contains(s.Score(&target).String(), "noise .25"); named != (c.want < 1) {
			t.Errorf("%s: terms %q", c.name, s.Score(&target))
		}
		if got, want := off.Value(&target), off.Value(&plain); got != want {
			t.Errorf("%s: %v by default, want %v", c.name, got, want)
		}
	}
}

// A link inside text has the value that plain Shark-search gives it.
func TestBlockSharkInText(t *testing.T) {
	target := to(Inlink{Source: 1, Block: "div.text", AnchorScore: .3, BlockScore: .6, SourceScore: .5, Features: packBlock(false, false, true, 0, 0)})
	plain, block := make1(t, "shark"), make1(t, "block-shark")
	if got, want := block.Value(&target), plain.Value(&target); got != want {
		t.Errorf("%v, want %v", got, want)
	}
	got, want := block.Score(&target), plain.Score(&target)
	if got.String() != "text block 1 "+want.String() || got.Value != want.Value || got.Inherited != want.Inherited {
		t.Errorf("%+v, want %+v", got, want)
	}
}
