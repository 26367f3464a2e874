package listpage

import (
	"cmp"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
)

// fullPage is the number of entries from which a list may go on.
const fullPage = 10

// beyond is how many entries more than are shown a list must speak of.
const beyond = 5

// pager looks for a pager of a list whose links lead to no other page of it.
func (f *missingFinder) pager() {
	s := readPager(f.Tree.Text)
	if s.page < 0 && f.Page > 0 {
		s.page = f.Page
	}
	if s.last() {
		return
	}
	var c controls
	c.look(f, s.page)
	back := f.turnsPage(anyAnchor) // where a link leads back, none leads on
	best := c.first[next]
	for _, w := range [...]word{numbered, arrow, more} {
		if x := c.first[w]; (best.node < 0 || best.void && x.node >= 0 && !x.void) &&
			(w != arrow || c.count[numbered] > 0) {
			best = x
		}
	}
	switch {
	case best.node >= 0 && !best.void,
		s.pages > 1 && (s.page >= 0 || !back),
		best.node >= 0 && !back && (c.count[numbered] > 0 || f.Records >= fullPage) &&
			(s.entries < 0 || s.entries > f.Records):
		f.namePager(&s, &best)
	case s.entries >= 2*f.Records && s.entries >= f.Records+beyond && !back:
		f.name(KindPager, f.excerpt(&s, nil), "of "+strconv.Itoa(s.entries)+" entries "+strconv.Itoa(f.Records)+" are here, and no link leads to the others")
	default:
		f.drawn()
	}
}

// namePager names a pager by what it says and by what its control does.
func (f *missingFinder) namePager(s *pagerFigures, c *control) {
	kind, why := KindPager, "no link leads to the next page"
	switch {
	case c.node < 0:
	case strings.Contains(c.does, "__doPostBack"):
		kind, why = KindPostback, "it sends the page's form: "+c.does
	case c.form && c.does != "":
		kind, why = KindForm, "it sends the page's form: "+c.does
	case c.form:
		kind, why = KindForm, "its button sends a form"
	case c.does != "":
		why = "it calls " + c.does
	default:
		why = "its link has no address, a script turns the page"
	}
	f.name(kind, f.excerpt(s, c), why)
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

// drawn looks for a pager that a script in the page draws: createPageHTML(25, 0,
// "index", "htm") and its kin.
func (f *missingFinder) drawn() {
	for _, h := range f.Tree.Scripts {
		if h.FirstChild == nil {
			continue
		}
		call, pages := drawnBy(h.FirstChild.Data)
		if call == "" || pages == 0 || pages == 1 {
			continue
		}
		text := ""
		if pages > 1 {
			text = strconv.Itoa(pages) + " pages"
		}
		f.name(KindPager, text, "a script draws it: "+call)
		return
	}
}

// longestCall is how much of a script is shown and searched for a number, in bytes.
const longestCall = 160

// drawers are functions that draw pagers, as they are called.
var drawers = [...]string{"createPageHTML(", "createPage(", "Pager({", "laypage.render(", "laypage({", ".pagination({",
	".Paging({", ".createPage({", "new Page({"}

// drawnBy finds the call of a function that draws a pager in a script, and the
// number of pages that it is given, -1 when that is no literal.
func drawnBy(script string) (call string, pages int) {
	for _, d := range drawers {
		for at := range htmldoc.Occurrences(script, d) {
			if strings.HasSuffix(strings.TrimRight(script[max(0, at-16):at], " \n\t"), "function") {
				continue // where it is written, not where it is called
			}
			args := script[at+len(d) : min(len(script), at+len(d)+longestCall)]
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
