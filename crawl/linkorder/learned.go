package linkorder

import (
	"math"
	"sync"
)

// learned learns during the crawl which links lead to targets and which lead to pages with many such links. Rennie
// and McCallum (1999) also value a link by later finds behind it:
//
//	value = w·(P(target) + .8·hub) + (1−w)·kept·prior,   w = n₊/(n₊+20)
//	prior = .4·anchor + .3·parent + .3·URL
//
// n₊ is the number of relevant pages so far. kept is the share of the prior's promises that came true in the link's
// place (see promises). Without kept, a crawl whose samples resemble a large column of another topic reads that
// column first. In 30 comparisons on two synthetic university webs (900 and 3,000 pages), kept raised the mean area
// between BFS and oracle from .53 to .92. In 16 comparisons on three small real sites it rose from .68 to .71. A
// corrected prior deserves more weight than n₊/(n₊+5): 20 is about the number of relevant pages per link feature. 20
// left the synthetic webs at .92 and raised the real sites to .73. In 13 comparisons on a third synthetic web, used
// for no choice, areas were .54 without kept, .91 with it, .92 with 20.
//
// P(target) and hub are predictions of model for a link's features (see features.link). Each sum takes its best
// inlink. P(target) is trained on the relevance of the page, with at most 3 of its inlinks. hub is trained the same
// way on min(1, Σ P(target) of the page's new links ÷ 10). There is no random exploration.
//
// A page that an aggregation page announced is a notice. It trains the regression on learned.notice, neither yes nor
// no. Otherwise a crawl that fetches notices would avoid the lists that announce them.
//
// Waiting URLs are valued again every 5 fetches up to 50, every 25 up to 500, then every 100. In between, values
// become stale, mostly too high. A crawl should therefore value a URL again when it leaves the frontier. It should
// put the URL back if it lost more than .02 and another is better. In seven comparisons on three small real sites
// with synthetic topic scores, this raised the area from .81 to .85.
//
// Above learned.hosts hosts, naive Bayes is off: it counts each host and directory feature as independent evidence.
// On synthetic graphs (48 of replay_test.go's kind, 8 each with 1 to 30 hosts), both classifiers together gain .01
// to .02 of area up to 4 hosts. From 8 hosts on they are equal within .006, and regression alone is cheaper.
//
// Memory is 12 MB for knowledge and at most 6 MB for cached features. Value costs about 1.6 µs for a new inlink and
// .3 µs for a cached one. Observe costs about 40 µs for a page of 45 links.
type learned struct {
	prior
	hub, trust, links float64
	notice            float64
	trained, maxHosts int

	cache *cache
	seen  map[uint64]struct{} // scratch of Observe

	mu    sync.RWMutex // guards the fields below
	known knowledge
}

// knowledge is the state that Save stores.
type knowledge struct {
	model    *model
	promises promises
	fetches  uint64
	relevant uint64              // n₊
	hosts    map[uint64]struct{} // hashes of hosts learned from, up to the limit
}

func newLearned(p Params) *learned {
	return &learned{
		prior: prior{p["learned.anchor"], p["learned.parent"], p["learned.url"]},
		hub:   p["learned.hub"], trust: p["learned.trust"], links: p["learned.links"],
		notice:  p["learned.notice"],
		trained: int(p["learned.train"]), maxHosts: int(p["learned.hosts"]),
		cache: newCache(), seen: map[uint64]struct{}{},
		known: knowledge{model: newModel(p), promises: newPromises(p["learned.credit"]), hosts: map[uint64]struct{}{}},
	}
}

func (*learned) Name() string { return "learned" }

// estimate is a value with its parts.
type estimate struct {
	value, w       float64
	target, hub    float64 // of the best inlink by model
	prior, kept    float64 // of the best inlink by prior; prior is multiplied by kept
	at, priorAt    int
	regressionOnly bool
}

func (l *learned) Value(t *Target) float64 {
	if len(t.Inlinks) == 0 {
		return seedValue
	}
	return l.estimateOf(t).value
}

// estimateOf values a target with inlinks.
func (l *learned) estimateOf(t *Target) estimate {
	l.mu.RLock()
	defer l.mu.RUnlock()
	n := float64(l.known.relevant)
	o := estimate{w: n / (n + l.trust), regressionOnly: l.regressionOnly()}
	top := math.Inf(-1)
	var f features
	for i := range t.inlinks() {
		in := &t.Inlinks[i]
		l.cache.link(&f, t, i)
		target, hub := l.known.model.predict(f.scored(in), o.regressionOnly)
		if v := target + l.hub*hub; v > top {
			top, o.target, o.hub, o.at = v, target, hub, i
		}
		kept := l.known.promises.kept(&f)
		if p := kept * l.prior.of(in); i == 0 || p > o.prior {
			o.prior, o.kept, o.priorAt = p, kept, i
		}
	}
	o.value = o.w*top + (1-o.w)*o.prior
	return o
}

// regressionOnly reports whether there are too many hosts for naive Bayes.
func (l *learned) regressionOnly() bool { return len(l.known.hosts) > l.maxHosts }

// Score names P(target), hub, their inlink if there are several, the parts of the best prior, kept if below 1, and
// w.
func (l *learned) Score(t *Target) Score {
	if len(t.Inlinks) == 0 {
		return seed()
	}
	o := l.estimateOf(t)
	in := &t.Inlinks[o.priorAt]
	a, name := in.anchor()
	terms := []term{{"P(target)", o.target}, {"hub", o.hub}, {name, a}, {"parent", unit(in.SourceScore)},
		{"url", unit(in.URLScore)}}
	if o.kept < 1 {
		terms = append(terms, term{"kept", o.kept})
	}
	return Score{Value: o.value, Terms: which(t, o.at, append(terms, term{"w", o.w})...)}
}

// Observe trains both predictions. It returns true when the frontier should be ranked again.
func (l *learned) Observe(f *Fetch) (stale bool) {
	t := &f.Target
	l.learnTarget(t, f.Verdict)
	if len(t.Inlinks) > 0 {
		l.learnHub(t, min(1, l.promise(f)/l.links))
	}
	n := l.known.fetches
	return n <= 50 && n%5 == 0 || n <= 500 && n%25 == 0 || n%100 == 0
}

func (l *learned) learnTarget(t *Target, v Verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known.fetches++
	y := 0.0
	switch {
	case v.Relevant:
		y = 1
		l.known.relevant++
	case v.Notice:
		y = l.notice
	}
	if len(t.Inlinks) > 0 && !l.regressionOnly() {
		p := locate(t.URL)
		l.known.hosts[p.host] = struct{}{}
	}
	// A notice is neither yes nor no for naive Bayes and the prior.
	l.train(isTarget, t, y, v.Notice && !v.Relevant)
}

func (l *learned) learnHub(t *Target, y float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.train(isHub, t, y, false)
}

// train trains the regression of a question, and all else unless regressionOnly.
func (l *learned) train(q question, t *Target, y float64, regressionOnly bool) {
	var f features
	m := l.known.model
	for i := range min(len(t.inlinks()), l.trained) {
		in := &t.Inlinks[i]
		l.cache.link(&f, t, i)
		if regressionOnly {
			m.trainRegression(q, f.scored(in), y)
			continue
		}
		m.train(q, f.scored(in), y)
		if q == isTarget {
			l.known.promises.note(&f, m, l.prior.of(in))
		}
	}
}

// maxPromiseLinks limits the new links read of one page: the first thousand of ten thousand hopeless links are enough.
const maxPromiseLinks = 1000

// promise returns Σ P(target) of a page's distinct new links, up to its limits.
func (l *learned) promise(f *Fetch) float64 {
	l.mu.RLock()
	defer l.mu.RUnlock()
	clear(l.seen)
	sum := 0.0
	var x features
	var at [1]Inlink
	for i := range f.Out {
		o := &f.Out[i]
		if !o.New || o.ID == f.Target.ID {
			continue
		}
		if len(l.seen) == maxPromiseLinks {
			break
		}
		if _, again := l.seen[o.ID]; again {
			continue
		}
		l.seen[o.ID] = struct{}{}
		at[0] = o.Inlink
		t := Target{ID: o.ID, URL: o.URL, Inlinks: at[:]}
		l.cache.link(&x, &t, 0)
		p, _ := l.known.model.predict(x.scored(&o.Inlink), l.regressionOnly())
		if sum += p; sum >= l.links {
			break
		}
	}
	return sum
}
