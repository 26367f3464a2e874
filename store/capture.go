package store

import (
	"encoding/binary"
	"strings"
	"time"

	"angler/store/records"
)

// Page is the stored row of a fetched page, without body, terms and links.
type Page struct {
	ID           uint64
	URL          string // canonical
	Status       int    // HTTP status
	Type         uint8  // page.Type
	Charset      string
	Head         string // content of <title>
	Title        string
	Date         time.Time // zero when unknown
	Precision    uint8     // page.Precision of Date
	Beta         float64   // β, link characters ÷ other characters
	Records      int
	Dated        int
	Fetched      time.Time
	Changed      time.Time // when Hash was last seen to differ
	ETag         string
	LastModified string
	Hash         Key     // of the body
	Score        float64 // relevance when it was captured
	ModelRev     uint64  // the model that gave Score
	Location     string  // redirect target
	Limits       string  // bounds hit while parsing, "; "-separated
	Truncated    bool    // the body was cut at crawl.max_body_mb; see truncated
	History      []byte  // of the visits, encoded by package revisit; empty before the first revisit
}

// InPart begins the limit of a page whose transfer broke before its end.
const InPart = "partial: "

// Partial reports whether the transfer of the page broke before its end, so that only the first part
// is stored.
func (p *Page) Partial() bool { return strings.Contains(p.Limits, InPart) }

// truncated is the bit beside Page.Type for Page.Truncated. Older rows have it as text in Limits.
const truncated = 0x80

func appendPage(b []byte, p *Page) []byte {
	b = appendString(b, p.URL)
	b = binary.AppendUvarint(b, uint64(p.Status))
	kind := p.Type
	if p.Truncated {
		kind |= truncated
	}
	b = append(b, kind, p.Precision)
	for _, s := range [...]string{p.Charset, p.Head, p.Title, p.ETag, p.LastModified, p.Location, p.Limits} {
		b = appendString(b, s)
	}
	for _, t := range [...]time.Time{p.Date, p.Fetched, p.Changed} {
		b = appendTime(b, t)
	}
	for _, n := range [...]int{p.Records, p.Dated} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = appendFloat(b, p.Beta)
	b = appendFloat(b, p.Score)
	b = binary.AppendUvarint(b, p.ModelRev)
	b = append(b, p.Hash[:]...)
	return append(b, p.History...)
}

// decodePage decodes a row of the bucket of pages.
func decodePage(id uint64, v []byte) (*Page, error) {
	r := reader{b: v, text: string(v)}
	p := &Page{ID: id, URL: r.string(), Status: int(r.uvarint()), Type: r.byte(), Precision: r.byte()}
	for _, s := range [...]*string{&p.Charset, &p.Head, &p.Title, &p.ETag, &p.LastModified, &p.Location, &p.Limits} {
		*s = r.string()
	}
	p.Truncated = p.Type&truncated != 0 || strings.Contains(p.Limits, "body ")
	p.Type &^= truncated
	for _, t := range [...]*time.Time{&p.Date, &p.Fetched, &p.Changed} {
		*t = r.time()
	}
	for _, n := range [...]*int{&p.Records, &p.Dated} {
		*n = int(r.uvarint())
	}
	p.Beta = r.float()
	p.Score = r.float()
	p.ModelRev = r.uvarint()
	if r.err == nil && copy(p.Hash[:], r.b) != len(p.Hash) {
		r.err = errRow
	}
	if r.err == nil {
		p.History = append([]byte(nil), r.b[len(p.Hash):]...)
	}
	return p, r.err
}

// Link is one link of a captured page: complete, canonical, filtered, and valued by the link order.
type Link struct {
	URL  string
	Flat bool // adds no depth: pagination, redirect
	Seed bool // has depth 0 wherever it was found: sitemaps of robots.txt
	Hints

	// Request is sent for an address with a fragment (see urls.Address); nil means a plain GET. It
	// replaces the stored request. If requests expire, a new one lets a failed or waiting address be
	// tried again.
	Request *records.Request
}

// Capture holds all changes of one finished fetch. It is committed whole or not at all.
type Capture struct {
	ID      uint64 // the URL that was fetched
	State   state  // its new state: Complete, Exception or Waiting, with Retry
	Fails   int
	Retry   time.Time
	Failure Failure

	// Page, if set, replaces the stored page together with Terms, Body and Links. If nil (a failed
	// fetch), all four stay.
	Page  *Page
	Terms []byte // encoded term vectors
	Body  []byte // compressed with Compress
	Links []Link // all followable links in page order, with duplicates

	// Unchanged means that the visit found the stored content. Then only the row of Page is written.
	// Terms, Body and the stored links stay; URLs in Links become known.
	Unchanged bool

	Notice *Notice // set when the page is a harvested notice

	// Before is the notice before this change and becomes a version; Versions of them are kept. nil
	// means that the notice is new or has not changed.
	Before   *records.NoticeVersion
	Versions int

	// Unfollowed holds entries of a list that the program cannot follow. An empty value deletes the
	// stored entries; nil keeps them.
	Unfollowed *records.MissingEntries

	// Out is filled by Commit with the targets of Links.
	Out []end
}

// end is the target of a link.
type end struct {
	ID  uint64
	New bool // the link made the URL known
}

// Admission is a URL that a commit added to the frontier or moved nearer to the seeds, or that got
// another link.
type Admission struct {
	Row URL
	New bool // false: known before
}

// appendLinks encodes the targets of a page, each target<<1 | flat, in page order. It stores the zigzag difference to
// the entry before, which is small, because neighbours were discovered together.
func appendLinks(b []byte, ids []uint64) []byte {
	prev := int64(0)
	for _, x := range ids {
		b = binary.AppendVarint(b, int64(x)-prev)
		prev = int64(x)
	}
	return b
}

// decodeLinks calls f for each target in a row of the bucket of links.
func decodeLinks(v []byte, f func(target uint64, flat bool)) error {
	r := reader{b: v}
	prev := int64(0)
	for len(r.b) > 0 && r.err == nil {
		prev += r.varint()
		if r.err == nil {
			f(uint64(prev)>>1, prev&1 == 1)
		}
	}
	return r.err
}
