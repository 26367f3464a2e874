package page

import (
	"slices"
	"strings"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// Announced says how a page is read as the notice that a list has announced: what Options
// have for it.
type Announced struct {
	Method           string // as Options.Main
	Marks, LinkChars int    // as Options.Second
	Title            string // that the list gave
	Date             article.Date
}

// Options reads the page as the notice alone, see Page.AsNotice.
func (as Announced) Options() Options {
	second := article.SecondPass{Marks: as.Marks, LinkChars: as.LinkChars}
	return Options{Main: as.Method, Second: second, ListTitle: as.Title, ListDate: as.Date}
}

// announcedChars is the least length, in characters, of the text of an announced notice with an error status.
const announcedChars = 60

// IsAnnounced reports whether a document that came with an error status is the page of an announced notice: it shows
// the title of the list, and a text.
func IsAnnounced(src Source, as Announced) bool {
	p, err := Parse(src, as.Options())
	return err == nil && p.TitleWhy == whyList && p.Type == Detail && p.Soft404() == "" &&
		htmldoc.RunesUpTo(p.Main, announcedChars) >= announcedChars
}

// Notice holds what a page says as a notice that a list has announced.
type Notice struct {
	As          Announced // how it was read
	Title       string
	Date        article.Date
	Main        string
	MainMethod  string
	Attachments []article.Attachment
	Heard       HostDependencies // by the reading of the whole page; of use with Options.Host
}

// AsNotice returns what a page says as a notice that was read with Options.Main.
func (p *Page) AsNotice() *Notice {
	return &Notice{Title: p.Title, Date: p.Date, Main: p.Main, MainMethod: p.MainMethod, Attachments: p.Attachments}
}

// notice reads the page once more, from the tree that it was read from already, as Parse
// reads it with the options that as stands for. whole is the page before its posts were
// looked for.
func (a *analysis) notice(whole Page, opt Options, host neighbours) *Notice {
	as, p, now := *opt.Notice, &whole, opt.Now
	opt = as.Options()
	opt.Now = now
	p.Records = slices.Clip(p.Records)
	a.posts = article.Posts{}
	a.identify(p, &opt, host)
	in := a.textInput(p, host)
	nameList(p, host)
	a.extract(p, &opt, in)
	n := p.AsNotice()
	n.As, n.Title = as, strings.Clone(n.Title)
	return n
}

// identify finds title, posts, date and type of a page.
func (a *analysis) identify(p *Page, opt *Options, host neighbours) {
	a.findTitle(p, opt, host)
	a.findPosts(p, opt)
	a.findDate(p, opt)
	p.Type = a.pageType(p)
	if opt.Main != "" && p.Type == Detail && p.Date.IsZero() {
		p.Date, p.DateWhy = article.SearchDate(a.tree, opt.Now)
	}
}

// extract finds the main text.
func (a *analysis) extract(p *Page, opt *Options, in article.TextInput) {
	in.Second = opt.Second
	a.main, p.MainMethod = a.text.Extract(opt.Main, in)
	if a.filled != "" {
		p.MainMethod += " in " + a.filled
	}
	p.Main = a.main.Text
	p.Attachments = article.Attachments(a.tree, a.layout.Links, a.main.From, a.main.To)
	if p.Title != "" && p.Main == p.Title && len(p.Attachments) == 0 && a.pictured() {
		p.Main = "" // the notice is a picture below its title
	}
}

// pictured reports whether a picture that is no link stands below the title.
func (a *analysis) pictured() bool {
	for i := max(0, a.title); int(i) < len(a.tree.Nodes); i++ {
		if n := &a.tree.Nodes[i]; n.Tag == atom.Img && !n.InLink && !n.Negative {
			return true
		}
	}
	return false
}
