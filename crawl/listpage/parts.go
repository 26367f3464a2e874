package listpage

// A list is often cut in parts: a rule after every five items, a heading for every month. Each part
// is a group in its own wrapper, and the wrappers stand side by side. Columns of a home page look
// much the same, but have a link in the heading ("more"). So parts form one list only if there is
// no link and little text outside the items, and at most one is a teaser. Else they are separate
// lists (see otherLists).

// wrapperShare bounds the text of a wrapper: at most 1/wrapperShare more than that of its items.
const wrapperShare = 4

// parts returns the groups that form the list of the best group, in document order.
func (f *RecordFinder) parts(best int32) []int32 {
	t := f.tree
	alone := []int32{best}
	wrapper := f.wrapper(best, -1)
	if wrapper < 0 {
		return alone
	}
	around := t.Nodes[wrapper].Parent
	if around < 0 {
		return alone
	}
	b, teaser := &f.list[best], f.isTeaser(best, wrapper)
	item, outer := kind(&t.Nodes[f.cands[b.first].node]), kind(&t.Nodes[wrapper])
	var out []int32
	for i := range f.list {
		g := &f.list[i]
		if int32(i) == best {
			out = append(out, best)
			continue
		}
		first := f.cands[g.first].node
		if g.n == 0 || (g.dated*2 >= g.n) != (b.dated*2 >= b.n) || first < around || first >= t.Nodes[around].End ||
			kind(&t.Nodes[first]) != item {
			continue
		}
		w := f.wrapper(int32(i), around)
		if w >= 0 && t.Nodes[w].Parent == around && kind(&t.Nodes[w]) == outer &&
			t.Nodes[w].Tag == t.Nodes[wrapper].Tag &&
			!(teaser && f.isTeaser(int32(i), w)) {
			out = append(out, int32(i))
		}
	}
	return out
}

// wrapper returns the outermost element around a group that holds hardly anything else; -1 if the
// group's parent holds more. It stays below stop.
func (f *RecordFinder) wrapper(g, stop int32) int32 {
	t := f.tree
	gr := &f.list[g]
	holds := func(i int32) bool {
		n := &t.Nodes[i]
		return n.RefEnd-n.Ref == gr.links && n.Chars-gr.chars <= gr.chars/wrapperShare
	}
	i := t.Nodes[f.cands[gr.first].node].Parent
	if i < 0 || i == stop || !holds(i) {
		return -1
	}
	for {
		p := t.Nodes[i].Parent
		if p < 0 || p == stop || !holds(p) {
			return i
		}
		i = p
	}
}
