// Package sitemap reads address lists that sites publish for crawlers: XML sitemaps and their indexes
// (sitemaps.org), plain text with one URL per line, RSS and Atom feeds, and OPML subscription lists. Each may be
// packed with gzip.
//
// Parsing works on the token stream without a tree: one pass, about 4 µs per address. Files on the web have every
// kind of error (namespaces, byte order marks, unescaped ampersands, truncation), so only a wrong kind of file is an
// error. The danger is size: a packed megabyte may unpack to a thousand, and an index may name itself. This package
// bounds bytes and entries; the caller bounds the depth of indexes.
package sitemap

import (
	"cmp"
	"errors"
	"strconv"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// Block is the store.Hints.Block of a sitemap's URL. A sitemap waits in the frontier like a page, so scope,
// robots.txt, politeness and leases apply. It has depth 0, whichever page of its host was fetched first. Its entries
// are its links, one level deeper, so a sitemap's depth counts the indexes above it. Its capture is stored like a
// page's, without words.
const Block = "sitemap"

// ErrNotSitemap is wrapped by Parse's error for another kind of file: a "not found" page, an image.
var ErrNotSitemap = errors.New("not a sitemap")

// Limits bounds the input of Parse. Zero means the default.
type Limits struct {
	Bytes int // unpacked; default 16 MB
	URLs  int // entries; default 50 000, the limit of sitemaps.org
	Index int // sitemaps of an index; default 1 000
}

// Entry is one address.
type Entry struct {
	URL     string       // canonical, absolute
	LastMod article.Date // zero = unknown
	Title   string       // of an entry of a feed or an OPML list; "" = unknown
}

// addressList is the content of one file. Addresses are unique and in the file's order.
type addressList struct {
	URLs   []Entry
	Index  []string // sitemaps of an index, canonical and absolute
	Title  string   // of a feed
	Limits []string // limits that were reached, e.g. "urls 50000"; the rest was not read
}

// Parse reads one file. contentType is the HTTP header, "" if unknown. It determines the charset and, where the
// bytes do not, plain text. base is the file's address, for relative addresses. Entries without an http address are
// left out. The caller decides whether an address belongs to the crawl or to the listing site. The error wraps
// ErrNotSitemap. Safe for concurrent use; the result shares no memory with body.
func Parse(body []byte, contentType, base string, limits Limits) (addressList, error) {
	limits = Limits{Bytes: cmp.Or(limits.Bytes, 16<<20), URLs: cmp.Or(limits.URLs, 50_000),
		Index: cmp.Or(limits.Index, 1_000)}
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

// collector collects the content of one file.
type collector struct {
	base   string
	limits Limits
	seen   map[string]struct{}
	out    addressList
	feed   bool // dates are those of first publication
}

func (c *collector) hit(what string, n int) {
	c.out.Limits = append(c.out.Limits, what+" "+strconv.Itoa(n))
}

// against resolves an address against a base. It returns the base if there is no valid address.
func against(base, href string) string {
	if full, err := urls.Complete(base, strings.TrimSpace(href)); err == nil && href != "" {
		return full
	}
	return base
}

// resolve returns the canonical address and whether it is new in this file.
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
	u = strings.Clone(u) // it may be a substring of the file
	c.seen[u] = struct{}{}
	return u, true
}

// add adds an address and reports whether more fit.
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

// addIndex adds the address of a sitemap and reports whether more fit.
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

// date parses a W3C date (sitemaps, Atom) or an RFC 822 date (RSS); zero for a month or year alone.
func date(s string) article.Date {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 64 {
		return article.Date{}
	}
	d, _, _, _ := article.FindDate(s, time.Time{})
	if d.Precision != article.Minute {
		return d
	}
	for _, layout := range [...]string{time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700",
		"Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			d.Time = t.In(d.Time.Location()) // FindDate ignores the zone of these
		}
	}
	return d
}
