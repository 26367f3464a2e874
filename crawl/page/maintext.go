package page

import (
	"strings"

	"golang.org/x/net/html/atom"
)

// The names of the main text methods.
const (
	MethodAuto      = "auto"
	MethodMass      = "mass"
	MethodDensity   = "density"
	MethodPathRatio = "pathratio"

	MethodReadability = "readability"
	MethodTrafilatura = "trafilatura"
)

// mainInput is what an extractor gets: the flat page, the element that shows
// the title (-1 when none does), the title itself, and what the host repeats.
type mainInput struct {
	*tree
	title     int32
	titleText string
	host      *Boilerplate
	source    string // the decoded markup, for readers; "" when it is none
}

// mainText is what an extractor returns: the text, and the elements it came
// from, nodes[from:to], for the attachments.
type mainText struct {
	text     string
	from, to int32
	why      string // how auto decided
}

// extractors are the methods by name. Auto is a rule that chooses one.
var extractors = map[string]func(mainInput) mainText{
	MethodMass:        byMass,
	MethodDensity:     byDensity,
	MethodPathRatio:   byPathRatio,
	MethodReadability: func(in mainInput) mainText { return readerAt(MethodReadability, in) },
	MethodTrafilatura: func(in mainInput) mainText { return readerAt(MethodTrafilatura, in) },
}

// readerAt runs a reader by name; where the text stood, and with it its
// attachments, is what mass says.
func readerAt(name string, in mainInput) mainText {
	m, at := byReader(name, in), byMass(in)
	m.from, m.to = at.from, at.to
	return m
}

// Methods lists the names Options.Main takes, the default first.
func Methods() []string {
	return []string{MethodAuto, MethodMass, MethodReadability, MethodTrafilatura, MethodDensity, MethodPathRatio}
}

// extract runs a method by name and returns which one decided.
func extract(name string, in mainInput) (mainText, string) {
	if f := extractors[name]; f != nil {
		return f(in), name
	}
	return auto(in)
}

// cellOf returns the table cell and row a run stands in, -1 outside tables,
// looking no further out than element top.
func (t *tree) cellOf(host, top int32) (cell, row int32) {
	cell, row = -1, -1
	for i := host; i > top; i = t.nodes[i].parent {
		switch t.nodes[i].tag {
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

// join writes runs one below the other; the cells of a table row stand side by
// side, separated by tabs.
func (t *tree) join(runs []int32, top int32) string {
	var b strings.Builder
	lastCell, lastRow := int32(-1), int32(-1)
	for k, r := range runs {
		run := &t.runs[r]
		cell, row := t.cellOf(run.host, top)
		text, _ := cutCounter(strings.Trim(t.text[run.from:run.to], " \n"))
		small := cell >= 0 && t.nodes[cell].chars < 120 && t.nodes[row].chars > t.nodes[cell].chars
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
