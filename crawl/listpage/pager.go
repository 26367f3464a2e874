package listpage

import (
	"cmp"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
)

// minFullPage is the least number of entries of a page that another one may follow.
const minFullPage = 10

// minUnseen is how many more entries a list must state than it shows.
const minUnseen = 5

// findPager looks for a pager in a list whose links lead to no other page of it.
func (f *missingFinder) findPager() {
	s := readPager(f.Tree.Text)
	if s.page < 0 && f.Page > 0 {
		s.page = f.Page
	}
	if s.isLastPage() {
		return
	}
	var c controls
	c.collect(f, s.page)
	hasLink := f.hasPageLink(func(string) bool { return true }) // a link back, and none forward
	best := c.first[nextLabel]
	for _, w := range [...]labelKind{numberLabel, arrowLabel, moreLabel} {
		if x := c.first[w]; (best.node < 0 || best.inert && x.node >= 0 && !x.inert) &&
			(w != arrowLabel || c.count[numberLabel] > 0) {
			best = x
		}
	}
	switch {
	case best.node >= 0 && !best.inert,
		s.pages > 1 && (s.page >= 0 || !hasLink),
		best.node >= 0 && !hasLink && (c.count[numberLabel] > 0 || f.Records >= minFullPage) &&
			(s.entries < 0 || s.entries > f.Records):
		f.reportPager(&s, &best)
	case s.entries >= 2*f.Records && s.entries >= f.Records+minUnseen && !hasLink:
		f.report(KindPager, f.excerpt(&s, nil), "of "+strconv.Itoa(s.entries)+" entries "+strconv.Itoa(f.Records)+
			" are here, and no link leads to the others")
	default:
		f.findDrawnPager()
	}
}

// reportPager reports a pager with its text and with the effect of its control.
func (f *missingFinder) reportPager(s *pagerFigures, c *control) {
	kind, why := KindPager, "no link leads to the next page"
	switch {
	case c.node < 0:
	case strings.Contains(c.script, "__doPostBack"):
		kind, why = KindPostback, "it sends the page's form: "+c.script
	case c.sendsForm && c.script != "":
		kind, why = KindForm, "it sends the page's form: "+c.script
	case c.sendsForm:
		kind, why = KindForm, "its button sends a form"
	case c.script != "":
		why = "it calls " + c.script
	default:
		why = "its link has no address, a script turns the page"
	}
	f.report(kind, f.excerpt(s, c), why)
}

// excerpt returns the text of the pager.
func (f *missingFinder) excerpt(s *pagerFigures, c *control) string {
	var out []string
	if all := s.String(); all != "" {
		out = append(out, all)
	}
	if c != nil && c.node >= 0 {
		n := &f.Tree.Nodes[c.node]
		out = append(out, cmp.Or(strings.Trim(f.Tree.Text[n.From:n.To], " \n"), htmldoc.Attr(n.HTML, "value")))
	}
	return strings.Join(out, " · ")
}

// findDrawnPager looks for a script in the page that draws a pager: createPageHTML(25, 0, "index",
// "htm") and similar calls.
func (f *missingFinder) findDrawnPager() {
	for _, h := range f.Tree.Scripts {
		if h.FirstChild == nil {
			continue
		}
		call, pages := drawnPager(h.FirstChild.Data)
		if call == "" || pages == 0 || pages == 1 {
			continue
		}
		text := ""
		if pages > 1 {
			text = strconv.Itoa(pages) + " pages"
		}
		f.report(KindPager, text, "a script draws it: "+call)
		return
	}
}

// maxCallBytes bounds the bytes of a call that are shown and searched for a number.
const maxCallBytes = 160

// pagerFunctions are the calls of functions that draw pagers.
var pagerFunctions = [...]string{"createPageHTML(", "createPage(", "Pager({", "laypage.render(", "laypage({",
	".pagination({", ".Paging({", ".createPage({", "new Page({"}

// drawnPager finds the call that draws a pager in a script. pages is its number of pages, -1 if
// that is no literal.
func drawnPager(script string) (call string, pages int) {
	for _, d := range pagerFunctions {
		for at := range htmldoc.Occurrences(script, d) {
			if strings.HasSuffix(strings.TrimRight(script[max(0, at-16):at], " \n\t"), "function") {
				continue // the definition, not a call
			}
			args := script[at+len(d) : min(len(script), at+len(d)+maxCallBytes)]
			end := strings.IndexAny(args, ")\n")
			call = d
			if end >= 0 {
				call += args[:end] + ")"
			}
			if n, _ := firstNumber(args); n >= 0 {
				return call, n
			}
			for _, key := range [...]string{"size", "pages", "pageCount", "totalPage", "totalPages", "count", "total"} {
				if k := strings.Index(args, key+":"); k >= 0 {
					if n, _ := firstNumber(args[k+len(key)+1:]); n >= 0 {
						return call, n
					}
				}
			}
			return call, -1
		}
	}
	return "", -1
}
