package page

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strings"
	"time"
	"unicode"

	readability "codeberg.org/readeck/go-readability"
	"github.com/markusmobius/go-trafilatura"
	"golang.org/x/net/html"
)

// Readers are the extractors other people wrote. They cost some 4 ms a page,
// as much as fetching, parsing and judging five pages, so they run on notices
// only, and they were not written for hostile pages: they recurse, they repeat
// whole passes, they may panic. Each call gets a parse of its own, because it
// changes the tree, a bounded page, a goroutine with a recover, and a time
// limit after which nobody waits for it any more. A call that overruns keeps
// its slot until it ends, so that hostile pages cannot pile up work.

const (
	readerBytes = 1 << 20
	readerNodes = 20_000
	readerTime  = 250 * time.Millisecond // some fifty times what a page takes
)

// readerSlots bounds how many readers run at a time.
var readerSlots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// reader finds the main text in a parse tree that it may change, and returns
// the element that holds it.
type reader interface {
	read(doc *html.Node, page *url.URL) (*html.Node, error)
}

// readers are the third-party extractors by the name of their method.
var readers = map[string]reader{
	MethodReadability: readabilityReader{},
	MethodTrafilatura: trafilaturaReader{},
}

var errNoText = errors.New("no text found")

// readabilityReader is Mozilla's Readability in Go.
type readabilityReader struct{}

func (readabilityReader) read(doc *html.Node, page *url.URL) (*html.Node, error) {
	p := readability.NewParser()
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
	if err != nil {
		return nil, err
	}
	if a.ContentNode == nil {
		return nil, errNoText
	}
	return a.ContentNode, nil
}

// byReader runs a third-party extractor. The text is empty when the page is
// too large for it, when it fails and when it takes too long; Page.Limits says
// so in the first and last case.
func byReader(name string, in mainInput) mainText {
	r := readers[name]
	doc, ok := guarded(in, name, func(doc *html.Node, u *url.URL) (*html.Node, error) { return r.read(doc, u) })
	if !ok {
		return mainText{}
	}
	t := trees.Get().(*tree)
	defer t.release()
	t.build(doc)
	return mainText{text: t.readable(in)}
}

// readable writes all runs of a reader's tree but a first line that repeats
// the title above other text, and the line of source and date below it.
func (t *tree) readable(in mainInput) string {
	runs := make([]int32, 0, len(t.runs))
	title := string(squeeze(nil, in.titleText))
	for i := range t.runs {
		r := &t.runs[i]
		text := t.text[r.from:r.to]
		if len(runs) == 0 && i < len(t.runs)-1 && (i == 0 && title != "" && string(squeeze(nil, text)) == title ||
			i < 4 && r.chars < 80 && (furniture(text) || bylineOf(text, int(r.chars)))) {
			continue
		}
		runs = append(runs, int32(i))
	}
	return t.join(runs, -1)
}

// guarded runs third-party code on a parse of its own of the page and reports
// whether it ended in time and well. The result must not share memory with
// anything the code goes on changing.
func guarded[T any](in mainInput, name string, f func(*html.Node, *url.URL) (T, error)) (T, bool) {
	type answer struct {
		v   T
		err error
	}
	var none T
	if in.source == "" {
		return none, false
	}
	if len(in.source) > readerBytes {
		in.limit(name+" bytes", readerBytes)
		return none, false
	}
	if len(in.nodes) > readerNodes {
		in.limit(name+" nodes", readerNodes)
		return none, false
	}
	u, err := url.Parse(in.url)
	if err != nil {
		return none, false
	}
	timer := time.NewTimer(readerTime)
	defer timer.Stop()
	select {
	case readerSlots <- struct{}{}:
	case <-timer.C:
		in.limits = append(in.limits, name+" time")
		return none, false
	}
	done := make(chan answer, 1)
	source := in.source // the goroutine may outlive the tree
	go func() {
		defer func() { <-readerSlots }()
		var a answer
		defer func() {
			if p := recover(); p != nil {
				a.err = fmt.Errorf("%s: %v", name, p)
			}
			done <- a
		}()
		doc, err := html.Parse(&deadlineReader{source, time.Now().Add(readerTime)})
		if err != nil {
			a.err = err
			return
		}
		a.v, a.err = f(doc, u)
	}()
	select {
	case a := <-done:
		return a.v, a.err == nil
	case <-timer.C:
		in.limits = append(in.limits, name+" time")
		return none, false
	}
}

// The rule by which auto chooses (DESIGN 3).
const (
	readerChars  = 300 // characters Readability's text must have to be believed
	readerPunct  = 8   // and punctuation marks
	readerSmall  = 0.3 // of it: a shorter mass has missed the text
	readerTable  = 0.3 // of mass that stands in tables it lost: they are the notice
	foreignShare = 0.2 // CJK letters below which a page is not Chinese
)

// auto is the default rule: go-trafilatura on pages that are not Chinese;
// else mass, but Readability where it found a real text and mass took more
// than that or hardly anything, unless what it left out are rows of a table.
func auto(in mainInput) (mainText, string) {
	mass := byMass(in)
	chars, punct := in.totals()
	if in.source == "" || chars < readerChars {
		mass.why = "the page is too short for another method"
		return mass, MethodMass
	}
	if in.foreign() {
		if m := byReader(MethodTrafilatura, in); m.text != "" {
			m.from, m.to, m.why = mass.from, mass.to, "the page is not Chinese"
			return m, MethodTrafilatura
		}
	}
	if punct < readerPunct { // whatever Readability finds cannot have more
		mass.why = "the page has hardly any punctuation"
		return mass, MethodMass
	}
	m := byReader(MethodReadability, in)
	n, marks := countText(m.text)
	own, _ := countText(mass.text)
	why := fmt.Sprintf("mass found %d characters, readability %d with %d punctuation marks", own, n, marks)
	if lost := tableChars(mass.text) - tableChars(m.text); float64(lost) > readerTable*float64(own) {
		mass.why = why + fmt.Sprintf(", which lost %d characters of tables", lost)
		return mass, MethodMass
	}
	if n >= readerChars && marks >= readerPunct && (own > n || float64(own) < readerSmall*float64(n)) {
		m.from, m.to, m.why = mass.from, mass.to, why
		return m, MethodReadability
	}
	mass.why = why
	return mass, MethodMass
}

// tableChars counts the characters of a text that stand in rows of tables.
func tableChars(s string) int {
	n := 0
	for row := range strings.SplitSeq(s, "\n") {
		if strings.IndexByte(row, '\t') >= 0 {
			chars, _ := countText(row)
			n += chars
		}
	}
	return n
}

// totals counts the characters and punctuation marks of the whole page.
func (t *tree) totals() (chars, punct int) {
	for i := range t.runs {
		chars += int(t.runs[i].chars)
		punct += int(t.runs[i].punct)
	}
	return chars, punct
}

// countText counts the characters of a text that are no space and, of those,
// its punctuation marks.
func countText(s string) (chars, punct int) {
	for _, r := range s {
		if spaceRune(r) {
			continue
		}
		chars++
		if strings.ContainsRune(",!?;，。！？；：、“”《》", r) {
			punct++
		}
	}
	return chars, punct
}

// foreign tells whether less than a fifth of the page's letters are Chinese,
// Japanese or Korean.
func (t *tree) foreign() bool {
	letters, cjk := 0, 0
	for _, r := range t.text[:min(len(t.text), 64<<10)] {
		switch {
		case r < 0x80:
			if r|0x20 >= 'a' && r|0x20 <= 'z' {
				letters++
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			cjk++
			letters++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return letters > 0 && float64(cjk) < foreignShare*float64(letters)
}
