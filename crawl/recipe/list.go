package recipe

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// This file renders rows as our own pages, which are read like any other page, and names them. A page of a list has
// the address
//
//	http://h/api/notices#recipe:ID:page=2
//	http://h/api/notices#recipe:ID:from=2026-03-16:page=1
//
// and a notice held in its row http://h/api/notices#recipe:ID:row=KEY.

// addressPrefix starts the fragment of recipe addresses.
const addressPrefix = "recipe:"

// nextHref starts the href of a list's link to its next page. Page readers do not follow this scheme; Behind reads
// the address after it.
const nextHref = "angler-next:"

// dayForm is the format of a slice's first day in an address.
const dayForm = "2006-01-02"

// bare returns the URL of a recipe's addresses: the part of its request URL common to all pages.
func (r *Recipe) bare() string {
	u := htmldoc.UntilAny(r.Request.URL, "{#?")
	if c, err := urls.Canonical(u); err == nil {
		return c
	}
	return u
}

// Address returns the address of a page of the recipe's list.
func (r *Recipe) Address(at listPlace) string {
	name := addressPrefix + r.ID
	if !at.From.IsZero() {
		name += ":from=" + at.From.Format(dayForm)
	}
	return urls.Address(r.bare(), name+":page="+strconv.Itoa(max(1, at.Page)))
}

// rowAddress returns the address of a notice held in its row.
func (r *Recipe) rowAddress(key string) string {
	return urls.Address(r.bare(), addressPrefix+r.ID+":row="+key)
}

// place is a parsed recipe address: a page, or a row if Row is not empty.
type place struct {
	ID  string
	At  listPlace
	Row string
}

// placeOf parses an address; false if it belongs to no recipe.
func placeOf(address string) (p place, ok bool) {
	_, fragment, _ := strings.Cut(address, "#")
	name, ours := strings.CutPrefix(fragment, addressPrefix)
	id, rest, placed := strings.Cut(name, ":")
	if !ours || !placed || !ValidID(id) {
		return p, false
	}
	p.ID = id
	if key, isRow := strings.CutPrefix(rest, "row="); isRow {
		p.Row = key
		return p, key != ""
	}
	if day, isSlice := strings.CutPrefix(rest, "from="); isSlice {
		day, rest, _ = strings.Cut(day, ":")
		t, err := time.Parse(dayForm, day)
		if err != nil {
			return p, false
		}
		p.At.From = t
	}
	n, isPage := strings.CutPrefix(rest, "page=")
	page, err := strconv.Atoi(n)
	p.At.Page = page
	return p, isPage && err == nil && page >= 1 && page <= maxPages
}

// local sets the first day of a place to the recipe's time zone.
func (r *Recipe) local(at listPlace) listPlace {
	if !at.From.IsZero() {
		y, m, d := at.From.Date()
		at.From = time.Date(y, m, d, 0, 0, 0, 0, r.zone())
	}
	return at
}

// rowNotice is the notice of a row, hidden in our list from page readers.
type rowNotice struct {
	Key   string `json:"key"`
	Title string `json:"title"`
	Day   string `json:"date,omitempty"`
	Text  string `json:"text"`
}

const rowNoticeType = "text/x-angler-row"

// html renders rows as a list with a link to the next page. A row that holds its notice links to its rowAddress.
func (r *Recipe) html(res *listResult) []byte {
	var b bytes.Buffer
	beginPage(&b, htmldoc.CleanLine(r.Name, 200))
	b.WriteString("<ul>\n")
	for i := range res.Rows {
		row := &res.Rows[i]
		href := row.URL
		if row.Text != "" {
			href = r.rowAddress(row.Key)
		}
		fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a>", html.EscapeString(href), html.EscapeString(row.Title))
		if row.Day != "" {
			fmt.Fprintf(&b, " <span>%s</span>", html.EscapeString(row.Day))
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul>\n")
	if res.Next != nil {
		fmt.Fprintf(&b, "<p><a href=\"%s%s\">下一页</a></p>\n", nextHref, html.EscapeString(r.Address(*res.Next)))
	}
	for i := range res.Rows {
		if row := &res.Rows[i]; row.Text != "" {
			// Marshal escapes <, so the JSON cannot end the element.
			if v, err := json.Marshal(rowNotice{row.Key, row.Title, row.Day, row.Text}); err == nil {
				fmt.Fprintf(&b, "<script type=\"%s\">%s</script>\n", rowNoticeType, v)
			}
		}
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}

// beginPage writes the head of a page, and its title as a heading.
func beginPage(b *bytes.Buffer, title string) {
	fmt.Fprintf(b, "<!DOCTYPE html>\n<html lang=\"zh\"><head><meta charset=\"utf-8\"><title>%[1]s</title></head>\n"+
		"<body>\n<h1>%[1]s</h1>\n", html.EscapeString(title))
}

// pageInRow returns the page of a notice held in a row of a rendered list; false if the list lacks it.
func pageInRow(list []byte, key string) (page []byte, ok bool) {
	open := []byte("<script type=\"" + rowNoticeType + "\">")
	for {
		_, rest, _ := bytes.Cut(list, open)
		text, after, found := bytes.Cut(rest, []byte("</script>"))
		if !found {
			return nil, false
		}
		var h rowNotice
		if json.Unmarshal(text, &h) == nil && h.Key == key {
			return h.html(), true
		}
		list = after
	}
}

func (h *rowNotice) html() []byte {
	var b bytes.Buffer
	beginPage(&b, h.Title)
	if h.Day != "" {
		fmt.Fprintf(&b, "<p>发布时间：%s</p>\n", html.EscapeString(h.Day))
	}
	text := h.Text
	if !strings.Contains(text, "<") && strings.Contains(text, "&lt;") {
		text = html.UnescapeString(text)
	}
	if strings.Contains(text, "</") || strings.Contains(text, "<br") || strings.Contains(text, "<p") {
		b.WriteString("<div>\n")
		b.WriteString(text)
		b.WriteString("\n</div>\n")
	} else {
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(html.UnescapeString(line)))
			}
		}
	}
	b.WriteString("</body></html>\n")
	return b.Bytes()
}
