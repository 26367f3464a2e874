package article

import (
	"slices"
	"unicode/utf8"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// The mass method. A run of c characters with n of them outside links has the
// mass n·(n/c)²: long texts are heavy, links are not. From <body> the method
// follows the child with the most mass as long as it holds nearly all of it, and
// takes what stands below.

const (
	massShare      = 0.7 // of an element's mass a child must hold to be followed
	heavyShare     = 0.4 // a negative class that holds as much is believed to be the content
	hiddenShare    = 0.8 // hidden text that holds as much is believed to be the content, shown by a script
	denseLinks     = 0.6 // link share above which a subtree is no text
	denseChars     = 30  // characters from which a subtree is judged by that
	shortRun       = 12  // characters below which a run without punctuation is no sentence
	massChild      = 0.1 // factor for negative classes and for what stands before the title
	paragraphChars = 300 // a longer element without paragraphs is a text with line breaks
	littleText     = 20  // characters of a text that only points to its attachments
	smallText      = 200 // characters of a text that must stand beside the title
	besideTable    = 20  // mass beside a data table that makes both the text
	massUnended    = 0.4 // factor for short runs without punctuation
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
	if x.Title < 0 || utf8.RuneCountInString(m.Text) >= smallText {
		return m
	}
	// A few words that do not stand beside the title are the foot of a page whose
	// own text is short or made of links.
	beside := x.besideTitle(x.Title)
	switch {
	case beside.Text == "" && lightNegative(t, top, x.mass, 0): // the foot, for no mass is below 0
		return TextResult{}
	case beside.Text != "" && (top < beside.From || top >= beside.To):
		return beside
	}
	return m
}

// titleRun returns the run that shows the title, -1 when none does.
func titleRun(t *htmldoc.Tree, title int32) int {
	if title < 0 {
		return -1
	}
	n := &t.Nodes[title]
	return slices.IndexFunc(t.Runs, func(r htmldoc.TextRun) bool {
		return r.From >= n.From && r.From < n.To || r.From <= n.From && n.From < r.To
	})
}

// basicWeight is a run's weight before anything is known of where it stands.
func basicWeight(t *htmldoc.Tree, r *htmldoc.TextRun) float64 {
	if r.Chars < 120 && htmldoc.IsFurnitureAt(t.Text, int(r.From), int(r.To)) {
		return 0
	}
	n := float64(r.Chars - r.LinkChars)
	share := n / float64(r.Chars)
	return n * share * share
}

// weigh fills x.mass with the mass of every element's subtree. It returns the
// title's run, or -1 when less than 40 % of the mass stands behind it, for then
// something else was taken for the title.
func (x *TextExtractor) weigh(title int) int {
	t := x.Tree
	raw := resize(&x.raw, len(t.Nodes))
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
	mass := resize(&x.mass, len(t.Nodes))
	for i := range t.Runs {
		r := &t.Runs[i]
		w := basicWeight(t, r)
		if w == 0 || i == title {
			continue
		}
		if r.Punct == 0 && r.Chars < shortRun {
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

// lightNegative reports whether an element around a run is negative by its own
// class and holds less mass than heavy, or is the foot of the page.
func lightNegative(t *htmldoc.Tree, i int32, mass []float64, heavy float64) bool {
	for ; i >= 0; i = t.Nodes[i].Parent {
		n := &t.Nodes[i]
		if n.Traits&htmldoc.Footing != 0 || n.Traits&htmldoc.Negative != 0 && mass[i] < heavy {
			return true
		}
	}
	return false
}

// accumulate adds every element's value to all elements around it.
func accumulate(t *htmldoc.Tree, v []float64) {
	for i := len(t.Nodes) - 1; i > 0; i-- {
		if p := t.Nodes[i].Parent; p >= 0 {
			v[p] += v[i]
		}
	}
}

// descend follows the mass from the outermost element.
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
		if best < 0 || mass[best] == 0 || mass[best] < massShare*mass[top] || x.tableBeside(top, best) ||
			paragraph(t, best) {
			return top
		}
		switch n := &t.Nodes[best]; {
		case n.Tag == atom.Table:
			// A layout table has one cell that holds it all. A data table stays whole.
			if best = x.heavyCell(best, massShare*mass[top]); best < 0 {
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

// tableBeside reports whether child best of top is a data table (or little more)
// and sentences stand beside it: a notice with its table.
func (x *TextExtractor) tableBeside(top, best int32) bool {
	t := x.Tree
	b := &t.Nodes[best]
	if x.mass[top]-x.mass[best] < besideTable {
		return false
	}
	rows, table := 0, int32(0)
	for i := best; i < b.End; {
		n := &t.Nodes[i]
		if n.Tag == atom.Table && x.heavyCell(i, massShare*x.mass[i]) < 0 {
			table += n.Chars
			rows++
			i = n.End
			continue
		}
		i++
	}
	return rows > 0 && table*5 >= b.Chars*4
}

// heavyCell returns the outermost cell of a table that holds at least so much,
// -1 when none does or the table's rows have labels.
func (x *TextExtractor) heavyCell(table int32, mass float64) int32 {
	t := x.Tree
	if labelled(t, table) {
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

// resize returns a zeroed slice of length n in the space of *s.
func resize(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n, n+n/4)
	}
	*s = (*s)[:n]
	clear(*s)
	return *s
}
