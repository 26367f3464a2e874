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

// Readers are third-party extractors. They cost some 4 ms a page, as much as fetching, parsing and
// scoring five pages. So they run on notices only, and in the sandbox.

// reader returns the element with the main text in a parse tree, which it may change. It uses
// neither comments nor the doctype.
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

// firstLook is Readability without its later runs with weaker rules. Extract does not take it.
const firstLook = "readability at first sight"

// readabilityReader is Mozilla's Readability in Go.
type readabilityReader struct {
	enough int // characters of a text, below which it runs again with weaker rules
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

// byReader runs a third-party extractor. The text is empty if the page is too large for it, if it
// fails or if it takes too long. Tree.Limits names the first and the last case.
func (x *TextExtractor) byReader(name string) TextResult {
	extractor := readers[name]
	if name == firstLook {
		name = MethodReadability // for Tree.Limits
	}
	doc, ok := htmldoc.RunParser(x.Tree, name, htmldoc.ElementsOnly, extractor.read)
	if !ok {
		return TextResult{}
	}
	t := htmldoc.NewTree(x.Tree.URL)
	defer t.Release()
	t.Flatten(doc)
	return TextResult{Text: readable(t, x.TitleText)}
}

// readable returns the text of a reader's tree. It omits a first line that repeats the title, and
// a line of source and date below it.
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
