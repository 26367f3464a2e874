package recipe

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
)

// This file reads rows from HTML: a fragment in JSON, or a whole page whose rows open by onclick.

// parseTime is the time limit for parsing a fragment.
const parseTime = 2 * time.Second

func (r *Recipe) readHTML(reply *serverReply, at listPlace, now time.Time) (*listResult, error) {
	text, outer, json := "", "", ""
	if r.Rows.HTML == "@this" && len(r.Rows.Unwrap) == 0 {
		b := trim(reply.Body)
		if len(b) > 0 && (b[0] == '{' || b[0] == '[') {
			return nil, newUnfit(
				OtherType, "the reply is JSON instead of HTML; set rows.path, or rows.html to the text in it that is HTML")
		}
		text = string(b)
	} else {
		var err error
		if outer, json, err = r.unwrapped(reply.Body); err != nil {
			return nil, err
		}
		v := get(json, r.Rows.HTML)
		switch {
		case !v.Exists():
			return nil, orRefusal(outer, newUnfit(Gone, "the reply has no %s%s", r.Rows.HTML, refusalOrKeys(json)))
		case v.Type != gjson.String:
			return nil, orRefusal(outer, newUnfit(OtherType, "%s is %s instead of a text that is HTML", r.Rows.HTML, kindOf(v)))
		}
		text = v.Str
	}
	rows, err := rowsOf(text)
	if err != nil {
		return nil, err
	}
	out := new(listResult)
	for i := range rows {
		if !out.add(r.ofAnchor(reply.URL, &rows[i], now)) {
			break
		}
	}
	return r.end(out, at, outer, json, now)
}

// listLink is an element of a list with a link or call.
type listLink struct {
	title string
	href  string
	call  *call  // from onclick, or javascript: in href
	near  string // surrounding text, with the date
}

// ofAnchor reads a row: with the arguments of its call if rows.url has placeholders, else with its address.
func (r *Recipe) ofAnchor(base string, a *listLink, now time.Time) (Row, bool) {
	row := Row{Title: htmldoc.CleanLine(a.title, maxTitle)}
	if d, _, _, ok := article.FindShortDate(a.near, now); ok {
		row.Date = d
		row.Day = d.String()
	}
	switch {
	case strings.Contains(r.Rows.URL, "{"):
		if a.call == nil {
			return row, false
		}
		href := template(r.Rows.URL, func(name, form string) string {
			if form != "" && !row.Date.IsZero() {
				return row.Date.Time.Format(form)
			}
			if n, ok := allDigits(name); ok && n >= 1 && int(n) <= len(a.call.Args) {
				return a.call.Args[n-1]
			}
			return ""
		})
		row.URL = r.address(base, href)
	case !strings.HasPrefix(strings.ToLower(a.href), "javascript:"):
		row.URL = r.address(base, a.href)
	}
	return row, row.Title != "" && row.URL != ""
}

// rowsOf returns the links and calls in HTML with their surrounding text.
func rowsOf(text string) ([]listLink, error) {
	if len(text) > maxReply {
		return nil, newUnfit(Broken, "the HTML is longer than %d MB", maxReply>>20)
	}
	doc, err := htmldoc.ParseWithin(text, parseTime)
	if err != nil {
		return nil, newUnfit(Broken, "the HTML cannot be read: %v", err)
	}
	var out []listLink
	var item *html.Node // innermost open li, tr, dd or div
	htmldoc.Walk(doc, func(n *html.Node) htmldoc.WalkStep {
		if n.Type != html.ElementNode {
			return htmldoc.WalkInto
		}
		switch n.DataAtom {
		case atom.Script, atom.Style, atom.Template, atom.Select:
			return htmldoc.WalkOver
		case atom.Li, atom.Tr, atom.Dd, atom.Div, atom.Td, atom.P:
			item = n
		}
		href, onclick := htmldoc.Attr(n, "href"), htmldoc.Attr(n, "onclick")
		if n.DataAtom == atom.A && href != "" || onclick != "" {
			if a, ok := anchorOf(n, item, href, onclick); ok {
				if out = append(out, a); len(out) == maxRows {
					return htmldoc.WalkStop
				}
				return htmldoc.WalkOver
			}
		}
		return htmldoc.WalkInto
	})
	return out, nil
}

// minTitle is the minimum number of characters of a title. Shorter anchors are pagers and buttons.
const minTitle = 5

func anchorOf(n, item *html.Node, href, onclick string) (listLink, bool) {
	a := listLink{href: strings.TrimSpace(href), title: strings.TrimSpace(htmldoc.Attr(n, "title"))}
	text := htmldoc.CleanLine(textWithin(n, 2_000), maxTitle)
	if len([]rune(a.title)) < len([]rune(text)) && !strings.HasSuffix(text, "...") && !strings.HasSuffix(text, "…") ||
		a.title == "" {
		a.title = text
	}
	if code, ok := listpage.CutJavascript(a.href); ok {
		onclick = strings.TrimSpace(code + ";" + onclick)
	}
	if onclick != "" {
		a.call = callIn(onclick)
	}
	if len([]rune(a.title)) < minTitle || strings.HasPrefix(a.href, "#") && a.call == nil {
		return a, false
	}
	if a.near = textWithin(n, 2_000); item != nil && item != n {
		// The date is in the row, not in the cell.
		for up := item; up != nil; up = up.Parent {
			if up.DataAtom == atom.Tr || up.DataAtom == atom.Li || up.DataAtom == atom.Dd {
				item = up
				break
			}
			if up.DataAtom == atom.Ul || up.DataAtom == atom.Table || up.DataAtom == atom.Body {
				break
			}
		}
		a.near = strings.Replace(textWithin(item, 4_000), text, " ", 1)
	}
	return a, true
}

// textWithin returns the text of an element, about limit bytes.
func textWithin(top *html.Node, limit int) string {
	var b strings.Builder
	htmldoc.Walk(top, func(n *html.Node) htmldoc.WalkStep {
		if b.Len() >= limit {
			return htmldoc.WalkStop
		}
		if n.Type == html.TextNode {
			b.WriteString(n.Data)
			b.WriteByte(' ')
		}
		return htmldoc.WalkInto
	})
	return b.String()
}
