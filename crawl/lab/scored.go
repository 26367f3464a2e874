package lab

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/htmldoc"
	"angler/crawl/linkorder"
	"angler/topic"
)

// interner stores each text once, because a site's menu is on every page.
type interner struct {
	texts []string
	ids   map[string]int32
}

// id returns the index of a text in texts.
func (n *interner) id(s string) int32 {
	if n.ids == nil {
		n.ids = map[string]int32{}
	}
	id, ok := n.ids[s]
	if !ok {
		id = int32(len(n.texts))
		n.texts = append(n.texts, s)
		n.ids[s] = id
	}
	return id
}

// shape returns a copy of the graph without scores.
func (r *Replay) shape() *Graph {
	g := &Graph{Pages: slices.Clone(r.pages), Anchors: make([]Anchor, len(r.anchors.texts)), Blocks: r.paths.texts,
		Seeds: r.seeds}
	for i := range g.Pages {
		g.Pages[i].Links = slices.Clone(g.Pages[i].Links)
	}
	for i, text := range r.anchors.texts {
		g.Anchors[i].Text = htmldoc.Clip(text, linkorder.AnchorRunes)
	}
	return g
}

// scored returns the graph with a judge's scores: the live crawl's data of every link (linkorder.Links).
func (r *Replay) scored(s *decisions.State, scores *topic.Scores, relevant func(id uint64, score float64) bool) *Graph {
	g := r.shape()
	if s.Model != nil {
		for i, text := range r.anchors.texts {
			g.Anchors[i].Score = r.Links.Anchor(text, s)
		}
	}
	var mean linkorder.BlockMeans
	for i := range r.pages {
		p := &g.Pages[i]
		if p.id != 0 {
			p.Score, _ = scores.Of(p.id)
			p.Relevant = relevant(p.id, p.Score)
		}
		if r.opt.Verdict == VerdictTarget {
			p.Relevant = p.Target
		}
		if s.Model == nil {
			continue
		}
		p.URLScore = s.Shares.Score(p.URL)
		mean.Count(p.blocks+1, len(p.shown), func(i int) (int32, float64) {
			return p.shown[i].block + 1, g.Anchors[p.shown[i].anchor].Score
		})
		for k := range p.Links {
			p.Links[k].BlockScore = float32(mean.Of(p.Links[k].block + 1))
		}
	}
	return g
}
