package page

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
	"unsafe"

	"angler/crawl/urls"

	"golang.org/x/net/html"
)

// ErrNotHTML is wrapped by Parse's error for a body that is neither HTML nor
// text: a PDF, an image, an archive.
var ErrNotHTML = errors.New("not a web page")

// Source is one fetched document.
type Source struct {
	URL         string // canonical; links are completed against it
	ContentType string // the HTTP header, "" when unknown
	Body        []byte
}

// Options says what Parse knows and what it is to do. The zero value parses a
// single file without main text.
type Options struct {
	Main      string         // main text method, see Methods; "" computes none, an unknown name is auto
	ListTitle string         // anchor text under which a list linked here, "" when unknown
	ListDate  Date           // date that list gave
	Now       time.Time      // for dates without a year and against dates in the future; zero: the clock
	Resolver  *urls.Resolver // nil: one shared by the process
	Host      *Boilerplate   // what the host's other pages repeat; nil for a single file
}

var sharedResolver = urls.NewResolver(nil, 1<<16)

// Parse decodes a document, parses it once and says what it is. It costs about
// as much as html.Parse of the same text, twice as much when html.Parse itself
// is needed (plaintree.go), and once more with a main text.
// Any input gives a page or an error that wraps ErrNotHTML; bounds that were
// hit are named in Page.Limits. The page shares no memory with src. Its anchors
// and record titles share one small string and its title has its own, so that
// keeping one of them does not keep the page's text. Safe for concurrent use.
func Parse(src Source, opt Options) (*Page, error) {
	t := trees.Get().(*tree)
	defer t.release()
	p, _, err := t.understand(src, &opt)
	return p, err
}

// findings are what understanding a page leaves behind for explaining it.
type findings struct {
	title int32 // the element that shows the title, -1 when none does
	main  mainText
}

// understand does the work of Parse on an empty tree and fills in opt's
// defaults.
func (t *tree) understand(src Source, opt *Options) (*Page, findings, error) {
	body, cut := inflate(src.Body, maxBytes)
	kind, err := sniff(body, src.ContentType)
	if err != nil {
		return nil, findings{}, err
	}
	if len(body) > maxBytes {
		body, cut = body[:maxBytes], true
	}
	if opt.Now.IsZero() {
		opt.Now = time.Now()
	}
	if opt.Resolver == nil {
		opt.Resolver = sharedResolver
	}
	text, charset := Decode(body, src.ContentType)
	if len(text) > 2*maxBytes {
		text = strings.ToValidUTF8(text[:2*maxBytes], "")
	}
	t.url = src.URL
	if cut {
		t.limit("bytes", maxBytes)
	}
	var root *html.Node
	if kind == plain {
		root = plainTree(text)
	} else {
		root = t.parseHTML(text)
	}
	t.build(root)
	t.finishLinks(src.URL, charset, opt.Resolver)
	p := &Page{URL: src.URL, Charset: charset, Head: t.head, Text: strings.TrimRight(t.text, " \n")}
	p.Blocks = t.finishBlocks()
	t.judged = p.Blocks
	p.Links = t.links
	p.Beta = t.beta()
	p.Records, p.Dated = t.records(opt.Now, opt.Host)
	var at int32
	p.Title, at, p.TitleWhy = t.title(opt.ListTitle, opt.Host)
	p.Date, p.DateWhy = t.date(opt.ListDate, at, opt.Now)
	in := mainInput{tree: t, title: at, titleText: p.Title, host: opt.Host}
	if kind == markup {
		in.source = text
	}
	p.Type = t.pageType(p, at)
	if opt.Main != "" && p.Type == Detail && p.Date.IsZero() {
		p.Date, p.DateWhy = searchDate(in, opt.Now)
	}
	t.nameList(p, opt.Host)
	f := findings{title: at}
	if opt.Main != "" {
		f.main, p.MainMethod = extract(opt.Main, in)
		p.Main = f.main.text
		p.Attachments = t.attachments(f.main.from, f.main.to)
	}
	p.Limits = t.limits
	p.gather()
	return p, f, nil
}

// gather copies what outlives a page out of its text: anchors and record
// titles into one string, the title into another.
func (p *Page) gather() {
	p.Title = strings.Clone(p.Title)
	size := 0
	for i := range p.Links {
		size += len(p.Links[i].Anchor)
	}
	for i := range p.Records {
		size += len(p.Records[i].Title)
	}
	var b strings.Builder
	b.Grow(size)
	for i := range p.Links {
		b.WriteString(p.Links[i].Anchor)
	}
	for i := range p.Records {
		b.WriteString(p.Records[i].Title)
	}
	all := b.String()
	cut := func(s *string) { *s, all = all[:len(*s)], all[len(*s):] }
	for i := range p.Links {
		cut(&p.Links[i].Anchor)
	}
	for i := range p.Records {
		cut(&p.Records[i].Title)
	}
}

type contentKind uint8

const (
	markup contentKind = iota
	plain
)

// sniff refuses what is no text and tells HTML from plain text. The bytes
// decide: servers call everything text/html.
func sniff(body []byte, contentType string) (contentKind, error) {
	head := body[:min(len(body), 1024)]
	what := http.DetectContentType(head)
	switch {
	case strings.HasPrefix(what, "text/html"), strings.HasPrefix(what, "text/xml"):
		return markup, nil
	case strings.HasPrefix(what, "text/plain"):
		if strings.HasPrefix(contentType, "text/plain") || bytes.IndexByte(body, '<') < 0 {
			return plain, nil
		}
		return markup, nil
	case what == "application/octet-stream" && bytes.Count(head, []byte{0})*50 <= len(head) && looksMarkup(body[:min(len(body), 8192)]):
		return markup, nil // a page with a stray control character
	}
	return plain, fmt.Errorf("%w: the body is %s", ErrNotHTML, what)
}

func looksMarkup(head []byte) bool {
	low := bytes.ToLower(head)
	for _, tag := range [...]string{"<html", "<!doctype html", "<head", "<body", "<div", "<table", "<p>", "<a "} {
		if bytes.Contains(low, []byte(tag)) {
			return true
		}
	}
	return false
}

// beta is link characters ÷ other characters over the whole page (P4 3.3).
func (t *tree) beta() float64 {
	var chars, link int32
	for i := range t.runs {
		chars += t.runs[i].chars
		link += t.runs[i].link
	}
	if chars == 0 {
		return 0
	}
	return float64(link) / float64(max(1, chars-link))
}

// bytesAsString looks at bytes as a string. The string must not outlive the
// bytes.
func bytesAsString(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }
