package article

import (
	"slices"
	"strings"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

const (
	maxLabelBytes = 36 // bytes of a label, at most: 12 Chinese characters
	minLabelRows  = 3  // rows with a label in a data table, at least
)

// hasLabels reports whether at least minLabelRows and half of the rows of a table begin with a label:
// 项目名称 | 实验台. Such a table is data, even if one cell holds most of its text.
func hasLabels(t *htmldoc.Tree, table int32) bool {
	rows, labels := 0, 0
	for i := table + 1; i < t.Nodes[table].End; {
		n := &t.Nodes[i]
		switch n.Tag {
		case atom.Table:
			i = n.End // the rows of an inner table do not count
			continue
		case atom.Tr:
			if n.Chars > 0 {
				rows++
				if labelRow(t, i) {
					labels++
				}
			}
			i = n.End
			continue
		}
		i++
	}
	return labels >= minLabelRows && labels*2 >= rows
}

// labelRow reports whether a row is a label and its value: a short first cell without links and
// digits, and one or three more.
func labelRow(t *htmldoc.Tree, row int32) bool {
	cells, filled := 0, false
	for c := row + 1; c < t.Nodes[row].End; c = t.Nodes[c].End {
		n := &t.Nodes[c]
		if n.Tag != atom.Td && n.Tag != atom.Th {
			continue
		}
		if cells++; cells > 1 {
			filled = filled || n.Chars > 0
			continue
		}
		if n.Chars < 2 || n.To-n.From > maxLabelBytes || n.LinkChars > 0 ||
			strings.ContainsAny(t.Text[n.From:n.To], "0123456789。；") {
			return false
		}
	}
	return filled && (cells == 2 || cells == 4)
}

// hiddenTable reports whether a node stands in a hidden data table, which a button unfolds.
func hiddenTable(t *htmldoc.Tree, host int32) bool {
	for i := host; i >= 0 && t.Nodes[i].Hidden; i = t.Nodes[i].Parent {
		n := &t.Nodes[i]
		if n.Tag != atom.Table {
			continue
		}
		rows := 0
		for r := i + 1; r < n.End; r++ {
			if t.Nodes[r].Tag == atom.Tr && t.Nodes[r].Chars > 0 {
				rows++
			}
		}
		return rows >= minLabelRows && n.LinkChars*5 < n.Chars
	}
	return false
}

// namesAddresses reports whether all links of an element have their address as anchor. Rows of a
// label and an address are no list of links.
func (x *TextExtractor) namesAddresses(n *htmldoc.Node) bool {
	return n.RefEnd > n.Ref && n.LinkChars < n.Chars &&
		!slices.ContainsFunc(x.Links[n.Ref:n.RefEnd], func(l htmldoc.Link) bool { return !l.NamesAddress() })
}

const (
	maxDataRow   = 200 // characters of a row of data on average, at most
	maxDataLinks = 0.2 // share of characters in links, at most
)

// dataTable reports whether a table holds data: at least minLabelRows short rows of two cells or
// more, no inner table, and few links.
func dataTable(t *htmldoc.Tree, table int32) bool {
	rows, cells := int32(0), int32(0)
	for i := table + 1; i < t.Nodes[table].End; i++ {
		switch n := &t.Nodes[i]; n.Tag {
		case atom.Table:
			return false
		case atom.Tr:
			if n.Chars > 0 {
				rows++
			}
		case atom.Td, atom.Th:
			if n.Chars > 0 {
				cells++
			}
		}
	}
	n := &t.Nodes[table]
	return rows >= minLabelRows && cells >= 2*rows-1 && n.Chars <= maxDataRow*rows &&
		float64(n.LinkChars) <= maxDataLinks*float64(n.Chars)
}
