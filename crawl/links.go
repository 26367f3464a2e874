package crawl

import (
	"sync"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// counter counts words and hands them over as a vector.
type counter struct{ dict.Counter }

var counters = sync.Pool{New: func() any { return new(counter) }}

func (k *counter) vector() topic.Vector {
	v := make(topic.Vector, 0, k.Len())
	k.Each(func(id, n uint32) { v = append(v, topic.Term{ID: id, N: n}) })
	return v
}

// links filters a page's links and gathers what the link order wants to know
// of each. Duplicates on the page are dropped; the first mention counts.
func (r *run) links(p *page.Page, score float64, relevant bool, u *store.URL, j *judge) []store.Link {
	filter := r.e.filter.Load()
	out := make([]store.Link, 0, len(p.Links))
	seen := make(map[string]struct{}, len(p.Links))
	blocks := r.e.blockScores(p, j)
	inherited := (*r.strategy.Load()).Score(orderLink(u)).Inherited
	for i := range p.Links {
		l := &p.Links[i]
		if l.URL == "" {
			filter.UnfetchableHref(l.Href)
			continue
		}
		if _, dup := seen[l.URL]; dup || l.URL == p.URL {
			continue
		}
		seen[l.URL] = struct{}{}
		if filter.Check(l.URL, l.Class) != urls.Accepted {
			continue
		}
		link := store.Link{URL: l.URL, Flat: l.Pager && len(p.Records) > 0, Hints: store.Hints{
			Anchor: clip(l.Anchor, 80), Pager: l.Pager, SourceScore: score, Inherited: inherited, Relevant: relevant}}
		if l.Block >= 0 && int(l.Block) < len(p.Blocks) {
			link.Block = p.Blocks[l.Block].Path
		}
		if j.model != nil {
			link.AnchorScore = r.e.anchorScore(j, l.Anchor)
			link.BlockScore = blocks[l.Block]
			link.URLScore = j.urls.score(l.URL)
		}
		out = append(out, link)
	}
	return out
}

// blockScores is P4's LB: the mean anchor score of the links of each block.
func (e *Engine) blockScores(p *page.Page, j *judge) map[int32]float64 {
	if j.model == nil {
		return nil
	}
	sum, n := map[int32]float64{}, map[int32]float64{}
	for i := range p.Links {
		l := &p.Links[i]
		sum[l.Block] += e.anchorScore(j, l.Anchor)
		n[l.Block]++
	}
	for b := range sum {
		sum[b] /= n[b]
	}
	return sum
}

// anchorScores remembers the similarity of anchor texts: those of navigation
// come back on every page.
type anchorScores struct {
	mu    sync.RWMutex
	rev   uint64
	score map[string]float64
}

// maxAnchors bounds the memory of anchor scores, some 100 bytes each.
const maxAnchors = 1 << 15

func (e *Engine) anchorScore(j *judge, anchor string) float64 {
	if anchor == "" {
		return 0
	}
	a := &e.anchors
	a.mu.RLock()
	s, ok := a.score[anchor]
	ok = ok && a.rev == j.model.Rev
	a.mu.RUnlock()
	if ok {
		return s
	}
	k := counters.Get().(*counter)
	k.Reset()
	e.dict.Load().Count(e.lex, anchor, &k.Counter)
	s = j.model.Anchor(k.vector())
	counters.Put(k)
	a.mu.Lock()
	if a.rev != j.model.Rev || len(a.score) >= maxAnchors {
		a.rev, a.score = j.model.Rev, make(map[string]float64)
	}
	a.score[anchor] = s
	a.mu.Unlock()
	return s
}

// clip cuts a string after n runes.
func clip(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
