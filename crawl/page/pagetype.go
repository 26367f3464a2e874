package page

import (
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"

	"golang.org/x/net/html/atom"
)

const (
	minListRecords = 3   // dated records of a list, at least
	minHubBeta     = 1.0 // μ: link characters ÷ other characters of a hub, more than
	minHubLinks    = 15  // links of a hub, at least
	minDetailChars = 80  // characters outside links in the text of a detail, at least
	minLineChars   = 12  // characters of a text line without punctuation, at least

	minArticleChars = 300 // characters in sentences of an article beside a list, at least
	minArticleRatio = 2   // ratio of these characters to those of the list, at least
)

// pageType returns the type of a page. A list has 3 dated records or more, which are half of its
// best group, or 3 dated rows that lead nowhere. A hub has more links than text (P4 3.3, β > μ).
// A detail has a title and text, and more text than the list beside it.
func (a *analysis) pageType(p *Page) Type {
	if a.deadRows || a.feed != nil && len(p.Records) > 0 {
		return List
	}
	t := a.tree
	listFrom, listTo, listChars := a.list.Span()
	isHome := IsHomePage(p.URL)
	text, sentences := int32(0), int32(0) // sentences: outside the list
	for i := range t.Runs {
		r := &t.Runs[i]
		if !r.Negative && r.LinkChars*2 < r.Chars && (r.Punct > 0 || r.Chars >= minLineChars) {
			text += r.Chars - r.LinkChars
			if r.Punct > 0 && (r.To <= listFrom || r.From >= listTo) {
				sentences += r.Chars - r.LinkChars
			}
		}
	}
	// an article with the latest news beside it is no list
	isArticle := a.posts.Kind == article.NoPosts && a.title >= 0 && sentences >= minArticleChars &&
		sentences > minArticleRatio*listChars
	if !isHome && !isArticle && p.Dated >= minListRecords && p.Dated*2 >= len(p.Records) {
		return List
	}
	switch {
	case isHome && len(p.Links) >= minHubLinks:
		return Hub
	case a.title >= 0 && !p.Date.IsZero() && text >= minDetailChars/2:
		return Detail
	case p.Beta > minHubBeta && len(p.Links) >= minHubLinks:
		return Hub
	case text >= minDetailChars:
		return Detail
	case len(p.Links) >= minHubLinks:
		return Hub
	}
	return Other
}

// Bounds of a row whose link leads nowhere.
const (
	minDeadTitle   = 6   // characters of its link, at least
	maxDeadRest    = 60  // bytes of the rest of the row, at most
	maxDeadParents = 4   // elements between the link and the row, at most
	maxDeadLinks   = 100 // links checked on a page, at most
)

// deadRows counts the rows with a title and a date whose link is an empty script (javascript:;)
// or a fragment (#).
func deadRows(t *htmldoc.Tree, now time.Time) int {
	rows, tried := 0, 0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.Tag != atom.A || n.IsText || n.Negative || n.Chars < minDeadTitle ||
			!listpage.LeadsNowhere(htmldoc.Attr(n.HTML, "href")) {
			continue
		}
		if tried++; tried > maxDeadLinks {
			break
		}
		at := n.Parent
		for up := 0; up < maxDeadParents && at >= 0; up++ {
			if row := &t.Nodes[at]; row.Tag == atom.Tr || row.Tag == atom.Li || row.Tag == atom.Dl {
				if int(row.To-row.From)-int(n.To-n.From) <= maxDeadRest {
					if _, _, _, ok := article.FindShortDate(t.Text[row.From:n.From]+" "+t.Text[n.To:row.To], now); ok {
						rows++
					}
				}
				break
			}
			at = t.Nodes[at].Parent
		}
	}
	return rows
}

// IsHomePage reports whether a URL is its host's home page: /, /?lang=en, /index.htm. A home
// page shows the newest records of several lists, so its best group alone looks like a list. A
// URL whose query may choose a page (/?cat=4, /index.php?m=list) is no home page.
func IsHomePage(u string) bool {
	i := strings.Index(u, "://")
	if i < 0 {
		return false
	}
	slash := strings.IndexAny(u[i+3:], "/?")
	if slash < 0 {
		return true
	}
	path, query, _ := strings.Cut(u[i+3+slash:], "?")
	path = strings.TrimPrefix(path, "/")
	if path == "" {
		return !choosesPage(query)
	}
	if query != "" || strings.ContainsRune(path, '/') {
		return false
	}
	name, _, _ := strings.Cut(path, ".")
	for _, w := range [...]string{"index", "default", "main", "home"} {
		if rest, ok := strings.CutPrefix(name, w); ok && strings.Trim(rest, "0123456789-_") == "" {
			return true
		}
	}
	return false
}

// pageParameters are the query parameters that choose a page of a program at /.
var pageParameters = map[string]bool{
	"a": true, "act": true, "action": true, "author": true, "c": true, "cat": true, "category": true, "class": true,
	"column": true, "do": true, "feed": true, "list": true, "m": true, "mod": true, "module": true, "news": true,
	"node": true, "p": true, "page": true, "paged": true, "path": true, "q": true, "r": true, "route": true,
	"s": true, "search": true, "sort": true, "tag": true, "type": true, "url": true, "view": true,
}

// choosesPage reports whether a query may choose a page: by a known parameter, one that
// ends with id, or a value without a name (/?12.html).
func choosesPage(query string) bool {
	for query != "" {
		var parameter string
		parameter, query, _ = strings.Cut(query, "&")
		name, _, named := strings.Cut(strings.ToLower(parameter), "=")
		if parameter != "" && (!named || pageParameters[name] || strings.HasSuffix(name, "id")) {
			return true
		}
	}
	return false
}
