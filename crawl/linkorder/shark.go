package linkorder

// shark is Shark-search (Hersovici et al. 1998; P4 section 2.1):
//
//	inherited     = δ·sim(parent)          if the parent is relevant at all
//	              = δ·inherited(parent)    otherwise
//	neighbourhood = β·anchor + (1−β)·context
//	value         = γ·inherited + (1−γ)·neighbourhood
//
// with δ .5, β .8, γ .5, where context is 1 for a link whose anchor
// text is relevant at all (P4 2.2 criticises that, block-shark mends it) and
// otherwise the score of the text around it, for which the anchors of its block
// stand. Of several inlinks the best counts; the target inherits the most that any
// hands down.
type shark struct {
	stateless
	inheritance
	beta, gamma float64
}

func newShark(p Params) shark {
	return shark{inheritance: newInheritance(p), beta: p["shark.beta"], gamma: p["shark.gamma"]}
}

func (shark) Name() string { return "shark" }

func (s shark) Value(t *Target) float64 {
	v, _ := best(t, s.of)
	return v
}

func (s shark) Score(t *Target) Score {
	v, at := best(t, s.of)
	if at < 0 {
		return seed()
	}
	return s.explain(t, v, at)
}

// explain names the parts of a value that the link at decided.
func (s shark) explain(t *Target, v float64, at int) Score {
	in := &t.Inlinks[at]
	a, name := in.anchor()
	return Score{
		Value:     v,
		Terms:     which(t, at, Term{name, a}, Term{"context", linkContext(in, a)}, Term{"inherited", s.inherit(in)}),
		Inherited: s.most(t),
	}
}

func (s shark) of(in *Inlink) float64 {
	a, _ := in.anchor()
	return s.gamma*s.inherit(in) + (1-s.gamma)*(s.beta*a+(1-s.beta)*linkContext(in, a))
}

func linkContext(in *Inlink, anchor float64) float64 {
	if anchor > 0 {
		return 1
	}
	return unit(in.BlockScore)
}

// inheritance is Shark-search's inherited score.
type inheritance struct {
	delta float64
	// floor: the paper lets a page with any similarity above 0 hand down its own
	// score. A cosine over words is hardly ever 0, so "relevant at all" begins
	// here; below it what the page inherited is handed on.
	floor float64
}

func newInheritance(p Params) inheritance {
	return inheritance{delta: p["shark.delta"], floor: p["shark.floor"]}
}

// inherit is what a link hands down to its target.
func (h inheritance) inherit(in *Inlink) float64 {
	if s := unit(in.SourceScore); s > h.floor {
		return h.delta * s
	}
	return h.delta * unit(in.Inherited)
}

// most is the most that any of a target's links hands down.
func (h inheritance) most(t *Target) float64 {
	m := 0.0
	for i := range t.inlinks() {
		m = max(m, h.inherit(&t.Inlinks[i]))
	}
	return m
}
