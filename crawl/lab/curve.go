package lab

import (
	"math"
	"slices"
)

// Curve records the progress of a run: the Hits[k]-th fetch, counted from 1, found the k-th target. All figures
// follow from it.
type Curve struct {
	Pages int     // pages fetched
	Hits  []int32 // ascending, one per found target
}

// newCurve returns the curve of a run over g.
func newCurve(g *Graph, fetched []int32) Curve {
	c := Curve{Pages: len(fetched)}
	for i, p := range fetched {
		if g.Pages[p].Target {
			c.Hits = append(c.Hits, int32(i+1))
		}
	}
	return c
}

// found returns the number of targets among the first n pages.
func (c Curve) found(n int) int {
	i, _ := slices.BinarySearch(c.Hits, int32(min(n, math.MaxInt32-1))+1)
	return i
}

// Recall returns the share of the targets among the first n pages, 0 … 1; 0 without targets.
func (c Curve) Recall(n int) float64 { return ratio(c.found(n), len(c.Hits)) }

// Harvest returns the harvest rate over the first n pages (P4 5.1, formula 5): the share of targets among them. n is
// at most Pages.
func (c Curve) Harvest(n int) float64 {
	n = min(n, c.Pages)
	return ratio(c.found(n), n)
}

// pagesFor returns the number of pages for a share of the targets, at least one; 0 without targets.
func (c Curve) pagesFor(share float64) int {
	if len(c.Hits) == 0 {
		return 0
	}
	// The small number keeps .9 · 10 from becoming 10 targets.
	k := int(math.Ceil(share*float64(len(c.Hits)) - 1e-9))
	return int(c.Hits[min(max(k, 1), len(c.Hits))-1])
}

// FractionFor returns pagesFor as a share of all pages, 0 … 1.
func (c Curve) FractionFor(share float64) float64 { return ratio(c.pagesFor(share), c.Pages) }

// area returns the area under the recall curve, 0 … 1: the mean of Recall(n) over n = 1 … Pages.
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

// points returns at most max(n, 1) points (fetched, found) of the curve, evenly spaced, always with the last page.
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

// position places an area between breadth-first (0) and the oracle (1). It is negative for orders worse than
// breadth-first, and may slightly exceed 1, because the oracle is greedy (see Oracle). If both are equal, an order
// that equals them gets 1.
func position(area, bfs, oracle float64) float64 {
	if oracle-bfs < 1e-9 {
		if area >= oracle-1e-9 {
			return 1
		}
		return 0
	}
	return (area - bfs) / (oracle - bfs)
}
