package topic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/topic"
)

// TestNegativeSamplesOnRealSites takes every section of at least 3 list pages as the topic, and up
// to three of its pages as samples (ten draws). Negative samples are up to three list pages of
// other sections: the highest scoring ones, which an analyst would see first, or any. It measures
// the pages found besides these, by F1 at the automatic θ and by AUC, with and without the negative
// samples' weights (γ = 0 leaves only their effect on θ). Only the figures of the default scheme at
// the default γ are asserted; others are printed if wide is set.
func TestNegativeSamplesOnRealSites(t *testing.T) {
	if testing.Short() {
		t.Skip("judges two sites some thousand times")
	}
	schemes, gammas := []topic.Scheme{topic.SchemeRecords}, []float64{topic.DefaultGamma}
	if wide {
		schemes, gammas = topic.Schemes, []float64{0, topic.DefaultGamma, 1} // 1: Rocchio with both sides alike
	}
	var sites []*site
	var indexes []*topic.Index
	for _, name := range realSites {
		s := readSite(t, name)
		sites, indexes = append(sites, s), append(indexes, s.index())
	}
	for _, scheme := range schemes {
		cfg := topic.Default()
		cfg.Scheme = scheme
		mean := func(gamma float64, top bool) (f1, auc float64) {
			cfg.Gamma = gamma
			tasks := 0.0
			for i, s := range sites {
				names, members := s.sections()
				for _, name := range names {
					f, a := s.negativeF1(cfg, indexes[i], members[name], top)
					f1, auc, tasks = f1+f, auc+a, tasks+1
				}
			}
			return f1 / tasks, auc / tasks
		}
		for _, top := range []bool{true, false} {
			f1, auc := mean(-1, top)
			row := fmt.Sprintf("%-8s %s without F1 %.3f AUC %.4f", scheme, map[bool]string{true: "highest", false: "any    "}[top], f1, auc)
			for _, gamma := range gammas {
				f, a := mean(gamma, top)
				row += fmt.Sprintf("  γ %.1f F1 %.3f AUC %.4f", gamma, f, a)
				if gamma == topic.DefaultGamma && scheme == topic.SchemeRecords && (f < f1-.001 || a < auc-.001) {
					t.Errorf("negative samples make it worse: F1 %.3f AUC %.4f, without them %.3f %.4f", f, a, f1, auc)
				}
			}
			t.Log(row)
		}
	}
}

// negativeF1 returns the mean F1 and AUC over draws of samples; γ below 0 builds without negative
// samples, but still excludes their pages from the count.
func (s *site) negativeF1(cfg topic.Config, ix *topic.Index, members []int, top bool) (f1, auc float64) {
	const draws, most = 10, 3
	bg := ix.Background()
	for draw := range uint64(draws) {
		r := rand.New(rand.NewPCG(draw, 7))
		told := map[int]bool{}
		var samples, negative []topic.Doc
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
		for _, i := range others[:min(most, len(others))] {
			told[i] = true
			negative = append(negative, s.pages[i].doc)
		}
		if cfg.Gamma < 0 {
			negative = nil
		}
		ix.Apply(topic.BuildAgainst(cfg, samples, negative, s.lex, bg))
		scores := ix.Scores()
		var o outcome
		var right, wrong []float64
		for i := range s.pages {
			if told[i] {
				continue
			}
			x, _ := scores.Of(uint64(i))
			is := slices.Contains(members, i)
			o.count(x >= scores.Theta, is)
			if is {
				right = append(right, x)
			} else {
				wrong = append(wrong, x)
			}
		}
		f1 += o.f1() / draws
		auc += before(right, wrong) / draws
	}
	return f1, auc
}

// before returns the share of pairs in which the right one scores higher; half of the ties count.
func before(right, wrong []float64) float64 {
	n := 0.0
	for _, r := range right {
		for _, w := range wrong {
			switch {
			case r > w:
				n++
			case r == w:
				n += .5
			}
		}
	}
	return n / float64(len(right)*len(wrong))
}
