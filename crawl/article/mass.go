package article

import (
	"slices"
	"unicode/utf8"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The mass method. A run of c characters, n of them outside links, has the mass n·(n/c)². So long
// texts are heavy and links are light. From <body> the method descends to the child with the most
// mass while that holds nearly all of it. The text is the last element.

const (
	minMassShare     = 0.7 // share of an element's mass in a child to which to descend, at least
	heavyShare       = 0.4 // share of the page in an element with a negative class that is the content, at least
	hiddenShare      = 0.8 // share of the page in hidden text that is the content, shown by a script, at least
	maxLinkShare     = 0.6 // share of characters in links of a text, at most
	minLinkListChars = 30  // characters of an element to which maxLinkShare applies, at least
	minUnendedRun    = 12  // characters of a sentence without punctuation, at least
	massChild        = 0.1 // factor for negative classes and for runs before the title
	paragraphChars   = 300 // characters of an element that is one paragraph, less than this
	maxPointerText   = 20  // characters of a text that only announces attachments, less than this
	maxShortText     = 200 // characters of a text that must stand beside the title, less than this
	minBesideTable   = 20  // mass beside a data table that belongs to the text, at least
	massUnended      = 0.4 // factor for short runs without punctuation
)

// byMass extracts the main text by text mass.
func (x *TextExtractor) byMass() TextResult {
	t := x.Tree
	if len(t.Runs) == 0 {
		return TextResult{}
	}
	title := titleRun(t, x.Title)
	title = x.weigh(title)
	top := x.descend()
	m := x.render(top, title)
	if x.Title < 0 || utf8.RuneCountInString(m.Text) >= maxShortText {
		return m
	}
	// A short text away from the title is the footer of a page with a short text or only links.
	beside := x.besideTitle(x.Title)
	switch {
	case beside.Text == "" && lightNegative(t, top, x.mass, 0): // a footer, for no mass is below 0
		return TextResult{}
	case beside.Text != "" && (top < beside.From || top >= beside.To):
		return beside
	}
	return m
}

// titleRun returns the run that shows the title, -1 without one.
func titleRun(t *htmldoc.Tree, title int32) int {
	if title < 0 {
		return -1
	}
	n := &t.Nodes[title]
	return slices.IndexFunc(t.Runs, func(r htmldoc.TextRun) bool {
		return r.From >= n.From && r.From < n.To || r.From <= n.From && n.From < r.To
	})
}

// basicWeight returns a run's mass without regard to its place.
func basicWeight(t *htmldoc.Tree, r *htmldoc.TextRun) float64 {
	if r.Chars < 120 && htmldoc.IsFurnitureAt(t.Text, int(r.From), int(r.To)) {
		return 0
	}
	n := float64(r.Chars - r.LinkChars)
	share := n / float64(r.Chars)
	return n * share * share
}

// weigh fills x.mass with the mass of every element's subtree. It returns the title's run, or -1
// if less than heavyShare of the mass stands behind it. Then title is not the real title.
func (x *TextExtractor) weigh(title int) int {
	t := x.Tree
	raw := zeroed(&x.raw, len(t.Nodes))
	total, after := 0.0, 0.0
	for i := range t.Runs {
		r := &t.Runs[i]
		w := basicWeight(t, r)
		total += w
		if i > title {
			after += w
		}
		raw[r.Host] += w
	}
	accumulate(t, raw)
	if title >= 0 && after < heavyShare*total {
		title = -1
	}
	mass := zeroed(&x.mass, len(t.Nodes))
	for i := range t.Runs {
		r := &t.Runs[i]
		w := basicWeight(t, r)
		if w == 0 || i == title {
			continue
		}
		if r.Punct == 0 && r.Chars < minUnendedRun {
			w *= massUnended
		}
		if r.Chars < 120 && contact(t.Text[r.From:r.To]) {
			w *= massChild
		}
		if r.Negative && lightNegative(t, r.Host, raw, heavyShare*total) {
			w *= massChild
		}
		if i < title {
			w *= massChild
		}
		if t.Nodes[r.Host].Hidden && raw[r.Host] < hiddenShare*total {
			w *= massChild
		}
		if x.Host != nil && x.Host.RepeatedText(t.Text[r.From:r.To]) {
			continue
		}
		mass[r.Host] += w
	}
	accumulate(t, mass)
	return title
}

// lightNegative reports whether an element around node i has a negative class and less mass than
// heavy, or is the footer of the page.
func lightNegative(t *htmldoc.Tree, i int32, mass []float64, heavy float64) bool {
	for ; i >= 0; i = t.Nodes[i].Parent {
		n := &t.Nodes[i]
		if n.Traits&htmldoc.Footing != 0 || n.Traits&htmldoc.Negative != 0 && mass[i] < heavy {
			return true
		}
	}
	return false
}

// accumulate adds every element's value to the elements around it.
func accumulate(t *htmldoc.Tree, v []float64) {
	for i := len(t.Nodes) - 1; i > 0; i-- {
		if p := t.Nodes[i].Parent; p >= 0 {
			v[p] += v[i]
		}
	}
}

// descend returns the element that holds the text: it follows the mass from the outermost element.
func (x *TextExtractor) descend() int32 {
	t := x.Tree
	mass := x.mass
	top := int32(0)
	for {
		best := int32(-1)
		for c := top + 1; c < t.Nodes[top].End; c = t.Nodes[c].End {
			if !t.Nodes[c].IsText && (best < 0 || mass[c] > mass[best]) {
				best = c
			}
		}
		if best < 0 || mass[best] == 0 || mass[best] < minMassShare*mass[top] || x.tableBeside(top, best) ||
			paragraph(t, best) {
			return top
		}
		switch n := &t.Nodes[best]; {
		case n.Tag == atom.Table:
			// A layout table has one cell that holds it all. A data table stays whole.
			if best = x.heavyCell(best, minMassShare*mass[top]); best < 0 {
				return top
			}
		case n.Tag == atom.P || n.Tag == atom.Li:
			return top
		case !n.BreaksText && n.Tag != atom.Span && n.Tag != atom.Font && n.HTML.Data != "article":
			return top
		}
		top = best
	}
}

// paragraph reports whether an element holds no more than one paragraph.
func paragraph(t *htmldoc.Tree, i int32) bool {
	n := &t.Nodes[i]
	if n.Chars >= paragraphChars {
		return false
	}
	runs := 0
	for k := range t.Runs {
		if h := t.Runs[k].Host; h >= i && h < n.End {
			runs++
		}
	}
	return runs <= 1
}

// tableBeside reports whether child best of top is mostly data tables, and text stands beside it.
func (x *TextExtractor) tableBeside(top, best int32) bool {
	t := x.Tree
	b := &t.Nodes[best]
	if x.mass[top]-x.mass[best] < minBesideTable {
		return false
	}
	rows, table := 0, int32(0)
	for i := best; i < b.End; {
		n := &t.Nodes[i]
		if n.Tag == atom.Table && x.heavyCell(i, minMassShare*x.mass[i]) < 0 {
			table += n.Chars
			rows++
			i = n.End
			continue
		}
		i++
	}
	return rows > 0 && table*5 >= b.Chars*4
}

// heavyCell returns the outermost cell of a table with at least the given mass. It returns -1
// without one, and if the table's rows have labels.
func (x *TextExtractor) heavyCell(table int32, mass float64) int32 {
	t := x.Tree
	if hasLabels(t, table) {
		return -1
	}
	for i := table + 1; i < t.Nodes[table].End; {
		n := &t.Nodes[i]
		switch {
		case x.mass[i] < mass:
			i = n.End
		case n.Tag == atom.Td || n.Tag == atom.Th:
			return i
		default:
			i++
		}
	}
	return -1
}

// zeroed sets *s to a slice of n zeros, in its own memory if possible, and returns it.
func zeroed(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n, n+n/4)
	}
	*s = (*s)[:n]
	clear(*s)
	return *s
}
