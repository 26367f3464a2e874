package page

import (
	"slices"
	"strings"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// Announced holds the options for the parse of a page as a notice that a list has announced.
type Announced struct {
	Method           string       // as Options.Main
	Marks, LinkChars int          // as Options.Second
	Title            string       // in the list
	Date             article.Date // in the list
}

// Options returns the Options for a parse as a notice alone, see Page.AsNotice.
func (a Announced) Options() Options {
	second := article.SecondPass{Marks: a.Marks, LinkChars: a.LinkChars}
	return Options{Main: a.Method, Second: second, ListTitle: a.Title, ListDate: a.Date}
}

// minAnnouncedChars is the minimum of characters in the main text of an announced notice with an error status.
const minAnnouncedChars = 60

// IsAnnounced reports whether a document with an error status is the page of an announced notice: it has the title
// from the list, and a text.
func IsAnnounced(src Source, announced Announced) bool {
	p, err := Parse(src, announced.Options())
	return err == nil && p.TitleWhy == whyList && p.Type == Detail && p.Soft404() == "" &&
		htmldoc.RunesUpTo(p.Main, minAnnouncedChars) >= minAnnouncedChars
}

// Notice holds the data of a page that was parsed as a notice.
type Notice struct {
	Announced        Announced // the options of the parse
	Title            string
	Date             article.Date
	Main             string
	MainMethod       string
	Attachments      []article.Attachment
	HostDependencies HostDependencies // of the parse of the whole page; empty without Options.Host
}

// AsNotice returns the notice of a page that was parsed with Options.Main.
func (p *Page) AsNotice() *Notice {
	return &Notice{Title: p.Title, Date: p.Date, Main: p.Main, MainMethod: p.MainMethod, Attachments: p.Attachments}
}

// notice analyses the page again with the options of opt.Notice, from the same tree. The result
// equals that of a Parse with these options. whole is the page before identify.
func (a *analysis) notice(whole Page, opt Options, host repetitions) *Notice {
	announced, p, now := *opt.Notice, &whole, opt.Now
	opt = announced.Options()
	opt.Now = now
	p.Records = slices.Clip(p.Records)
	a.posts = article.Posts{}
	a.identify(p, &opt, host)
	in := a.textInput(p, host)
	nameList(p, host)
	a.extract(p, &opt, in)
	n := p.AsNotice()
	n.Announced, n.Title = announced, strings.Clone(n.Title)
	return n
}

// identify sets title, posts, date and type of a page.
func (a *analysis) identify(p *Page, opt *Options, host repetitions) {
	a.findTitle(p, opt, host)
	a.findPosts(p, opt)
	a.findDate(p, opt)
	p.Type = a.pageType(p)
	if opt.Main != "" && p.Type == Detail && p.Date.IsZero() {
		p.Date, p.DateWhy = article.SearchDate(a.tree, opt.Now)
	}
}

// extract sets the main text and its attachments.
func (a *analysis) extract(p *Page, opt *Options, in article.TextInput) {
	in.Second = opt.Second
	a.main, p.MainMethod = a.text.Extract(opt.Main, in)
	if a.filledFrom != "" {
		p.MainMethod += " in " + a.filledFrom
	}
	p.Main = a.main.Text
	p.Attachments = article.Attachments(a.tree, a.layout.Links, a.main.From, a.main.To)
	if p.Title != "" && p.Main == p.Title && len(p.Attachments) == 0 && a.pictured() {
		p.Main = "" // the notice is a picture
	}
}

// pictured reports whether a picture without a link stands below the title.
func (a *analysis) pictured() bool {
	for i := max(0, a.title); int(i) < len(a.tree.Nodes); i++ {
		if n := &a.tree.Nodes[i]; n.Tag == atom.Img && !n.InLink && !n.Negative {
			return true
		}
	}
	return false
}
