package order

// The strategies that look at the graph alone, or at one score.

// bfs fetches level by level, first come first served within a level.
type bfs struct{ stateless }

func (bfs) Name() string { return "bfs" }

func (bfs) Score(l Link) Score {
	d := float64(max(l.Depth, 0))
	return Score{Value: -d, Terms: []Term{{"depth", d}}}
}

// dfs follows the newest link first.
type dfs struct{ stateless }

func (dfs) Name() string { return "dfs" }

func (dfs) Score(l Link) Score {
	n := float64(l.Seq) // exact to 2⁵³ links
	return Score{Value: n, Terms: []Term{{"found", n}}}
}

// bestFirst trusts the page a link stands on (Cho et al. 1998; P1 and P3 compare
// with it): the priority is the parent's score.
type bestFirst struct{ stateless }

func (bestFirst) Name() string { return "best-first" }

func (bestFirst) Score(l Link) Score {
	if l.Source == "" {
		return seed()
	}
	p := unit(l.SourceScore)
	return Score{Value: p, Terms: []Term{{"parent", p}}}
}

// linear adds what a link shows by itself (P3 2.3.2: 链接相关度 = 链接锚文本相关度 +
// 网址相关性 + 深度值, link relevance = anchor relevance + URL relevance + depth
// value) and, which P3 lacks, its parent's score. The weights are those DESIGN 6
// was measured with; depth costs little and only orders what is otherwise equal.
type linear struct{ stateless }

const (
	linearAnchor = .4
	linearURL    = .3
	linearParent = .3
	linearDepth  = .01
)

func (linear) Name() string { return "linear" }

func (linear) Score(l Link) Score {
	if l.Source == "" {
		return seed()
	}
	a, name := l.anchor()
	u, p, d := unit(l.URLScore), unit(l.SourceScore), float64(max(l.Depth, 0))
	return Score{
		Value: linearAnchor*a + linearURL*u + linearParent*p - linearDepth*d,
		Terms: []Term{{name, a}, {"url", u}, {"parent", p}, {"depth", d}},
	}
}
