package topic

import (
	"math"
	"slices"
)

// normColumn holds 1/√Σ(n·g)² of each slot for one text and one gain. Without a gain it holds 1/Σn,
// the divisor of norm inner.
type normColumn struct {
	field field
	gain  *gain
	inv   []float32
}

// of returns the column's entry for a page.
func (c *normColumn) of(v Vector) float32 {
	if c.gain == nil {
		return inverse(float64(v.total()))
	}
	return inverse(pageNorm(v, c.gain))
}

// normOf returns the column of a kernel; nil under norm projected.
func (ix *Index) normOf(k *kernel) []float32 {
	switch k.norm {
	case NormFull:
		return ix.norm(k.field, k.gain)
	case NormInner:
		return ix.norm(k.field, nil)
	}
	return nil
}

// norm returns the column of page norms for one text and gain, computed from the postings if it is
// new. It keeps the columns without a background and those of the newest background.
func (ix *Index) norm(f field, g *gain) []float32 {
	for i := range ix.norms {
		if c := &ix.norms[i]; c.field == f && c.gain == g {
			return c.inv
		}
	}
	sums := make([]float32, len(ix.ids))
	for id := range ix.terms[f] {
		if g == nil {
			ix.terms[f][id].addDot(sums, 1, postingCursor{}, math.MaxInt)
			continue
		}
		w := g.at(uint32(id))
		ix.terms[f][id].addSquares(sums, w*w)
	}
	for i, s := range sums {
		if g == nil {
			sums[i] = inverse(float64(s))
			continue
		}
		sums[i] = inverse(math.Sqrt(float64(s)))
	}
	old := func(g *gain) bool { return g != nil && g != flat }
	ix.norms = slices.DeleteFunc(ix.norms, func(c normColumn) bool {
		return c.field == f && old(c.gain) && old(g)
	})
	ix.norms = append(ix.norms, normColumn{f, g, sums})
	return sums
}

// inverse returns 1/x, 0 for 0: a page without words scores 0.
func inverse(x float64) float32 {
	if x == 0 {
		return 0
	}
	return float32(1 / x)
}
