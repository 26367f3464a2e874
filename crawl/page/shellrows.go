package page

import (
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Some lists stand as markup in a script, a form field or a template of their page, and a script shows
// them: the XML of the jpage module of Chinese authorities, document.write. They are shown here as the
// script would show them.

const (
	rowRunes     = 6  // characters of a link that may be the title of a row
	rowSentences = 30 // characters of sentences that the page of a carried list shows at most
	maxRows      = 500
)

// carriedRows is markup with links that an element carries.
type carriedRows struct {
	markup string
	from   *html.Node
	links  int // with a title
}

// addRows takes markup that holds the rows of a list.
func (s *shell) addRows(from *html.Node, markup string) {
	if strings.Count(markup, "<a ") < minRows && strings.Count(markup, "<A ") < minRows {
		return
	}
	markup = withoutCDATA(markup)
	if n := titledLinks(markup); n >= minRows && n > s.rows.links {
		s.rows = carriedRows{markup, from, n}
	}
}

// withoutCDATA returns the CDATA sections of XML and the number of its records as a sentence; other markup
// as it is.
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

// titledLinks counts the links of markup that lead somewhere and show a title, at most maxRows.
func titledLinks(markup string) (n int) {
	z := html.NewTokenizer(strings.NewReader(markup))
	z.SetMaxBuf(maxCarried)
	text, in := 0, false
	for n < maxRows {
		switch z.Next() {
		case html.ErrorToken:
			return n
		case html.TextToken:
			text += htmldoc.RunesUpTo(strings.TrimSpace(string(z.Text())), rowRunes)
		case html.StartTagToken:
			if t := z.Token(); t.DataAtom == atom.A {
				href := htmldoc.Attr(&html.Node{Attr: t.Attr}, "href")
				text, in = 0, href != "" && href[0] != '#'
			}
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "a" {
				if in && text >= rowRunes {
					n++
				}
				in = false
			}
		}
	}
	return n
}

// xmlType is the end of the types of scripts that hold XML.
const xmlType = "/xml"

// carriesXML reports whether a script of the page holds XML.
func carriesXML(t *htmldoc.Tree) bool {
	return slices.ContainsFunc(t.Scripts, func(h *html.Node) bool {
		return strings.HasSuffix(strings.ToLower(htmldoc.Attr(h, "type")), xmlType)
	})
}

// fillRows shows the carried list with the most rows if it has more than the links with a title that the
// page shows.
func (s *shell) fillRows() bool {
	t := s.tree
	shown := 0
	for i := range t.Refs {
		r := &t.Refs[i]
		if r.Node >= 0 && !r.Hidden && t.Nodes[r.Node].Tag == atom.A && t.Nodes[r.Node].Chars >= rowRunes {
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
