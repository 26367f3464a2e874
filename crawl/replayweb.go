package crawl

import (
	"angler/crawl/lab"
	"angler/topic"
)

// replayWeb keeps the texts of a replay, each once: a site's menu stands on
// every page.
type replayWeb struct {
	anchors   []string
	anchorIDs map[string]int32
	paths     []string
	pathIDs   map[string]int32
}

func (w *replayWeb) anchor(s string) int32 { return intern(s, &w.anchors, &w.anchorIDs) }
func (w *replayWeb) path(s string) int32   { return intern(s, &w.paths, &w.pathIDs) }

func intern(s string, list *[]string, ids *map[string]int32) int32 {
	if *ids == nil {
		*ids = map[string]int32{}
	}
	id, ok := (*ids)[s]
	if !ok {
		id = int32(len(*list))
		*list = append(*list, s)
		(*ids)[s] = id
	}
	return id
}

// anchorRunes is how much of an anchor text the crawl keeps for the link order.
const anchorRunes = 80

// shape is the graph without scores.
func (r *Replay) shape() *lab.Graph {
	g := &lab.Graph{Pages: make([]lab.Page, len(r.pages)), Anchors: make([]lab.Anchor, len(r.web.anchors)), Blocks: r.web.paths, Seeds: r.seeds}
	for i := range r.pages {
		p := &r.pages[i]
		g.Pages[i] = lab.Page{URL: p.url, Target: p.target, Links: make([]lab.Link, len(p.links))}
		for k, l := range p.links {
			g.Pages[i].Links[k] = lab.Link{To: l.to, Anchor: l.anchor, Block: l.path, Pager: l.pager, Flat: l.flat}
		}
	}
	for i, text := range r.web.anchors {
		g.Anchors[i].Text = clip(text, anchorRunes)
	}
	return g
}

// scored is the graph under a judge: what the live crawl would have known of
// every link (run.links).
func (r *Replay) scored(j *judge, scores *topic.Scores, relevant func(id uint64, score float64) bool) *lab.Graph {
	g := r.shape()
	if j != nil && j.model != nil {
		for i, text := range r.web.anchors {
			g.Anchors[i].Score = r.e.anchorScore(j, text)
		}
	}
	var mean blockMeans
	for i := range r.pages {
		p, q := &r.pages[i], &g.Pages[i]
		if p.id != 0 {
			q.Score, _ = scores.Of(p.id)
			q.Relevant = relevant(p.id, q.Score)
		}
		if r.opt.Verdict == VerdictTarget {
			q.Relevant = p.target
		}
		if j == nil || j.model == nil {
			continue
		}
		q.URLScore = j.urls.score(p.url)
		mean.of(p.shown, g.Anchors)
		for k := range q.Links {
			q.Links[k].BlockScore = mean.at(p.links[k].block)
		}
	}
	return g
}

// blockMeans is P4's LB of the blocks of one page (see Engine.blockScores).
type blockMeans struct {
	sum map[int32]float64
	n   map[int32]int
}

func (m *blockMeans) of(shown []shownAnchor, anchors []lab.Anchor) {
	if m.sum == nil {
		m.sum, m.n = map[int32]float64{}, map[int32]int{}
	}
	clear(m.sum)
	clear(m.n)
	for _, s := range shown {
		m.sum[s.block] += anchors[s.anchor].Score
		m.n[s.block]++
	}
}

func (m *blockMeans) at(block int32) float32 {
	if m.n[block] == 0 {
		return 0
	}
	return float32(m.sum[block] / float64(m.n[block]))
}
