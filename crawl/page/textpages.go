package page

import (
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
)

// maxTextPages bounds the number of a page in a pager below a text.
const maxTextPages = 99

// textPages returns which page of a text on several pages a page is, and how many there are: its pager leads to
// t1_2.htm beside t1.htm. of is 0 for a text on one page.
func textPages(address string, links []htmldoc.Link) (page, of int) {
	stem, ending, query := splitAddress(address)
	page = 1
	if own, n := partNumber(stem); n > 0 && linksTo(links, own+ending+query) {
		stem, page = own, n
	}
	for i := range links {
		l := &links[i]
		if !l.Pager || l.URL == "" || l.URL == address {
			continue
		}
		if s, e, q := splitAddress(l.URL); e == ending && q == query {
			if of1, n := partNumber(s); n > 0 && of1 == stem {
				if shown, err := strconv.Atoi(strings.Trim(l.Anchor, " []第页頁")); err == nil {
					n = shown
				}
				of = max(of, min(n, maxTextPages))
			}
		}
	}
	if of < 2 && page < 2 {
		return 0, 0
	}
	return page, max(page, of)
}

// splitAddress splits an address before the ending of its path and before its query.
func splitAddress(address string) (stem, ending, query string) {
	if i := strings.IndexByte(address, '?'); i >= 0 {
		address, query = address[:i], address[i:]
	}
	if dot := strings.LastIndexByte(address, '.'); dot > strings.LastIndexByte(address, '/') {
		return address[:dot], address[dot:], query
	}
	return address, "", query
}

// partNumber splits the number of a page off a stem: t1_2, t1-2; n is 0 without one.
func partNumber(stem string) (of string, n int) {
	i := strings.LastIndexAny(stem, "_-")
	if i < 0 || len(stem)-i > 3 {
		return stem, 0
	}
	n, err := strconv.Atoi(stem[i+1:])
	if err != nil || n < 1 {
		return stem, 0
	}
	return stem[:i], n
}

// linksTo reports whether a pager leads to an address.
func linksTo(links []htmldoc.Link, address string) bool {
	for i := range links {
		if links[i].Pager && links[i].URL == address {
			return true
		}
	}
	return false
}
