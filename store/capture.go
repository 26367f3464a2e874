package store

import (
	"encoding/binary"
	"strings"
	"time"

	"angler/store/records"
)

// Page is what the store keeps of one fetched page besides its body, its terms
// and its links.
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
	History      []byte  // of its visits, in the crawl's own form; empty before the first revisit
}

// truncated is the bit beside Page.Type in a row that holds Page.Truncated. Rows of before
// have it as text among the limits.
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

// Link is one link of a captured page, already completed, canonical, filtered
// and valued by the link order.
type Link struct {
	URL  string
	Flat bool // adds no depth: pagination, redirects
	Seed bool // stands at depth 0 wherever it was found: sitemaps that robots.txt names
	Hints

	// Request is what is sent for an address with a fragment (see urls.Address); nil = a
	// plain GET. It replaces the one before, and one that expires gives an address that
	// failed, or waits, another chance.
	Request *records.Request
}

// Capture is everything that one finished fetch changes. It is committed
// whole or not at all.
type Capture struct {
	ID      uint64 // the URL that was fetched
	State   State  // its new state: Complete, Exception or Waiting, with Retry
	Fails   int
	Retry   time.Time
	Failure Failure

	// Page, when set, replaces what is stored of the page together with Terms,
	// Body and Links. When nil (a failed fetch) all four stay as they are.
	Page  *Page
	Terms []byte // encoded term vectors
	Body  []byte // compressed with Compress
	Links []Link // all followable links, in page order; duplicates allowed

	// Unchanged says that the visit found what is stored already. Then only the
	// row of Page is written; Terms and Body stay, and so do the links that are stored:
	// those of Links, if any, become known besides.
	Unchanged bool

	Notice *Notice // set when the page is a harvested notice

	// Before is what the notice said before it changed; it becomes a version, of which
	// Versions are kept. nil = the notice is new, or has not changed.
	Before   *records.NoticeVersion
	Versions int

	// Unfollowed is what the page shows of a list and nothing follows; one without
	// things removes what is stored, nil leaves it as it is.
	Unfollowed *records.MissingEntries

	// Out is filled by Commit: where each of Links leads.
	Out []end
}

// end is the target of a link.
type end struct {
	ID  uint64
	New bool // the link made it known
}

// Admission is one URL that a commit added to the frontier, brought nearer to
// the seeds, or to which it found another link.
type Admission struct {
	Row URL
	New bool // false: known before
}

func appendLinks(b []byte, ids []uint64) []byte {
	// Each entry is target<<1 | flat, in page order; the zigzag difference to
	// the entry before is small because neighbours were discovered together.
	prev := int64(0)
	for _, x := range ids {
		b = binary.AppendVarint(b, int64(x)-prev)
		prev = int64(x)
	}
	return b
}

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
