package article

import (
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// cellOf returns the innermost table cell and row around node host, inside element top. It returns
// -1 outside tables.
func cellOf(t *htmldoc.Tree, host, top int32) (cell, row int32) {
	cell, row = -1, -1
	for i := host; i > top; i = t.Nodes[i].Parent {
		switch t.Nodes[i].Tag {
		case atom.Td, atom.Th:
			if cell < 0 {
				cell = i
			}
		case atom.Tr:
			if cell >= 0 {
				return cell, i
			}
		}
	}
	return -1, -1
}

// join joins the texts of runs with line feeds, and cells of one table row with tabs.
func join(t *htmldoc.Tree, runs []int32, top int32) string {
	var b strings.Builder
	lastCell, lastRow := int32(-1), int32(-1)
	for k, r := range runs {
		run := &t.Runs[r]
		cell, row := cellOf(t, run.Host, top)
		text, _ := cutCounter(strings.Trim(t.Text[run.From:run.To], " \n"))
		small := cell >= 0 && t.Nodes[cell].Chars < 120 && t.Nodes[row].Chars > t.Nodes[cell].Chars
		if small {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		if k > 0 {
			switch {
			case row >= 0 && row == lastRow && cell != lastCell:
				b.WriteByte('\t')
			case row >= 0 && cell == lastCell && small:
				b.WriteByte(' ')
			default:
				b.WriteByte('\n')
			}
		}
		b.WriteString(text)
		lastCell, lastRow = cell, row
	}
	return b.String()
}
