package page

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/sitemap"
	"angler/crawl/urls"
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
	Main      string             // main text method, see Methods; "" computes none, an unknown name is auto
	Second    article.SecondPass // α and β of P2's second pass; zero: DefaultSecondPass
	ListTitle string             // anchor text under which a list linked here, "" when unknown
	ListDate  article.Date       // date that list gave; a guessed year is taken from the page where that tells it
	Now       time.Time          // for dates without a year and against dates in the future; zero: the clock
	Resolver  *urls.Resolver     // nil: one shared by the process
	Host      *HostProfile       // what the host's other pages repeat; nil for a single file
	Tables    bool               // read Page.Tables

	Notice *Announced // the page is read besides as a notice, see Page.Notice; nil = it is not

	// Script returns the text of a script file by its canonical URL, if it was fetched; nil = none was.
	Script func(url string) (text string, known bool)
}

// defaults fills in what Options leaves open.
func (opt *Options) defaults() {
	if opt.Now.IsZero() {
		opt.Now = time.Now()
	}
	if opt.Resolver == nil {
		opt.Resolver = sharedResolver
	}
}

var sharedResolver = urls.NewResolver(1 << 16)

// Parse decodes a document, parses it once and says what it is. It costs about
// as much as html.Parse of the same text, twice as much when html.Parse itself
// is needed (htmltree), and once more with a main text.
// Any input gives a page or an error that wraps ErrNotHTML; bounds that were
// hit are named in Page.Limits. The page shares no memory with src. Its anchors
// and record titles share one small string and its title has its own, so that
// keeping one of them does not keep the page's text. Safe for concurrent use.
func Parse(src Source, opt Options) (*Page, error) {
	a := newAnalysis(src.URL)
	defer a.release()
	return a.understand(src, &opt)
}

// analysis is the work on one page and its scratch space. Analyses are pooled.
type analysis struct {
	tree   *htmldoc.Tree
	layout htmldoc.Layout
	list   listpage.RecordFinder
	text   article.TextExtractor

	turning listpage.PaginationFinder
	buf     []byte

	dead   bool   // the rows of a list lead nowhere
	filled string // where the text of an empty shell stood, "" for other pages

	title int32 // the element that shows the title, -1 when none does
	posts article.Posts
	feed  []sitemap.Entry    // of a feed, which link i of the page leads to
	main  article.TextResult // with Options.Main
}

var analyses = sync.Pool{New: func() any { return new(analysis) }}

func newAnalysis(url string) *analysis {
	a := analyses.Get().(*analysis)
	a.tree, a.title, a.posts, a.filled, a.dead = htmldoc.NewTree(urls.Bare(url)), -1, article.Posts{}, "", false
	return a
}

// release forgets everything that points into the page. It keeps the space, but not
// that of a giant page.
func (a *analysis) release() {
	giant := a.tree.Giant()
	a.tree.Release()
	if giant {
		return
	}
	a.layout.Reset()
	a.list.Reset()
	a.text.Reset()
	a.turning.Reset()
	a.tree, a.feed, a.main = nil, nil, article.TextResult{}
	analyses.Put(a)
}

// understand does the work of Parse and fills in opt's defaults.
func (a *analysis) understand(src Source, opt *Options) (*Page, error) {
	opt.defaults()
	name, err := a.read(src, opt.Now)
	if err != nil {
		return nil, err
	}
	t := a.tree
	a.turning.Tree, a.turning.Charset, a.turning.Resolver, a.turning.Script = t, name, opt.Resolver, opt.Script
	a.turning.Clicks()
	a.layout.Read(t, name, opt.Resolver)
	ownAddresses(src.URL, a.layout.Links)
	var heard *HostDependencies
	if opt.Notice != nil {
		heard = new(HostDependencies)
	}
	host := neighboursOf(opt.Host, heard)
	p := &Page{URL: src.URL, Charset: name, Head: t.Head, Text: strings.TrimRight(t.Text, " \n"),
		Blocks: a.layout.Blocks, Links: a.layout.Links, Beta: beta(t)}
	a.findRecords(p, opt, host)
	a.findInline(p, opt)
	a.findFeed(p)
	whole := *p
	a.identify(p, opt, host)
	if len(p.Records) == 0 {
		p.Moved, p.Unread = a.turning.Redirect()
	}
	if p.Moved == "" && a.textInFrame(p, opt.Notice) {
		p.Moved = a.turning.TextFrame()
	}
	p.Turns, p.Unfollowed, p.Scripts = a.turning.Find(src.URL, len(p.Records))
	p.Unfollowed = listpage.FindMissing(&listpage.MissingInput{Tree: t, Links: p.Links, Records: len(p.Records),
		Dated: p.Dated, List: p.Type == List,
		Text: p.Type == Detail && !p.Date.IsZero(), Page: listpage.PageOf(src.URL), Turned: len(p.Turns) > 0,
		Named: p.Unfollowed})
	in := a.textInput(p, host) // with the title that the page shows
	nameList(p, host)
	if opt.Main != "" {
		a.extract(p, opt, in)
	}
	if opt.Tables {
		p.Tables = fields.ReadTables(t)
	}
	if opt.Host != nil {
		p.Asked = a.asked(p)
	}
	if opt.Notice != nil {
		p.Notice = a.notice(whole, *opt, host)
		heard.settle()
		p.Notice.Heard = *heard
	}
	if p.Type == Detail {
		if page, of := textPages(p.URL, p.Links); of > 0 {
			t.LimitHit("text on page " + strconv.Itoa(page) + " of " + strconv.Itoa(of))
		}
	}
	p.Limits = t.Limits
	p.gather()
	return p, nil
}

// read unpacks, decodes and parses a document, and names its charset.
func (a *analysis) read(src Source, now time.Time) (charsetName string, err error) {
	body, cut := htmldoc.Inflate(src.Body, htmldoc.MaxBytes)
	kind, err := sniff(body, src.ContentType)
	if err != nil {
		return "", err
	}
	if len(body) > htmldoc.MaxBytes {
		body, cut = body[:htmldoc.MaxBytes], true
	}
	text, name, mixed := htmldoc.DecodePage(body, src.ContentType)
	if mixed {
		a.tree.LimitHit("one charset a page")
	}
	if len(text) > 2*htmldoc.MaxBytes {
		text = strings.ToValidUTF8(text[:2*htmldoc.MaxBytes], "")
	}
	if cut {
		a.tree.Limit("bytes", htmldoc.MaxBytes)
	}
	if m, ok := sitemap.Feed(text, a.tree.URL); ok {
		a.feed = m.URLs
		for _, l := range m.Limits {
			a.tree.LimitHit("feed " + l)
		}
		a.tree.Parse(m.Markup())
	} else if kind == plain {
		a.tree.ParseLines(text)
	} else {
		a.tree.Parse(text)
		a.filled = fillShell(a.tree, now)
	}
	return name, nil
}

// ownAddresses leaves the links of a list that was written for a recipe as they are where
// they lead to a row of it: the fragment names the row. Pages of others have no such
// address, whatever they write.
func ownAddresses(address string, links []htmldoc.Link) {
	bare, name := urls.Split(address)
	recipe, _, ok := strings.Cut(strings.TrimPrefix(name, "recipe:"), ":")
	if !ok || len(name) == len(strings.TrimPrefix(name, "recipe:")) {
		return
	}
	row := bare + "#recipe:" + recipe + ":row="
	for i := range links {
		if strings.HasPrefix(links[i].Href, row) {
			links[i].URL, links[i].Class = strings.Clone(links[i].Href), urls.Page
		}
	}
}

func (a *analysis) findRecords(p *Page, opt *Options, host neighbours) {
	p.Records, p.Dated = a.list.Find(a.tree, &a.layout, opt.Now, host)
	if a.dead = p.Dated == 0 && deadRows(a.tree, opt.Now) >= listRecords; a.dead {
		p.Records = nil // they are navigation
	}
}

// fewRecords are so few that a list may stand in a script.
const fewRecords = 3

// findInline takes the entries of a list that stand in a script as data, where the page
// shows none.
func (a *analysis) findInline(p *Page, opt *Options) {
	if p.Dated > 0 && len(p.Records) >= fewRecords || len(a.tree.Scripts) == 0 {
		return
	}
	rows := listpage.FindDataRows(a.tree, opt.Now)
	if len(rows) == 0 {
		return
	}
	var text strings.Builder
	text.WriteString(p.Text)
	found, dated := make([]listpage.Record, 0, len(rows)), 0
	links := slices.Clone(p.Links)
	for _, r := range rows {
		u, err := opt.Resolver.ResolveIn(p.Charset, a.tree.URL, r.Href)
		if err != nil {
			continue
		}
		found = append(found, listpage.Record{Title: r.Title, URL: u, Date: r.Date, Link: int32(len(links))})
		links = append(links, htmldoc.Link{URL: u, Href: r.Href, Anchor: r.Title, Block: -1, Class: urls.ClassOf(u)})
		if !r.Date.IsZero() {
			dated++
		}
		text.WriteByte('\n')
		text.WriteString(r.Title)
	}
	if len(found) < fewRecords || len(p.Records) >= fewRecords && (dated == 0 || 2*len(found) <= len(p.Records)) {
		return // what the page shows is no menu
	}
	p.Records, p.Dated, p.Links, p.Text = found, dated, links, text.String()
}

// findFeed takes the entries of a feed.
func (a *analysis) findFeed(p *Page) {
	if a.feed == nil {
		return
	}
	p.Records, p.Dated = nil, 0
	for i := range a.feed {
		x := &a.feed[i]
		title := x.Headline()
		if i >= len(p.Links) || p.Links[i].URL == "" || title == "" {
			continue
		}
		p.Records = append(p.Records, listpage.Record{Title: title, URL: p.Links[i].URL, Date: x.LastMod,
			Link: int32(i)})
		if !x.LastMod.IsZero() {
			p.Dated++
		}
	}
}

// frameHolderChars is how many characters of its own, such as title and date, a page shows at most whose text
// stands in a frame.
const frameHolderChars = 150

// textInFrame reports whether the text of a notice may stand in a frame of its page: its list gave title and date, and
// the page shows hardly more, no sentence and no file.
func (a *analysis) textInFrame(p *Page, as *Announced) bool {
	if as == nil || as.Title == "" || as.Date.IsZero() || p.Type == List || p.ownChars() > frameHolderChars {
		return false
	}
	sentences, _ := visibleChars(a.tree)
	return sentences == 0 && !slices.ContainsFunc(p.Links, func(l htmldoc.Link) bool {
		return l.Class == urls.Document || l.Class == urls.Archive
	})
}

func (a *analysis) findDate(p *Page, opt *Options) {
	if !opt.ListDate.IsZero() && !opt.ListDate.Guessed() && opt.ListDate.Precision != article.Month {
		p.Date, p.DateWhy = opt.ListDate, article.DateFromList
		return
	}
	p.Date, p.DateWhy = article.PublicationDate(a.tree, a.title, opt.Now)
	if !opt.ListDate.IsZero() {
		p.Date, p.DateWhy = article.SettleDateByPage(article.SettleDateByURL(opt.ListDate, p.URL, opt.Now), p.Date,
			opt.Now), article.DateFromList
	}
}

// textInput returns the input from which the page's text is extracted.
func (a *analysis) textInput(p *Page, host neighbours) article.TextInput {
	return article.TextInput{Tree: a.tree, Links: a.layout.Links, Title: a.title, TitleText: p.Title, Posts: a.posts,
		Host: host}
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

// beta is link characters ÷ other characters over the whole page (P4 3.3).
func beta(t *htmldoc.Tree) float64 {
	var chars, link int32
	for i := range t.Runs {
		chars += t.Runs[i].Chars
		link += t.Runs[i].LinkChars
	}
	if chars == 0 {
		return 0
	}
	return float64(link) / float64(max(1, chars-link))
}
