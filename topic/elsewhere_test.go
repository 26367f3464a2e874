package topic_test

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/page"
	"angler/crawl/webtest"
	"angler/dict"
	"angler/topic"
)

// wide lets the evaluations of this package measure all schemes and all generated webs;
// heavy_test.go sets it.
var wide = false

// webSite is a generated web, read like a crawl, or several mirrored sites in one index.
type webSite struct {
	site
	tender []bool   // by page: a list of tender notices only
	open   []bool   // by page: no list, and most of its entries are tender notices; either verdict is right
	host   []string // by page
	ix     *topic.Index
}

// readWeb reads every page of a plan's web; "" is the demo's.
func readWeb(t testing.TB, plan string, o webtest.Options) *webSite {
	t.Helper()
	var web *webtest.Web
	var err error
	if plan == "" {
		web, err = webtest.Demo(o)
	} else {
		web, err = webtest.Plan(plan, o)
	}
	must(t, err)
	mirrors := map[string][]string{}
	for mirror, host := range web.Mirrors() {
		mirrors[host] = append(mirrors[host], mirror)
	}
	s := &webSite{site: site{name: plan, lex: dict.NewLexicon(nil)}}
	boiler := map[string]*page.Boilerplate{}
	var tenders []string
	for truth := range web.Truths() {
		if truth.Type == "detail" && truth.Tender {
			tenders = append(tenders, truth.Title)
		}
	}
	slices.Sort(tenders)
	for truth := range web.Truths() {
		u, err := url.Parse(truth.URL)
		must(t, err)
		for _, host := range append([]string{u.Host}, mirrors[u.Host]...) {
			r := web.Page(host, u.RequestURI())
			if r.Status != 200 {
				continue
			}
			if boiler[host] == nil {
				boiler[host] = new(page.Boilerplate)
			}
			p, err := page.Parse(page.Source{URL: "http://" + host + u.RequestURI(), ContentType: r.ContentType, Body: r.Body},
				page.Options{Now: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), Host: boiler[host].Profile()})
			if err != nil {
				continue
			}
			key := fnv.New64a()
			key.Write([]byte(p.URL))
			boiler[host].Learn(page.SampledPage{Key: key.Sum64()}, p, nil)
			s.pages = append(s.pages, sitePage{list: truth.Type == "list", page: p})
			s.tender = append(s.tender, truth.Type == "list" && truth.Tender)
			s.host = append(s.host, host)
			on := 0
			for k := range p.Records {
				title := strings.TrimRight(p.Records[k].Title, ".…")
				i, _ := slices.BinarySearch(tenders, title)
				if i < len(tenders) && strings.HasPrefix(tenders[i], title) {
					on++
				}
			}
			s.open = append(s.open, truth.Type != "list" && 2*on > len(p.Records) && !page.IsHomePage(p.URL))
		}
	}
	for i := range s.pages {
		s.pages[i].doc = s.document(s.pages[i].page)
		s.pages[i].page = nil
	}
	s.ix = s.index()
	return s
}

// judgement is the result of a model on a task.
type judgement struct{ f1, best, auc float64 }

// judge measures over the pages of the other hosts.
func (s *webSite) judge(cfg topic.Config, samples []int) judgement {
	is := func(i int) bool { return s.tender[i] }
	counts := func(i int) bool { return s.host[i] != s.host[samples[0]] }
	var docs []topic.Doc
	for _, i := range samples {
		docs = append(docs, s.pages[i].doc)
	}
	s.ix.Apply(topic.Build(cfg, docs, s.lex, s.ix.Background()))
	scores := s.ix.Scores()
	var o outcome
	var yes, no []float64
	for i := range s.pages {
		if slices.Contains(samples, i) || s.open[i] || !counts(i) {
			continue
		}
		x, _ := scores.Of(uint64(i))
		o.count(x >= scores.Theta, is(i))
		if is(i) {
			yes = append(yes, x)
		} else {
			no = append(no, x)
		}
	}
	j := judgement{f1: o.f1()}
	slices.Sort(yes)
	slices.Sort(no)
	area := 0.0
	for _, y := range yes {
		k, _ := slices.BinarySearch(no, y)
		area += float64(k)
	}
	if len(yes)*len(no) > 0 {
		j.auc = area / float64(len(yes)*len(no))
	}
	j.best = bestF1(yes, no)
	return j
}

// bestF1 returns the F1 at the best θ for the scores of on-topic and other pages, both ascending.
// The best θ is the score of an on-topic page.
func bestF1(yes, no []float64) (best float64) {
	for k, theta := range yes {
		n, _ := slices.BinarySearch(no, theta)
		tp := float64(len(yes) - k)
		best = max(best, 2*tp/(tp+float64(len(no)-n)+float64(len(yes))))
	}
	return best
}

// TestFoundElsewhere takes three lists of one site as samples and searches for those of all others
// in one index, like a person with three hundred universities. It uses the automatic θ, and again
// after 20 answers to the queue. The webs are those of testdata/web/plans. Half of the lists under
// mixed columns hold a tender now and then; they count as wrong. Under names the index holds only
// the samples' host and one other: with more, lists of eleven other names decide.
func TestFoundElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("learns some hundred times")
	}
	for _, c := range []struct {
		plan     string
		pairs    bool // two hosts in an index
		wide     bool // judged only if wide is set
		want     float64
		labelled float64
	}{
		{"tenders", false, false, .95, .98},
		{"tenders", true, true, .90, .98},
		{"names", true, false, .90, .98},
		{"sizes", false, true, .90, .98},
		{"languages", false, true, .90, .98},
		{"mirrors", false, true, .90, .98},
	} {
		if c.wide && !wide {
			continue
		}
		t.Run(fmt.Sprint(c.plan, " pairs ", c.pairs), func(t *testing.T) {
			web := readWeb(t, c.plan, webtest.Options{})
			var mean judgement
			worst, after, n := 1.0, 0.0, 0.0
			for draw := range uint64(6) {
				r := rand.New(rand.NewPCG(draw, 5))
				w := web
				if c.pairs {
					w = web.pair(r)
				}
				samples := w.lists(r, 3)
				w = w.spoken(samples[0])
				j := w.judge(topic.Default(), samples)
				worst = min(worst, j.f1)
				mean.f1, mean.best, mean.auc, n = mean.f1+j.f1, mean.best+j.best, mean.auc+j.auc, n+1
				after += w.taught(t, samples, 20)
			}
			t.Logf("F1 %.3f (worst %.3f), at the best θ %.3f, AUC %.4f; after 20 labels %.3f", mean.f1/n, worst, mean.best/n, mean.auc/n, after/n)
			if mean.f1/n < c.want || after/n < c.labelled {
				t.Errorf("F1 %.3f, want %.2f; after 20 labels %.3f, want %.2f", mean.f1/n, c.want, after/n, c.labelled)
			}
		})
	}
}

// lists draws tender lists of one site.
func (s *webSite) lists(r *rand.Rand, n int) []int {
	var own []int
	for _, i := range r.Perm(len(s.pages)) {
		if s.tender[i] && s.pages[i].doc.Records >= 3 && (len(own) == 0 || s.host[i] == s.host[own[0]]) && len(own) < n {
			own = append(own, i)
		}
	}
	return own
}

// pair returns a web of two of the hosts with tender lists.
func (s *webSite) pair(r *rand.Rand) *webSite {
	var hosts []string
	for _, i := range r.Perm(len(s.pages)) {
		if s.tender[i] && !slices.Contains(hosts, s.host[i]) && len(hosts) < 2 {
			hosts = append(hosts, s.host[i])
		}
	}
	p := &webSite{site: site{name: s.name, lex: s.lex}}
	for i := range s.pages {
		if slices.Contains(hosts, s.host[i]) {
			p.pages = append(p.pages, s.pages[i])
			p.tender, p.open, p.host = append(p.tender, s.tender[i]), append(p.open, s.open[i]), append(p.host, s.host[i])
		}
	}
	p.ix = p.index()
	return p
}

// spoken leaves tender lists in another language open: a page of one language contains no hint
// about the other.
func (s *webSite) spoken(i int) *webSite {
	english := func(i int) bool { return strings.Contains(s.pages[i].doc.URL, "/tenders") }
	w := *s
	w.open = slices.Clone(s.open)
	for k := range w.open {
		w.open[k] = s.open[k] || s.tender[k] && english(k) != english(i)
	}
	return &w
}

// taught returns the F1 over all pages after some answers, none of them on samples.
func (s *webSite) taught(t *testing.T, samples []int, answers int) float64 {
	labels := map[uint64]topic.Label{}
	for _, i := range samples {
		labels[uint64(i)] = topic.Yes
	}
	judge := func() *topic.Scores {
		l, err := s.ix.Learn(labels)
		must(t, err)
		return s.ix.Probabilities(l)
	}
	for range answers {
		picks := judge().Queue(labels, 1)
		switch id := picks[0].ID; {
		case s.open[id]:
			labels[id] = topic.Unsure
		case s.tender[id]:
			labels[id] = topic.Yes
		default:
			labels[id] = topic.No
		}
	}
	v := judge()
	var o outcome
	for i := range s.pages {
		id := uint64(i)
		if s.open[i] {
			continue
		}
		p, _ := v.Of(id)
		said := p >= v.Theta
		if l := labels[id]; l != topic.NoLabel {
			said = l == topic.Yes
		}
		o.count(said, s.tender[i])
	}
	return o.f1()
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
