package page

import (
	"slices"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
)

// maxTextPages bounds the number of pages of a text.
const maxTextPages = 99

// textPages returns the number of this page and the number of pages of a text. The pager below the text links to
// t1_2.htm beside t1.htm. of is 0 for a text on one page.
func textPages(address string, links []htmldoc.Link) (page, of int) {
	stem, ending, query := splitAddress(address)
	page = 1
	if first, n := partNumber(stem); n > 0 && slices.ContainsFunc(links, func(l htmldoc.Link) bool {
		return l.Pager && l.URL == first+ending+query
	}) {
		stem, page = first, n
	}
	for i := range links {
		l := &links[i]
		if !l.Pager || l.URL == "" || l.URL == address {
			continue
		}
		if s, e, q := splitAddress(l.URL); e == ending && q == query {
			if first, n := partNumber(s); n > 0 && first == stem {
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

// splitAddress splits an address into stem, file name extension with its dot, and query with its question mark.
func splitAddress(address string) (stem, ending, query string) {
	if i := strings.IndexByte(address, '?'); i >= 0 {
		address, query = address[:i], address[i:]
	}
	if dot := strings.LastIndexByte(address, '.'); dot > strings.LastIndexByte(address, '/') {
		return address[:dot], address[dot:], query
	}
	return address, "", query
}

// partNumber splits a stem, such as t1_2 or t1-2, into the stem of the first page and the page number. n is 0 for a
// stem without a number.
func partNumber(stem string) (first string, n int) {
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
