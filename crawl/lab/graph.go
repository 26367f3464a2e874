// Package lab replays a stored crawl under other link orders, without the
// network: a Graph holds what a crawl has seen, Run fetches its pages in the
// order a strategy asks for, exactly as the live engine would, and the curve of
// targets found over pages fetched says how good that order was.
//
// A simulated fetch costs what its links cost: some 10 µs for 45 links and a
// strategy without memory, a few times that for one that learns. A graph takes
// 20 bytes a link and some 100 a page; a run adds its waiting URLs' inlinks.
//
// One figure alone misleads. A crawl that stopped early knows only the pages
// that its own order preferred, ties decide much on small sites, and targets
// chosen by the judge that taught a strategy favour that strategy. So compare
// over several draws, on whole sites, and with targets that another person
// named.
package lab

import (
	"errors"
	"fmt"

	"angler/crawl/linkorder"
)

// Page is one page of a stored crawl. Scores lie in 0 … 1.
type Page struct {
	URL      string  // canonical
	Score    float64 // by the page judge
	URLScore float64 // of the tokens of its URL
	Relevant bool    // what a crawl is told after the fetch: the verdict that strategies learn from
	Target   bool    // what the replay is to find
	Links    []Link  // followable links in page order, each target once
}

// Link is one link of a page. Texts repeat all over a site, so they are kept
// once, in the Graph.
type Link struct {
	To         int32 // index into Graph.Pages
	Anchor     int32 // index into Graph.Anchors
	Block      int32 // index into Graph.Blocks
	BlockScore float32
	Features   linkorder.BlockFeatures
	Pager      bool // leads to another page of the same list
	Flat       bool // adds no depth: pagination of a list, redirects
}

// Anchor is one anchor text and its topic score.
type Anchor struct {
	Text  string
	Score float64
}

// Graph is what a crawl has seen: pages, links, and where it began. It is not
// changed by runs and may be shared by any number of them.
type Graph struct {
	Pages   []Page
	Anchors []Anchor
	Blocks  []string // block paths
	Seeds   []int32  // indices into Pages, each once
}

// Errors of graphs that cannot be replayed.
var (
	errNoSeeds   = errors.New("no page to begin with: none of the seeds is stored; crawl first: angler crawl DIR")
	errNoTargets = errors.New("no page that can be reached is a target; choose another --target")
)

// Check reports the first index of g that points nowhere.
func (g *Graph) Check() error {
	inside := func(i int32, n int) bool { return i >= 0 && int(i) < n }
	for _, s := range g.Seeds {
		if !inside(s, len(g.Pages)) {
			return fmt.Errorf("lab: seed %d of %d pages", s, len(g.Pages))
		}
	}
	for i := range g.Pages {
		for _, l := range g.Pages[i].Links {
			if !inside(l.To, len(g.Pages)) || !inside(l.Anchor, len(g.Anchors)) || !inside(l.Block, len(g.Blocks)) {
				return fmt.Errorf("lab: page %d has a link to page %d, anchor %d, block %d", i, l.To, l.Anchor, l.Block)
			}
		}
	}
	return nil
}

// Reach says how many pages, and how many targets among them, can be reached
// from the seeds.
func (g *Graph) Reach() (pages, targets int) {
	known := make([]bool, len(g.Pages))
	queue := make([]int32, 0, len(g.Pages))
	meet := func(i int32) {
		if !known[i] {
			known[i] = true
			queue = append(queue, i)
		}
	}
	for _, s := range g.Seeds {
		meet(s)
	}
	for at := 0; at < len(queue); at++ {
		p := &g.Pages[queue[at]]
		if p.Target {
			targets++
		}
		for i := range p.Links {
			meet(p.Links[i].To)
		}
	}
	return len(queue), targets
}
