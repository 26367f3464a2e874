package article

import (
	"angler/crawl/htmldoc"
)

// The names of the methods.
const (
	MethodAuto      = "auto"
	MethodMass      = "mass"
	MethodDensity   = "density"
	MethodPathRatio = "pathratio"
	MethodPost      = "post"

	MethodReadability = "readability"
	MethodTrafilatura = "trafilatura"

	// MethodVote is what auto names where it puts a text together from lines that
	// several methods speak for. It cannot be asked for.
	MethodVote = "vote"
)

// Methods lists the names that Extract takes, the default first.
func Methods() []string {
	return []string{MethodAuto, MethodMass, MethodReadability, MethodTrafilatura, MethodDensity, MethodPathRatio,
		MethodPost}
}

// Repeater knows which lines of text the other pages of a host repeat. It must
// be safe for concurrent use if pages are.
type Repeater interface {
	RepeatedText(text string) bool
}

// TextInput holds what an extractor knows about a page.
type TextInput struct {
	Tree      *htmldoc.Tree
	Links     []htmldoc.Link // Links[i] is what Tree.Refs[i] leads to
	Title     int32          // the element that shows the title, -1 when none does
	TitleText string
	Posts     Posts
	Host      Repeater // nil when nothing is known
	Second    SecondPass
}

// Posts says where the posts of a page stand. The zero value is a page without.
type Posts struct {
	Kind     PostKind
	One      int32 // the element of the post that the title names, or else of the first; -1 when the text stands before the posts
	Named    bool  // the title names it
	From, To int32 // the elements of all of them, Nodes[From:To]
}

// PostKind says what the posts of a page are.
type PostKind uint8

// A page has no posts; or those of a thread, which make up one text; or those of an
// archive, of which each is a text.
const (
	NoPosts PostKind = iota
	Thread
	Archive
)

// TextResult is a main text and where it was found.
type TextResult struct {
	Text     string // paragraphs and table rows separated by '\n', cells by '\t'
	From, To int32  // the elements it came from, Nodes[From:To]
	Why      string // how auto decided, "" without auto
}

// TextExtractor extracts one text after the other and keeps its scratch space. The
// zero value is ready. It serves one goroutine at a time.
type TextExtractor struct {
	TextInput
	mass, raw []float64 // per node
}

// Extract runs a method by name and returns which one decided. An unknown name
// is auto.
func (x *TextExtractor) Extract(method string, in TextInput) (TextResult, string) {
	x.TextInput = in
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
func (x *TextExtractor) once(method string) (TextResult, string) {
	switch method {
	case MethodMass:
		return x.byMass(), method
	case MethodDensity:
		return x.byDensity(), method
	case MethodPost:
		return x.byPost(), method
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
func (x *TextExtractor) Masses(in TextInput) []float64 {
	x.TextInput = in
	if len(in.Tree.Runs) == 0 {
		return nil
	}
	x.weigh(titleRun(in.Tree, in.Title))
	return x.mass
}

// Reset forgets the page and keeps the scratch space.
func (x *TextExtractor) Reset() { x.TextInput = TextInput{} }
