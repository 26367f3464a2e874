package page

import (
	"strconv"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds of one page. A page that hits one is still a page; the bound is
// named in Page.Limits.
const (
	maxBytes  = 10 << 20 // of decoded text that is looked at
	maxNodes  = 200_000  // elements and texts
	maxText   = 4 << 20  // bytes of visible text
	maxLinks  = 5_000
	maxBlocks = 5_000
	maxHref   = 2_048 // bytes
	maxAnchor = 200   // runes
	maxTitle  = 300   // runes
)

// node is one element or text of the page, in document order: the descendants
// of nodes[i] are nodes[i+1:end]. Text is nodes' common buffer, so that the
// text of any element is one slice of it.
type node struct {
	html       *html.Node
	parent     int32
	end        int32
	from, to   int32 // its text
	chars      int32 // runes of it that are no space
	linkChars  int32 // of those, inside links
	punct      int32 // of those, sentence punctuation
	link       int32 // its links are links[link:linkEnd]
	linkEnd    int32
	block      int32
	tag        atom.Atom
	text       bool // a text and no element
	inLink     bool
	hidden     bool
	negative   bool // itself or an ancestor
	numbered   bool // a text with digits outside links, or an element that holds one
	traits     traits
	breaksText bool
}

// run is a stretch of text without a break between block elements: a
// paragraph, a cell, a heading.
type run struct {
	host     int32 // the innermost block element around it
	from, to int32
	chars    int32
	link     int32
	punct    int32
	negative bool
}

// tree is the flat form of one parsed page and the scratch space of its
// analysis. Trees are pooled.
type tree struct {
	nodes []node
	runs  []run
	buf   []byte
	text  string
	links []Link
	hosts []int32 // per link: its element
	meta  []metaPair
	head  string
	base  string
	ld    []string // JSON-LD scripts, at most a few
	lang  string

	url    string // of the page, canonical
	limits []string

	blocks     []Block
	blockNodes []int32 // per block: its element
	judged     []Block // the blocks the page keeps

	listParts                   []int32 // the groups that make up the records
	listFrom, listTo, listChars int32   // the text they span, characters of their items

	// scratch space of the passes
	weight, weight2 []float64
	scratch         []byte
	keep            []int32
	cands           []candidate
	groups          map[groupKey]int32
	groupList       []group
	asked           []answer // per link: whether the host repeats it
	seenTraits      map[string]traits
	plain           *plainBuilder
}

type metaPair struct{ key, value string }

var trees = sync.Pool{New: func() any {
	return &tree{groups: map[groupKey]int32{}, seenTraits: map[string]traits{}, plain: new(plainBuilder)}
}}

// release forgets everything that points into a page and keeps the space,
// unless a giant page made it giant.
func (t *tree) release() {
	if cap(t.nodes) > 20_000 || cap(t.buf) > 1<<20 {
		return
	}
	clear(t.nodes)
	clear(t.groups)
	clear(t.seenTraits)
	clear(t.meta)
	clear(t.ld)
	clear(t.asked)
	t.plain.reset()
	*t = tree{nodes: t.nodes[:0], runs: t.runs[:0], buf: t.buf[:0], hosts: t.hosts[:0], meta: t.meta[:0], ld: t.ld[:0],
		weight: t.weight[:0], weight2: t.weight2[:0], scratch: t.scratch[:0], cands: t.cands[:0], groupList: t.groupList[:0], blocks: t.blocks[:0], blockNodes: t.blockNodes[:0], keep: t.keep[:0], asked: t.asked[:0],
		groups: t.groups, seenTraits: t.seenTraits, plain: t.plain}
	trees.Put(t)
}

func (t *tree) limit(name string, n int) {
	s := name + " " + strconv.Itoa(n)
	for _, l := range t.limits {
		if l == s {
			return
		}
	}
	t.limits = append(t.limits, s)
}

// skipped elements hold no text a reader sees.
func skipped(tag atom.Atom) bool {
	switch tag {
	case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Select, atom.Option, atom.Textarea, atom.Svg,
		atom.Object, atom.Embed, atom.Canvas, atom.Datalist, atom.Title, atom.Noframes, atom.Math:
		return true
	}
	return false
}

// breaks tells which elements stand on lines of their own.
func breaks(tag atom.Atom) bool {
	switch tag {
	case atom.P, atom.Div, atom.Li, atom.Tr, atom.Td, atom.Th, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6,
		atom.Section, atom.Article, atom.Table, atom.Tbody, atom.Thead, atom.Tfoot, atom.Ul, atom.Ol, atom.Dl, atom.Dt, atom.Dd,
		atom.Pre, atom.Blockquote, atom.Form, atom.Header, atom.Footer, atom.Nav, atom.Aside, atom.Main, atom.Center,
		atom.Body, atom.Fieldset, atom.Hr, atom.Figure, atom.Figcaption, atom.Caption, atom.Address, atom.Details, atom.Summary,
		atom.Frameset, atom.Marquee, atom.Menu, atom.Dir, atom.Legend, atom.Button, atom.Input, atom.Map:
		return true
	}
	return false
}

// attr returns an attribute's value, "" when it is missing.
func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}
