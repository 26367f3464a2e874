package linkorder

import "context"

// pageRank is P1 2.7's (Brin and Page 1998)
//
//	PR(t) = (1−d)/N + d·Σ PR(p)/C(p) over the pages p that link to t
//
// for N pages, C(p) links of p, after some rounds from 1/N. What flows to pages
// without links is lost to the others. walk shows every page that has links,
// once, with the different pages it links to; it is called once a round.
func pageRank(pages int, d float64, rounds int, walk func(each func(from uint32, links []uint32))) []float64 {
	n := float64(pages)
	rank, next := make([]float64, pages), make([]float64, pages)
	for i := range rank {
		rank[i] = 1 / n
	}
	for range rounds {
		for i := range next {
			next[i] = (1 - d) / n
		}
		walk(func(from uint32, links []uint32) {
			share := d * rank[from] / float64(len(links))
			for _, to := range links {
				next[to] += share
			}
		})
		rank, next = next, rank
	}
	return rank
}

// Graph is the link graph of stored pages, to be ranked as a whole. Unlike the
// strategies' it forgets nothing and knows no page that was not fetched. It costs
// 4 bytes a link (as they lie in a growing slice, up to 9) and, while it is
// ranked, 36 a page and 4 for every id up to the highest. It is for one goroutine.
type Graph struct {
	pages []uint64
	ends  []int    // of a page's links in links
	links []uint32 // ids of the targets
	top   uint64   // the highest id of a page
}

// Add enters a page with the ids of the pages it links to. Each page is added
// once. Ids are small numbers, as the store hands them out; what does not fit
// into 32 bits is left out.
func (g *Graph) Add(id uint64, targets []uint64) {
	if id > 1<<32-1 {
		return
	}
	for _, t := range targets {
		if t <= 1<<32-1 {
			g.links = append(g.links, uint32(t))
		}
	}
	g.pages, g.ends, g.top = append(g.pages, id), append(g.ends, len(g.links)), max(g.top, id)
}

// PageRank ranks the pages under the damping of p, in some rounds, and returns
// the rank of an id, 0 for one that was not added. Ranks lie in 0 … 1 and sum to
// at most 1. Links of a page to itself or to pages that were not added do not
// count, several to one page count once. The graph is used up. The error is
// that of p or of ctx.
func (g *Graph) PageRank(ctx context.Context, p Params, rounds int) (func(id uint64) float64, error) {
	p, err := p.complete()
	if err != nil {
		return nil, err
	}
	node := make([]uint32, g.top+1) // by id: place among the pages + 1
	for i, id := range g.pages {
		node[id] = uint32(i) + 1
	}
	seen := make([]uint32, len(g.pages)) // by page: the one found last to link to it, + 1
	kept, from := g.links[:0], 0
	for i, end := range g.ends {
		seen[i] = uint32(i) + 1
		for _, id := range g.links[from:end] {
			if uint64(id) > g.top || node[id] == 0 || seen[node[id]-1] == uint32(i)+1 {
				continue
			}
			seen[node[id]-1] = uint32(i) + 1
			kept = append(kept, node[id]-1)
		}
		g.ends[i], from = len(kept), end
	}
	rank := pageRank(len(g.pages), p["pagerank.damping"], rounds, func(each func(from uint32, links []uint32)) {
		if ctx.Err() != nil {
			return
		}
		from := 0
		for i, end := range g.ends {
			if end > from {
				each(uint32(i), kept[from:end])
			}
			from = end
		}
	})
	return func(id uint64) float64 {
		if id > g.top || node[id] == 0 {
			return 0
		}
		return rank[node[id]-1]
	}, ctx.Err()
}
