// Package page turns the bytes of one fetched document into an immutable Page:
// its charset, blocks, links, records, title, date and text, from one parse.
//
// Samples, features, scores, link order and notices depend on the Page, so this package decides
// everything once and records the reasons. It decides title, type and whether the page is an
// error. Its parts do the rest, each above those it uses:
//
//	charset, clean   bytes → text, text → text that is safe to show
//	htmltree         text → elements and texts in document order
//	layout           → blocks and links
//	sandbox          other people's code under bounds
//	dates            → when the page was published
//	maintext         → the text of a notice
//	records          → the entries of a list
//	missing          → entries of a list that no link leads to
//	fields           → the values of a notice, from the text and the tables of a Page
//
// It costs about two html.Parse of the same bytes. The main text of a notice costs more and is
// only computed with Options.Main. Input is hostile: walks are iterative, and depth, nodes,
// links and text are bounded. Page.Limits names the bounds that were hit.
//
// P0 … P4: see docs/papers.md.
package page

import (
	"hash/fnv"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
)

// Type is the purpose of a page.
type Type uint8

// The page types. A List has dated records; on topic it is an aggregation page. A Hub mostly
// links to lists, such as a home page or a column's front page. A Detail has one text.
const (
	Other Type = iota
	Detail
	List
	Hub
)

// String returns the lower-case English name used in every export.
func (t Type) String() string {
	switch t {
	case Detail:
		return "detail"
	case List:
		return "list"
	case Hub:
		return "hub"
	}
	return "other"
}

// Page holds the data of one parsed document. It is immutable after Parse returns and safe for
// concurrent use.
type Page struct {
	URL      string       // canonical URL it was fetched from
	Charset  string       // encoding of its bytes, lower case ("utf-8", "gb18030", "big5")
	Head     string       // content of <title>, white space folded
	Title    string       // title that the page shows (P2 algorithm 3, extended), else Head without the host's suffix
	TitleWhy string       // rule of the title chain that found Title
	Date     article.Date // of publication
	DateWhy  string       // place of Date on the page
	Type     Type
	Beta     float64 // β = link characters ÷ other characters (P4 3.3); 0 without text
	Blocks   []htmldoc.Block
	Links    []htmldoc.Link
	Records  []listpage.Record // of the best record group, or the other posts of a page of many posts
	Dated    int               // number of Records with a date and a page of their own
	Queries  ProfileQueries    // links looked up in Options.Host
	Text     string            // all visible text in document order, blocks separated by '\n'

	// Only with Options.Main:
	Main        string // main text, paragraphs and table rows separated by '\n', cells by '\t'
	MainMethod  string // method that produced Main, never auto
	Attachments []article.Attachment

	Tables []fields.Table // data tables, only with Options.Tables
	Notice *Notice        // only with Options.Notice

	Scripts    []string                  // canonical URLs of script files that hold its rows or its pager
	Turns      []listpage.PageRequest    // requests for the next pages of a list without links to them
	Unfollowed []listpage.MissingEntries // controls for more entries of a list that are not followed

	Moved      string // canonical target of a refresh or script on a page without other content, else ""
	MovedError string // why the target of such a script is unknown, else ""

	Limits []string // bounds that were hit, e.g. "depth 512", "links 5000"; empty for nearly every page
}

// EntriesHash hashes the addresses of the page's records. It is 0 for a page without records. Two
// addresses of a list with equal hashes are most likely one page.
func (p *Page) EntriesHash() uint64 {
	if len(p.Records) == 0 {
		return 0
	}
	h := fnv.New64a()
	for i := range p.Records {
		h.Write([]byte(p.Records[i].URL))
	}
	return h.Sum64()
}
