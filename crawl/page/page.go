// Package page turns the bytes of one fetched document into an immutable Page:
// its charset, blocks, links, records, title, date and text, from one parse.
//
// Everything downstream (samples, features, scores, link order, notices)
// stands on what a page is taken to be, so this package decides it once and
// records why. It decides title, type and whether the page is an error; its parts
// do the rest, each above those it uses:
//
//	charset, clean   bytes → text, text → text that is safe to show
//	htmltree         text → elements and texts in document order
//	layout           → blocks and links
//	sandbox          other people's code under bounds
//	dates            → when the page was published
//	maintext         → the text of a notice
//	records          → the entries of a list
//	unfollowed       → what it shows of a list and no link leads to
//	fields           → the values of a notice, from the text and the tables of a Page
//
// It costs about two html.Parse of the same bytes; the main text of a notice
// costs more and is only computed when Options asks for it. Input is hostile:
// walks are iterative, and depth, nodes, links and text are bounded; a bound that
// was hit is named in Page.Limits.
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

// Type says what a page is for its reader.
type Type uint8

// The page types. A List gathers dated records (an aggregation page when it is
// on topic), a Hub mostly links to lists (a home page, a column front), a
// Detail carries one text; Other is none of these.
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

// Page holds what was understood of one document. It is immutable after Parse
// returns and safe for concurrent use.
type Page struct {
	URL      string // canonical URL it was fetched from
	Charset  string // encoding it was decoded from, lower case ("utf-8", "gb18030", "big5")
	Head     string // content of <title>, white space folded
	Title    string // the title a reader sees (title chain of P2 algorithm 3, widened); Head without the host's suffix as last resort
	TitleWhy string // which link of the chain found it
	Date     article.Date
	DateWhy  string
	Type     Type
	Beta     float64 // β = link characters ÷ other characters (P4 3.3); 0 without text
	Blocks   []htmldoc.Block
	Links    []htmldoc.Link
	Records  []listpage.Record // of the best record group, or the other posts of a page of many posts; empty when there are none
	Dated    int               // how many Records carry a date and have a page of their own
	Asked    Asked             // what may have been asked of Options.Host
	Text     string            // all visible text in document order, blocks separated by '\n'

	// Only with Options.Main:
	Main        string // main text, paragraphs and table rows separated by '\n', cells by '\t'
	MainMethod  string // the method that produced Main (after auto decided)
	Attachments []article.Attachment

	Tables []fields.Table // of data, only with Options.Tables
	Notice *Notice        // only with Options.Notice

	Scripts    []string                  // canonical URLs of script files without which its rows or its pager cannot be read
	Turns      []listpage.PageRequest    // how a list turns to its next page where no link does
	Unfollowed []listpage.MissingEntries // what leads to more entries and was not followed

	Moved  string // canonical URL to which a refresh or a script sends the reader of a page that holds nothing else; "" for all others
	Unread string // why that address cannot be told; "" for all others

	Limits []string // bounds that were hit, e.g. "depth 512", "links 5000"; empty for nearly every page
}

// Shown is the entries of a page as a number, by their addresses; 0 for a page without
// any. Two pages of a list that show the same are hardly two.
func (p *Page) Shown() uint64 {
	if len(p.Records) == 0 {
		return 0
	}
	h := fnv.New64a()
	for i := range p.Records {
		h.Write([]byte(p.Records[i].URL))
	}
	return h.Sum64()
}
