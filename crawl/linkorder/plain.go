package linkorder

// Strategies without memory. They use the graph, or the link itself.

// stateless provides Observe for strategies without memory.
type stateless struct{}

// Observe ignores the page.
func (stateless) Observe(*Fetch) bool { return false }

// bfs fetches level by level, first come first served within a level.
type bfs struct{ stateless }

func (bfs) Name() string { return "bfs" }

func (bfs) Value(t *Target) float64 { return -float64(max(t.Depth, 0)) }

func (s bfs) Score(t *Target) Score {
	v := s.Value(t)
	return Score{Value: v, Terms: []term{{"depth", 0 - v}}}
}

// bestFirst uses the source page (Cho, García-Molina and Page 1998): the value is the best parent's score.
type bestFirst struct{ stateless }

func (bestFirst) Name() string { return "best-first" }

func (bestFirst) Value(t *Target) float64 {
	v, _ := best(t, parent)
	return v
}

func (bestFirst) Score(t *Target) Score {
	v, at := best(t, parent)
	if at < 0 {
		return seed()
	}
	return Score{Value: v, Terms: which(t, at, term{"parent", v})}
}

func parent(in *Inlink) float64 { return unit(in.SourceScore) }

// linear adds the link's own features (P3 2.3.2: 链接相关度 = 链接锚文本相关度 + 网址相关性 + 深度值, link relevance = anchor relevance +
// URL relevance + depth value). Unlike P3, it adds the parent's score:
//
//	value = .4·anchor + .3·URL + .3·parent + important − .01·depth
//
// of the target's best link. The link's own features weigh most; depth only orders equal links. P3's address
// relevance is the weight of an important domain. Ours is that weight and the words of the address. Links below min
// are left out (P3 2.3, 閾值); the paper's threshold of .028 belongs to its own scale.
type linear struct {
	stateless
	prior     prior
	depth     float64
	min       float64
	important domains
}

func newLinear(p Params) linear {
	return linear{prior: prior{p["linear.anchor"], p["linear.parent"], p["linear.url"]}, depth: p["linear.depth"],
		min: p["linear.min"], important: newDomains(p)}
}

func (linear) Name() string { return "linear" }

// Least implements chooser.
func (s linear) Least() float64 { return s.min }

func (s linear) Value(t *Target) float64 {
	v, at := best(t, s.prior.of)
	if at < 0 {
		return v
	}
	return v + s.important.of(t.URL) - s.depth*float64(max(t.Depth, 0))
}

func (s linear) Score(t *Target) Score {
	_, at := best(t, s.prior.of)
	if at < 0 {
		return seed()
	}
	in := &t.Inlinks[at]
	a, name := in.anchor()
	terms := []term{{name, a}, {"url", unit(in.URLScore)}, {"parent", unit(in.SourceScore)}}
	if w := s.important.of(t.URL); w > 0 {
		terms = append(terms, term{"important domain", w})
	}
	terms = append(terms, term{"depth", float64(max(t.Depth, 0))})
	v := s.Value(t)
	if s.min > 0 && v < s.min {
		terms = append(terms, term{"below relevance", s.min})
	}
	return Score{Value: v, Terms: which(t, at, terms...)}
}

// prior weighs a link before any learning. linear ranks by it, learned starts with it.
type prior struct{ anchor, parent, url float64 }

func (p *prior) of(in *Inlink) float64 {
	a, _ := in.anchor()
	return p.anchor*a + p.parent*unit(in.SourceScore) + p.url*unit(in.URLScore)
}
