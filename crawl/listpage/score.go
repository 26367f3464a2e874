package listpage

import (
	"cmp"
	"math"
	"slices"

	"angler/crawl/htmldoc"
)

const (
	undatedFactor = 0.05 // weight of titles without dates
	menuFactor    = 0.1  // of a menu: a group with a link to its own page or to the home page
	noiseFactor   = 0.3  // of an undated group in a noise block
)

// score scores a group: Σ min(30, title runes) · (.05 + dated share) ÷ √(mean targets). Titles and
// dates are signs of a list; many links in an item are not. An item does not count if an earlier
// one has its target, or if it shows an address instead of a title.
//
// Items whose target the host repeats do not count if they are at least half of the group. Such a
// group is a menu or a box of latest news. Fewer such items are the newest records of a list, which
// those boxes repeat.
func (f *RecordFinder) score(i int32, host Repeater) {
	t, g := f.tree, &f.list[i]
	items, repeated, menu := 0, 0, false
	for c, x := range f.items(i) {
		l := &f.links[x.link]
		wordless := l.Anchor == "" && (x.date.IsZero() || f.titleOutside(x.node, -1) == "")
		if x.dropped = wordless || l.Pager || l.NamesAddress() || f.hasEarlierTarget(g, c); x.dropped {
			continue
		}
		items++
		menu = menu || l.URL == t.URL || homeAnchors[l.Anchor]
		if host != nil && f.isRepeated(host, x.link) {
			x.repeated = true
			repeated++
		}
	}
	g.titlesOutside = f.hasTitlesOutside(i)
	for _, x := range f.items(i) {
		x.dropped = x.dropped || x.repeated && repeated*2 >= items
		if x.dropped {
			continue
		}
		g.n++
		g.targets += x.targets
		if !x.date.IsZero() || x.otherDate {
			g.dated++
		}
		shown := f.links[x.link].Anchor
		if g.titlesOutside && !x.date.IsZero() {
			shown = cmp.Or(f.titleOutside(x.node, -1), shown)
		}
		if n := htmldoc.RunesUpTo(shown, 30); n >= 4 {
			g.runes += float64(n)
		}
	}
	if g.n == 0 {
		return
	}
	// One more item in the share's denominator keeps a single date, of the weather
	// or of today, from outweighing a list.
	n := float64(g.n)
	g.score = g.runes * (undatedFactor + float64(g.dated)/(n+1)) / math.Sqrt(float64(g.targets)/n)
	if g.menu = menu && items > 1; menu {
		g.score *= menuFactor
	}
	if g.dated == 0 && f.inNoise(g) {
		g.score *= noiseFactor
	}
}

// Contending returns the main links of the chosen groups, and of groups that may be chosen if the
// host repeats more of their links. A dropped item takes its title from the group and may raise its
// share of dates. So a group contends if its titles with the best share score as much as the best
// group.
func (f *RecordFinder) Contending() (links []int32) {
	if len(f.cands) == 0 {
		return nil
	}
	best := 0.0
	for g := range f.list {
		best = max(best, f.list[g].score)
	}
	for i := range f.list {
		g := &f.list[i]
		dated := float64(g.dated)
		bestScore := g.runes * (undatedFactor + dated/(dated+1))
		if g.menu {
			bestScore *= menuFactor
		}
		if bestScore <= 0 ||
			bestScore < best && !slices.Contains(f.chosen, int32(i)) && !(g.dated > 0 && f.mayJoin(int32(i))) {
			continue
		}
		for _, x := range f.items(int32(i)) {
			if l := x.link; int(l) < len(f.repeats) && f.repeats[l] != notAsked {
				links = append(links, l)
			}
		}
	}
	return links
}

// mayJoin reports whether a group has the same elements as the chosen ones, so that it may be a
// part of the list.
func (f *RecordFinder) mayJoin(g int32) bool {
	if len(f.chosen) == 0 {
		return false
	}
	item := func(g int32) uint64 { return kind(&f.tree.Nodes[f.cands[f.list[g].first].node]) }
	return item(g) == item(f.chosen[0])
}

// isRepeated reports whether the host repeats a link. It calls the host once for each link, which
// may be the main link of several candidates.
func (f *RecordFinder) isRepeated(host Repeater, link int32) bool {
	if len(f.repeats) < len(f.links) {
		f.repeats = append(f.repeats, make([]repeatState, len(f.links)-len(f.repeats))...)
	}
	a := &f.repeats[link]
	if *a == notAsked {
		*a = notRepeated
		if l := &f.links[link]; host.RepeatedLink(l.URL, l.Anchor) {
			*a = repeated
		}
	}
	return *a == repeated
}

// repeatState caches the answer of a Repeater for a link.
type repeatState uint8

const (
	notAsked repeatState = iota
	notRepeated
	repeated
)

// dampMenus multiplies the score of the groups inside a menu by menuFactor. Candidates stand in
// document order, so one pass finds them.
func (f *RecordFinder) dampMenus() {
	t := f.tree
	until := int32(0)
	for i := range f.cands {
		c := &f.cands[i]
		g := &f.list[c.group]
		if g.menu {
			until = max(until, t.Nodes[c.node].End)
		} else if c.node < until && g.first == int32(i) {
			g.score *= menuFactor
		}
	}
}

// inNoise reports whether a group is in a block that the features of P4 classify as noise.
func (f *RecordFinder) inNoise(g *group) bool {
	b := f.links[f.cands[g.first].link].Block
	return b >= 0 && int(b) < len(f.blocks) && f.blocks[b].Noise
}

// homeAnchors are the anchors of links to the home page of a site.
var homeAnchors = map[string]bool{"首页": true, "网站首页": true, "返回首页": true, "主页": true, "学校主页": true, "学校首页": true,
	"Home": true, "HOME": true, "home": true}

// hasEarlierTarget reports whether an item of the group before candidate c has the same target. It
// compares the first 200 items.
func (f *RecordFinder) hasEarlierTarget(g *group, c int32) bool {
	url := f.links[f.cands[c].link].URL
	for e, n := g.first, 0; e != c && n < 200; e, n = f.cands[e].next, n+1 {
		if f.links[f.cands[e].link].URL == url {
			return true
		}
	}
	return false
}
