package listpage

import (
	"iter"
	"slices"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

const (
	maxItemLinks   = 8 // of an item
	maxItemTargets = 4 // distinct targets of an item
)

// groupKey identifies a group: the index of its parent and the hash of tag and class.
type groupKey struct {
	parent int32
	kind   uint64
}

// candidate is one possible item of a list.
type candidate struct {
	node              int32
	link              int32 // main link
	group             int32
	targets           int32
	date              article.Date
	dropped, repeated bool
	otherDate         bool // it has a date, but not of publication
	day               dayRow
	next              int32 // next candidate of its group, -1 at the end
}

// group is a set of candidates and the data for its score.
type group struct {
	first, last   int32 // indexes of candidates
	n, dated      int32
	targets       int32
	links         int32 // in all candidates
	chars         int32 // in all candidates
	runes         float64
	score         float64
	menu          bool // several items, one of which links to this page or to the home page
	titlesOutside bool // the titles stand beside the links, whose text is 查看详情 or a number
}

// itemTags are the elements that can be items.
var itemTags = []atom.Atom{atom.Div, atom.Li, atom.A, atom.Span, atom.Tr, atom.Td, atom.P, atom.Ul, atom.Table,
	atom.Tbody, atom.Dd, atom.Dt, atom.Dl, atom.Article, atom.Section, atom.H2, atom.H3, atom.H4}

// collect finds the candidates and sorts them into groups.
func (f *RecordFinder) collect(now time.Time) {
	t := f.tree
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText {
			f.collectMonth(int32(i))
			continue
		}
		links := n.RefEnd - n.Ref
		if links < 1 || links > maxItemLinks || n.Parent < 0 || !slices.Contains(itemTags, n.Tag) {
			continue
		}
		main, targets := f.mainLink(n)
		if main < 0 || targets > maxItemTargets {
			continue
		}
		key := groupKey{n.Parent, kind(n)}
		g, ok := f.groups[key]
		if !ok {
			g = int32(len(f.list))
			f.groups[key] = g
			f.list = append(f.list, group{first: -1, last: -1})
		}
		c := candidate{node: int32(i), link: main, group: g, targets: targets, next: -1}
		if c.date, c.otherDate = f.itemDate(int32(i), now); c.date.IsZero() && !c.otherDate {
			c.date, c.day = f.dayDate(int32(i), main, now)
		}
		ci := int32(len(f.cands))
		f.cands = append(f.cands, c)
		gr := &f.list[g]
		gr.links += links
		gr.chars += n.Chars
		if gr.first < 0 {
			gr.first = ci
		} else {
			f.cands[gr.last].next = ci
		}
		gr.last = ci
	}
}

// items yields the candidates of a group with their indexes, in the order of the page.
func (f *RecordFinder) items(g int32) iter.Seq2[int32, *candidate] {
	return func(yield func(int32, *candidate) bool) {
		for c := f.list[g].first; c >= 0; c = f.cands[c].next {
			if !yield(c, &f.cands[c]) {
				return
			}
		}
	}
}

// kind hashes tag and first class without digits. It ignores the class of rows, cells, items and
// links: their classes alternate (odd, even, last).
func kind(n *htmldoc.Node) uint64 {
	h := uint64(n.Tag) + 14695981039346656037
	switch n.Tag {
	case atom.Li, atom.Tr, atom.Td, atom.A:
		return h
	}
	return article.HashClass(h, n)
}

// mainLink returns the link with the longest anchor of an item, -1 if no link has an address.
// targets is the number of distinct targets.
func (f *RecordFinder) mainLink(n *htmldoc.Node) (main, targets int32) {
	main = -1
	longest := 0
	for i := n.Ref; i < n.RefEnd; i++ {
		l := &f.links[i]
		if l.URL == "" {
			continue
		}
		if main < 0 && i+1 == n.RefEnd {
			return i, 1 // the only link, as in most rows
		}
		known := slices.ContainsFunc(f.links[n.Ref:i], func(o htmldoc.Link) bool { return o.URL == l.URL })
		if !known {
			targets++
		}
		runes := htmldoc.RunesUpTo(l.Anchor, 60)
		if htmldoc.OnlyDateSigns(l.Anchor) {
			runes = min(runes, 1) // a cell with the date leads to the same page as the title
		}
		// a second link to the same page is its summary or "详细"
		again := known && main >= 0 && longest >= 5 && f.links[main].URL == l.URL
		if runes > longest && !again || main < 0 { // a picture has no anchor
			main, longest = i, runes
		}
	}
	return main, targets
}
