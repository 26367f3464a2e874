package listpage

import (
	"cmp"
	"math"
	"slices"

	"angler/crawl/htmldoc"
)

const (
	undatedValue = 0.05 // what titles without dates are worth beside those with
	menuValue    = 0.1  // what a group is worth that leads to its own page or to the home page: a menu
	noiseValue   = 0.3  // what a group without dates is worth in a noise block
)

// score sums a group: Σ min(30, title runes) · (.05 + dated share) ÷ √(mean
// targets). Titles and dates make a list, and many links in an item do not. An
// item whose target stands before it in the group does not count, nor does one that
// shows an address instead of a title.
//
// Nor do items whose target the host repeats, if they are half of the group or
// more: the group is a menu or a box of latest news then. A few such items are
// the newest records of a list, which those boxes repeat.
func (f *RecordFinder) score(i int32, host Repeater) {
	t, g := f.tree, &f.list[i]
	items, repeated, menu := 0, 0, false
	for c, x := range f.items(i) {
		l := &f.links[x.link]
		wordless := l.Anchor == "" && (x.date.IsZero() || f.titleBeside(x.node, -1) == "")
		if x.dropped = wordless || l.Pager || l.NamesAddress() || f.earlier(g, c); x.dropped {
			continue
		}
		items++
		menu = menu || l.URL == t.URL || homeAnchors[l.Anchor]
		if host != nil && f.repeated(host, x.link) {
			x.repeated = true
			repeated++
		}
	}
	g.beside = f.titlesBeside(i)
	for _, x := range f.items(i) {
		x.dropped = x.dropped || x.repeated && repeated*2 >= items
		if x.dropped {
			continue
		}
		g.n++
		g.targets += x.targets
		if !x.date.IsZero() || x.other {
			g.dated++
		}
		shown := f.links[x.link].Anchor
		if g.beside && !x.date.IsZero() {
			shown = cmp.Or(f.titleBeside(x.node, -1), shown)
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
	g.score = g.runes * (undatedValue + float64(g.dated)/(n+1)) / math.Sqrt(float64(g.targets)/n)
	if g.menu = menu && items > 1; menu {
		g.score *= menuValue
	}
	if g.dated == 0 && f.inNoise(g) {
		g.score *= noiseValue
	}
}

// Contending returns the main links of the groups that were chosen, and of those
// that could be if the host repeated more of their links: an item that is dropped
// takes its title from the group and may raise its share of dates, so a group
// contends if its titles with the best share are worth as much as the best group.
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
		most := g.runes * (undatedValue + dated/(dated+1))
		if g.menu {
			most *= menuValue
		}
		if most <= 0 || most < best && !slices.Contains(f.chosen, int32(i)) && !(g.dated > 0 && f.mayJoin(int32(i))) {
			continue
		}
		for _, x := range f.items(int32(i)) {
			if l := x.link; int(l) < len(f.asked) && f.asked[l] != unasked {
				links = append(links, l)
			}
		}
	}
	return links
}

// mayJoin reports whether a group consists of the same elements as the chosen ones,
// so that it may be a part of the list (parts).
func (f *RecordFinder) mayJoin(g int32) bool {
	if len(f.chosen) == 0 {
		return false
	}
	item := func(g int32) uint64 { return kind(&f.tree.Nodes[f.cands[f.list[g].first].node]) }
	return item(g) == item(f.chosen[0])
}

// repeated reports whether the host repeats a link. It asks once for each: a link
// is the main one of every element around it that can be an item.
func (f *RecordFinder) repeated(host Repeater, link int32) bool {
	if len(f.asked) < len(f.links) {
		f.asked = append(f.asked, make([]answer, len(f.links)-len(f.asked))...)
	}
	a := &f.asked[link]
	if *a == unasked {
		*a = no
		if l := &f.links[link]; host.RepeatedLink(l.URL, l.Anchor) {
			*a = yes
		}
	}
	return *a == yes
}

// answer caches the answer to a question.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// dampMenus makes the groups inside the items of a menu worth as little as the
// menu. Candidates stand in document order, so one pass finds what is inside.
func (f *RecordFinder) dampMenus() {
	t := f.tree
	until := int32(0)
	for i := range f.cands {
		c := &f.cands[i]
		g := &f.list[c.group]
		if g.menu {
			until = max(until, t.Nodes[c.node].End)
		} else if c.node < until && g.first == int32(i) {
			g.score *= menuValue
		}
	}
}

// inNoise reports whether a group stands in a block that P4's features call
// noise.
func (f *RecordFinder) inNoise(g *group) bool {
	b := f.links[f.cands[g.first].link].Block
	return b >= 0 && int(b) < len(f.blocks) && f.blocks[b].Noise
}

// homeAnchors lead to the home page of a site.
var homeAnchors = map[string]bool{"首页": true, "网站首页": true, "返回首页": true, "主页": true, "学校主页": true, "学校首页": true,
	"Home": true, "HOME": true, "home": true}

// earlier reports whether an item of the group before candidate c has the same
// target. Lists are short; of a long one only the first 200 items are compared.
func (f *RecordFinder) earlier(g *group, c int32) bool {
	url := f.links[f.cands[c].link].URL
	for e, n := g.first, 0; e != c && n < 200; e, n = f.cands[e].next, n+1 {
		if f.links[f.cands[e].link].URL == url {
			return true
		}
	}
	return false
}
