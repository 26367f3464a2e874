package topic

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
)

// crawl is an index of 200 pages: every tenth is a tender list under /zb/, as
// many are news lists with the same words under /xw/, the rest are articles.
func crawl() (*Index, map[uint64]Label) {
	lex := &names{}
	ix := NewIndex()
	truth := map[uint64]Label{}
	list := func(section string, i uint64, own string) Doc {
		d := lex.doc(refPage{list: bag{"招标": 2, own: 2, fmt.Sprint("w", i): 1}, records: 10, dated: 10})
		d.URL, d.Beta = fmt.Sprintf("http://www.x.test/%s/list%d.htm", section, i), 2
		return d
	}
	for i := range uint64(200) {
		truth[i] = No
		switch i % 10 {
		case 3:
			truth[i] = Yes
			ix.Add(i, list("zb", i, "工程"))
		case 7:
			ix.Add(i, list("xw", i, "工程"))
		default:
			d := lex.doc(refPage{list: bag{"学生": 1, fmt.Sprint("w", i): 3}, records: 2})
			d.URL, d.Beta = fmt.Sprintf("http://www.x.test/info/%d/%d.htm", i%3, i), .2
			ix.Add(i, d)
		}
	}
	ix.Apply(Build(config(SchemeRecords, NormFull), []Doc{list("zb", 3, "工程"), list("zb", 13, "工程")}, lex, nil))
	return ix, truth
}

// some returns the labels of the first n pages that the rule finds likely, by
// the queue.
func some(ix *Index, truth map[uint64]Label, n int) map[uint64]Label {
	labels := map[uint64]Label{}
	for _, p := range ix.Scores().Queue(nil, n) {
		labels[p.ID] = truth[p.ID]
	}
	return labels
}

func TestLearnerTellsWhatWordsCannot(t *testing.T) {
	ix, truth := crawl()
	measure := func(s *Scores) float64 {
		var o outcome
		for id, want := range truth {
			x, ok := s.Of(id)
			if !ok || math.IsNaN(x) || x < 0 || x > 1 {
				t.Fatalf("page %d: %v, %v", id, x, ok)
			}
			o.count(x >= s.Theta, want == Yes)
		}
		return o.f1()
	}
	j, err := ix.Learn(some(ix, truth, 12))
	must(t, err)
	rule, learned := measure(ix.Scores()), measure(ix.Probabilities(j))
	if rule > .8 || learned < .99 {
		t.Errorf("F1 %.3f by words, %.3f learned: both kinds of list share their words, only the URL tells them apart", rule, learned)
	}
	if !j.Ready() || j.Yes+j.No != 12 || j.F1 < .8 || j.F1 > 1 {
		t.Errorf("ready %v, %d yes, %d no, F1 %v", j.Ready(), j.Yes, j.No, j.F1)
	}
}

func TestJudgeIsReadyFromTenLabelsOfBothKinds(t *testing.T) {
	ix, _ := crawl()
	for _, c := range []struct {
		name    string
		yes, no uint64
		ready   bool
		err     error
	}{
		{"none", 0, 0, false, errNoYes},
		{"only no", 0, 20, false, errNoYes},
		{"one yes teaches the queue", 1, 0, false, nil},
		{"only yes", 15, 0, false, nil},
		{"nine", 5, 4, false, nil},
		{"ten", 9, 1, true, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			labels := map[uint64]Label{1000: Yes, 1001: No, 3: Unsure}
			for i := range c.yes {
				labels[4+i] = Yes
			}
			for i := range c.no {
				labels[100+i] = No
			}
			j, err := ix.Learn(labels)
			if !errors.Is(err, c.err) {
				t.Fatalf("error %v, want %v", err, c.err)
			}
			if err == nil && (j.Ready() != c.ready || uint64(j.Yes) != c.yes || uint64(j.No) != c.no) {
				t.Errorf("ready %v with %d yes, %d no: unknown pages and unsure do not count", j.Ready(), j.Yes, j.No)
			}
		})
	}
}

func TestLearnIsDeterministicAndExplainsItself(t *testing.T) {
	ix, truth := crawl()
	labels := some(ix, truth, 14)
	j, err := ix.Learn(labels)
	must(t, err)
	for range 5 {
		again, _ := ix.Learn(labels)
		if !reflect.DeepEqual(j, again) {
			t.Fatal("the same labels gave another judge")
		}
	}
	lex := &names{}
	d := lex.doc(refPage{list: bag{"招标": 1}, records: 10, dated: 10})
	d.URL, d.Beta = "http://www.x.test/zb/list3.htm", 2
	score, _ := ix.Scores().Of(3)
	p, terms := j.Explain(&d, score)
	if want, _ := ix.Probabilities(j).Of(3); math.Abs(p-want) > 1e-6 {
		t.Errorf("explained %v, judged %v", p, want)
	}
	all := ix.Probabilities(j)
	for id := range truth {
		one, ok := ix.Scores().Probability(j, uint64(id))
		if want, known := all.Of(uint64(id)); one != want || ok != known {
			t.Errorf("page %d alone: %v, %v, among all: %v, %v", id, one, ok, want, known)
		}
	}
	sum, section := 0.0, 0.0
	for i, x := range terms {
		if i > 0 && math.Abs(x.Share) > math.Abs(terms[i-1].Share) {
			t.Errorf("%q after a weaker term", x.Name)
		}
		if x.Name == "url path /zb" {
			section = x.Share
		}
		sum += x.Share
	}
	if math.Abs(sigmoid(sum)-p) > 1e-9 || section <= 0 {
		t.Errorf("terms add up to %v, probability %v; the section brings %v", sigmoid(sum), p, section)
	}
}

func TestJudgedFollowsTheIndex(t *testing.T) {
	ix, truth := crawl()
	j, err := ix.Learn(some(ix, truth, 12))
	must(t, err)
	before, _ := ix.Probabilities(j).Of(3)
	for i := range uint64(60) {
		if i != 3 {
			ix.Remove(i) // enough to pack the index
		}
	}
	s := ix.Probabilities(j)
	after, ok := s.Of(3)
	if _, gone := s.Of(5); gone || !ok || before != after || s.N != 141 {
		t.Errorf("page 3: %v then %v (%v); page 5 still there: %v; %d pages", before, after, ok, gone, s.N)
	}
}

// TestLabelsThatAgreeDoNoHarm answers the queue in random indexes like the rule. The learner must
// keep the rule's verdict on every page above three times θ or below a third. In between it may
// differ on a few pages: the queue asks for more yes than no pages, and common features of the yes
// pages may be chance.
func TestLabelsThatAgreeDoNoHarm(t *testing.T) {
	const draws = 60
	mean, worst := 0.0, 1.0
	for seed := range uint64(draws) {
		r := rand.New(rand.NewPCG(seed, 23))
		lex, ix := &names{}, NewIndex()
		var docs []Doc
		for i := range 100 + r.IntN(300) {
			p := refPage{list: bag{}, records: r.IntN(20)}
			p.dated = r.IntN(p.records + 1)
			words := 40
			if r.IntN(4) == 0 {
				words = 6 // more or less on topic
			}
			for range 1 + r.IntN(8) {
				p.list[fmt.Sprint("w", r.IntN(words))]++
			}
			d := lex.doc(p)
			d.URL = fmt.Sprintf("http://h%d.u.test/c%d/%d.htm", r.IntN(3), r.IntN(9), i)
			d.Beta = 4 * r.Float64()
			docs = append(docs, d)
			ix.Add(uint64(i), d)
		}
		samples := []Doc{
			lex.doc(refPage{list: bag{"w0": 2, "w1": 1, "w2": 1}, records: 9, dated: 9}),
			lex.doc(refPage{list: bag{"w1": 2, "w3": 1, "w4": 1}, records: 9, dated: 9}),
		}
		cfg := config(SchemeRecords, NormFull)
		cfg.Theta = .3 // many pages of both kinds
		ix.Apply(Build(cfg, samples, lex, ix.Background()))
		rule := ix.Scores()
		says := func(id uint64) Label {
			if x, _ := rule.Of(id); x >= rule.Theta {
				return Yes
			}
			return No
		}
		labels := map[uint64]Label{}
		for _, p := range rule.Queue(nil, 10+r.IntN(30)) {
			labels[p.ID] = says(p.ID)
		}
		j, err := ix.Learn(labels)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		learned := ix.Probabilities(j)
		var o outcome
		for i := range docs {
			id := uint64(i)
			p, _ := learned.Of(id)
			said, is := p >= learned.Theta, says(id) == Yes
			o.count(said, is)
			if x, _ := rule.Of(id); said != is && (x > 3*rule.Theta || x < rule.Theta/3) {
				t.Errorf("seed %d: page %d with score %.3f is judged %.3f, θ is %.3f", seed, i, x, p, rule.Theta)
			}
		}
		mean += o.f1() / draws
		worst = min(worst, o.f1())
		t.Logf("seed %d: %d pages, %d yes, %d no, F1 against the rule %.3f", seed, len(docs), j.Yes, j.No, o.f1())
	}
	t.Logf("mean F1 against the rule %.3f, worst %.3f", mean, worst)
	if mean < .96 || worst < .85 {
		t.Errorf("mean %.3f, want .96; worst %.3f, want .85", mean, worst)
	}
}

// BenchmarkLearn measures learning from a thousand labels; the interface expects 100 ms.
func BenchmarkLearn(b *testing.B) {
	ix := NewIndex()
	labels := map[uint64]Label{}
	lex := &names{}
	for i := range uint64(5000) {
		d := lex.doc(refPage{list: bag{"招标": float64(1 + i%3)}, records: int(i % 20), dated: int(i % 20)})
		d.URL = fmt.Sprintf("http://h%d.test/c%d/%d/%d.htm", i%7, i%90, i%11, i)
		ix.Add(i, d)
		if i < 1000 {
			labels[i] = []Label{Yes, No, No}[i%3]
		}
	}
	for b.Loop() {
		if _, err := ix.Learn(labels); err != nil {
			b.Fatal(err)
		}
	}
}
