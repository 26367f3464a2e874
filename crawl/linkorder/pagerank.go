package linkorder

import "context"

// pageRank computes PageRank (P1 2.7, Brin and Page 1998)
//
//	PR(t) = (1−d)/N + d·Σ PR(p)/C(p) over the pages p that link to t
//
// for N pages and C(p) links of p, in some rounds from 1/N. Rank that flows to pages without links is lost. walk
// passes every page with links, once, with its distinct targets; it runs once per round.
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

// Graph is the whole link graph of stored pages. Unlike the strategies' graphs, it forgets nothing and holds only
// fetched pages. It costs 4 bytes per link, up to 9 while its slice grows. Ranking takes 36 bytes per page and 4 per
// id up to the highest. It is for one goroutine.
type Graph struct {
	pages []uint64
	ends  []int    // end of each page's links in links
	links []uint32 // ids of the targets
	top   uint64   // highest page id
}

// Add adds a page with the ids of its link targets. Each page is added once. Ids are small, as the store assigns
// them; ids above 32 bits are left out.
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

// PageRank ranks the pages with the damping of p in some rounds. It returns a function from id to rank, 0 for
// unknown ids. Ranks are in 0 … 1 and sum to at most 1. A page's links to itself or to unknown pages do not count;
// several links to one page count once. The graph is empty afterwards. Errors come from p or ctx.
func (g *Graph) PageRank(ctx context.Context, p Params, rounds int) (func(id uint64) float64, error) {
	p, err := p.complete()
	if err != nil {
		return nil, err
	}
	node := make([]uint32, g.top+1) // by id: index of the page + 1
	for i, id := range g.pages {
		node[id] = uint32(i) + 1
	}
	seen := make([]uint32, len(g.pages)) // by page: index + 1 of the last page found to link to it
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
