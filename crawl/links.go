package crawl

import (
	"strings"
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
	anchors := r.e.anchorScoresOf(p, j)
	blocks := blockScores(p, anchors)
	inherited := r.order.score(u).Inherited
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
			link.AnchorScore = anchors[i]
			link.BlockScore = blocks[l.Block+1]
			link.URLScore = j.urls.score(l.URL)
		}
		out = append(out, link)
	}
	return out
}

// blockScores is P4's LB: the mean anchor score of the links of each block.
// The first one is of the links in no block.
func blockScores(p *page.Page, anchors []float64) []float64 {
	if anchors == nil {
		return nil
	}
	sum, n := make([]float64, len(p.Blocks)+1), make([]int, len(p.Blocks)+1)
	for i := range p.Links {
		b := p.Links[i].Block + 1
		sum[b] += anchors[i]
		n[b]++
	}
	for b := range sum {
		sum[b] /= float64(max(1, n[b]))
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

// anchorScoresOf scores the anchors of a page's links; nil without a model.
func (e *Engine) anchorScoresOf(p *page.Page, j *judge) []float64 {
	if j.model == nil {
		return nil
	}
	out := make([]float64, len(p.Links))
	var missed []int
	a := &e.anchors
	a.mu.RLock()
	for i := range p.Links {
		s, ok := a.score[p.Links[i].Anchor]
		if out[i] = s; !ok || a.rev != j.model.Rev {
			missed = append(missed, i)
		}
	}
	a.mu.RUnlock()
	for _, i := range missed {
		out[i] = e.anchorScore(j, p.Links[i].Anchor)
	}
	return out
}

// anchorScore scores an anchor that is not remembered, and remembers it.
func (e *Engine) anchorScore(j *judge, anchor string) float64 {
	a := &e.anchors
	k := counters.Get().(*counter)
	k.Reset()
	e.dict.Load().Count(e.lex, anchor, &k.Counter)
	s := j.model.Anchor(k.vector())
	counters.Put(k)
	a.mu.Lock()
	if a.rev != j.model.Rev || len(a.score) >= maxAnchors {
		a.rev, a.score = j.model.Rev, make(map[string]float64)
	}
	a.score[strings.Clone(anchor)] = s // not the page's anchors with it
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
