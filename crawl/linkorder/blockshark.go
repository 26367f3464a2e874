package linkorder

import "sync"

// blockShark is Shark-search with the factor of the link block (P4 section 4). Links of one block are siblings
// (兄弟链接): results of fetched siblings predict the others.
//
//	LB       = Σ anchor scores of the block ÷ its links           (P4's block score)
//	block    = γ·LB + (1−γ)·mean score of the fetched siblings    (LB alone before the first)
//	δ        = θ·(½ + (n′+1)/(n+2))
//	value    = ν·(γs·inherited + (1−γs)·((1−δ)·anchor + δ·block))
//
// θ is .5 ("usually", P4), γ is .5, and γs is Shark-search's .5. n counts the fetched links of the source page, n′
// the relevant ones among them. The paper prints its first formula without the middle. Its text says that δ is a
// dynamic factor made of n′/n and θ, the block's influence on its links. Laplace's rule makes δ = θ while n = 0 and
// keeps it between θ/2 and 3θ/2. The inherited score is Shark-search's. The best inlink counts; a fetched page
// counts for each of its inlinks. ν weighs links in noise blocks (P4 3.2, blockfeatures.go). Plain Shark-search
// values links in text blocks, because P4 4 uses the block only for blocks of links.
type blockShark struct {
	inheritance
	shark, gamma, theta float64
	plain               shark // for text blocks
	noise               noiseRule

	mu      sync.RWMutex
	fetches int
	tallies recent[tally] // by source, and by source and block
}

// tally counts the fetched links of one source page or one block.
type tally struct {
	n, relevant uint32
	sum         float64 // sum of their scores
}

// tallies is the maximum number of tallies, about 15 MB.
const tallies = 1 << 18

func newBlockShark(p Params) *blockShark {
	return &blockShark{
		inheritance: newInheritance(p), shark: p["shark.gamma"],
		gamma: p["block-shark.gamma"], theta: p["block-shark.theta"],
		plain: newShark(p), noise: newNoiseRule(p),
		tallies: newRecent[tally](tallies),
	}
}

func (*blockShark) Name() string { return "block-shark" }

func (b *blockShark) Value(t *Target) float64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	v, _ := best(t, func(in *Inlink) float64 { return b.estimateOf(in).value })
	return v
}

func (b *blockShark) Score(t *Target) Score {
	b.mu.RLock()
	v, at := best(t, func(in *Inlink) float64 { return b.estimateOf(in).value })
	if at < 0 {
		b.mu.RUnlock()
		return seed()
	}
	j := b.estimateOf(&t.Inlinks[at])
	b.mu.RUnlock()

	in := &t.Inlinks[at]
	if in.Features.Text() {
		s := b.plain.explain(t, v, at)
		s.Terms = append([]term{{"text block", 1}}, s.Terms...)
		return s
	}
	a, name := in.anchor()
	terms := []term{{name, a}, {"block", unit(in.BlockScore)}}
	if j.siblings.n > 0 {
		terms = append(terms, term{"siblings", j.siblings.mean()})
	}
	terms = append(terms, term{"δ", j.delta}, term{"inherited", b.inherit(in)})
	if j.noise < 1 {
		terms = append(terms, term{"noise", j.noise})
	}
	return Score{Value: v, Terms: which(t, at, terms...), Inherited: b.maxInherited(t)}
}

// linkEstimate is the value of one link with its parts.
type linkEstimate struct {
	value, delta float64
	noise        float64 // ν
	siblings     tally
}

func (b *blockShark) estimateOf(in *Inlink) linkEstimate {
	if in.Features.Text() {
		return linkEstimate{value: b.plain.of(in), noise: 1}
	}
	src, blk := tallyKeys(in)
	page, _ := b.tallies.get(src)
	siblings, _ := b.tallies.get(blk)
	a, _ := in.anchor()
	block := unit(in.BlockScore)
	if siblings.n > 0 {
		block = b.gamma*block + (1-b.gamma)*siblings.mean()
	}
	delta := b.theta * (.5 + float64(page.relevant+1)/float64(page.n+2))
	noise := b.noise.of(in.Features)
	return linkEstimate{
		value:    noise * (b.shark*b.inherit(in) + (1-b.shark)*((1-delta)*a+delta*block)),
		delta:    delta,
		noise:    noise,
		siblings: siblings,
	}
}

// Observe counts the verdict for the source and block of each inlink. It returns true every 25 fetches up to 500,
// then every 100.
func (b *blockShark) Observe(f *Fetch) (stale bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fetches++
	for i := range f.Target.inlinks() {
		src, blk := tallyKeys(&f.Target.Inlinks[i])
		b.add(src, f.Verdict)
		b.add(blk, f.Verdict)
	}
	if b.fetches <= 500 {
		return b.fetches%25 == 0
	}
	return b.fetches%100 == 0
}

func tallyKeys(in *Inlink) (source, block uint64) {
	source = mix(in.Source)
	return source, mix(source + hashString(in.Block))
}

func (b *blockShark) add(key uint64, v Verdict) {
	t, _ := b.tallies.get(key)
	t.n++
	t.sum += unit(v.Score)
	if v.Relevant {
		t.relevant++
	}
	b.tallies.put(key, t)
}

func (t tally) mean() float64 { return t.sum / float64(t.n) }
