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

// This file finds the next page of a list where no link leads to it, but a menu of page numbers or the
// call of a well-known function gives its address.

// mostPages is how many entries of a menu of page numbers are read.
const mostPages = 500

// chosenValue are the ways in which the onchange of a menu writes the chosen value, the longest first.
var chosenValue = regexp.MustCompile(`(?:this\.)?options\[(?:this\.)?selectedIndex\]\.value` +
	`|this\.value|\$\(this\)\.val\(\)`)

// directPage returns the request for the next page that byMenu or byName finds.
func (f *PaginationFinder) directPage() []PageRequest {
	next, ok := f.byMenu()
	if !ok {
		next, ok = f.byName()
	}
	if !ok {
		return nil
	}
	return []PageRequest{next}
}

// byMenu looks for a menu of page numbers whose choice opens the page.
func (f *PaginationFinder) byMenu() (next PageRequest, ok bool) {
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
		for o := menu.FirstChild; o != nil && len(pages) < mostPages; o = o.NextSibling {
			if o.DataAtom != atom.Option || o.FirstChild == nil {
				continue
			}
			label := strings.Trim(o.FirstChild.Data, trimmed+"第页頁")
			n := number(label)
			if n < 1 {
				continue
			}
			pages[n] = f.chosen(code, o)
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

// chosen is the canonical address that the choice of an option opens; "" for none.
func (f *PaginationFinder) chosen(code string, option *html.Node) string {
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

// pageHTML is the call with which TRS, the system of many Chinese authorities, draws a pager: the number of
// pages, that of this page from 0, and the name and extension of the first.
var pageHTML = regexp.MustCompile(`createPageHTML\(\s*(\d{1,5})\s*,\s*(\d{1,5})\s*,` +
	`\s*["']([\w-]+)["']\s*,\s*["'](\w+)["']`)

// byName looks for the call that draws a pager of pages index.htm, index_1.htm, index_2.htm, and checks that
// this page has the name that the call says.
func (f *PaginationFinder) byName() (next PageRequest, ok bool) {
	for _, h := range f.Tree.Scripts {
		if h.FirstChild == nil || !strings.Contains(h.FirstChild.Data, drawers[0]) {
			continue
		}
		m := pageHTML.FindStringSubmatch(h.FirstChild.Data)
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
