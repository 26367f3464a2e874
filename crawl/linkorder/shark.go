package linkorder

// shark is Shark-search (Hersovici et al. 1998; P4 section 2.1):
//
//	inherited     = δ·sim(parent)          if the parent is relevant at all
//	              = δ·inherited(parent)    otherwise
//	neighbourhood = β·anchor + (1−β)·context
//	value         = γ·inherited + (1−γ)·neighbourhood
//
// with δ .5, β .8, γ .5. context is 1 for a link with a relevant anchor text. P4 2.2 criticises that, and
// block-shark corrects it. Otherwise context is the score of the surrounding text, for which the anchors of its
// block stand. The best inlink counts; the target inherits the maximum over its inlinks.
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

// explain names the parts of a value that the inlink at decided.
func (s shark) explain(t *Target, v float64, at int) Score {
	in := &t.Inlinks[at]
	a, name := in.anchor()
	return Score{
		Value:     v,
		Terms:     which(t, at, term{name, a}, term{"context", linkContext(in, a)}, term{"inherited", s.inherit(in)}),
		Inherited: s.maxInherited(t),
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
	// floor is the score from which a page counts as "relevant at all". The paper uses any similarity above 0, but a
	// cosine over words is hardly ever 0. Below it, the page passes on its inherited score.
	floor float64
}

func newInheritance(p Params) inheritance {
	return inheritance{delta: p["shark.delta"], floor: p["shark.floor"]}
}

// inherit returns the score that a link passes to its target.
func (h inheritance) inherit(in *Inlink) float64 {
	if s := unit(in.SourceScore); s > h.floor {
		return h.delta * s
	}
	return h.delta * unit(in.Inherited)
}

// maxInherited returns the maximum of inherit over a target's links.
func (h inheritance) maxInherited(t *Target) float64 {
	m := 0.0
	for i := range t.inlinks() {
		m = max(m, h.inherit(&t.Inlinks[i]))
	}
	return m
}
