// Package lab replays a stored crawl under other link orders, without the network. A Graph holds the crawl's pages
// and links. Run fetches its pages in a strategy's order, exactly like the live engine. The curve of found targets
// over fetched pages measures the order.
//
// A simulated fetch costs about 10 µs for 45 links with a strategy without memory, and a few times that with a
// learning one. A graph takes 20 bytes per link and about 100 per page. A run adds the inlinks of its waiting URLs.
//
// A single figure misleads. A crawl that stopped early knows only pages that its own order preferred, and ties
// matter much on small sites. Targets chosen by the judge that trained a strategy favour that strategy. Compare over
// several draws, on whole sites, with targets named by another person.
package lab

import (
	"errors"
	"fmt"

	"angler/crawl/linkorder"
)

// Page is one page of a stored crawl. Scores are in 0 … 1.
type Page struct {
	URL      string  // canonical
	Score    float64 // from the page judge
	URLScore float64 // of its URL's tokens
	Relevant bool    // verdict that strategies learn from after the fetch
	Target   bool    // the replay must find it
	Failed   bool    // its fetch failed or was refused, or never happened
	Links    []Link  // followable links in page order, each target once

	id     uint64 // of the stored page; 0 = a leaf
	shown  []shownAnchor
	blocks int // number of blocks on the page
}

// shownAnchor is one link of a page, followable or not. Block scores are means over all of them.
type shownAnchor struct{ block, anchor int32 }

// Link is one link of a page. Its texts repeat across a site, so the Graph stores each once.
type Link struct {
	To         int32 // index into Graph.Pages
	Anchor     int32 // index into Graph.Anchors
	Block      int32 // index into Graph.Blocks
	BlockScore float32
	Features   linkorder.BlockFeatures
	Pager      bool   // leads to another page of the same list
	Flat       bool   // adds no depth: pagination of a list, redirects
	Tags       uint64 // sketch of its tag path, htmldoc.Link.Tags; 0 = unknown

	block int32 // block on its page
}

// Anchor is one anchor text and its topic score.
type Anchor struct {
	Text  string
	Score float64
}

// Graph holds the pages, links and seeds of a crawl. Runs do not change it and may share it.
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

// Check returns an error for the first invalid index in g.
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

// Reach returns the numbers of pages and targets reachable from the seeds.
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
