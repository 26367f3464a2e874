package order

// fish is Fish-search (De Bra and Post 1994): a relevant page gives its links
// fishDepth lives, an irrelevant one passes on one life less than it had, and
// links without a life come last. A link on a relevant page goes before all
// others. The lives of a page travel in Inherited.
type fish struct{ stateless }

// fishDepth is how many irrelevant pages in a row are crossed after a relevant
// one.
const fishDepth = 3

func (fish) Name() string { return "fish" }

func (fish) Score(l Link) Score {
	switch {
	case l.Source == "":
		// A seed counts as found on a relevant page: somebody chose it.
		return Score{Value: fishDepth + 2, Terms: []Term{{"seed", 1}}, Inherited: fishDepth}
	case l.SourceRelevant:
		return Score{Value: fishDepth + 1, Terms: []Term{{"relevant parent, lives", fishDepth}}, Inherited: fishDepth}
	}
	lives := max(l.lives()-1, 0)
	return Score{Value: lives, Terms: []Term{{"lives", lives}}, Inherited: lives}
}

func (l *Link) lives() float64 {
	if !(l.Inherited > 0) { // NaN too
		return 0
	}
	return min(l.Inherited, fishDepth)
}

// Constants of Shark-search (Hersovici et al. 1998; DESIGN 6).
const (
	sharkDelta = .5 // δ: how much of a page's relevance its links inherit
	sharkBeta  = .8 // β: anchor text against its context
	sharkGamma = .5 // γ: inheritance against neighbourhood
	// The paper lets a page with any similarity above 0 hand down its own
	// score. A cosine over words is hardly ever 0, so "relevant at all" begins
	// here; below it the grandparents' score is handed on.
	sharkFloor = .15
)

// shark is Shark-search (P4 section 2.1):
//
//	inherited    = δ·sim(parent)          if the parent is relevant at all
//	             = δ·inherited(parent)    otherwise
//	neighbourhood = β·anchor + (1−β)·context
//	score        = γ·inherited + (1−γ)·neighbourhood
//
// where context is 1 for a link whose anchor text is relevant at all (P4 2.2
// criticises that, block-shark mends it) and otherwise the score of the text
// around it, for which the anchors of its block stand.
type shark struct{ stateless }

func (shark) Name() string { return "shark" }

func (shark) Score(l Link) Score {
	if l.Source == "" {
		return seed()
	}
	inherited := l.inherit()
	a, name := l.anchor()
	context := unit(l.BlockScore)
	if a > 0 {
		context = 1
	}
	return Score{
		Value:     sharkGamma*inherited + (1-sharkGamma)*(sharkBeta*a+(1-sharkBeta)*context),
		Terms:     []Term{{name, a}, {"context", context}, {"inherited", inherited}},
		Inherited: inherited,
	}
}

// inherit is Shark-search's inherited score of a link.
func (l *Link) inherit() float64 {
	if s := unit(l.SourceScore); s > sharkFloor {
		return sharkDelta * s
	}
	return sharkDelta * unit(l.Inherited)
}
