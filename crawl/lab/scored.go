package lab

import (
	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/linkorder"
	"angler/topic"
)

// replayWeb stores each text of a replay once, because a site's menu is on every page.
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

// shape returns the graph without scores.
func (r *Replay) shape() *Graph {
	g := &Graph{Pages: make([]Page, len(r.pages)), Anchors: make([]Anchor, len(r.web.anchors)),
		Blocks: r.web.paths, Seeds: r.seeds}
	for i := range r.pages {
		p := &r.pages[i]
		g.Pages[i] = Page{URL: p.url, Target: p.target, Failed: p.id == 0, Links: make([]Link, len(p.links))}
		for k, l := range p.links {
			g.Pages[i].Links[k] = Link{To: l.to, Anchor: l.anchor, Block: l.path, Features: l.features,
				Pager: l.pager, Flat: l.flat, Tags: l.tags}
		}
	}
	for i, text := range r.web.anchors {
		g.Anchors[i].Text = htmldoc.Clip(text, linkorder.AnchorRunes)
	}
	return g
}

// scored returns the graph with a judge's scores: the live crawl's data of every link (linkorder.Links).
func (r *Replay) scored(s *decisions.State, scores *topic.Scores, relevant func(id uint64, score float64) bool) *Graph {
	g := r.shape()
	if s.Model != nil {
		for i, text := range r.web.anchors {
			g.Anchors[i].Score = r.Links.Anchor(text, s)
		}
	}
	var mean linkorder.BlockMeans
	for i := range r.pages {
		p, q := &r.pages[i], &g.Pages[i]
		if p.id != 0 {
			q.Score, _ = scores.Of(p.id)
			q.Relevant = relevant(p.id, q.Score)
		}
		if r.opt.Verdict == VerdictTarget {
			q.Relevant = p.target
		}
		if s.Model == nil {
			continue
		}
		q.URLScore = s.Shares.Score(p.url)
		mean.Count(p.blocks+1, len(p.shown), func(i int) (int32, float64) {
			return p.shown[i].block + 1,
				float64(g.Anchors[p.shown[i].anchor].Score)
		})
		for k := range q.Links {
			q.Links[k].BlockScore = float32(mean.Of(p.links[k].block + 1))
		}
	}
	return g
}
