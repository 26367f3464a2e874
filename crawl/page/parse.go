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
	URL         string // canonical; base of relative links
	ContentType string // the HTTP header, "" when unknown
	Body        []byte
}

// Options holds the parameters of Parse. The zero value parses a single file without main text.
type Options struct {
	Main      string             // main text method, see article.Methods; "" computes none, an unknown name means auto
	Second    article.SecondPass // α and β of P2's second pass; zero means DefaultSecondPass
	ListTitle string             // anchor text of the list's link to this page, "" if unknown
	ListDate  article.Date       // date of the page in that list; the page may complete a guessed year
	Now       time.Time          // completes dates without a year and rejects later dates; zero means the current time
	Resolver  *urls.Resolver     // nil means one shared by the process
	Host      *HostProfile       // repetitions of the host; nil for a single file
	Tables    bool               // fill Page.Tables

	Notice *Announced // fill Page.Notice; nil means that no list has announced the page

	// Script returns the text of a fetched script file by its canonical URL. nil means that no file was fetched.
	Script func(url string) (text string, known bool)
}

// defaults sets Now and Resolver if they are zero.
func (opt *Options) defaults() {
	if opt.Now.IsZero() {
		opt.Now = time.Now()
	}
	if opt.Resolver == nil {
		opt.Resolver = sharedResolver
	}
}

var sharedResolver = urls.NewResolver(1 << 16)

// Parse decodes and parses a document. It costs about as much as html.Parse of the same text,
// twice as much if htmldoc needs html.Parse, and once more with a main text.
// Any input gives a page or an error that wraps ErrNotHTML. Page.Limits names the bounds that
// were hit. The page shares no memory with src. Its anchors and record titles share one small
// string and its title has its own, so that none of them keeps the page's text in memory.
// Safe for concurrent use.
func Parse(src Source, opt Options) (*Page, error) {
	a := newAnalysis(src.URL)
	defer a.release()
	return a.analyse(src, &opt)
}

// analysis holds the state of one Parse and its scratch space. Analyses are pooled.
type analysis struct {
	tree   *htmldoc.Tree
	layout htmldoc.Layout
	list   listpage.RecordFinder
	text   article.TextExtractor

	pagination listpage.PaginationFinder
	buf        []byte

	deadRows   bool   // the page is a list whose links lead nowhere
	filledFrom string // place of the text that filled an empty shell, "" for other pages

	title int32 // element that shows the title, -1 without one
	posts article.Posts
	feed  []sitemap.Entry    // entries of a feed; link i of the page leads to feed[i]
	main  article.TextResult // only with Options.Main
}

var analyses = sync.Pool{New: func() any { return new(analysis) }}

func newAnalysis(url string) *analysis {
	a := analyses.Get().(*analysis)
	a.tree, a.title, a.posts, a.filledFrom, a.deadRows = htmldoc.NewTree(urls.Bare(url)), -1, article.Posts{}, "", false
	return a
}

// release drops all pointers into the page and returns a to the pool, unless the page was giant.
func (a *analysis) release() {
	giant := a.tree.Giant()
	a.tree.Release()
	if giant {
		return
	}
	a.layout.Reset()
	a.list.Reset()
	a.text.Reset()
	a.pagination.Reset()
	a.tree, a.feed, a.main = nil, nil, article.TextResult{}
	analyses.Put(a)
}

// analyse does the work of Parse and sets opt's defaults.
func (a *analysis) analyse(src Source, opt *Options) (*Page, error) {
	opt.defaults()
	name, err := a.read(src, opt.Now)
	if err != nil {
		return nil, err
	}
	t := a.tree
	a.pagination.Tree, a.pagination.Charset, a.pagination.Resolver, a.pagination.Script = t, name, opt.Resolver, opt.Script
	a.pagination.Clicks()
	a.layout.Read(t, name, opt.Resolver)
	keepRowAddresses(src.URL, a.layout.Links)
	var deps *HostDependencies
	if opt.Notice != nil {
		deps = new(HostDependencies)
	}
	host := repetitionsOf(opt.Host, deps)
	p := &Page{URL: src.URL, Charset: name, Head: t.Head, Text: strings.TrimRight(t.Text, " \n"),
		Blocks: a.layout.Blocks, Links: a.layout.Links, Beta: beta(t)}
	a.findRecords(p, opt, host)
	a.findInline(p, opt)
	a.findFeed(p)
	whole := *p
	a.identify(p, opt, host)
	if len(p.Records) == 0 {
		p.Moved, p.MovedError = a.pagination.Redirect()
	}
	if p.Moved == "" && a.textInFrame(p, opt.Notice) {
		p.Moved = a.pagination.TextFrame()
	}
	p.Turns, p.Unfollowed, p.Scripts = a.pagination.Find(src.URL, len(p.Records))
	p.Unfollowed = listpage.FindMissing(&listpage.MissingInput{Tree: t, Links: p.Links, Records: len(p.Records),
		Dated: p.Dated, List: p.Type == List,
		Text: p.Type == Detail && !p.Date.IsZero(), Page: listpage.PageOf(src.URL), Turned: len(p.Turns) > 0,
		Named: p.Unfollowed})
	in := a.textInput(p, host) // before nameList replaces the title that the page shows
	nameList(p, host)
	if opt.Main != "" {
		a.extract(p, opt, in)
	}
	if opt.Tables {
		p.Tables = fields.ReadTables(t)
	}
	if opt.Host != nil {
		p.Queries = a.profileQueries(p)
	}
	if opt.Notice != nil {
		p.Notice = a.notice(whole, *opt, host)
		deps.normalize()
		p.Notice.HostDependencies = *deps
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

// read inflates, decodes and parses a document. It returns the name of the charset.
func (a *analysis) read(src Source, now time.Time) (charsetName string, err error) {
	body, cut := htmldoc.Inflate(src.Body, htmldoc.MaxBytes)
	plain, err := sniff(body, src.ContentType)
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
	} else if plain {
		a.tree.ParseLines(text)
	} else {
		a.tree.Parse(text)
		a.filledFrom = fillShell(a.tree, now)
	}
	return name, nil
}

// keepRowAddresses restores the fragment of links to rows of a list that a recipe wrote. Only such
// a list has an address with the fragment recipe:NAME:…, so other pages cannot use this.
func keepRowAddresses(address string, links []htmldoc.Link) {
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

// findRecords finds the best record group. A list whose rows lead nowhere has no records.
func (a *analysis) findRecords(p *Page, opt *Options, host repetitions) {
	p.Records, p.Dated = a.list.Find(a.tree, &a.layout, opt.Now, host)
	if a.deadRows = p.Dated == 0 && deadRows(a.tree, opt.Now) >= minListRecords; a.deadRows {
		p.Records = nil // the records with links are navigation
	}
}

// minShownRecords is the number of records below which findInline looks for a list in scripts.
const minShownRecords = 3

// findInline takes the entries of a list from the data of a script if the page shows few records
// or none with a date.
func (a *analysis) findInline(p *Page, opt *Options) {
	if p.Dated > 0 && len(p.Records) >= minShownRecords || len(a.tree.Scripts) == 0 {
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
	if len(found) < minShownRecords || len(p.Records) >= minShownRecords && (dated == 0 || 2*len(found) <= len(p.Records)) {
		return // the records of the page are no menu
	}
	p.Records, p.Dated, p.Links, p.Text = found, dated, links, text.String()
}

// findFeed makes the entries of a feed the page's records.
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

// maxFrameHolderChars is the maximum of characters outside links on a page whose text stands in a frame.
const maxFrameHolderChars = 150

// textInFrame reports whether the text of a notice may stand in a frame of its page. The list gave title and date, and
// the page itself has hardly any text, no sentence and no file.
func (a *analysis) textInFrame(p *Page, announced *Announced) bool {
	if announced == nil || announced.Title == "" || announced.Date.IsZero() || p.Type == List || p.ownChars() > maxFrameHolderChars {
		return false
	}
	sentences, _ := visibleChars(a.tree)
	return sentences == 0 && !slices.ContainsFunc(p.Links, func(l htmldoc.Link) bool {
		return l.Class == urls.Document || l.Class == urls.Archive
	})
}

// findDate sets the date of publication: that of the list if it is complete, else that of the page.
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

// textInput returns the input of the extraction of the main text.
func (a *analysis) textInput(p *Page, host repetitions) article.TextInput {
	return article.TextInput{Tree: a.tree, Links: a.layout.Links, Title: a.title, TitleText: p.Title, Posts: a.posts,
		Host: host}
}

// gather copies anchors and record titles from the page's text into one string, and the title
// into another.
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

// beta returns link characters ÷ other characters of the whole page (P4 3.3).
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
