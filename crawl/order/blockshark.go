package order

import (
	"hash/maphash"
	"sync"
)

// blockTheta is P4's θ, "usually .5": how much a block counts against the anchor
// while nothing is known.
const blockTheta = .5

// blockShark is Shark-search with the factor of the link block (P4 section 4).
// Links of one block are siblings (兄弟链接): what was found behind the fetched
// ones says what stands behind the others.
//
//	LB       = Σ anchor scores of the block ÷ its links           (P4's block score)
//	block    = γ·LB + (1−γ)·mean score of the fetched siblings    (LB alone before the first)
//	δ        = θ·(½ + (n′+1)/(n+2))
//	score    = ½·inherited + ½·((1−δ)·anchor + δ·block)
//
// n counts the links of the source page that were fetched, n′ the relevant ones
// among them. The paper prints its first formula without the middle; this
// reading keeps what the text says of it: δ is a dynamic factor made of n′/n and
// θ that says how far the block speaks for its links. Laplace's rule makes δ = θ
// while n = 0 and keeps it between θ/2 and 3θ/2. The inherited score is
// Shark-search's.
type blockShark struct {
	seed maphash.Seed

	mu      sync.Mutex
	fetches int
	young   map[uint64]tally // by source, and by source and block
	old     map[uint64]tally // entries not touched since young was last full
}

// tally counts the fetched links of one source page or one block.
type tally struct {
	n, relevant uint32
	sum         float64 // of their scores
}

// generation bounds memory: when this many tallies are young, the old ones are
// forgotten. Two generations cost some 12 MB.
const generation = 1 << 17

func newBlockShark() *blockShark {
	return &blockShark{seed: maphash.MakeSeed(), young: make(map[uint64]tally)}
}

func (*blockShark) Name() string { return "block-shark" }

func (b *blockShark) Score(l Link) Score {
	if l.Source == "" {
		return seed()
	}
	src, blk := b.keys(l)
	b.mu.Lock()
	page, siblings := b.get(src), b.get(blk)
	b.mu.Unlock()

	a, name := l.anchor()
	lb := unit(l.BlockScore)
	block := lb
	terms := []Term{{name, a}, {"block", lb}}
	if siblings.n > 0 {
		mean := siblings.sum / float64(siblings.n)
		block = sharkGamma*lb + (1-sharkGamma)*mean
		terms = append(terms, Term{"siblings", mean})
	}
	delta := blockTheta * (.5 + float64(page.relevant+1)/float64(page.n+2))
	inherited := l.inherit()
	terms = append(terms, Term{"δ", delta}, Term{"inherited", inherited})
	return Score{
		Value:     sharkGamma*inherited + (1-sharkGamma)*((1-delta)*a+delta*block),
		Terms:     terms,
		Inherited: inherited,
	}
}

// Observe counts the verdict for the link's block and source. Waiting siblings
// are due for a new score every 25 fetches at first, every 100 later.
func (b *blockShark) Observe(l Link, v Verdict) (stale bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fetches++
	if l.Source != "" {
		src, blk := b.keys(l)
		b.add(src, v)
		b.add(blk, v)
	}
	if b.fetches <= 500 {
		return b.fetches%25 == 0
	}
	return b.fetches%100 == 0
}

func (b *blockShark) keys(l Link) (source, block uint64) {
	var h maphash.Hash
	h.SetSeed(b.seed)
	h.WriteString(l.Source)
	source = h.Sum64()
	h.WriteByte(0)
	h.WriteString(l.Block)
	return source, h.Sum64()
}

func (b *blockShark) get(key uint64) tally {
	if t, ok := b.young[key]; ok {
		return t
	}
	return b.old[key]
}

func (b *blockShark) add(key uint64, v Verdict) {
	t := b.get(key)
	t.n++
	t.sum += unit(v.Score)
	if v.Relevant {
		t.relevant++
	}
	if len(b.young) >= generation {
		b.old, b.young = b.young, make(map[uint64]tally)
	}
	b.young[key] = t
}
