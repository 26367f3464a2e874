package sitemap

import (
	"cmp"
	"encoding/json"
	"html"
	"strings"

	"angler/crawl/htmldoc"
)

// This file reads feeds as lists: RSS, Atom and JSON Feed.

// maxEntries is the maximum number of entries read of a feed.
const maxEntries = 1000

// headBytes is the length of the head in which isFeed looks.
const headBytes = 2 << 10

// Feed parses a decoded document as a feed: RSS 0.9 to 2.0, Atom or JSON Feed. base is its canonical URL. ok is
// false for other documents, which costs some nanoseconds. A truncated feed yields its complete entries.
func Feed(text, base string) (m addressList, ok bool) {
	text = strings.TrimLeft(text, "\ufeff \t\r\n\x00")
	head, data := text[:min(len(text), headBytes)], strings.HasPrefix(text, "{")
	if data && !strings.Contains(head, "jsonfeed.org/version/") || !data && !isFeed(head) {
		return m, false
	}
	c := &collector{base: base, limits: Limits{URLs: maxEntries}, seen: map[string]struct{}{}, feed: true}
	if data {
		c.readJSON(text)
		return c.out, true
	}
	err := c.readMarkup(text)
	return c.out, err == nil
}

// isFeed detects feeds by their root element, after declarations and comments.
func isFeed(head string) bool {
	for strings.HasPrefix(head, "<?") || strings.HasPrefix(head, "<!") {
		end := ">"
		if strings.HasPrefix(head, "<!--") {
			end = "-->"
		} else if i := strings.IndexAny(head, "[>"); i >= 0 && head[i] == '[' {
			end = "]"
		}
		_, rest, ok := strings.Cut(head, end)
		if !ok {
			return false
		}
		head = strings.TrimLeft(rest, "> \t\r\n")
	}
	head, tag := strings.CutPrefix(head, "<")
	if !tag {
		return false
	}
	name, _, _ := strings.Cut(head, ">")
	name, attributes, _ := strings.Cut(strings.TrimRight(name, "/"), " ")
	_, name = split(strings.ToLower(strings.TrimSpace(name)))
	switch name {
	case "rss":
		return true
	case "rdf":
		return strings.Contains(head, "purl.org/rss") || strings.Contains(head, "netscape.com/rdf")
	case "feed":
		return strings.Contains(strings.ToLower(attributes), "atom")
	}
	return false
}

// jsonItem is an entry of a JSON Feed.
type jsonItem struct {
	ID        any    `json:"id"`
	URL       string `json:"url"`
	External  string `json:"external_url"`
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	Published string `json:"date_published"`
	Modified  string `json:"date_modified"`
}

// readJSON reads entry by entry, so that a truncated feed yields its first part.
func (c *collector) readJSON(text string) {
	d := json.NewDecoder(strings.NewReader(text))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return
		}
		switch key {
		case "title":
			if err := d.Decode(&c.out.Title); err != nil {
				return
			}
		case "items":
			if t, err := d.Token(); err != nil || t != json.Delim('[') {
				return
			}
			for d.More() {
				var x jsonItem
				if err := d.Decode(&x); err != nil {
					return
				}
				id, _ := x.ID.(string)
				if !strings.HasPrefix(id, "http") {
					id = ""
				}
				if loc := cmp.Or(x.URL, x.External, id); loc != "" && !c.add(loc, cmp.Or(x.Published, x.Modified),
					cmp.Or(x.Title, x.Summary)) {
					return
				}
			}
			if _, err := d.Token(); err != nil {
				return
			}
		default:
			var other json.RawMessage
			if err := d.Decode(&other); err != nil {
				return
			}
		}
	}
}

// Markup renders the feed as a list page: links with titles and dates, in order. Link i of the page is entry i.
func (m *addressList) Markup() string {
	var b strings.Builder
	title := html.EscapeString(plainText(m.Title))
	b.WriteString("<html><head><title>" + title + "</title></head><body><h1>" + title + "</h1><ul>\n")
	for i := range m.URLs {
		x := &m.URLs[i]
		b.WriteString(`<li><a href="` + html.EscapeString(x.URL) + `">` + html.EscapeString(plainText(x.Title)) + "</a>")
		if !x.LastMod.IsZero() {
			b.WriteString(" <span>" + x.LastMod.String() + "</span>")
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul></body></html>")
	return b.String()
}

// Headline returns an entry's title on one line, without markup.
func (e *Entry) Headline() string { return plainText(e.Title) }

// plainText removes the markup that some feeds put into titles.
func plainText(s string) string { return strings.Join(strings.Fields(htmldoc.WithoutTags(s)), " ") }
