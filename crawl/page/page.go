// Package page turns the bytes of one fetched document into an immutable Page:
// its charset, blocks, links, records, title, date and text, from one parse.
//
// Everything downstream (samples, features, scores, link order, notices)
// stands on what a page is taken to be, so this package decides it once and
// records why. It costs about two html.Parse of the same bytes; the main text
// of a notice costs more and is only computed when Options asks for it.
// Input is hostile: walks are iterative, and depth, nodes, links and text are
// bounded; a bound that was hit is named in Page.Limits.
package page

import (
	"time"

	"angler/crawl/urls"
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

// Precision says how much of a Date is known.
type Precision uint8

// Known precisions; NoDate is the zero value.
const (
	NoDate Precision = iota
	Day
	Minute
)

// Date is a point in time as a page states it, in Asia/Shanghai unless the
// page says otherwise.
type Date struct {
	Time      time.Time
	Precision Precision
}

// IsZero reports whether no date is known.
func (d Date) IsZero() bool { return d.Precision == NoDate }

// String renders 2006-01-02, with " 15:04" when the minute is known, "" when
// nothing is.
func (d Date) String() string {
	switch d.Precision {
	case Day:
		return d.Time.Format("2006-01-02")
	case Minute:
		return d.Time.Format("2006-01-02 15:04")
	}
	return ""
}

// Link is one hyperlink as its page shows it.
type Link struct {
	URL    string     // canonical absolute URL; "" if it cannot be fetched (javascript:, mailto:, empty, malformed)
	Href   string     // the attribute as written, at most 2 048 bytes
	Anchor string     // visible text, white space folded; the title attribute when the text is truncated; at most 200 runes
	Block  int32      // index into Page.Blocks
	Class  urls.Class // what the URL's ending says it leads to
	Pager  bool       // leads to another page of the same list (下一页, page numbers, list2.htm)
	Hidden bool       // display:none on it or above it
}

// Block is one region of the page: the result of iterative division on
// table, div, section, ul, frame and their kin (P4 3.3). Blocks are in document
// order; Parent is the index of the enclosing block or -1.
type Block struct {
	Path      string // tag.class path, the innermost 5 levels, digits masked: "div.list/ul.news"
	Parent    int32
	Chars     int32 // non-space runes directly in this block (not in child blocks)
	LinkChars int32 // of those, inside links
	Links     int32
	Noise     bool // navigation, related links, footers: P4's features
}

// Record is one entry of a list page.
type Record struct {
	Title string
	URL   string // canonical absolute
	Date  Date
	Link  int32 // index into Page.Links of the main link
}

// Attachment is a document linked from a notice's main text.
type Attachment struct {
	Name  string     `json:"name"`
	URL   string     `json:"url"`
	Class urls.Class `json:"class"`
}

// Page is what one document was understood to be. It is immutable after Parse
// returns and safe for concurrent use.
type Page struct {
	URL      string // canonical URL it was fetched from
	Charset  string // encoding it was decoded from, lower case ("utf-8", "gb18030", "big5")
	Head     string // content of <title>, white space folded
	Title    string // the title a reader sees (title chain of P2 algorithm 3, widened); Head without the host's suffix as last resort
	TitleWhy string // which link of the chain found it
	Date     Date
	DateWhy  string
	Type     Type
	Beta     float64 // β = link characters ÷ other characters (P4 3.3); 0 without text
	Blocks   []Block
	Links    []Link
	Records  []Record // of the best record group; empty when there is none
	Dated    int      // how many Records carry a date
	Text     string   // all visible text in document order, blocks separated by '\n'

	// Only with Options.Main:
	Main        string // main text, paragraphs and table rows separated by '\n', cells by '\t'
	MainMethod  string // the method that produced Main (after auto decided)
	Attachments []Attachment

	Limits []string // bounds that were hit, e.g. "depth 512", "links 5000"; empty for nearly every page
}
