package topic_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"angler/crawl/webtest"
	"angler/dict"
	"angler/topic"
)

// thetaTask is a topic to find among the pages of an index.
type thetaTask struct {
	set     string // kind of crawl
	site    *site
	ix      *topic.Index
	samples []int
	is      func(page int) bool
	open    func(page int) bool // either verdict is right; may be nil
}

// judge returns the F1 at the automatic θ and at the best one. The samples count as
// found.
func (k *thetaTask) judge(scheme topic.Scheme) (auto, best float64) {
	cfg := topic.Default()
	cfg.Scheme = scheme
	var docs []topic.Doc
	for _, i := range k.samples {
		docs = append(docs, k.site.pages[i].doc)
	}
	k.ix.Apply(topic.Build(cfg, docs, k.site.lex, k.ix.Background()))
	scores := k.ix.Scores()
	var o outcome
	var yes, no []float64
	for i := range k.site.pages {
		x, _ := scores.Of(uint64(i))
		is := k.is(i)
		switch {
		case slices.Contains(k.samples, i):
			x, is = 1, true
		case k.open != nil && k.open(i):
			continue
		}
		o.count(x >= scores.Theta, is)
		if is {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
	}
	slices.Sort(yes)
	slices.Sort(no)
	return o.f1(), bestF1(yes, no)
}

// TestAutomaticThreshold compares the automatic θ with the best one over sections of real sites,
// alone and among other sites, and over the generated webs, with one, two and three samples. Unless
// wide is set, it judges only the default scheme on the real sites and one generated web.
func TestAutomaticThreshold(t *testing.T) {
	if testing.Short() {
		t.Skip("judges some thousand times")
	}
	type bound struct {
		scheme topic.Scheme
		want   float64
	}
	bounds, plans := []bound{{topic.SchemeRecords, .87}}, []string{"languages"}
	if wide {
		bounds = append(bounds, bound{topic.SchemeTFIDF, .70}, bound{topic.SchemeTFdivID, .55})
		plans = []string{"", "tenders", "names", "sizes", "languages", "mirrors"}
	}
	tasks := append(realTasks(t), generatedTasks(t, plans)...)
	for _, c := range bounds {
		type sums struct{ auto, best, n float64 }
		bySet, total := map[string]*sums{}, sums{}
		for k := range tasks {
			auto, best := tasks[k].judge(c.scheme)
			set := fmt.Sprintf("%s, %d samples", tasks[k].set, len(tasks[k].samples))
			if bySet[set] == nil {
				bySet[set] = &sums{}
			}
			for _, s := range []*sums{bySet[set], &total} {
				s.auto, s.best, s.n = s.auto+auto, s.best+best, s.n+1
			}
		}
		var sets []string
		for set := range bySet {
			sets = append(sets, set)
		}
		slices.Sort(sets)
		for _, set := range sets {
			s := bySet[set]
			t.Logf("%-8s %-36s %3.0f tasks  F1 %.3f, at the best θ %.3f: %.2f of it", c.scheme, set, s.n, s.auto/s.n, s.best/s.n, s.auto/s.best)
		}
		share := total.auto / total.best
		t.Logf("%-8s F1 %.3f over %.0f tasks, %.2f of that at the best θ", c.scheme, total.auto/total.n, total.n, share)
		if share < c.want {
			t.Errorf("%s reaches %.2f of the best F1, want %.2f", c.scheme, share, c.want)
		}
	}
}

// realTasks are the sections of the real sites, each site alone and all three in one
// index.
func realTasks(t *testing.T) []thetaTask {
	var tasks []thetaTask
	all := &site{lex: dict.NewLexicon(nil)}
	var joint []thetaTask
	for _, name := range append(slices.Clone(realSites), "rs.henu.edu.cn") {
		s, first := readSite(t, name), len(all.pages)
		s.lex = all.lex
		for i := range s.pages {
			s.pages[i].doc = s.document(s.pages[i].page)
		}
		all.pages = append(all.pages, s.pages...)
		if !slices.Contains(realSites, name) {
			continue
		}
		ix := s.index()
		names, members := s.sections()
		for _, section := range names {
			m := members[section]
			for draw := range uint64(4) {
				r := rand.New(rand.NewPCG(draw, 7))
				order := r.Perm(len(m))
				for k := 1; k <= min(3, len(m)-1); k++ {
					one := thetaTask{set: "real site", site: s, ix: ix, is: func(i int) bool { return slices.Contains(m, i) }}
					three := thetaTask{set: "three real sites", site: all, is: func(i int) bool { return slices.Contains(m, i-first) }}
					for _, x := range order[:k] {
						one.samples, three.samples = append(one.samples, m[x]), append(three.samples, m[x]+first)
					}
					tasks, joint = append(tasks, one), append(joint, three)
				}
			}
		}
	}
	ix := all.index()
	for k := range joint {
		joint[k].ix = ix
	}
	return append(tasks, joint...)
}

// generatedTasks search for the tender lists of the generated webs: in a whole web, and in two of
// its sites, with samples of one site.
func generatedTasks(t *testing.T, plans []string) []thetaTask {
	var tasks []thetaTask
	for _, plan := range plans {
		web := readWeb(t, plan, webtest.Options{})
		for draw := range uint64(6) {
			r := rand.New(rand.NewPCG(draw, 5))
			for _, w := range []*webSite{web, web.pair(r)} {
				kind := "generated pair"
				if w == web {
					kind = "generated web " + cmp.Or(plan, "demo")
				}
				samples := w.lists(r, 3)
				if len(samples) == 0 {
					continue
				}
				w := w.spoken(samples[0])
				for k := 1; k <= len(samples); k++ {
					tasks = append(tasks, thetaTask{set: kind, site: &w.site, ix: w.ix, samples: samples[:k],
						is: func(i int) bool { return w.tender[i] }, open: func(i int) bool { return w.open[i] }})
				}
			}
		}
	}
	return tasks
}
