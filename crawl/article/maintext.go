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

	// MethodVote is auto's name for a text of lines that several methods voted for. Extract does
	// not take it.
	MethodVote = "vote"
)

// Methods lists the names that Extract takes, the default first.
func Methods() []string {
	return []string{MethodAuto, MethodMass, MethodReadability, MethodTrafilatura, MethodDensity, MethodPathRatio,
		MethodPost}
}

// Repeater reports whether the host repeats every line of a text on other pages.
type Repeater interface {
	RepeatedText(text string) bool
}

// TextInput holds the page data that the methods use.
type TextInput struct {
	Tree      *htmldoc.Tree
	Links     []htmldoc.Link // Links[i] is the target of Tree.Refs[i]
	Title     int32          // element that shows the title, -1 without one
	TitleText string
	Posts     Posts
	Host      Repeater // nil means that no profile of the host is known
	Second    SecondPass
}

// Posts locates the posts of a page. The zero value means a page without posts.
type Posts struct {
	Kind     PostKind
	Chosen   int32 // element of the post that the title names, else of the first; -1 if an article stands above them
	Named    bool  // the title names One
	From, To int32 // the elements of all posts, Nodes[From:To]
}

// PostKind is the kind of the posts of a page.
type PostKind uint8

// The posts of a Thread make up one text. Each post of an Archive is a text.
const (
	NoPosts PostKind = iota
	Thread
	Archive
)

// TextResult is a main text and its place on the page.
type TextResult struct {
	Text     string // paragraphs and table rows separated by '\n', cells by '\t'
	From, To int32  // its elements, Nodes[From:To]
	Why      string // reason of auto's choice, "" for other methods
}

// TextExtractor extracts the main text of pages and reuses its scratch space. The zero value is
// ready. It must not be used concurrently.
type TextExtractor struct {
	TextInput
	mass, raw []float64 // per node
}

// Extract runs a method by name. It returns the name of the method that found the text. An
// unknown name means auto.
func (x *TextExtractor) Extract(method string, in TextInput) (TextResult, string) {
	x.TextInput = in
	s := in.Second
	if s.Marks == 0 && s.LinkChars == 0 {
		s.Marks, s.LinkChars = DefaultSecondPass.Marks, DefaultSecondPass.LinkChars
	}
	if method == MethodPathRatio {
		r, punct, links := x.byPathRatio()
		if s.After != AfterNone && !s.believed(punct, links) {
			r = x.secondPass(r, s)
		}
		return r, method
	}
	r, decided := x.extractOnce(method)
	if s.After == AfterEvery {
		r = x.checkedBySecondPass(r, s)
	}
	return r, decided
}

// extractOnce runs a method other than pathratio, without a second pass.
func (x *TextExtractor) extractOnce(method string) (TextResult, string) {
	switch method {
	case MethodMass:
		return x.byMass(), method
	case MethodDensity:
		return x.byDensity(), method
	case MethodPost:
		return x.byPost(), method
	case MethodReadability, MethodTrafilatura:
		// mass locates the text, which a library does not, and with it the attachments
		r, located := x.byReader(method), x.byMass()
		r.From, r.To = located.From, located.To
		return r, method
	}
	return x.auto()
}

// Masses returns the text mass of the subtree of every node. It is nil for a page without text.
// The result is valid until the next call of a method of x.
func (x *TextExtractor) Masses(in TextInput) []float64 {
	x.TextInput = in
	if len(in.Tree.Runs) == 0 {
		return nil
	}
	x.weigh(titleRun(in.Tree, in.Title))
	return x.mass
}

// Reset drops the page and keeps the scratch space.
func (x *TextExtractor) Reset() { x.TextInput = TextInput{} }
