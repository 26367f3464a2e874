package linkorder

import "sync"

// ranked orders targets by their rank in the known link graph, HITS or PageRank (as a crawl order: Cho,
// García-Molina and Page 1998). Observe computes ranks after fetches 1, 20, 60 and every 150. Later, each
// computation follows after another twentieth of the fetches, a fixed share of the crawl. Other goroutines score
// meanwhile. A new target has rank 0 until then. Inlinks do not matter, only the links given to Observe. A resumed
// crawl gets its ranks by observing its history again.
type ranked struct {
	name, term string
	compute    func(*web) []float64

	fetches, next int          // Observe only
	mu            sync.RWMutex // held by Observe while it writes web, and by readers
	web           web
}

func newHITS(p Params) *ranked {
	rounds := int(p["hits.rounds"])
	return &ranked{
		name: "hits", term: "authority", next: 1, web: newWeb(int(p["hits.links"])),
		compute: func(w *web) []float64 { return w.authorities(rounds) },
	}
}

func newPageRank(p Params) *ranked {
	d, rounds := p["pagerank.damping"], int(p["pagerank.rounds"])
	return &ranked{
		name: "pagerank", term: "rank", next: 1, web: newWeb(int(p["pagerank.links"])),
		compute: func(w *web) []float64 { return w.pageRank(d, rounds) },
	}
}

func (r *ranked) Name() string { return r.name }

func (r *ranked) Value(t *Target) float64 {
	if len(t.Inlinks) == 0 {
		return seedValue
	}
	r.mu.RLock()
	defer r.mu.RUnlock()
	if n, ok := r.web.node[t.ID]; ok {
		return float64(r.web.rank[n])
	}
	return 0
}

func (r *ranked) Score(t *Target) Score {
	if len(t.Inlinks) == 0 {
		return seed()
	}
	v := r.Value(t)
	return Score{Value: v, Terms: []term{{r.term, v}}}
}

func (r *ranked) Observe(f *Fetch) (stale bool) {
	r.mu.Lock()
	r.web.add(f)
	r.mu.Unlock()

	r.fetches++
	if r.fetches < r.next {
		return false
	}
	r.next = nextRanking(r.fetches)
	rank := r.compute(&r.web)
	r.mu.Lock()
	r.web.publish(rank)
	r.mu.Unlock()
	return true
}

// nextRanking returns the fetch after n at which ranks are computed again.
func nextRanking(n int) int {
	switch {
	case n < 20:
		return 20
	case n < 60:
		return 60
	}
	return max(n/150*150+150, n+n/20)
}
