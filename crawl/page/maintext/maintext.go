// Package maintext finds the text of a notice or an article on its page, without
// menus, lists of links and the frame of the site.
//
// Several methods do so, and a rule chooses one (auto.go). Those that are our own
// cost about as much as parsing the page; those of other people cost 4 ms and run
// in the sandbox.
//
// P0 … P4: see docs/papers.md.
package maintext

import (
	"angler/crawl/page/htmltree"
	"angler/crawl/page/layout"
)

// The names of the methods.
const (
	MethodAuto      = "auto"
	MethodMass      = "mass"
	MethodDensity   = "density"
	MethodPathRatio = "pathratio"

	MethodReadability = "readability"
	MethodTrafilatura = "trafilatura"
)

// Methods lists the names that Extract takes, the default first.
func Methods() []string {
	return []string{MethodAuto, MethodMass, MethodReadability, MethodTrafilatura, MethodDensity, MethodPathRatio}
}

// Repeater knows which lines of text the other pages of a host repeat. It must
// be safe for concurrent use if pages are.
type Repeater interface {
	RepeatedText(text string) bool
}

// Input is what an extractor knows of a page.
type Input struct {
	Tree      *htmltree.Tree
	Links     []layout.Link // Links[i] is what Tree.Refs[i] leads to
	Title     int32         // the element that shows the title, -1 when none does
	TitleText string
	Host      Repeater // nil when nothing is known
	Second    SecondPass
}

// Result is a main text and where it was found.
type Result struct {
	Text     string // paragraphs and table rows separated by '\n', cells by '\t'
	From, To int32  // the elements it came from, Nodes[From:To]
	Why      string // how auto decided, "" without auto
}

// Extractor extracts one text after the other and keeps its scratch space. The
// zero value is ready. It serves one goroutine at a time.
type Extractor struct {
	Input
	mass, raw []float64 // per node
}

// Extract runs a method by name and returns which one decided. An unknown name
// is auto.
func (x *Extractor) Extract(method string, in Input) (Result, string) {
	x.Input = in
	s := in.Second
	if s.Marks == 0 && s.LinkChars == 0 {
		s.Marks, s.LinkChars = DefaultSecondPass.Marks, DefaultSecondPass.LinkChars
	}
	if method == MethodPathRatio {
		r, punct, links := x.byPathRatio()
		if s.After != AfterNone && !s.believed(punct, links) {
			r = x.second(r, s)
		}
		return r, method
	}
	r, decided := x.once(method)
	if s.After == AfterEvery {
		r = x.checked(r, s)
	}
	return r, decided
}

// once runs a method that P2 gives no second pass.
func (x *Extractor) once(method string) (Result, string) {
	switch method {
	case MethodMass:
		return x.byMass(), method
	case MethodDensity:
		return x.byDensity(), method
	case MethodReadability, MethodTrafilatura:
		// where the text stood, and with it its attachments, is what mass says
		r, at := x.byReader(method), x.byMass()
		r.From, r.To = at.From, at.To
		return r, method
	}
	return x.auto()
}

// Masses returns the text mass of every node with all that is in it, which
// MethodMass follows. It is valid until the next call of x; it is empty when the
// page has no text.
func (x *Extractor) Masses(in Input) []float64 {
	x.Input = in
	if len(in.Tree.Runs) == 0 {
		return nil
	}
	x.weigh(titleRun(in.Tree, in.Title))
	return x.mass
}

// Reset forgets the page and keeps the scratch space.
func (x *Extractor) Reset() { x.Input = Input{} }
