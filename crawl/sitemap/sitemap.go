// Package sitemap reads the lists of addresses that sites publish for
// crawlers: XML sitemaps and their indexes (sitemaps.org), plain text with a
// URL a line, RSS and Atom feeds, and what people subscribe to, OPML; any of them
// packed with gzip.
//
// They are read from the token stream and never become a tree, so a file costs
// one pass over its bytes, some 4 µs an address. The web gets them wrong in
// every way (namespaces, marks, unescaped ampersands, half a file), so nothing
// but the wrong kind of file is an error. The danger is size: a packed
// megabyte may unpack to a thousand, and an index may name itself; bytes and
// entries are bounded here, the depth of indexes is the caller's to bound.
package sitemap

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// Block is the store.Hints.Block of the URL of a sitemap. A sitemap waits in the
// frontier like a page, so scope, robots.txt, politeness and leases hold for it.
// It stands at depth 0, whichever page of its host was fetched first; what it
// lists are its links, one deeper, so the depth of a sitemap says how many indexes
// it was named by. Its capture is stored like a page's, without words.
const Block = "sitemap"

// ErrNotSitemap is wrapped by Parse's error for a file of another kind: a web
// page that says "not found", an image.
var ErrNotSitemap = errors.New("not a sitemap")

// Limits bounds what Parse reads. A zero field means its default.
type Limits struct {
	Bytes int // unpacked; default 16 MB
	URLs  int // entries; default 50 000, what sitemaps.org allows a file
	Index int // sitemaps of an index; default 1 000
}

// Entry is one address.
type Entry struct {
	URL     string       // canonical absolute
	LastMod article.Date // zero when the file does not say
	Title   string       // of an entry of a feed or an OPML list; "" when the file does not say
}

// Map is what one file names. Addresses stand in the file's order, each once.
type Map struct {
	URLs   []Entry
	Index  []string // sitemaps that an index names, canonical absolute
	Title  string   // of a feed
	Limits []string // bounds that were hit, e.g. "urls 50000"; what lay beyond was not read
}

// Parse reads one file. contentType is the HTTP header ("" when unknown): it
// tells plain text from the rest where the bytes do not, and the charset.
// base, the file's own address, completes relative addresses; entries that are
// no http address are left out. Whether an address belongs to the crawl, or to
// the site that lists it, is for the caller to decide. The error wraps
// ErrNotSitemap. Safe for concurrent use; the result shares no memory with
// body.
func Parse(body []byte, contentType, base string, limits Limits) (Map, error) {
	def := func(p *int, v int) {
		if *p <= 0 {
			*p = v
		}
	}
	def(&limits.Bytes, 16<<20)
	def(&limits.URLs, 50_000)
	def(&limits.Index, 1_000)
	c := collector{base: base, limits: limits, seen: map[string]struct{}{}}
	body, cut := unpack(body, limits.Bytes)
	if cut {
		c.hit("bytes", limits.Bytes)
	}
	text, _ := htmldoc.DecodeText(body, contentType)
	text = strings.TrimLeft(text, "\ufeff \t\r\n\x00")
	var err error
	if strings.HasPrefix(text, "<") {
		err = c.readMarkup(text)
	} else {
		err = c.readLines(text)
	}
	return c.out, err
}

// collector gathers what one file names.
type collector struct {
	base   string
	limits Limits
	seen   map[string]struct{}
	out    Map
	feed   bool // dates are those of the first publication
}

func (c *collector) hit(what string, n int) {
	c.out.Limits = append(c.out.Limits, what+" "+strconv.Itoa(n))
}

// resolve completes an address and tells whether it is a new one.
func (c *collector) resolve(raw string) (string, bool) {
	raw = strings.TrimSpace(raw)
	u, err := urls.Canonical(raw)
	if err != nil {
		full, err := urls.Complete(c.base, raw)
		if err != nil || raw == "" {
			return "", false
		}
		if u, err = urls.Canonical(full); err != nil {
			return "", false
		}
	}
	if _, known := c.seen[u]; known {
		return "", false
	}
	u = strings.Clone(u) // it may be a slice of the file
	c.seen[u] = struct{}{}
	return u, true
}

// add takes an address and reports whether there is room for more.
func (c *collector) add(raw, lastMod, title string) bool {
	if len(c.out.URLs) >= c.limits.URLs {
		c.hit("urls", c.limits.URLs)
		return false
	}
	if u, ok := c.resolve(raw); ok {
		c.out.URLs = append(c.out.URLs, Entry{URL: u, LastMod: date(lastMod), Title: strings.Clone(title)})
	}
	return true
}

// addIndex takes the address of a sitemap and reports whether there is room
// for more.
func (c *collector) addIndex(raw string) bool {
	if len(c.out.Index) >= c.limits.Index {
		c.hit("index", c.limits.Index)
		return false
	}
	if u, ok := c.resolve(raw); ok {
		c.out.Index = append(c.out.Index, u)
	}
	return true
}

// date reads a W3C date (sitemaps, Atom) or one of RFC 822 (RSS); a month or
// year alone is none.
func date(s string) article.Date {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 64 {
		return article.Date{}
	}
	d, _, _, _ := article.FindDate(s, time.Time{})
	if d.Precision != article.Minute {
		return d
	}
	for _, layout := range [...]string{time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			d.Time = t.In(d.Time.Location()) // FindDate reads no zone behind these
		}
	}
	return d
}
