package listpage

import (
	"cmp"
	"slices"

	"angler/crawl/htmldoc"
)

// A page may show several lists: tabs, sections of a channel. They have one design: the same
// elements, in wrappers of the same kinds, below one element. Their entries are records of the
// page. Three kinds of boxes are no lists of the page:
//   - a box of another design, such as the latest news beside a list;
//   - a box of a few rows, which many sites repeat on every page;
//   - a teaser: the newest rows of a section, with a link to it in the heading or as "更多".
//
// A home page consists of teasers, and the sections themselves are the lists.

const (
	minListItems    = 4  // items of each list if there are several
	minFullItems    = 10 // items of a list that is no teaser although a link leads to more
	maxLists        = 32 // lists of a page
	maxWrapper      = 12 // elements between a list and the ancestor it shares with the best one
	maxHeadingLinks = 2  // links of the heading above a list; one with more is a path or a menu
)

// otherLists returns the lists beside that of the best group, each as its parts. They have dated
// rows and the design of the best list. There are none if the best group is a teaser.
func (f *RecordFinder) otherLists(best int32, chosen []int32) (lists [][]int32) {
	if !f.isFullList(best) {
		return nil
	}
	taken := slices.Clone(chosen)
	for i := range f.list {
		g := int32(i)
		if !f.isFullList(g) || f.list[g].score <= 0 || slices.Contains(taken, g) {
			continue
		}
		of, box, ok := f.listBoxes(best, g)
		if !ok || f.overlaps(g, taken) || f.isTeaser(g, box) {
			continue
		}
		if f.isTeaser(best, of) || len(lists)+1 >= maxLists {
			break
		}
		list := []int32{g}
		for _, p := range f.parts(g) {
			if p != g && !slices.Contains(taken, p) && !f.overlaps(p, taken) {
				list = append(list, p)
			}
		}
		taken = append(taken, list...)
		lists = append(lists, f.splitByHeading(f.sortByPosition(list))...)
	}
	return lists
}

// isFullList reports whether a group has the rows of a list among several: enough, most of them
// dated.
func (f *RecordFinder) isFullList(g int32) bool {
	x := &f.list[g]
	return x.n >= minListItems && x.dated*2 >= x.n && !x.menu
}

// isTeaser reports whether a group is a teaser. It has few rows, and its box or the heading right
// above links to another page. Links of a pager do not count: they lead to more of the same list.
func (f *RecordFinder) isTeaser(g, box int32) bool {
	t, x := f.tree, &f.list[g]
	if x.n >= minFullItems {
		return false
	}
	leads := func(ref, end int32) bool {
		for ; ref < end; ref++ {
			if l := &f.links[ref]; l.URL != "" && l.URL != t.URL && !l.Pager {
				return true
			}
		}
		return false
	}
	first, last, b := &t.Nodes[f.cands[x.first].node], &t.Nodes[f.cands[x.last].node], &t.Nodes[box]
	if leads(b.Ref, first.Ref) || leads(last.RefEnd, b.RefEnd) {
		return true
	}
	above := box - 1
	for above > b.Parent && t.Nodes[above].IsText && t.Nodes[above].Chars == 0 {
		above--
	}
	for above > b.Parent && t.Nodes[above].Parent != b.Parent {
		above = t.Nodes[above].Parent
	}
	h := &t.Nodes[above]
	return above > b.Parent && h.RefEnd-h.Ref <= maxHeadingLinks && leads(h.Ref, h.RefEnd)
}

// splitByHeading splits the parts of a list at each heading that is no date. Every piece becomes a
// separate list.
func (f *RecordFinder) splitByHeading(parts []int32) (lists [][]int32) {
	t, from := f.tree, 0
	for i := 1; i < len(parts); i++ {
		end := t.Nodes[f.cands[f.list[parts[i-1]].last].node].To
		begin := t.Nodes[f.cands[f.list[parts[i]].first].node].From
		if end < begin && !htmldoc.OnlyDateSigns(t.Text[end:begin]) {
			lists, from = append(lists, parts[from:i]), i
		}
	}
	return append(lists, parts[from:])
}

// sortByPosition sorts groups by their first items.
func (f *RecordFinder) sortByPosition(groups []int32) []int32 {
	slices.SortFunc(groups, func(a, b int32) int { return cmp.Compare(f.list[a].first, f.list[b].first) })
	return groups
}

// overlaps reports whether a group has an item inside an item of the others, or around one. It is
// also true if both its first and its last item repeat targets of the others.
func (f *RecordFinder) overlaps(g int32, others []int32) bool {
	span := func(g int32) (from, to int32) {
		return f.cands[f.list[g].first].node, f.tree.Nodes[f.cands[f.list[g].last].node].End
	}
	from, to := span(g)
	first, last := f.links[f.cands[f.list[g].first].link].URL, f.links[f.cands[f.list[g].last].link].URL
	firstRepeats, lastRepeats := false, false
	for _, o := range others {
		if a, b := span(o); from < b && a < to {
			return true
		}
		for _, x := range f.items(o) {
			url := f.links[x.link].URL
			firstRepeats, lastRepeats = firstRepeats || url == first, lastRepeats || url == last
		}
	}
	return firstRepeats && lastRepeats
}

// listBoxes returns the elements around two groups, right below their common ancestor. alike
// reports whether all elements up to there have the same tags and kinds.
func (f *RecordFinder) listBoxes(a, b int32) (x, y int32, alike bool) {
	t := f.tree
	x, y = f.cands[f.list[a].first].node, f.cands[f.list[b].first].node
	for range maxWrapper {
		if t.Nodes[x].Tag != t.Nodes[y].Tag || kind(&t.Nodes[x]) != kind(&t.Nodes[y]) {
			return x, y, false
		}
		p, q := t.Nodes[x].Parent, t.Nodes[y].Parent
		if p < 0 || q < 0 || p == q {
			return x, y, p == q && p >= 0
		}
		x, y = p, q
	}
	return x, y, false
}
