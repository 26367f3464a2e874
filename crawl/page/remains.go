package page

import (
	"fmt"
	"html"
	"strings"
	"time"

	"angler/crawl/fields"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// StrippedBody returns a document with the <title> and the data tables of a page alone. Parse
// reads the same Tables from it. The store keeps it when it deletes the body of a notice. It is
// nil for a page without data tables.
func StrippedBody(src Source) ([]byte, error) {
	a := newAnalysis(src.URL)
	defer a.release()
	if _, err := a.read(src, time.Now()); err != nil {
		return nil, err
	}
	t := a.tree
	var b strings.Builder
	above := 0
	for i := range t.Nodes {
		if n := &t.Nodes[i]; n.Tag == atom.Table && !n.IsText && n.Chars > 0 && !holdsTable(t, i) {
			writeTable(&b, t, i, above)
			if n.LinkChars*2 <= n.Chars {
				above = int(n.To)
			}
		}
	}
	if b.Len() == 0 {
		return nil, nil
	}
	return fmt.Appendf(nil, `<!DOCTYPE html><meta charset="utf-8"><title>%s</title><body>%s`, html.EscapeString(t.Head),
		b.String()), nil
}

// holdsTable reports whether a table with text stands in element i.
func holdsTable(t *htmldoc.Tree, i int) bool {
	for k := i + 1; k < int(t.Nodes[i].End); k++ {
		if t.Nodes[k].Tag == atom.Table && t.Nodes[k].Chars > 0 {
			return true
		}
	}
	return false
}

// writeTable writes the lines above a table and the texts of its cells. It omits a table of mostly links, which would
// look like a data table without them.
func writeTable(b *strings.Builder, t *htmldoc.Tree, table, above int) {
	n := &t.Nodes[table]
	if n.LinkChars*2 > n.Chars {
		return
	}
	if lead := fields.Above(t, table, above); lead != "" {
		b.WriteString("<p>" + strings.ReplaceAll(html.EscapeString(lead), "\n", "<br>") + "</p>")
	}
	b.WriteString("<table>")
	for i := int32(table) + 1; i < n.End; i++ {
		switch c := &t.Nodes[i]; {
		case c.IsText:
		case c.Tag == atom.Tr:
			b.WriteString("<tr>")
		case c.Tag == atom.Td || c.Tag == atom.Th:
			b.WriteString("<td")
			for _, name := range [...]string{"colspan", "rowspan"} {
				if v := strings.TrimSpace(htmldoc.Attr(c.HTML, name)); v != "" {
					fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(v))
				}
			}
			text := html.EscapeString(strings.TrimSpace(t.Text[c.From:c.To]))
			b.WriteString(">" + strings.ReplaceAll(text, "\n", "<br>") + "</td>")
			i = c.End - 1
		}
	}
	b.WriteString("</table>")
}
