package page

// A list is often cut in parts: a rule after every five items, a heading for
// every month. Each part is a group of its own, in a wrapper of its own; the
// wrappers stand side by side. Columns of a home page look much the same, but
// have a link of their own in the heading ("more"), so parts are joined only
// where no link and little text stands outside the items.

const partHeading = 4 // the text of a wrapper is at most 1/4 more than that of its items

// parts returns the groups that make up the list of the best group, in
// document order.
func (t *tree) parts(best int32) []int32 {
	alone := []int32{best}
	wrapper := t.wrapper(best, -1)
	if wrapper < 0 {
		return alone
	}
	around := t.nodes[wrapper].parent
	if around < 0 {
		return alone
	}
	b := &t.groupList[best]
	item, outer := kind(&t.nodes[t.cands[b.first].node]), kind(&t.nodes[wrapper])
	var out []int32
	for i := range t.groupList {
		g := &t.groupList[i]
		if int32(i) == best {
			out = append(out, best)
			continue
		}
		first := t.cands[g.first].node
		if g.n == 0 || (g.dated*2 >= g.n) != (b.dated*2 >= b.n) || first < around || first >= t.nodes[around].end || kind(&t.nodes[first]) != item {
			continue
		}
		if w := t.wrapper(int32(i), around); w >= 0 && t.nodes[w].parent == around && kind(&t.nodes[w]) == outer && t.nodes[w].tag == t.nodes[wrapper].tag {
			out = append(out, int32(i))
		}
	}
	return out
}

// wrapper climbs from a group's parent to the outermost element that holds the
// group and hardly anything else, but not to stop or above; -1 when the parent
// itself holds more.
func (t *tree) wrapper(g, stop int32) int32 {
	gr := &t.groupList[g]
	holds := func(i int32) bool {
		n := &t.nodes[i]
		return n.linkEnd-n.link == gr.links && n.chars-gr.chars <= gr.chars/partHeading
	}
	i := t.nodes[t.cands[gr.first].node].parent
	if i < 0 || i == stop || !holds(i) {
		return -1
	}
	for {
		p := t.nodes[i].parent
		if p < 0 || p == stop || !holds(p) {
			return i
		}
		i = p
	}
}
