package topic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/topic"
)

// TestAntiSamplesOnRealSites takes every section of at least 3 list pages as the
// topic, up to three of its pages as samples (ten draws), and as anti-samples up
// to three list pages of other sections: those an analyst would see first
// because they score highest, or any. Measured is what is found beside the
// samples and anti-samples, with and without the anti-samples' weights (γ = 0
// leaves only their say in the automatic θ).
func TestAntiSamplesOnRealSites(t *testing.T) {
	if testing.Short() {
		t.Skip("judges two sites some thousand times")
	}
	var sites []*site
	var indexes []*topic.Index
	for _, name := range realSites {
		s := readSite(t, name)
		sites, indexes = append(sites, s), append(indexes, s.index())
	}
	for _, scheme := range topic.Schemes {
		cfg := topic.Default()
		cfg.Scheme = scheme
		mean := func(gamma float64, top bool) float64 {
			cfg.Gamma = gamma
			sum, tasks := 0.0, 0
			for i, s := range sites {
				names, members := s.sections()
				for _, name := range names {
					sum += s.antiF1(cfg, indexes[i], members[name], top)
					tasks++
				}
			}
			return sum / float64(tasks)
		}
		without := [2]float64{mean(-1, true), mean(-1, false)}
		row := fmt.Sprintf("%-8s without anti-samples %.3f (any %.3f)", scheme, without[0], without[1])
		for _, gamma := range []float64{0, topic.DefaultGamma} {
			with := [2]float64{mean(gamma, true), mean(gamma, false)}
			row += fmt.Sprintf("  γ %.1f %.3f (%.3f)", gamma, with[0], with[1])
			if gamma == topic.DefaultGamma && scheme == topic.SchemeRecords && with[0] < without[0] {
				t.Errorf("anti-samples make it worse: mean F1 %.3f, without them %.3f", with[0], without[0])
			}
		}
		t.Log(row)
	}
}

// antiF1 returns the mean F1 over draws of samples; γ below 0 builds without
// anti-samples, but leaves their pages out of the count all the same.
func (s *site) antiF1(cfg topic.Config, ix *topic.Index, members []int, top bool) (mean float64) {
	const draws, antis = 10, 3
	bg := ix.Background()
	for draw := range uint64(draws) {
		r := rand.New(rand.NewPCG(draw, 7))
		told := map[int]bool{}
		var samples, anti []topic.Doc
		for _, k := range r.Perm(len(members))[:min(3, len(members)-1)] {
			told[members[k]] = true
			samples = append(samples, s.pages[members[k]].doc)
		}
		plain := topic.Build(cfg, samples, s.lex, bg)
		var others []int
		for _, i := range r.Perm(len(s.pages)) {
			if s.pages[i].list && !slices.Contains(members, i) {
				others = append(others, i)
			}
		}
		if top {
			slices.SortStableFunc(others, func(a, b int) int {
				if x, y := plain.Score(&s.pages[a].doc), plain.Score(&s.pages[b].doc); x != y {
					return map[bool]int{true: -1, false: 1}[x > y]
				}
				return 0
			})
		}
		for _, i := range others[:min(antis, len(others))] {
			told[i] = true
			anti = append(anti, s.pages[i].doc)
		}
		if cfg.Gamma < 0 {
			anti = nil
		}
		ix.Apply(topic.BuildAgainst(cfg, samples, anti, s.lex, bg))
		scores := ix.Scores()
		var o outcome
		for i := range s.pages {
			if !told[i] {
				x, _ := scores.Of(uint64(i))
				o.count(x >= scores.Theta, slices.Contains(members, i))
			}
		}
		mean += o.f1() / draws
	}
	return mean
}
