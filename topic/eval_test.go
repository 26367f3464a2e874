package topic_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"angler/topic"
)

// sections returns the sections with at least 3 list pages, sorted, and their
// pages.
func (s *site) sections() ([]string, map[string][]int) {
	members := map[string][]int{}
	for i, p := range s.pages {
		if p.section != "" {
			members[p.section] = append(members[p.section], i)
		}
	}
	var names []string
	for name, m := range members {
		if len(m) >= 3 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, members
}

// TestSchemesOnRealSites takes every section of at least 3 list pages as the topic, up to three of
// its pages as samples (ten draws), and lets each scheme judge all pages of the site at the
// automatic θ. The samples count as found, because an analyst's word overrides the score. The
// stricter figure without samples is printed too; half of these topics have a single such page.
func TestSchemesOnRealSites(t *testing.T) {
	if testing.Short() {
		t.Skip("judges two sites 660 times")
	}
	const clear = .01 // one page more or less of these few lists changes as much
	mean, strict := map[string]float64{}, map[string]float64{}
	tasks := 0
	names := []string{"records/full", "tf/idf/full", "tf/idf/projected", "tf-idf/full", "tf/full", "tf/inner", "records/full/mean", "tf-idf/full/mean"}
	for _, name := range realSites {
		s := readSite(t, name)
		ix := s.index()
		sections, members := s.sections()
		for _, topicOf := range sections {
			tasks++
			row := fmt.Sprintf("%-20s %-16s %2d lists ", s.name, topicOf, len(members[topicOf]))
			for _, name := range names {
				cfg := topic.Default()
				plain, each := strings.CutSuffix(name, "/mean")
				if each {
					cfg.Similarity = topic.SimilarityMean
				}
				cut := strings.LastIndexByte(plain, '/')
				cfg.Scheme, cfg.Norm = topic.Scheme(plain[:cut]), topic.Norm(plain[cut+1:])
				f1, beside := s.meanF1(cfg, ix, members[topicOf])
				mean[name] += f1
				strict[name] += beside
				row += fmt.Sprintf("  %s %.2f", name, f1)
			}
			t.Log(row)
		}
	}
	for _, name := range names {
		mean[name] /= float64(tasks)
		t.Logf("%-18s mean F1 %.3f over %d sections, without the samples %.3f", name, mean[name], tasks, strict[name]/float64(tasks))
		if name != names[0] && mean[name] > mean[names[0]]+clear {
			t.Errorf("%s is better than the default", name)
		}
	}
	if mean[names[0]] < .80 {
		t.Errorf("default: mean F1 %.3f, want .80", mean[names[0]])
	}
}

func (s *site) meanF1(cfg topic.Config, ix *topic.Index, members []int) (all, beside float64) {
	const draws = 10
	for draw := range uint64(draws) {
		r := rand.New(rand.NewPCG(draw, 7))
		picked := map[int]bool{}
		var samples []topic.Doc
		for _, k := range r.Perm(len(members))[:min(3, len(members)-1)] {
			picked[members[k]] = true
			samples = append(samples, s.pages[members[k]].doc)
		}
		ix.Apply(topic.Build(cfg, samples, s.lex, ix.Background()))
		scores := ix.Scores()
		var everything, others outcome
		for i := range s.pages {
			x, _ := scores.Of(uint64(i))
			is := slices.Contains(members, i)
			everything.count(picked[i] || x >= scores.Theta, is)
			if !picked[i] {
				others.count(x >= scores.Theta, is)
			}
		}
		all += everything.f1() / draws
		beside += others.f1() / draws
	}
	return all, beside
}

type outcome struct{ tp, fp, fn float64 }

func (o *outcome) count(said, is bool) {
	switch {
	case said && is:
		o.tp++
	case said:
		o.fp++
	case is:
		o.fn++
	}
}

// f1 is 1 if nothing was to be found and nothing was.
func (o *outcome) f1() float64 {
	if o.tp+o.fp+o.fn == 0 {
		return 1
	}
	return 2 * o.tp / (2*o.tp + o.fp + o.fn)
}

// TestLabelsOnRealSites tests the queue and the learner: three samples, then 20 answers from the
// gold file to the queue. The topic is any list of a site, and every section of at least 3 lists.
// Labelled pages count as labelled; the figure over unlabelled pages is printed too.
func TestLabelsOnRealSites(t *testing.T) {
	if testing.Short() {
		t.Skip("learns some thousand times")
	}
	const answers = 20
	for _, name := range realSites {
		s := readSite(t, name)
		ix := s.index()
		var lists []int
		for i := range s.pages {
			if s.pages[i].list {
				lists = append(lists, i)
			}
		}
		rule, all, fresh := s.teach(t, ix, lists, 10, 3, answers)
		t.Logf("%-20s any list: F1 %.3f, on unlabelled pages %.3f; the rule alone %.3f", s.name, all, fresh, rule)
		if all < .98 {
			t.Errorf("%s: mean F1 %.3f after %d labels, want .98", s.name, all, answers)
		}
		names, members := s.sections()
		var mean [3]float64
		for _, section := range names {
			m := members[section]
			rule, all, fresh := s.teach(t, ix, m, 2, min(3, len(m)-1), answers)
			mean[0] += rule / float64(len(names))
			mean[1] += all / float64(len(names))
			mean[2] += fresh / float64(len(names))
		}
		t.Logf("%-20s %d sections: F1 %.3f, on unlabelled pages %.3f; the rule alone %.3f", s.name, len(names), mean[1], mean[2], mean[0])
		if mean[1] <= mean[0] {
			t.Errorf("%s: %d labels did not help: F1 %.3f, the rule alone %.3f", s.name, answers, mean[1], mean[0])
		}
	}
}

// teach returns the mean F1 over draws of samples, by the rule alone and after
// some answers, over all pages and over those without a label.
func (s *site) teach(t *testing.T, ix *topic.Index, members []int, draws, samples, answers int) (rule, all, fresh float64) {
	for draw := range uint64(draws) {
		r := rand.New(rand.NewPCG(draw, 9))
		labels := map[uint64]topic.Label{}
		var docs []topic.Doc
		for _, k := range r.Perm(len(members))[:samples] {
			docs = append(docs, s.pages[members[k]].doc)
			labels[uint64(members[k])] = topic.Yes
		}
		ix.Apply(topic.Build(topic.Default(), docs, s.lex, ix.Background()))
		judge := func() *topic.Scores {
			j, err := ix.Learn(labels)
			must(t, err)
			return ix.Probabilities(j)
		}
		for range answers {
			picks := judge().Queue(labels, 1)
			labels[picks[0].ID] = topic.No
			if slices.Contains(members, int(picks[0].ID)) {
				labels[picks[0].ID] = topic.Yes
			}
		}
		probability, score := judge(), ix.Scores()
		var byRule, everything, others outcome
		for i := range s.pages {
			id, is := uint64(i), slices.Contains(members, i)
			x, _ := score.Of(id)
			byRule.count(x >= score.Theta, is)
			p, _ := probability.Of(id)
			switch labels[id] {
			case topic.NoLabel:
				everything.count(p >= probability.Theta, is)
				others.count(p >= probability.Theta, is)
			default:
				everything.count(labels[id] == topic.Yes, is)
			}
		}
		rule += byRule.f1() / float64(draws)
		all += everything.f1() / float64(draws)
		fresh += others.f1() / float64(draws)
	}
	return rule, all, fresh
}
