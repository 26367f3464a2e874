package inbox

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"angler/tui/screen"
	"angler/tui/widget"
)

// This file lays out the text of a notice: paragraphs, tables, and lines that name a
// thing and say what it is, all measured in cells, which Chinese takes two of.

var (
	heading = regexp.MustCompile(`^\s*(?:第[一二三四五六七八九十百]+[章节部条]|[一二三四五六七八九十]{1,3}、)`)
	pair    = regexp.MustCompile(`^\s*([^\s：:，。；！？,;\t][^：:，。；！？,;\t]{0,19})[：:]\s*(\S.*)$`)
)

// body makes the lines of a text in w cells.
func body(text string, w int) []widget.TextLine {
	if text == "" {
		return nil
	}
	var out screen.Lines
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if rows, n := tableAt(lines[i:]); n > 0 {
			out = append(out, tableLines(rows, w)...)
			i += n
			continue
		}
		if pairs, n := pairsAt(lines[i:]); n > 1 {
			out = append(out, fieldLines(pairs, w)...)
			i += n
			continue
		}
		line, st := widget.Clean(lines[i]), widget.Plain
		if heading.MatchString(line) && utf8.RuneCountInString(line) <= 30 {
			st = widget.Bold
		}
		if line != "" || len(out) > 0 && len(out[len(out)-1]) > 0 {
			out.Line(st.Text(line))
		}
		i++
	}
	return out
}

// tableAt reads the rows of a table that begins with the first line: cells stand
// between tabs.
func tableAt(lines []string) (rows [][]string, n int) {
	for ; n < len(lines) && strings.ContainsRune(lines[n], '\t'); n++ {
		var row []string
		for cell := range strings.SplitSeq(lines[n], "\t") {
			row = append(row, widget.Clean(cell))
		}
		for len(row) > 0 && row[len(row)-1] == "" {
			row = row[:len(row)-1]
		}
		if len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows, n
}

// pairsAt reads lines that each name a thing and say what it is.
func pairsAt(lines []string) (pairs []field, n int) {
	for ; n < len(lines); n++ {
		m := pair.FindStringSubmatch(lines[n])
		if m == nil || strings.HasPrefix(m[2], "//") {
			break
		}
		pairs = append(pairs, field{widget.Clean(m[1]), widget.Clean(m[2]), widget.Plain})
	}
	return pairs, n
}

// fieldLines sets names in one column and what they name in the next.
func fieldLines(fields []field, w int) []widget.TextLine {
	names := 0
	for _, f := range fields {
		names = max(names, widget.Width(f.name))
	}
	names = min(names, max(6, w*2/5))
	var out screen.Lines
	for _, f := range fields {
		labels := widget.Wrap(f.name, names, 8)
		values := widget.Wrap(f.value, max(1, w-names-2), 2000)
		for i := range max(len(labels), len(values)) {
			label, value := "", ""
			if i < len(labels) {
				label = labels[i]
			}
			if i < len(values) {
				value = values[i]
			}
			out.Line(widget.Dim.Text(widget.Pad(label, names)+"  "), f.st.Text(value))
		}
	}
	return out
}

// narrowest is the least width of a column before a table is given up.
const narrowest = 6

// mostColumns of a table are set side by side.
const mostColumns = 16

// tableLines sets a table: of two columns as names and values, of more with every
// column as wide as it needs, or narrower and wrapped where the room is short.
func tableLines(rows [][]string, w int) []widget.TextLine {
	n := 0
	for _, r := range rows {
		n = max(n, len(r))
	}
	switch {
	case n == 0:
		return nil
	case n <= 2:
		var fields []field
		for _, r := range rows {
			f := field{name: r[0]}
			if len(r) > 1 {
				f.value = r[1]
			}
			fields = append(fields, f)
		}
		return fieldLines(fields, w)
	case n > mostColumns || n*(narrowest+3) > w:
		var out screen.Lines
		for _, r := range rows {
			out.Line(widget.Plain.Text(strings.Join(r, " │ ")))
		}
		return out
	}
	widths := columnWidths(rows, n, w-3*(n-1))
	var out screen.Lines
	for i, r := range rows {
		cells, high := make([][]string, n), 1
		for k := range r {
			cells[k] = widget.Wrap(r[k], widths[k], 200)
			high = max(high, len(cells[k]))
		}
		for y := range high {
			var line widget.TextLine
			for k := range n {
				text, st := "", widget.Plain
				if y < len(cells[k]) {
					text = cells[k][y]
				}
				if i == 0 {
					st = widget.Head
				}
				line = append(line, st.Text(widget.Pad(text, widths[k])))
				if k < n-1 {
					line = append(line, widget.Line.Text(" │ "))
				}
			}
			out = append(out, line)
		}
	}
	return out
}

// columnWidths shares w cells among columns: what a column needs as long as there is
// room, then the widest give.
func columnWidths(rows [][]string, n, w int) []int {
	widths := make([]int, n)
	for _, r := range rows {
		for k, cell := range r {
			widths[k] = max(widths[k], widget.Width(cell), 2)
		}
	}
	sum := 0
	for _, x := range widths {
		sum += x
	}
	for sum > w {
		most, second := 0, narrowest
		for k, x := range widths {
			if x > widths[most] {
				most = k
			}
		}
		for k, x := range widths {
			if k != most {
				second = max(second, x)
			}
		}
		give := min(sum-w, max(1, widths[most]-second))
		if widths[most]-give < narrowest {
			break
		}
		widths[most] -= give
		sum -= give
	}
	return widths
}
