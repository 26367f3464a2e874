package page

import (
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Some pages hold a list as markup in a script, a form field or a template, and a script shows it.
// Examples are the XML of the jpage module of Chinese authorities, and document.write. This file
// inserts the markup as the script would.

const (
	minRowRunes     = 6   // characters of the title link of a row, at least
	maxRowSentences = 30  // characters of sentences on the page of a carried list, at most
	maxRows         = 500 // links counted in a markup, at most
)

// carriedRows is the markup of a list in the data of an element.
type carriedRows struct {
	markup string
	from   *html.Node // the element
	links  int        // links with a title
}

// addRows keeps markup as the carried list if it has more rows than the one before.
func (s *shell) addRows(from *html.Node, markup string) {
	if strings.Count(markup, "<a ") < minRows && strings.Count(markup, "<A ") < minRows {
		return
	}
	markup = withoutCDATA(markup)
	if n := titledLinks(markup); n >= minRows && n > s.rows.links {
		s.rows = carriedRows{markup, from, n}
	}
}

// withoutCDATA returns the contents of the CDATA sections of XML and a line with its number of records. It
// returns other markup unchanged.
func withoutCDATA(markup string) string {
	const open, end = "<![CDATA[", "]]>"
	if !strings.Contains(markup, open) {
		return markup
	}
	var b strings.Builder
	for rest := markup; ; {
		_, section, found := strings.Cut(rest, open)
		if !found {
			break
		}
		section, rest, _ = strings.Cut(section, end)
		b.WriteString(section)
	}
	if _, all, ok := strings.Cut(markup, "<totalrecord>"); ok {
		if all, _, ok = strings.Cut(all, "<"); ok && len(all) < 10 {
			b.WriteString("<div>共" + html.EscapeString(all) + "条</div>")
		}
	}
	return b.String()
}

// titledLinks counts the links of markup that have a target and a title, at most maxRows.
func titledLinks(markup string) (n int) {
	z := html.NewTokenizer(strings.NewReader(markup))
	z.SetMaxBuf(maxCarried)
	text, in := 0, false
	for n < maxRows {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.TextToken:
			text += htmldoc.RunesUpTo(strings.TrimSpace(string(z.Text())), minRowRunes)
		case html.StartTagToken:
			if t := z.Token(); t.DataAtom == atom.A {
				href := htmldoc.Attr(&html.Node{Attr: t.Attr}, "href")
				text, in = 0, href != "" && href[0] != '#'
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				if in && text >= minRowRunes {
					n++
				}
				in = false
			}
		}
	}
	return n
}

// xmlType is the suffix of the type of scripts that hold XML.
const xmlType = "/xml"

// carriesXML reports whether a script of the page holds XML.
func carriesXML(t *htmldoc.Tree) bool {
	return slices.ContainsFunc(t.Scripts, func(h *html.Node) bool {
		return strings.HasSuffix(strings.ToLower(htmldoc.Attr(h, "type")), xmlType)
	})
}

// fillRows inserts the carried list into the page if it has more titled links than the page shows.
func (s *shell) fillRows() bool {
	t := s.tree
	shown := 0
	for i := range t.Refs {
		r := &t.Refs[i]
		if r.Node >= 0 && !r.Hidden && t.Nodes[r.Node].Tag == atom.A && t.Nodes[r.Node].Chars >= minRowRunes {
			shown++
		}
	}
	if s.rows.links <= shown {
		return false
	}
	at, before := s.rows.from, true
	if p := at.Parent; p == nil || p.DataAtom == atom.Head || p.DataAtom == atom.Html {
		at, before = s.target(at)
	}
	return t.Fill(s.rows.markup, at, before)
}
