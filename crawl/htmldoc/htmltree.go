package htmldoc

import (
	"slices"
	"strconv"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The bounds of one page. A page that exceeds one is still a page.
const (
	MaxBytes     = 10 << 20 // of markup read
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
	Parent     int32 // index, -1: outermost
	End        int32
	From, To   int32 // its text is Text[From:To]
	Chars      int32 // runes of it except spaces
	LinkChars  int32 // of those, inside links
	Punct      int32 // of those, sentence punctuation
	Ref        int32 // its references are Refs[Ref:RefEnd]
	RefEnd     int32
	Division   int32 // index of the innermost enclosing division, or its own; -1: none
	Tag        atom.Atom
	IsText     bool // a text, not an element
	InLink     bool
	Hidden     bool
	Negative   bool // its traits or those of an enclosing element are negative
	Numbered   bool // a text with digits outside links, or an element that holds one
	Traits     traits
	BreaksText bool // is on lines of its own
}

// TextRun is text without a break between block elements: a paragraph, a cell, a heading.
type TextRun struct {
	Host      int32 // innermost enclosing block element, an index into Tree.Nodes
	From, To  int32 // Text[From:To]
	Chars     int32 // runes except spaces
	LinkChars int32 // of those, inside links
	Punct     int32 // of those, sentence punctuation
	Negative  bool  // as of its host
}

// sentenceChars is the least number of characters outside links of a sentence.
const sentenceChars = 30

// IsSentence reports whether a text is long enough for a sentence, and has its punctuation.
func (r *TextRun) IsSentence() bool { return r.Punct > 0 && r.Chars-r.LinkChars >= sentenceChars }

// resourceRef is a reference of the page to another, as written.
type resourceRef struct {
	Href     string // the trimmed attribute, at most MaxHref bytes
	Node     int32  // the referring element, -1: above the body
	Division int32  // the division around it, -1: none
	Hidden   bool
	Click    bool // a script makes the element a link; it may be of any kind
	Feed     bool // the page names a feed
}

// division is an element that divides the page: a table, a div and similar (P4 3.3).
type division struct {
	Node   int32
	Parent int32 // index of the enclosing division, -1: none
}

// Tree is the flat form of one page. Parse, ParseLines or Flatten fills it once; afterwards only
// Limits changes.
type Tree struct {
	URL       string    // canonical URL of the page
	Source    string    // the parsed markup; "" if it was no markup
	Nodes     []Node    // in document order
	Runs      []TextRun // in document order
	Text      string    // all visible text, white space folded, blocks separated by '\n'
	Refs      []resourceRef
	Divisions []division
	Head      string       // content of <title> on one line
	Base      string       // href of the first <base>
	LD        []string     // JSON-LD scripts, at most 4
	Clicks    []Click      // elements whose scripts open addresses, in document order
	Forms     []int32      // forms, indexes into Nodes
	Selects   []*html.Node // the menus with an onchange, at most maxForms
	Scripts   []*html.Node // the scripts, including templates, at most maxScripts; the text of one is its first child
	Limits    []string     // bounds that were hit, e.g. "depth 512"

	Refresh      string // target of the first <meta http-equiv=refresh>, as written; "": none
	RefreshAfter int    // seconds before the refresh

	root     *html.Node // source of Copy, nil: none
	meta     []metaPair
	noscript int    // characters in <noscript>
	buf      []byte // text being built
	seen     map[string]traits
	plain    *plainBuilder
}

var trees = sync.Pool{New: func() any {
	return &Tree{seen: map[string]traits{}, plain: new(plainBuilder)}
}}

// NewTree returns an empty tree for the page of a canonical URL.
func NewTree(url string) *Tree {
	t := trees.Get().(*Tree)
	t.URL = url
	return t
}

// Release returns the tree to the pool. Do not use it or its html.Nodes afterwards; its strings
// stay valid.
func (t *Tree) Release() {
	if t.Giant() {
		return
	}
	t.empty()
	trees.Put(t)
}

// empty drops the page and keeps the memory.
func (t *Tree) empty() {
	t.plain.reset()
	t.clear()
}

// clear drops the page except the nodes of its parse tree, and keeps the memory.
func (t *Tree) clear() {
	clear(t.Nodes)
	clear(t.Refs)
	clear(t.LD)
	clear(t.Scripts)
	clear(t.Selects)
	clear(t.Clicks)
	clear(t.meta)
	clear(t.seen)
	*t = Tree{Nodes: t.Nodes[:0], Runs: t.Runs[:0], Refs: t.Refs[:0], Divisions: t.Divisions[:0], Clicks: t.Clicks[:0],
		Forms: t.Forms[:0], LD: t.LD[:0], Scripts: t.Scripts[:0], Selects: t.Selects[:0],
		meta: t.meta[:0], buf: t.buf[:0], seen: t.seen, plain: t.plain}
}

// Giant reports whether the page was so large that pools should not keep the memory of its tree, or
// other memory in proportion to its nodes.
func (t *Tree) Giant() bool { return cap(t.Nodes) > 20_000 || cap(t.buf) > 1<<20 }

// Limit records in t.Limits that a bound was hit.
func (t *Tree) Limit(name string, n int) { t.LimitHit(name + " " + strconv.Itoa(n)) }

// LimitHit records in t.Limits that a bound without a number was hit.
func (t *Tree) LimitHit(name string) {
	if !slices.Contains(t.Limits, name) {
		t.Limits = append(t.Limits, name)
	}
}
