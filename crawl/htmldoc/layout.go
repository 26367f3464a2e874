package htmldoc

import (
	"angler/crawl/urls"
)

// Link is one hyperlink of a page.
type Link struct {
	URL    string     // canonical absolute URL; "" if it cannot be fetched (javascript:, mailto:, empty, malformed)
	Href   string     // the attribute as written, at most 2 048 bytes
	Anchor string     // visible text, white space folded; the title attribute when the text is truncated; at most 200 runes
	Block  int32      // index of its block, -1: none
	Class  urls.Class // kind of the target by the URL's ending
	Pager  bool       // leads to another page of the same list (下一页, page numbers, list2.htm)
	Hidden bool       // display:none on it or an ancestor
	Tags   uint64     // sketch of its tag path, see Layout.tagPath; 0 for none
}

// Block is one region of the page: the result of iterative division on table, div, section, ul,
// frame and similar (P4 3.3). Blocks are in document order; Parent is the index of the enclosing
// block or -1.
type Block struct {
	Path      string // tag.class path, the innermost 5 levels, digits masked: "div.list/ul.news"
	Parent    int32
	Chars     int32 // non-space runes directly in this block (not in child blocks)
	LinkChars int32 // of those, inside links
	Links     int32
	Special   bool // preceding words announce related links: P4's Specialwords
	Noise     bool // navigation, related links, footers: P4's features
}

// Layout is the blocks and links of one page.
type Layout struct {
	Links      []Link  // Links[i] is the target of Tree.Refs[i]
	Blocks     []Block // in document order
	BlockNodes []int32 // per block: its element, an index into Tree.Nodes; valid only until Reset

	all    []Block // of all divisions
	index  []int32
	buf    []byte
	labels []uint64 // by node: hash of tag, classes and id; 0 = not needed yet
}

// Read finds the blocks and links of a page. charset is the page's charset: queries of links are
// sent in it.
func (l *Layout) Read(t *Tree, charset string, r *urls.Resolver) {
	l.readLinks(t, charset, r)
	l.readTagPaths(t)
	l.readBlocks(t)
	l.markNoise(t)
}

// Reset drops the page and keeps the scratch memory.
func (l *Layout) Reset() {
	*l = Layout{BlockNodes: l.BlockNodes[:0], all: l.all[:0], index: l.index[:0], buf: l.buf[:0], labels: l.labels[:0]}
}
