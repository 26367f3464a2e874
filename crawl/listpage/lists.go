package listpage

import (
	"cmp"
	"slices"
)

// A page may show several lists: columns of a home page, tabs, sections of a channel. They are
// lists of one design: the same elements, in wrappers of the same kinds, below one element. Their
// entries are records of the page. A box of another design, such as the latest news beside a list,
// is no list of the page, nor is one of a few rows: many sites repeat such boxes on every page.

const (
	leastItems = 4  // items of each list where there are several
	maxLists   = 32 // lists of a page
	maxWrapper = 12 // elements between a list and what it shares with the best one
)

// several returns the lists beside that of the best group, each with its parts: dated rows of the
// same design.
func (f *RecordFinder) several(best int32, chosen []int32) (lists [][]int32) {
	if b := &f.list[best]; b.n < leastItems || b.dated*2 < b.n || b.menu {
		return nil
	}
	taken := slices.Clone(chosen)
	for i := range f.list {
		g := &f.list[i]
		if g.n < leastItems || g.dated*2 < g.n || g.menu || g.score <= 0 || slices.Contains(taken, int32(i)) ||
			!f.alike(best, int32(i)) || f.overlaps(int32(i), taken) {
			continue
		}
		if len(lists)+1 >= maxLists {
			break
		}
		list := []int32{int32(i)}
		for _, p := range f.parts(int32(i)) {
			if p != int32(i) && !slices.Contains(taken, p) && !f.overlaps(p, taken) {
				list = append(list, p)
			}
		}
		taken = append(taken, list...)
		lists = append(lists, f.inOrder(list))
	}
	return lists
}

// inOrder sorts groups by their first items.
func (f *RecordFinder) inOrder(groups []int32) []int32 {
	slices.SortFunc(groups, func(a, b int32) int { return cmp.Compare(f.list[a].first, f.list[b].first) })
	return groups
}

// overlaps reports whether a group has an item inside an item of the others, or around one, or
// repeats a target of theirs with its first item.
func (f *RecordFinder) overlaps(g int32, others []int32) bool {
	span := func(g int32) (from, to int32) {
		return f.cands[f.list[g].first].node, f.tree.Nodes[f.cands[f.list[g].last].node].End
	}
	from, to := span(g)
	url := f.links[f.cands[f.list[g].first].link].URL
	for _, o := range others {
		if a, b := span(o); from < b && a < to {
			return true
		}
		for c := f.list[o].first; c >= 0; c = f.cands[c].next {
			if f.links[f.cands[c].link].URL == url {
				return true
			}
		}
	}
	return false
}

// alike reports whether two groups consist of the same elements in wrappers of the same kinds, up to
// the element that holds both.
func (f *RecordFinder) alike(a, b int32) bool {
	t := f.tree
	x, y := f.cands[f.list[a].first].node, f.cands[f.list[b].first].node
	for range maxWrapper {
		if t.Nodes[x].Tag != t.Nodes[y].Tag || kind(&t.Nodes[x]) != kind(&t.Nodes[y]) {
			return false
		}
		x, y = t.Nodes[x].Parent, t.Nodes[y].Parent
		if x < 0 || y < 0 || x == y {
			return x == y && x >= 0
		}
	}
	return false
}
