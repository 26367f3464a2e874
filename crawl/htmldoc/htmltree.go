package htmldoc

import (
	"slices"
	"strconv"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds of one page. A page that hits one is still a page.
const (
	MaxBytes     = 10 << 20 // of markup that is looked at
	maxNodes     = 200_000  // elements and texts
	MaxText      = 4 << 20  // bytes of visible text
	MaxRefs      = 5_000
	MaxDivisions = 5_000
	MaxHref      = 2_048 // bytes
	MaxHead      = 300   // runes of <title>
	maxScripts   = 200
)

// Node is one element or text of the page. The descendants of Nodes[i] are
// Nodes[i+1:End], and the text of any element is one slice of Tree.Text.
type Node struct {
	HTML       *html.Node
	Parent     int32 // index, -1 for the outermost
	End        int32
	From, To   int32 // its text is Text[From:To]
	Chars      int32 // runes of it that are no space
	LinkChars  int32 // of those, inside links
	Punct      int32 // of those, sentence punctuation
	Ref        int32 // what it refers to is Refs[Ref:RefEnd]
	RefEnd     int32
	Division   int32 // index of the innermost division around it, itself included; -1 outside all
	Tag        atom.Atom
	IsText     bool // a text and no element
	InLink     bool
	Hidden     bool
	Negative   bool // its traits or those of an element around it are negative
	Numbered   bool // a text with digits outside links, or an element that holds one
	Traits     Traits
	BreaksText bool // stands on lines of its own
}

// TextRun is a stretch of text without a break between block elements: a
// paragraph, a cell, a heading.
type TextRun struct {
	Host      int32 // the innermost block element around it, an index into Tree.Nodes
	From, To  int32 // Text[From:To]
	Chars     int32 // runes that are no space
	LinkChars int32 // of those, inside links
	Punct     int32 // of those, sentence punctuation
	Negative  bool  // as of its host
}

// ResourceRef is a place where the page refers to another, as it is written.
type ResourceRef struct {
	Href     string // the attribute without white space around it, at most MaxHref bytes
	Node     int32  // the element that refers, -1 for one above the body
	Division int32  // around the element, -1 outside all
	Hidden   bool
	Click    bool // a script makes the element a link; it may be of any kind
	Feed     bool // the page names a feed
}

// Division is an element that divides the page: a table, a div and their kin
// (P4 3.3).
type Division struct {
	Node   int32
	Parent int32 // index of the division around it, -1 outside all
}

// Tree is the flat form of one page. Parse, ParseLines or Flatten fills it, once.
// After that only Limits changes.
type Tree struct {
	URL       string    // canonical URL of the page
	Source    string    // the markup it was parsed from; "" when it was none
	Nodes     []Node    // in document order
	Runs      []TextRun // in document order
	Text      string    // all visible text, white space folded, blocks separated by '\n'
	Refs      []ResourceRef
	Divisions []Division
	Head      string       // content of <title> on one line
	Base      string       // href of the first <base>
	LD        []string     // JSON-LD scripts, at most 4
	Clicks    []Click      // elements that lead somewhere by script, in document order
	Forms     []int32      // forms, indexes into Nodes
	Scripts   []*html.Node // the scripts, templates among them, at most maxScripts; the text of one is its first child
	Limits    []string     // bounds that were hit, e.g. "depth 512"

	Refresh      string // where the first <meta http-equiv=refresh> leads, as written; "" without one
	RefreshAfter int    // seconds until it does

	root     *html.Node // what Copy copies, nil for none
	meta     []metaPair
	noscript int    // characters in <noscript>
	buf      []byte // Text under way
	seen     map[string]Traits
	plain    *plainBuilder
}

var trees = sync.Pool{New: func() any {
	return &Tree{seen: map[string]Traits{}, plain: new(plainBuilder)}
}}

// NewTree returns an empty tree for the page of a canonical URL.
func NewTree(url string) *Tree {
	t := trees.Get().(*Tree)
	t.URL = url
	return t
}

// Release gives the tree back to the pool. Nothing may use it or an html.Node of
// it afterwards. Its strings stay valid.
func (t *Tree) Release() {
	if t.Giant() {
		return
	}
	t.empty()
	trees.Put(t)
}

// empty forgets the page and keeps the space.
func (t *Tree) empty() {
	t.plain.reset()
	t.clear()
}

// clear forgets the page but for the nodes of its parse tree, and keeps the space.
func (t *Tree) clear() {
	clear(t.Nodes)
	clear(t.Refs)
	clear(t.LD)
	clear(t.Scripts)
	clear(t.Clicks)
	clear(t.meta)
	clear(t.seen)
	*t = Tree{Nodes: t.Nodes[:0], Runs: t.Runs[:0], Refs: t.Refs[:0], Divisions: t.Divisions[:0], Clicks: t.Clicks[:0], Forms: t.Forms[:0], LD: t.LD[:0], Scripts: t.Scripts[:0],
		meta: t.meta[:0], buf: t.buf[:0], seen: t.seen, plain: t.plain}
}

// Giant reports whether the page was so large that a pool should not keep the
// space of its tree, nor any other space in proportion to its nodes.
func (t *Tree) Giant() bool { return cap(t.Nodes) > 20_000 || cap(t.buf) > 1<<20 }

// Limit notes in t.Limits that a bound was hit.
func (t *Tree) Limit(name string, n int) { t.LimitHit(name + " " + strconv.Itoa(n)) }

// LimitHit notes in t.Limits that a bound without a number was hit.
func (t *Tree) LimitHit(name string) {
	if !slices.Contains(t.Limits, name) {
		t.Limits = append(t.Limits, name)
	}
}
