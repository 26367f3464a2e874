package topic

import "math"

// This file computes how evenly the sites of a crawl use a word, and the word's weight. siteUse
// counts as pages arrive, in a few bytes a word; a spread is its state at one moment.

// spread says how evenly the sites of a crawl use each word of the titles, and what the words
// weigh. Over the sites s with N_s pages, n_st of which hold word t, H the number of sites and p̄_t
// = (n_t+1)/(N+1) the share over all pages:
//
//	a_st = (n_st + 10·p̄_t)/(N_s + 10)        share of the site's pages, smoothed
//	r_t  = −ln √(Σ a_st²/H)                   rarity: of the root mean square share
//	n*_t = (Σ a_st)²/Σ a_st²                  how many sites use it, 1 … H
//	g_t  = r_t·(1 − 1/n*_t)/(1 − 1/H)         with H = 1: r_t
//
// A share over all pages instead would be that of the largest site. Then the name of a small site
// would be its heaviest word, and in a crawl of tender pages alone 招标 would weigh nothing. A word
// of one site cannot help to find pages of others. So scores of all sites share one scale, and one
// threshold serves them all.
//
// TestFoundElsewhere measures it: three lists of one site are samples, those of other sites are to
// be found. Tried and worse: the mean of the shares, the largest share, a dictionary's frequencies,
// words on over 30 % of one site dropped.
//
// It is immutable and safe for concurrent use.
type spread struct {
	sites int     // H
	s1    float64 // Σ 1/(N_s+10)
	s2    float64 // Σ 1/(N_s+10)²
	least float64 // 1/(N_s+10) of the largest site
	pages int     // N

	n1 []float32 // by term id: Σ n_st/(N_s+10)
	n2 []float32 // by term id: Σ [(n_st+10p̄_t)² − (10p̄_t)²]/(N_s+10)²
	df []uint32  // by term id: n_t
}

// prior is how many pages of the average site are added to each site, so that a site of three pages
// weighs little.
const prior = 10

// usage is the use of one word by the sites.
type usage struct {
	Share float64 // √(Σ a²/H), 0 … 1
	Users float64 // n*, 1 … H
}

// mean returns p̄ of a word on n pages.
func (s *spread) mean(n uint32) float64 {
	return min(float64(n)+1, float64(s.pages)+1) / (float64(s.pages) + 1)
}

// usage returns how the sites use a word. A word on no page counts as if one page of the largest
// site held it: wherever it appears first, it is the word of one site.
func (s *spread) usage(id uint32) usage {
	if uint64(id) >= uint64(len(s.df)) || s.df[id] == 0 {
		m := prior * s.mean(1)
		return s.of(m, s.least, ((1+m)*(1+m)-m*m)*s.least*s.least)
	}
	return s.of(prior*s.mean(s.df[id]), float64(s.n1[id]), float64(s.n2[id]))
}

func (s *spread) of(m, n1, n2 float64) usage {
	sum, squares := m*s.s1+n1, m*m*s.s2+n2
	h := float64(max(s.sites, 1))
	if !(squares > 0) {
		return usage{1, h}
	}
	return usage{min(math.Sqrt(squares/h), 1), min(max(sum*sum/squares, 1), h)}
}

// weight returns g of a word with this usage.
func (s *spread) weight(u usage) float32 {
	g := -math.Log(u.Share)
	if s.sites > 1 {
		g *= (1 - 1/u.Users) / (1 - 1/float64(s.sites))
	}
	if g < leastRarity {
		return 0
	}
	return float32(g)
}

// leastRarity bounds the rounding error of a word that every page holds; a cosine would scale it
// up.
const leastRarity = 1e-6

// Weights returns g of every word, and g of a word that is on no page yet.
func (s *spread) Weights() (table []float32, rest float32) {
	table = make([]float32, len(s.df))
	for id := range s.df {
		table[id] = s.weight(s.usage(uint32(id)))
	}
	return table, s.weight(s.usage(math.MaxUint32))
}

// Sites returns H.
func (s *spread) Sites() int { return s.sites }

// sums accumulates a spread in double precision, so that the order of sites, which changes when a
// workspace is reopened, does not show in the result.
type sums struct {
	*spread
	n1, n2 []float64
}

// newSums returns the sums over sites of sitePages pages, without any word's use, which use adds.
// df counts the pages that hold each word, of pages in all.
func newSums(sitePages []uint32, pages int, df []uint32) *sums {
	s := &sums{&spread{pages: pages, df: df}, make([]float64, len(df)), make([]float64, len(df))}
	largest := uint32(0)
	for _, n := range sitePages {
		if n == 0 {
			continue
		}
		x := 1 / (float64(n) + prior)
		s.sites++
		s.s1 += x
		s.s2 += x * x
		largest = max(largest, n)
	}
	s.least = 1 / (float64(largest) + prior)
	return s
}

// use adds that n of a site's pages hold a word.
func (s *sums) use(id, n, sitePages uint32) {
	m := prior * s.mean(s.df[id])
	x := 1 / (float64(sitePages) + prior)
	s.n1[id] += float64(n) * x
	s.n2[id] += float64(n) * (float64(n) + 2*m) * x * x
}

// single returns the spread in single precision.
func (s *sums) single() *spread {
	s.spread.n1, s.spread.n2 = halved(s.n1), halved(s.n2)
	return s.spread
}

func halved(sums []float64) []float32 {
	out := make([]float32, len(sums))
	for i, x := range sums {
		out[i] = float32(x)
	}
	return out
}

// oneSite treats all pages as one site's.
func oneSite(pages int, df []uint32) *spread {
	s := newSums([]uint32{uint32(pages)}, pages, df)
	for id, n := range df {
		s.use(uint32(id), min(n, uint32(pages)), uint32(pages))
	}
	return s.single()
}
