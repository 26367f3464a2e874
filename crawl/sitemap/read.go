package sitemap

import (
	"cmp"
	"fmt"
	"strings"

	"golang.org/x/net/html"

	"angler/crawl/urls"
)

// maxToken is the maximum size of one tag or text, in bytes; a feed may carry whole articles.
const maxToken = 1 << 20

// maxLine is the maximum length of one line of a text sitemap.
const maxLine = 8 << 10

// elements maps each root element to the element of one entry.
var elements = map[string]string{"urlset": "url", "sitemapindex": "sitemap", "rss": "item", "rdf": "item",
	"feed": "entry", "opml": "outline"}

// entry is the entry being read.
type entry struct {
	base            string // xml:base
	loc, bare, guid string // <loc> or <link>; text directly in the entry; an RSS permanent link
	date, published string // date of the last change; of publication
	title           string // of an entry of a feed or an OPML list
}

// readMarkup reads XML with the HTML tokenizer, which has no syntax errors and expands no custom entities. A
// truncated file yields its first entries, and an entity bomb stays short.
func (c *collector) readMarkup(text string) error {
	z := html.NewTokenizer(strings.NewReader(text))
	z.SetMaxBuf(maxToken)
	z.AllowCDATA(true)
	var root, prefix, item string // of the file
	var field string              // element whose text is being read
	var e *entry
	flush := func() bool {
		if e == nil {
			return true
		}
		done := e
		e, field = nil, ""
		loc := cmp.Or(done.loc, done.guid, done.bare)
		if loc == "" {
			return true
		}
		if root == "sitemapindex" {
			return c.addIndex(loc)
		}
		if c.feed {
			done.date = cmp.Or(done.published, done.date)
		}
		if done.base != "" {
			if full, err := urls.Complete(against(c.base, done.base), loc); err == nil {
				loc = full
			}
		}
		return c.add(loc, cmp.Or(done.date, done.published), done.title)
	}
	for {
		switch z.Next() {
		case html.ErrorToken:
			flush()
			if root == "" {
				return fmt.Errorf("%w: no urlset, sitemapindex, rss or feed in it", ErrNotSitemap)
			}
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			tag, more := z.TagName()
			space, name := split(string(tag))
			if root == "" {
				if _, ok := elements[name]; !ok {
					return fmt.Errorf("%w: it begins with <%.40s>", ErrNotSitemap, name)
				}
				root, prefix, item = name, space, elements[name]
				if root == "rdf" {
					prefix = "" // rdf:RDF contains plain items
				}
				if more {
					c.base = against(c.base, xmlBase(z))
				}
				continue
			}
			field = ""
			switch {
			case name == item && space == prefix:
				if !flush() {
					return nil
				}
				e = &entry{}
				field = "bare"
				if root == "opml" {
					field = ""
					for more {
						var key, val []byte
						key, val, more = z.TagAttr()
						e.outline(string(key), string(val))
					}
				} else if more {
					e.base = xmlBase(z)
				}
			case e == nil:
				if name == "title" && c.out.Title == "" {
					field = name
				}
			case space == prefix || name == "date":
				field = name
				if name == "link" && root == "feed" && more {
					e.atomLink(z)
				}
				if name == "guid" && more {
					field = guidField(z)
				}
			}
		case html.TextToken:
			switch {
			case field == "":
			case e != nil:
				e.text(field, string(z.Text()))
			default:
				head := &entry{}
				head.text(field, string(z.Text()))
				c.out.Title = head.title
			}
		case html.EndTagToken:
			tag, _ := z.TagName()
			space, name := split(string(tag))
			field = ""
			if name == item && space == prefix && !flush() {
				return nil
			}
		}
	}
}

// text stores the text of an element of the entry. The first of each kind counts; white space is ignored.
func (e *entry) text(field, s string) {
	if s = strings.TrimSpace(s); s == "" || len(s) > maxLine {
		return
	}
	var to *string
	switch field {
	case "loc", "link":
		to = &e.loc
	case "bare":
		to = &e.bare
	case "guid":
		to = &e.guid
	case "lastmod", "pubdate", "date", "updated", "modified":
		to = &e.date
	case "published", "issued":
		to = &e.published
	case "title":
		to = &e.title
		s = strings.TrimSuffix(strings.TrimPrefix(s, "<![CDATA["), "]]>") // the tokenizer leaves raw text
	default:
		return
	}
	if *to == "" {
		*to = s
	}
}

// outline stores an attribute of an OPML outline. A site's page is preferred to its feed.
func (e *entry) outline(key, value string) {
	value = strings.TrimSpace(value)
	switch {
	case value == "" || len(value) > maxLine:
	case key == "htmlurl":
		e.loc = value
	case key == "url":
		e.bare = value
	case key == "xmlurl":
		e.guid = value
	case key == "title", key == "text" && e.title == "":
		e.title = value
	}
}

// atomLink stores the address of an Atom link to the entry itself.
func (e *entry) atomLink(z *html.Tokenizer) {
	href, rel := "", ""
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch string(key) {
		case "href":
			href = string(val)
		case "rel":
			rel = string(val)
		}
	}
	if (rel == "" || rel == "alternate") && e.loc == "" {
		e.loc = href
	}
}

// xmlBase returns the attribute xml:base of a tag.
func xmlBase(z *html.Tokenizer) string {
	for more := true; more; {
		var key, val []byte
		if key, val, more = z.TagAttr(); string(key) == "xml:base" {
			return string(val)
		}
	}
	return ""
}

// guidField returns "guid" if an RSS guid is an address, unless it declares otherwise.
func guidField(z *html.Tokenizer) string {
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		if string(key) == "ispermalink" && string(val) == "false" {
			return ""
		}
	}
	return "guid"
}

// split splits a tag name at its namespace prefix.
func split(tag string) (space, name string) {
	if i := strings.IndexByte(tag, ':'); i >= 0 {
		return tag[:i], tag[i+1:]
	}
	return "", tag
}

// readLines reads a text sitemap, one URL per line. It skips other lines; without any URL the file is not a sitemap.
func (c *collector) readLines(text string) error {
	found := false
	for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		if len(line) > maxLine || !strings.HasPrefix(line, "http://") && !strings.HasPrefix(line, "https://") {
			continue
		}
		found = true
		if !c.add(line, "", "") {
			break
		}
	}
	if !found {
		return fmt.Errorf("%w: neither XML nor lines of addresses", ErrNotSitemap)
	}
	return nil
}
