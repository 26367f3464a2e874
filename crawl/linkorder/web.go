package linkorder

import "math"

// web is the link graph of the pages fetched last, for the graph strategies. It costs 4 bytes per link and about 60
// per known page. A million links to as many pages cost at most 64 MB; real sites, with many internal links, cost a
// few MB. Above its limit the oldest quarter is dropped at once.
type web struct {
	limit int // links and fetched pages

	node  map[uint64]uint32 // by Target.ID; the slices below are by node
	rank  []float32         // 0 … 1, as last computed
	last  []int32           // its newest entry in pages, -1 before its fetch
	stamp []uint32          // last addition that saw it: a page's links count once
	adds  uint32

	pages []webPage // fetched, oldest first
	links []uint32  // their links, concatenated
}

// webPage is a fetched page. Its links end where those of the next begin.
type webPage struct {
	node, end uint32
	score     float32 // of the page, 0 … 1
}

func newWeb(limit int) web { return web{limit: limit, node: map[uint64]uint32{}} }

// add adds a fetched page. It replaces an earlier fetch of the page.
func (w *web) add(f *Fetch) {
	w.adds++
	if w.adds == 0 { // restart stamps after 2³² additions
		clear(w.stamp)
		w.adds = 1
	}
	self := w.number(f.Target.ID)
	w.stamp[self] = w.adds
	room := w.limit / 4 // one page never fills the web
	for i := range f.Out {
		if room == 0 {
			break
		}
		n := w.number(f.Out[i].ID)
		if w.stamp[n] != w.adds {
			w.stamp[n] = w.adds
			w.links = append(w.links, n)
			room--
		}
	}
	w.last[self] = int32(len(w.pages))
	w.pages = append(w.pages, webPage{node: self, end: uint32(len(w.links)), score: float32(unit(f.Verdict.Score))})
	if len(w.links)+len(w.pages) > w.limit {
		w.forget()
	}
}

func (w *web) number(id uint64) uint32 {
	n, ok := w.node[id]
	if !ok {
		n = uint32(len(w.rank))
		w.node[id] = n
		w.rank = append(w.rank, 0)
		w.last = append(w.last, -1)
		w.stamp = append(w.stamp, 0)
	}
	return n
}

// forget rebuilds the web without its oldest quarter. Known pages keep their ranks.
func (w *web) forget() {
	old := *w
	id := make([]uint64, len(old.rank))
	for k, n := range old.node {
		id[n] = k
	}
	*w = newWeb(old.limit)
	keep := func(n uint32) uint32 {
		m := w.number(id[n])
		w.rank[m] = old.rank[n]
		return m
	}
	size, first := len(old.links)+len(old.pages), 0
	for from := uint32(0); first < len(old.pages) && size > old.limit*3/4; first++ {
		size -= int(old.pages[first].end-from) + 1
		from = old.pages[first].end
	}
	for i := first; i < len(old.pages); i++ {
		p, links := old.page(i)
		if links == nil {
			continue
		}
		n := keep(p.node)
		for _, to := range links {
			w.links = append(w.links, keep(to))
		}
		w.last[n] = int32(len(w.pages))
		w.pages = append(w.pages, webPage{node: n, end: uint32(len(w.links)), score: p.score})
	}
}

// page returns the i-th fetched page and its links; nil links if the page was fetched again later.
func (w *web) page(i int) (p webPage, links []uint32) {
	p = w.pages[i]
	if w.last[p.node] != int32(i) {
		return p, nil
	}
	from := uint32(0)
	if i > 0 {
		from = w.pages[i-1].end
	}
	return p, w.links[from:p.end:p.end]
}

// authorities returns the authority weights of Kleinberg's HITS (JACM 46, 1999, section 3) after some rounds:
//
//	authority(t) = Σ hub(p) over the pages p that link to t
//	hub(p)       = Σ authority(t) over the pages t that p links to, then ‖hub‖ = 1
//
// Hubs start with the score of their page + .01, so that few rounds stay near the topic.
func (w *web) authorities(rounds int) []float64 {
	hub := make([]float64, len(w.rank))
	authority := make([]float64, len(w.rank))
	for i := range w.pages {
		if p, links := w.page(i); links != nil {
			hub[p.node] = float64(p.score) + .01
		}
	}
	for range rounds {
		clear(authority)
		for i := range w.pages {
			p, links := w.page(i)
			for _, to := range links {
				authority[to] += hub[p.node]
			}
		}
		square := 0.0
		for i := range w.pages {
			p, links := w.page(i)
			if links == nil {
				continue
			}
			sum := 0.0
			for _, to := range links {
				sum += authority[to]
			}
			hub[p.node] = sum
			square += sum * sum
		}
		if square == 0 {
			break
		}
		norm := 1 / math.Sqrt(square)
		for i := range hub {
			hub[i] *= norm
		}
	}
	return authority
}

// pageRank returns the PageRank of the known pages; unfetched ones have no links yet.
func (w *web) pageRank(d float64, rounds int) []float64 {
	return pageRank(len(w.rank), d, rounds, func(each func(from uint32, links []uint32)) {
		for i := range w.pages {
			if p, links := w.page(i); links != nil {
				each(p.node, links)
			}
		}
	})
}

// publish scales ranks to a maximum of 1.
func (w *web) publish(rank []float64) {
	top := 0.0
	for _, v := range rank {
		top = max(top, v)
	}
	for i, v := range rank {
		w.rank[i] = 0
		if top > 0 {
			w.rank[i] = float32(v / top)
		}
	}
}
