package article

import (
	"cmp"
	"errors"
	"net/url"

	"angler/crawl/htmldoc"

	readability "codeberg.org/readeck/go-readability"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// Readers are the extractors other people wrote. They cost some 4 ms a page, as
// much as fetching, parsing and scoring five pages, so they run on notices
// only, and in the sandbox.

// reader finds the main text in a parse tree that it may change, and returns
// the element that holds it. No reader looks at comments or the doctype.
type reader interface {
	read(doc *html.Node, page *url.URL) (*html.Node, error)
}

// readers are the third-party extractors by the name of their method.
var readers = map[string]reader{
	MethodReadability: readabilityReader{enough: readability.NewParser().CharThresholds},
	firstLook:         readabilityReader{},
	MethodTrafilatura: trafilaturaReader{},
}

var errNoText = errors.New("no text found")

// firstLook is Readability without its looks for more. No method of a user has this name.
const firstLook = "readability at first sight"

// readabilityReader is Mozilla's Readability in Go.
type readabilityReader struct {
	enough int // characters of a text that is not looked for again with weaker rules
}

func (r readabilityReader) read(doc *html.Node, page *url.URL) (*html.Node, error) {
	p := readability.NewParser()
	p.CharThresholds = r.enough
	a, err := p.ParseAndMutate(doc, page)
	if err == nil && a.Node == nil {
		err = errNoText
	}
	return a.Node, err
}

// trafilaturaReader is go-trafilatura with its fallback on Readability and
// DOM Distiller, without its own search for a date.
type trafilaturaReader struct{}

func (trafilaturaReader) read(doc *html.Node, page *url.URL) (*html.Node, error) {
	a, err := trafilatura.ExtractDocument(doc, trafilatura.Options{
		OriginalURL: page, EnableFallback: true, ExcludeComments: true, HtmlDateMode: trafilatura.Disabled})
	if err != nil || a.ContentNode == nil {
		return nil, cmp.Or(err, errNoText)
	}
	return a.ContentNode, nil
}

// byReader runs a third-party extractor. The text is empty when the page is too
// large for it, when it fails and when it takes too long; Tree.Limits says so in
// the first and last case.
func (x *TextExtractor) byReader(name string) TextResult {
	r := readers[name]
	if name == firstLook {
		name = MethodReadability // as limits call it
	}
	doc, ok := htmldoc.RunParser(x.Tree, name, htmldoc.ElementsOnly, r.read)
	if !ok {
		return TextResult{}
	}
	t := htmldoc.NewTree(x.Tree.URL)
	defer t.Release()
	t.Flatten(doc)
	return TextResult{Text: readable(t, x.TitleText)}
}

// readable writes all runs of a reader's tree but a first line that repeats the
// title above other text, and the line of source and date below it.
func readable(t *htmldoc.Tree, title string) string {
	runs := make([]int32, 0, len(t.Runs))
	title = string(htmldoc.Squeeze(nil, title))
	for i := range t.Runs {
		r := &t.Runs[i]
		text := t.Text[r.From:r.To]
		if len(runs) == 0 && i < len(t.Runs)-1 && (i == 0 && title != "" &&
			string(htmldoc.Squeeze(nil, text)) == title ||
			i < 4 && r.Chars < 80 && (htmldoc.IsFurniture(text) || bylineOf(text, int(r.Chars)))) {
			continue
		}
		runs = append(runs, int32(i))
	}
	return join(t, runs, -1)
}
