package linkorder

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestNew(t *testing.T) {
	for _, name := range Names() {
		if got := make1(t, name).Name(); got != name {
			t.Errorf("%s is called %s", name, got)
		}
	}
	if !slices.Contains(Names(), Default) {
		t.Errorf("the default %q is no strategy", Default)
	}
	cases := []struct {
		name, strategy string
		params         Params
		want           []string // parts of the error
	}{
		{"unknown strategy", "bestfirst", nil, []string{`"bestfirst"`, "best-first, shark"}},
		{"unknown constant", "shark", Params{"shark.alpha": 1}, []string{`"shark.alpha"`, "shark.delta, shark.beta"}},
		{"too large", "shark", Params{"shark.delta": 1.5}, []string{"shark.delta is 1.5", "from 0 to 1, usually 0.5"}},
		{"not a number", "bfs", Params{"learned.hub": math.NaN()}, []string{"learned.hub is NaN", "from 0 to 4"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(c.strategy, c.params)
			if err == nil {
				t.Fatal("no error")
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q lacks %q", err, part)
				}
			}
		})
	}
}

// Every constant is in range, has a description, and affects its strategy.
func TestParametersMatter(t *testing.T) {
	ts := benchTargets(400)
	run := func(p Params, name string) (values []float64) {
		s, err := New(name, p)
		must(t, err)
		odd := Target{ID: 9999, URL: "http://b.test/", Depth: 3, Inlinks: []Inlink{{AnchorScore: .9, SourceScore: .12, Inherited: 2.5, BlockScore: .1}}}
		noisy := [2]Target{ // without and with a word that announces links
			{ID: 9998, Inlinks: []Inlink{{AnchorScore: .9, Features: packBlock(true, false, false, .3, .5)}}},
			{ID: 9997, Inlinks: []Inlink{{AnchorScore: .9, Features: packBlock(true, true, false, 0, 0)}}},
		}
		for i := range 250 {
			f := benchFetch(&ts[i], ts)
			f.Verdict.Score = float64(i%7) / 7
			f.Verdict.Notice = i%9 == 0
			f.Target.Inlinks[2].AnchorScore = 0
			f.Target.Inlinks[1].URLScore = float64(i%5) / 5
			if i%50 == 0 {
				f.Target.URL = strings.Replace(f.Target.URL, "www", string(rune('a'+i/50)), 1)
			}
			s.Observe(f)
		}
		for i := range ts {
			values = append(values, s.Value(&ts[i]), s.Score(&ts[i]).Inherited)
		}
		if c, chooses := s.(chooser); chooses {
			values = append(values, c.Least())
		}
		return append(values, s.Value(&odd), s.Value(&noisy[0]), s.Value(&noisy[1]), s.Score(&odd).Inherited)
	}
	for _, p := range parameters {
		strategy, _, _ := strings.Cut(p.Name, ".")
		if !slices.Contains(Names(), strategy) || !(p.Min <= p.Default && p.Default <= p.Max) {
			t.Errorf("bad parameter %+v", p)
		}
		changed := p.Min
		if p.Default == p.Min {
			changed = p.Max
		}
		with, without := Params{p.Name: changed}, Params{}
		if strategy == "block-shark" && p.Name != "block-shark.noise" { // noise is ignored by default
			with["block-shark.noise"], without["block-shark.noise"] = .5, .5
		}
		if strategy == "linear" { // no domain is important by default
			with[ImportantDomain+"b.test"], without[ImportantDomain+"b.test"] = commonWeight, commonWeight
		}
		if slices.Equal(run(without, strategy), run(with, strategy)) {
			t.Errorf("%s: %v does as %v does", p.Name, changed, p.Default)
		}
	}
}
