package article

import (
	"math"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// Sibling elements of one kind are the cards of a shop, the rows of a listing, or the items of a
// menu. This file distinguishes them by their content.

const (
	minCards     = 3  // members of a group, at least
	minCardChars = 12 // characters of a card on average, at least
)

// cardGroup sums the content of the elements of one kind under one parent.
type cardGroup struct {
	members, lines, chars, links    float64
	heads, images, numbers, outside float64 // members with a heading, a picture, digits; members in menus
}

// cards holds the repeated elements of a page.
type cards struct {
	groupOf []int32 // per node: the group around it with most members, an index into groups; 0 without one
	groups  []cardGroup
	main    int32   // the group that is most likely the main content, 0 without one
	chars   float64 // of the page
}

// groupKey identifies the elements of one kind under one parent.
type groupKey struct {
	parent int32
	kind   uint64
}

// cardsOf finds the repeated elements of a page.
func cardsOf(t *htmldoc.Tree) *cards {
	c := &cards{groupOf: make([]int32, len(t.Nodes)), groups: make([]cardGroup, 1)}
	own := c.group(t)
	used := make([]bool, len(c.groups))
	for i := range t.Nodes {
		if p := t.Nodes[i].Parent; p >= 0 {
			c.groupOf[i] = c.groupOf[p]
		}
		g := &c.groups[own[i]]
		if g.members >= minCards && g.chars >= minCardChars*g.members && g.members > c.groups[c.groupOf[i]].members {
			c.groupOf[i] = own[i]
		}
		used[c.groupOf[i]] = true
	}
	best := 0.0
	for g := 1; g < len(c.groups); g++ {
		if w := c.groups[g].weight(); used[g] && w > best {
			best, c.main = w, int32(g)
		}
	}
	return c
}

// group assigns the elements with text to groups. It returns the group of each node, 0 without one.
func (c *cards) group(t *htmldoc.Tree) (own []int32) {
	lines, heads, images := make([]int32, len(t.Nodes)), make([]bool, len(t.Nodes)), make([]bool, len(t.Nodes))
	for i := range t.Runs {
		c.chars += float64(t.Runs[i].Chars)
		lines[t.Runs[i].Host]++
	}
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		heads[i] = heads[i] || htmldoc.HeadingLevel(n.Tag) > 0 || n.Traits&htmldoc.Titular != 0
		images[i] = images[i] || n.Tag == atom.Img
		if p := n.Parent; p >= 0 {
			lines[p] += lines[i]
			heads[p] = heads[p] || heads[i]
			images[p] = images[p] || images[i]
		}
	}
	own = make([]int32, len(t.Nodes))
	known := map[groupKey]int32{}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText || n.Chars == 0 || n.Parent < 0 {
			continue
		}
		key := groupKey{n.Parent, hashElement(hashSeed, n, true)}
		if known[key] == 0 {
			known[key] = int32(len(c.groups))
			c.groups = append(c.groups, cardGroup{})
		}
		own[i] = known[key]
		g := &c.groups[own[i]]
		g.members++
		g.lines += float64(max(1, lines[i]))
		g.chars += float64(n.Chars)
		g.links += float64(n.LinkChars)
		g.heads += indicator(heads[i])
		g.images += indicator(images[i])
		g.numbers += indicator(n.Numbered)
		g.outside += indicator(n.Negative)
	}
	return own
}

// weight returns the evidence that a group is the page's main content, 0 for menus.
func (g *cardGroup) weight() float64 {
	if g.outside*2 >= g.members || g.lines < 1.5*g.members && g.images*2 < g.members && g.heads*2 < g.members {
		return 0
	}
	return math.Log(g.members) * g.chars
}

// setClues sets the clues about the cards around a node.
func (c *cards) setClues(v *[ClueCount]float64, node int32) {
	group := c.groupOf[node]
	if c.main > 0 {
		v[clueBestShare] = min(1, c.groups[c.main].chars/c.chars)
		v[clueMainCards] = indicator(group == c.main)
		v[clueOutside] = (1 - v[clueMainCards]) * v[clueBestShare]
	}
	if group == 0 {
		return
	}
	g := &c.groups[group]
	v[clueCards] = math.Log(g.members)
	v[clueCardChars], v[clueCardText] = math.Log1p(g.chars/g.members), math.Log1p((g.chars-g.links)/g.members)
	v[clueCardLines], v[clueCardLinks] = math.Log(g.lines/g.members), g.links/g.chars
	v[clueCardHeads], v[clueCardNumbers] = g.heads/g.members, g.numbers/g.members
	v[clueCardShare] = g.chars / c.chars
}
