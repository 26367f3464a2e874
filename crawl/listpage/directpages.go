package listpage

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file finds the next page of a list without a link to it. A menu of page numbers or a call of
// a well-known function gives its address.

// maxMenuPages bounds the entries that are read of a menu of page numbers.
const maxMenuPages = 500

// chosenValue matches the expressions for the chosen value in the onchange of a menu, the longest
// first.
var chosenValue = regexp.MustCompile(`(?:this\.)?options\[(?:this\.)?selectedIndex\]\.value` +
	`|this\.value|\$\(this\)\.val\(\)`)

// directPage returns the request for the next page from nextByMenu or nextByName.
func (f *PaginationFinder) directPage() []PageRequest {
	next, ok := f.nextByMenu()
	if !ok {
		next, ok = f.nextByName()
	}
	if !ok {
		return nil
	}
	return []PageRequest{next}
}

// nextByMenu finds the next page in a menu of page numbers whose choice opens the page.
func (f *PaginationFinder) nextByMenu() (next PageRequest, ok bool) {
	for _, menu := range f.Tree.Selects {
		code := htmldoc.Attr(menu, "onchange")
		if !chosenValue.MatchString(code) {
			continue
		}
		if len(f.reader.Sources) == 0 {
			f.reader.Sources = inlineScripts(f.reader.Sources, f.Tree)
		}
		pages := map[int]string{}
		current := 0
		for o := menu.FirstChild; o != nil && len(pages) < maxMenuPages; o = o.NextSibling {
			if o.DataAtom != atom.Option || o.FirstChild == nil {
				continue
			}
			label := strings.Trim(o.FirstChild.Data, labelMargin+"第页頁")
			n := parseNumber(label)
			if n < 1 {
				continue
			}
			pages[n] = f.optionAddress(code, o)
			if htmldoc.Has(o, "selected") || current == 0 && pages[n] == f.Tree.URL {
				current = n
			}
		}
		u := pages[max(current, 1)+1]
		if u != "" && u != f.Tree.URL && urls.HostOf(u) == urls.HostOf(f.Tree.URL) {
			return PageRequest{URL: u, Method: "GET", Page: max(current, 1) + 1, Source: KindScript}, true
		}
	}
	return next, false
}

// optionAddress returns the canonical address that an option of a menu opens; "" for none.
func (f *PaginationFinder) optionAddress(code string, option *html.Node) string {
	value := htmldoc.Attr(option, "value")
	if value == "" || strings.ContainsAny(value, "'\\\n") {
		return ""
	}
	e, err := f.reader.Read(chosenValue.ReplaceAllLiteralString(code, "'"+value+"'"))
	if err != nil || e.URL == "" {
		return ""
	}
	u, err := f.Resolver.ResolveIn(f.Charset, f.base, e.URL)
	if err != nil {
		return ""
	}
	return u
}

// pagerCall matches the call that draws a pager in TRS, the system of many Chinese authorities. Its
// arguments are the number of pages, the current page from 0, and name and extension of the first
// page.
var pagerCall = regexp.MustCompile(`createPageHTML\(\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,` +
	`\s*["']([\w-]+)["']\s*,\s*["'](\w+)["']`)

// nextByName finds the next page by a pagerCall for pages index.htm, index_1.htm, index_2.htm. It
// returns nothing if this page has another name than the call implies.
func (f *PaginationFinder) nextByName() (next PageRequest, ok bool) {
	for _, h := range f.Tree.Scripts {
		if h.FirstChild == nil || !strings.Contains(h.FirstChild.Data, pagerFunctions[0]) {
			continue
		}
		m := pagerCall.FindStringSubmatch(h.FirstChild.Data)
		if m == nil {
			continue
		}
		pages, _ := strconv.Atoi(m[1])
		current, _ := strconv.Atoi(m[2])
		name := func(page int) string {
			if page == 0 {
				return m[3] + "." + m[4]
			}
			return m[3] + "_" + strconv.Itoa(page) + "." + m[4]
		}
		here, _, _ := strings.Cut(f.Tree.URL, "?")
		if path.Base(here) != name(current) && (current > 0 || !strings.HasSuffix(here, "/")) || current+1 >= pages {
			return next, false
		}
		u, err := f.Resolver.Resolve(f.Tree.URL, name(current+1))
		return PageRequest{URL: u, Method: "GET", Page: current + 2, Source: KindScript}, err == nil
	}
	return next, false
}
