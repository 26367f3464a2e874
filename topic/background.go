package topic

import (
	"math"
	"sync"
)

// Background counts how many crawled pages hold each word, by term id, separately for the whole
// text and for the titles. For words of titles it also holds how evenly the sites use them. It is
// immutable once a Model was built with it, and safe for concurrent use.
type Background struct {
	N    int
	Full []uint32
	List []uint32

	// Spread holds how the sites use the words of List; nil counts all pages as one site.
	Spread *spread

	once  [numFields]sync.Once
	gains [numFields]gain
}

// minBackground is the number of pages below which g is 1. Fewer pages are mostly the samples and
// their neighbours. The topic's own words would look common and lose their weight at the analyst's
// first look.
const minBackground = 30

// gain is g_t ≥ 0 for every word: over the whole text the papers' ln((N+1)/(df_t+1)), over the
// titles the rarity by evenness (see spread). Words beyond the table were on no page.
type gain struct {
	table []float32
	rest  float32
}

// flat is the gain that changes no weight.
var flat = &gain{rest: 1}

func (g *gain) at(id uint32) float32 {
	if uint64(id) < uint64(len(g.table)) {
		return g.table[id]
	}
	return g.rest
}

// df returns the document frequencies of one text.
func (b *Background) df(f field) []uint32 {
	if f == listText {
		return b.List
	}
	return b.Full
}

// gain returns the gain of one text; flat for a background too small to tell.
func (b *Background) gain(f field) *gain {
	if b == nil || b.N < minBackground {
		return flat
	}
	b.once[f].Do(func() {
		if f == listText {
			b.gains[f].table, b.gains[f].rest = b.spread().Weights()
		} else {
			b.gains[f] = classic(b.N, b.Full)
		}
	})
	return &b.gains[f]
}

// classic is the gain ln((N+1)/(df+1)).
func classic(pages int, df []uint32) gain {
	n := math.Log(float64(pages + 1))
	g := gain{table: make([]float32, len(df)), rest: float32(n)}
	for id, d := range df {
		if d == 0 {
			g.table[id] = g.rest
			continue
		}
		g.table[id] = float32(max(n-math.Log(float64(d)+1), 0))
	}
	return g
}

// spread returns how the sites use the words; without sites, all pages count as one site.
func (b *Background) spread() *spread {
	if b.Spread != nil {
		return b.Spread
	}
	return oneSite(b.N, b.List)
}

// share returns the share of all pages that hold the word, 0 … 1.
func (b *Background) share(f field, id uint32) float64 {
	if b == nil || b.N == 0 {
		return 0
	}
	df := b.df(f)
	if uint64(id) >= uint64(len(df)) {
		return 0
	}
	return min(float64(df[id])/float64(b.N), 1)
}

// usage returns how the sites use a word of the titles; sites is 0 if the background is too small.
func (b *Background) usage(id uint32) (share, users float64, sites int) {
	if b == nil || b.N < minBackground || b.Spread == nil {
		return 0, 0, 0
	}
	u := b.Spread.usage(id)
	return u.Share, u.Users, b.Spread.Sites()
}

// background counts document frequencies: of n pages, by term id.
type background struct {
	n  int
	df [numFields][]uint32
}

func (b *background) add(f field, id uint32) {
	for int(id) >= len(b.df[f]) {
		b.df[f] = append(b.df[f], make([]uint32, max(1024, int(id)+1-len(b.df[f])))...)
	}
	b.df[f][id]++
}
