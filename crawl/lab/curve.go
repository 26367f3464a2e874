package lab

import (
	"math"
	"slices"
)

// Curve is how the targets came in over a run: the k-th target was found by the
// Hits[k]-th fetch, counted from 1. Every figure below follows from it.
type Curve struct {
	Pages int     // fetched in all
	Hits  []int32 // ascending, one for each target found
}

// newCurve says when a run over g met its targets.
func newCurve(g *Graph, fetched []int32) Curve {
	c := Curve{Pages: len(fetched)}
	for i, p := range fetched {
		if g.Pages[p].Target {
			c.Hits = append(c.Hits, int32(i+1))
		}
	}
	return c
}

// found is the number of targets among the first n pages.
func (c Curve) found(n int) int {
	i, _ := slices.BinarySearch(c.Hits, int32(min(n, math.MaxInt32-1))+1)
	return i
}

// Recall is the share of the targets among the first n pages, 0 … 1; 0 without
// targets.
func (c Curve) Recall(n int) float64 { return ratio(c.found(n), len(c.Hits)) }

// Harvest is the harvest rate over the first n pages (P4 5.1, formula 5): the
// share of them that are targets. n is at most Pages.
func (c Curve) Harvest(n int) float64 {
	n = min(n, c.Pages)
	return ratio(c.found(n), n)
}

// pagesFor is how many pages bring the given share of the targets, at least
// one; 0 without targets.
func (c Curve) pagesFor(share float64) int {
	if len(c.Hits) == 0 {
		return 0
	}
	// The small number keeps .9 · 10 from becoming 10 targets.
	k := int(math.Ceil(share*float64(len(c.Hits)) - 1e-9))
	return int(c.Hits[min(max(k, 1), len(c.Hits))-1])
}

// FractionFor is pagesFor as a share of all pages, 0 … 1.
func (c Curve) FractionFor(share float64) float64 { return ratio(c.pagesFor(share), c.Pages) }

// area is the area under the recall curve, 0 … 1: the mean of Recall(n) over
// n = 1 … Pages.
func (c Curve) area() float64 {
	sum := 0.0
	for _, at := range c.Hits {
		sum += float64(c.Pages - int(at) + 1)
	}
	if sum == 0 {
		return 0
	}
	return sum / float64(c.Pages) / float64(len(c.Hits))
}

// points are at most n points (fetched, found) of the curve, at least one, evenly
// spaced, the last page always among them.
func (c Curve) points(n int) [][2]int {
	var out [][2]int
	n = max(n, 1)
	step := max(1, (c.Pages+n-1)/n)
	for at := step; at < c.Pages; at += step {
		out = append(out, [2]int{at, c.found(at)})
	}
	if c.Pages > 0 {
		out = append(out, [2]int{c.Pages, len(c.Hits)})
	}
	return out
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// position places an area between breadth-first (0) and the oracle (1). It is
// below 0 for an order worse than breadth-first, and may pass 1 by a little: the
// oracle is greedy (see Oracle). Where the two do not differ, nothing can be
// gained and every order that equals them is at 1.
func position(area, bfs, oracle float64) float64 {
	if oracle-bfs < 1e-9 {
		if area >= oracle-1e-9 {
			return 1
		}
		return 0
	}
	return (area - bfs) / (oracle - bfs)
}
