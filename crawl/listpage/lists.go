package listpage

import (
	"cmp"
	"slices"

	"angler/crawl/htmldoc"
)

// A page may show several lists: tabs, sections of a channel. They are lists of one design: the
// same elements, in wrappers of the same kinds, below one element. Their entries are records of
// the page. Three kinds of boxes are no lists of the page: one of another design, such as the
// latest news beside a list; one of a few rows, which many sites repeat on every page; and a
// teaser. A teaser shows the newest rows of a section, and its heading or "更多" leads there. A
// home page is made of teasers, and the sections themselves are the lists.

const (
	leastItems   = 4  // items of each list where there are several
	fullItems    = 10 // items from which a list is a list although a link leads to more
	maxLists     = 32 // lists of a page
	maxWrapper   = 12 // elements between a list and what it shares with the best one
	headingLinks = 2  // most links of the heading above a list: of more it is a path or a menu
)

// several returns the lists beside that of the best group, each with its parts: dated rows of the
// same design. There are none if the best one is a teaser.
func (f *RecordFinder) several(best int32, chosen []int32) (lists [][]int32) {
	if !f.full(best) {
		return nil
	}
	taken := slices.Clone(chosen)
	for i := range f.list {
		g := int32(i)
		if !f.full(g) || f.list[g].score <= 0 || slices.Contains(taken, g) {
			continue
		}
		of, box, ok := f.boxes(best, g)
		if !ok || f.overlaps(g, taken) || f.teases(g, box) {
			continue
		}
		if f.teases(best, of) || len(lists)+1 >= maxLists {
			break
		}
		list := []int32{g}
		for _, p := range f.parts(g) {
			if p != g && !slices.Contains(taken, p) && !f.overlaps(p, taken) {
				list = append(list, p)
			}
		}
		taken = append(taken, list...)
		lists = append(lists, f.headed(f.inOrder(list))...)
	}
	return lists
}

// full reports whether a group has the rows of a list among several: enough, most of them dated.
func (f *RecordFinder) full(g int32) bool {
	x := &f.list[g]
	return x.n >= leastItems && x.dated*2 >= x.n && !x.menu
}

// teases reports whether a group is a teaser: it has few rows, and its box or the heading right
// above that has a link to another page beside them. A pager leads to more of the same list.
func (f *RecordFinder) teases(g, box int32) bool {
	t, x := f.tree, &f.list[g]
	if x.n >= fullItems {
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
	return above > b.Parent && h.RefEnd-h.Ref <= headingLinks && leads(h.Ref, h.RefEnd)
}

// headed splits the parts of a list where one has a heading that is no date: it is a list of its
// own then, with an order of its own.
func (f *RecordFinder) headed(parts []int32) (lists [][]int32) {
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

// inOrder sorts groups by their first items.
func (f *RecordFinder) inOrder(groups []int32) []int32 {
	slices.SortFunc(groups, func(a, b int32) int { return cmp.Compare(f.list[a].first, f.list[b].first) })
	return groups
}

// overlaps reports whether a group has an item inside an item of the others, or around one, or
// repeats targets of theirs with its first and its last item.
func (f *RecordFinder) overlaps(g int32, others []int32) bool {
	span := func(g int32) (from, to int32) {
		return f.cands[f.list[g].first].node, f.tree.Nodes[f.cands[f.list[g].last].node].End
	}
	from, to := span(g)
	first, last := f.links[f.cands[f.list[g].first].link].URL, f.links[f.cands[f.list[g].last].link].URL
	begins, ends := false, false
	for _, o := range others {
		if a, b := span(o); from < b && a < to {
			return true
		}
		for _, x := range f.items(o) {
			url := f.links[x.link].URL
			begins, ends = begins || url == first, ends || url == last
		}
	}
	return begins && ends
}

// boxes returns the elements around two groups, right below the one that holds both. It reports
// whether the groups consist of the same elements in wrappers of the same kinds up to there.
func (f *RecordFinder) boxes(a, b int32) (x, y int32, alike bool) {
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
